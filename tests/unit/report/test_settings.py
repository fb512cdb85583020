"""Settings: there and back without a change, and whatever else is read without an exception."""

from __future__ import annotations

import dataclasses
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core.accounting import exact
from compdp_core.adjacency import Neighbours, Person
from compdp_core.errors import shown
from compdp_core.intervals import Interval
from compdp_core.mechanisms.planning import ALL_PAIRS
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, release
from compdp_core.report import Statement
from compdp_core.report.card import FORMAT as CARD
from compdp_core.report.fields import MOST_COLUMNS, MOST_PARTS
from compdp_core.report.settings import (
    FORMAT,
    VERSION,
    StatisticSettings,
    TableSettings,
    to_json,
)
from compdp_core.report.settings_reading import MOST_CHARACTERS, OpenedSettings, from_json
from compdp_core.shapes import Constant, Pair, Rectangle, Staircase
from compdp_core.statistics import (
    AllOf,
    Condition,
    Count,
    Grouping,
    Mean,
    Median,
    Mode,
    Sum,
    Variance,
)
from compdp_core.statistics.query import Query
from compdp_core.tables import Affix, read
from compdp_core.tables.value_formats import FORMATS
from tests.unit.report.examples import INQUIRIES, PLANS, put, survey

# There and back


def check_back(said: TableSettings | StatisticSettings) -> None:
    assert from_json(to_json(said)) == from_json(to_json(said).encode()) == OpenedSettings(said)


@pytest.mark.parametrize("name", PLANS)
def test_plans_come_back_unchanged(name: str) -> None:
    plan = PLANS[name]
    labels = tuple(f"column {c.position}" for c in plan.columns)
    statements = tuple(Statement(f"source {c.position}", "cm") for c in plan.columns)
    check_back(TableSettings(plan))
    check_back(TableSettings(plan, labels, statements))


@pytest.mark.parametrize("name", INQUIRIES)
def test_inquiries_come_back_unchanged(name: str) -> None:
    said = StatisticSettings(INQUIRIES[name], Fraction(1, 3))
    check_back(said)
    check_back(dataclasses.replace(said, pair="A4B1", steps=7, label="naïve", source="a law"))


ends = st.floats(-1e6, 1e6)
intervals = st.tuples(ends, st.floats(1e-3, 1e6)).map(lambda p: Interval(p[0], p[0] + p[1]))
budgets = st.fractions(Fraction(1, 1000), 50, max_denominator=10**6)
texts = st.text(max_size=20)
affixes = st.builds(
    Affix,
    prefix=st.text(max_size=3), suffix=st.text(max_size=3),
    thousands=st.sampled_from(["", ",", " "]), parentheses=st.booleans(),
)  # fmt: skip
own = [Pair(Rectangle(), Constant()), Pair(Staircase(3, 0.4, 1.0), Constant())]


@st.composite
def column_plans(draw: st.DrawFn, position: int) -> ColumnPlan:
    pair = draw(st.sampled_from([None, *ALL_PAIRS, *own]))
    tail = st.none() | st.floats(0.01, 0.99) if str(pair).endswith("B2") else st.none()
    rest: tuple[st.SearchStrategy[Any], ...] = (
        tail, st.sampled_from(["center", "mean", "worst"]), st.none() | intervals, st.booleans(),
        st.sampled_from(["keep", "drop", "fill"]), st.none() | affixes,
        st.sampled_from([None, ".", ","]), st.sampled_from(["", "NA", "k. A.", "—", 'so "said"']),
    )  # fmt: skip
    return ColumnPlan(position, draw(intervals), draw(budgets), pair, *map(draw, rest))


names = st.text("abcäé .,;\"'0123456789", min_size=1, max_size=8).map(str.strip)
lists = st.lists(names, min_size=2, max_size=5, unique=True)
FORMS = [kind() for kind in FORMATS.values()]


@st.composite
def plans_of_kinds(draw: st.DrawFn, position: int) -> ColumnPlan:
    """Of categories, scales, and with every format there is."""
    missing: Any = draw(st.sampled_from(["drop", "fill"]))
    if draw(st.booleans()):
        listed: Any = draw(lists)
        if draw(st.booleans()):
            listed = {name: [name, f"({place})"] for place, name in enumerate(listed)} | {
                "rest": []
            }
        kind: Any = draw(st.sampled_from(["category", "scale"]))
        return ColumnPlan(
            position, epsilon=draw(budgets), kind=kind, categories=listed, missing=missing
        )
    form = draw(st.sampled_from(FORMS))
    kind = "number" if form.kind == "number" else form.kind
    return ColumnPlan(
        position, draw(intervals), draw(budgets), kind=kind, format=form, missing=missing
    )


persons = st.builds(
    Person,
    st.lists(texts, min_size=1, max_size=3, unique=True), st.integers(1, 10**9),
    st.sampled_from(["leave out", "refuse"]), st.integers(1, 10**9),
)  # fmt: skip


readings = st.fixed_dictionaries({}, optional={
    "encoding": st.sampled_from(["utf-8", "cp1252", "utf-16-le", "shift_jis"]),
    "separator": st.sampled_from([",", ";", "\t", "|", " "]),
    "decimal": st.sampled_from([".", ","]),
    "quote": st.sampled_from(['"', ""]),
    "header": st.booleans(),
    "skip_lines": st.integers(0, 99),
    "missing": st.lists(texts, max_size=5).map(tuple),
    "columns": st.integers(1, MOST_COLUMNS),
    "short_rows": st.sampled_from(["complete", "leave out"]),
    "long_rows": st.just("leave out") | st.integers(0, MOST_COLUMNS - 1),
    "trailing_cells": st.sampled_from(["keep", "leave out"]) | st.integers(0, MOST_COLUMNS - 1),
    "comment_rows": st.sampled_from(["keep", "leave out", "row"]),
    "blank_lines": st.sampled_from(["skip", "missing"]),
})  # fmt: skip


@given(st.data(), st.lists(st.integers(0, 500), min_size=1, max_size=4, unique=True))
def test_any_plan_comes_back_unchanged(data: st.DataObject, positions: list[int]) -> None:
    person = data.draw(st.none() | persons)
    answered = data.draw(st.none() | st.integers(1, len(positions)))
    columns = tuple(
        data.draw(column_plans(position) | plans_of_kinds(position)) for position in positions
    )
    plan = Plan(columns, person, answered)
    said = st.builds(Statement, texts, texts, st.booleans())
    statements = tuple(data.draw(said) for _ in positions)
    labels = tuple(data.draw(texts) for _ in positions)
    omitted = data.draw(st.lists(texts, max_size=3).map(tuple))
    check_back(TableSettings(plan, labels, statements, data.draw(readings), omitted))


conditions = st.one_of(
    st.builds(Condition, texts, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), ends),
    st.builds(Condition, texts, st.sampled_from(["==", "!="]), texts),
)
statistics = st.one_of(
    st.just(Count()), st.just(Sum()), st.just(Mode()),
    st.builds(Mean, st.none() | st.integers(1, 1000)),
    st.builds(Variance, st.sampled_from([0, 1])),
    st.builds(Median, st.sampled_from(["lower", "upper", "mid"])),
)  # fmt: skip
inquiries = st.builds(
    Query,
    statistics, st.integers(0, 100), st.none() | intervals, st.sampled_from(list(Neighbours)),
    st.none() | st.integers(1, 10**6),
    st.none() | conditions | st.lists(conditions, min_size=1, max_size=3).map(
        lambda each: AllOf(tuple(each))
    ),
    st.none() | st.builds(
        Grouping, texts, st.lists(texts, min_size=1, max_size=4, unique=True).map(tuple),
        st.sampled_from(["refuse", "leave out"]),
    ),
    st.sampled_from(["fill", "leave out"]), st.booleans(), texts, st.none() | affixes,
    decimal=st.sampled_from([None, ".", ","]),
)  # fmt: skip
counts_of_text = st.builds(
    lambda asked: dataclasses.replace(asked, statistic=Count(), kind="text"), inquiries
)


@given(
    st.builds(
        StatisticSettings,
        inquiries | counts_of_text,
        budgets,
        st.none() | st.sampled_from(ALL_PAIRS),
        st.none() | st.integers(1, 99),
    )
)
def test_any_inquiry_comes_back_unchanged(said: StatisticSettings) -> None:
    check_back(said)


def test_budgets_are_written_exactly() -> None:
    said = json.loads(to_json(TableSettings(PLANS["three columns"])))
    assert said["epsilon"] == "17/6"
    assert [exact(c["epsilon"]) for c in said["columns"]] == [Fraction(1, 3), Fraction(1, 2), 2]


def test_labels_and_statements_fill_up_and_are_cut() -> None:
    plan = PLANS["three columns"]
    told = TableSettings(plan, ("a",), tuple(Statement() for _ in range(9)))
    assert told.labels == ("a", "", "")
    assert len(told.statements) == 3


# Anything else

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(anything | st.text() | st.binary())
def test_whatever_is_read_nothing_raises(document: Any) -> None:
    text = document if isinstance(document, str | bytes) else json.dumps(document)
    reading = from_json(text)
    assert reading.settings is None
    assert reading.notices


TOLD = {
    **survey().format.options, "columns": 9, "short_rows": "complete", "long_rows": 3,
    "comment_rows": "keep", "blank_lines": "skip",
}  # fmt: skip
TABLE = json.loads(to_json(TableSettings(PLANS["three columns"], ("s", "p", "w"), (), TOLD)))
STATISTIC = json.loads(to_json(StatisticSettings(INQUIRIES["mean of some"], Fraction(1))))
GROUPED = json.loads(to_json(StatisticSettings(INQUIRIES["groups"], Fraction(1))))
OWN = json.loads(to_json(TableSettings(PLANS["own shapes"])))
GOOD = {"position": 7, "inputs": [1, 2]}


def table_of(**changes: Any) -> tuple[TableSettings, tuple[str, ...]]:
    """What is read of settings of a table with these entries, and the notices."""
    reading = from_json(json.dumps({**TABLE, **changes}))
    assert isinstance(reading.settings, TableSettings)
    return reading.settings, reading.notices


def inquiry_of(said: dict[str, Any] = STATISTIC, **changes: Any) -> tuple[Query, tuple[str, ...]]:
    """The inquiry that is read of settings of a statistic with these entries, and the notices."""
    reading = from_json(json.dumps({**said, **changes}))
    assert isinstance(reading.settings, StatisticSettings)
    return reading.settings.inquiry, reading.notices


def places(document: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a document, from the outside in."""
    inner = document.items() if isinstance(document, dict) else enumerate(document)
    found = []
    for key, value in inner:
        found.append((*way, key))
        if isinstance(value, dict | list):
            found += places(value, (*way, key))
    return found


@given(st.data(), st.sampled_from([TABLE, STATISTIC, GROUPED, OWN]), anything)
@settings(max_examples=150)
def test_a_value_that_makes_no_sense_anywhere_never_raises(
    data: st.DataObject, document: Any, value: Any
) -> None:
    changed = put(document, data.draw(st.sampled_from(places(document))), value)
    reading = from_json(json.dumps(changed))
    assert all(len(notice) < 500 for notice in reading.notices)
    if reading.settings is not None:
        # Whatever came out is proper settings again, and what it says of reading can be used.
        if isinstance(reading.settings, TableSettings):
            read(b"a\n1\n", **{**reading.settings.reading, "encoding": None, "skip_lines": 0})
        check_back(reading.settings)


OF_NO_PAIR = [
    "A7B7",
    {"activation": {"formula": "exp("}},
    {"activation": {"formula": "v", "kind": "activation"}, "base": {}},
    {"activation": {"points": [[0, 1]]}, "base": {"name": "B1"}},
    {"activation": {"name": "A4", "steps": -1}, "base": {"name": "B1"}},
]
BAD: list[tuple[str, Any, list[Any]]] = [
    ("epsilon", Fraction(1), [-1, "lots", 1e9]),
    ("pair", None, OF_NO_PAIR),
    ("tail_ratio", None, [2]),
    ("objective", "center", ["fastest"]),
    ("outputs", None, [[3, 1], "wide"]),
    ("whole", False, ["yes"]),
    ("missing", "fill", ["guess"]),
    ("strip", None, ["$", {"prefix": "x" * 99}]),
    ("decimal", None, [";", 1]),
    ("missing_as", "", ["-99", "two\nlines", "x" * 41, ["NA"]]),
]


@pytest.mark.parametrize(("name", "default", "values"), BAD)
def test_a_column_falls_back_value_by_value(name: str, default: Any, values: list[Any]) -> None:
    for value in values:
        column = {"position": 4, "inputs": [0, 9], name: value}
        said, (notice,) = table_of(columns=[column])
        plan = said.plan.columns[0]
        assert getattr(plan, name) == default
        assert plan.inputs == Interval(0, 9)
        assert f"column 1 of the settings: {name} " in notice
        assert "makes no sense" in notice


@pytest.mark.parametrize(
    "column",
    [
        {"inputs": [0, 9]},
        {"position": 1},
        *({"position": each, "inputs": [0, 9]} for each in (-1, 1.5, True, MOST_COLUMNS + 1)),
        *(
            {"position": 1, "inputs": each}
            for each in ([9, 0], [0, float("inf")], [0, 1, 2], {"lower": 0})
        ),
        "height",
        None,
    ],
    ids=str,
)
def test_a_column_without_place_or_bounds_is_left_out(column: Any) -> None:
    said, notices = table_of(columns=[column, GOOD])
    assert [each.position for each in said.plan.columns] == [7]
    assert "column 1" in notices[0]
    assert "left out" in notices[0]
    alone = from_json(json.dumps({**TABLE, "columns": [column]}))
    assert alone.settings is None
    assert len(alone.notices) == 2


def test_a_column_named_twice_counts_once() -> None:
    said, notices = table_of(columns=[GOOD, {"position": 7, "inputs": [3, 4]}])
    assert said.plan.columns[0].inputs == Interval(1, 2)
    assert "column 2 of the settings: its position came before" in notices[0]


def test_a_tail_ratio_of_another_base_is_left_out() -> None:
    said, notices = table_of(columns=[{**GOOD, "pair": "A1B1", "tail_ratio": 0.9}])
    assert said.plan.columns[0].tail_ratio is None
    assert "belongs to base B2" in notices[0]


BAD_READING: dict[str, list[Any]] = {
    "encoding": ["klingon", 8],
    "separator": [";;", "1"],
    "decimal": ["'"],
    "quote": ["`"],
    "escape": ["/"],
    "runs": ["yes"],
    "header_rows": [0, 1.5],
    "comment_mark": ["##"],
    "header": ["yes"],
    "skip_lines": [-1, 0.5],
    "missing": ["NA", ["NA", 99]],
    "columns": [0, MOST_COLUMNS + 1],
    "short_rows": ["fill"],
    "long_rows": ["join", -1, True],
    "trailing_cells": ["skip", -1],
    "comment_rows": ["drop"],
    "blank_lines": [["skip"]],
}


@pytest.mark.parametrize("name", BAD_READING)
def test_how_a_table_is_read_falls_back_value_by_value(name: str) -> None:
    for value in BAD_READING[name]:
        said, (notice,) = table_of(reading={**TABLE["reading"], name: value})
        assert said.reading == {k: v for k, v in TOLD.items() if k != name}
        assert notice.startswith(f"reading: {name} {shown(value)} makes no sense: it is ")


@pytest.mark.parametrize("junk", [3, "utf-8", ["separator"], True], ids=ascii)
def test_what_says_nothing_of_how_a_table_is_read_is_named(junk: Any) -> None:
    said, notices = table_of(reading=junk)
    assert said.reading == {}
    assert notices == (
        f"reading {shown(junk)} makes no sense: how the file is laid out is looked for in it.",
    )


def test_a_table_is_read_the_same_from_its_settings() -> None:
    data = b"# now\nid;price;n\n1;$ 5,5;x\n# a\n2;$ 7;y;z\n3;n/a\n"
    options: dict[str, Any] = {"skip_lines": 1, "short_rows": "complete", "long_rows": 2}
    table = read(data, header=True, decimal=",", comment_rows="keep", **options).stripped(1)
    column = ColumnPlan(1, Interval(0, 9), 1, missing="keep", missing_as="none")
    drawn = release(table, Plan((column,)), source=SeededSource(1))
    found = from_json(to_json(TableSettings.of(drawn, {1: Statement("a law", "$")}))).settings
    assert isinstance(found, TableSettings)
    # The symbol is in the plan: the cells of another table have no say in it.
    assert found.plan.columns[0] == dataclasses.replace(column, strip=Affix("$"))
    assert (found.labels, found.statements) == (("price",), (Statement("a law", "$"),))
    assert found.reading == table.format.options
    again = read(data, **found.reading)
    assert again.format.options == table.format.options
    assert release(again, found.plan, source=SeededSource(1)).csv() == drawn.csv()


ASKED = {
    **{name: TABLE[name] for name in ("format", "version")},
    "kind": "statistic", "statistic": {"name": "median"}, "position": 2,
}  # fmt: skip
MANY = [str(i) for i in range(MOST_PARTS + 1)]
BAD_GROUPS = [{"by": "class"}, *({"by": "x", "categories": each} for each in ([], ["a"] * 2, MANY))]
BAD_PARTS: list[tuple[str, Any, list[Any]]] = [
    ("bounds", None, [[1]]),
    ("neighbours", Neighbours.REPLACE_ONE, ["twins", 3]),
    ("max_rows", None, [0, 2.5]),
    ("where", None, ["age > 3"]),
    ("grouping", None, BAD_GROUPS),
    ("missing", "fill", ["drop"]),
    ("whole_numbers", False, [1]),
    ("unit", "", ["x" * 501]),
]


@pytest.mark.parametrize(("name", "default", "values"), BAD_PARTS)
def test_an_inquiry_falls_back_value_by_value(name: str, default: Any, values: list[Any]) -> None:
    for value in values:
        inquiry, (notice,) = inquiry_of(ASKED, **{name: value})
        assert getattr(inquiry, name) == default
        assert inquiry.statistic == Median()
        assert notice.startswith(name)


@pytest.mark.parametrize(
    ("statistic", "expected", "notices"),
    [
        ({"name": "mean", "at_least": -3}, Mean(), 1),
        ({"name": "mean", "at_least": 3}, Mean(3), 0),
        ({"name": "median", "kind": ["mid"]}, Median(), 1),
        ({"name": "variance", "ddof": 2}, Variance(), 1),
        ({"name": "variance", "ddof": 1}, Variance(1), 0),
    ],
    ids=str,
)
def test_parts_of_a_statistic_fall_back(statistic: Any, expected: Any, notices: int) -> None:
    inquiry, found = inquiry_of(statistic=statistic)
    assert (inquiry.statistic, len(found)) == (expected, notices)


@pytest.mark.parametrize("statistic", [{"name": "range"}, "mean", None, {}, 3], ids=str)
def test_without_a_statistic_there_is_nothing_to_ask(statistic: Any) -> None:
    reading = from_json(json.dumps({**STATISTIC, "statistic": statistic}))
    assert reading.settings is None
    assert reading.notices


def test_a_file_of_before_says_by_the_constant_what_is_compared() -> None:
    where = [
        {"column": "a", "comparison": ">=", "constant": 18.0},
        {"column": "b", "comparison": "==", "constant": "18"},
    ]
    grouping = {"by": "b", "categories": ["x"], "unlisted": "refuse"}
    inquiry, notices = inquiry_of(where=where, grouping=grouping)
    assert not notices
    assert [each.kind for each in inquiry.conditions] == ["number", "text"]
    assert (inquiry.kind, inquiry.decimal) == ("number", None)
    assert inquiry.grouping == Grouping("b", ("x",), "refuse")


@pytest.mark.parametrize(
    ("changed", "notice"),
    [
        ({"column_kind": "text"}, "column_kind 'text' makes no sense: 'number' is used instead."),
        ({"column_kind": "date"}, "column_kind 'date' makes no sense: 'number' is used instead."),
        ({"decimal": ";"}, "decimal ';' makes no sense: that of the table is used."),
    ],
)
def test_a_kind_or_decimal_mark_that_is_none_is_named(changed: dict[str, Any], notice: str) -> None:
    assert inquiry_of(**changed)[1] == (notice,)


@pytest.mark.parametrize(
    ("conditions", "kept"),
    [
        ([{"column": "a", "comparison": "==", "constant": 18.0, "kind": "text"}], None),
        (
            [
                {"column": "a", "comparison": "<", "constant": "text"},
                {"column": "a", "comparison": "~", "constant": 1},
                {"column": "b", "comparison": "==", "constant": "x"},
                "a < 3",
                {"column": 3, "comparison": "<", "constant": 1},
            ],
            Condition("b", "==", "x"),
        ),
    ],
    ids=["kind of the constant", "several"],
)
def test_conditions_that_make_no_sense_are_left_out_one_by_one(conditions: Any, kept: Any) -> None:
    inquiry, notices = inquiry_of(where=conditions)
    assert inquiry.where == kept
    assert len(notices) == len(conditions) - (kept is not None)


@pytest.mark.parametrize(
    "document",
    [
        b"\xff\xfe\x00", "", "[" * 100_000, "{" * 10, '{"columns": [1e999]}', "9" * 10_000, "null",
        "[]", '"text"', " " * (MOST_CHARACTERS + 1), '{"columns": {}}',
    ],
    ids=lambda document: ascii(document[:12]),
)  # fmt: skip
def test_documents_that_are_no_settings_are_told_apart(document: str | bytes) -> None:
    reading = from_json(document)
    assert reading.settings is None
    assert reading.notices
    assert all(len(notice) < 300 for notice in reading.notices)


def test_a_file_of_another_kind_or_age_is_said_to_be_one() -> None:
    for change in ({"format": "something"}, {"version": 0}, {"version": None}):
        assert "does not say that it is" in table_of(**change)[1][0]
    assert "of version 99, which is newer than this program knows" in table_of(version=99)[1][0]
    card = from_json(json.dumps({"format": CARD, "version": 1}))
    assert card.settings is None
    assert card.notices == card.faults
    assert "privacy card" in card.notices[0]


def test_faults_are_the_notices_without_what_is_done_instead() -> None:
    """For a command, which does nothing instead."""
    column = {"position": 0, "inputs": [0, 9], "epsilon": -1, "tail_ratio": 0.5}
    found = from_json(
        json.dumps({"format": FORMAT, "version": VERSION, "columns": [column, column, 7]})
    )
    assert found.faults == (
        "column 1 of the settings: epsilon -1 makes no sense.",
        "column 1 of the settings: tail_ratio 0.5 makes no sense: it belongs to base B2.",
        "column 2 of the settings: epsilon -1 makes no sense.",
        "column 2 of the settings: tail_ratio 0.5 makes no sense: it belongs to base B2.",
        "column 2 of the settings: its position came before.",
        "column 3 of the settings: 7 makes no sense.",
    )
    assert [
        told.removeprefix(fault[:-1])
        for told, fault in zip(found.notices, found.faults, strict=True)
    ] == [
        ": 1 is used instead.", " and is left out.", ": 1 is used instead.", " and is left out.",
        ": it is left out.", ": it is left out.",
    ]  # fmt: skip


def test_a_mark_in_front_of_the_text_does_no_harm() -> None:
    text = "\ufeff" + to_json(TableSettings(PLANS["one column"]))
    assert from_json(text.encode()).notices == ()
