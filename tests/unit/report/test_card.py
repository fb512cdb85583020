"""The privacy card: every number against a second route, and nothing private on it."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import tomllib
from fractions import Fraction
from typing import Any, get_args, get_type_hints

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core.accounting import exact
from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, TableRelease, release
from compdp_core.release.statistic import answer
from compdp_core.report import (
    Card,
    Statement,
    card_of_answer,
    card_of_table,
    card_parts,
    schema,
    script_of_answer,
    script_of_table,
)
from compdp_core.report.card_parts import (
    Answered,
    CardContents,
    CellFormat,
    InFormat,
    Item,
    PersonPart,
    Privacy,
    Rows,
)
from compdp_core.report.settings import StatisticSettings, TableSettings, to_json
from compdp_core.report.version import version
from compdp_core.statistics import Mean, Neighbours
from compdp_core.statistics.query import Query
from compdp_core.tables import Table, read
from tests.unit.release.made import exceeds, plan_of, released
from tests.unit.report.examples import (
    ADD,
    HEIGHT,
    INQUIRIES,
    PLANS,
    REPLACE,
    ROOT,
    asked,
    card_named,
    drawn_table,
    of_numbers,
    put,
    texts_of,
)

VALIDATOR = jsonschema.Draft202012Validator(schema())


@pytest.fixture(scope="module", params=[*PLANS, *INQUIRIES])
def example(request: pytest.FixtureRequest) -> tuple[Card, list[CompositeMechanism]]:
    name = request.param
    if name in PLANS:
        drawn = drawn_table(name)
        return card_of_table(drawn), [column.composite for column in drawn.columns]
    told = asked(name)
    return card_of_answer(*told.given), [each.mechanism for each in told.each]


# Form


def test_the_schema_is_one_and_describes_every_card(
    example: tuple[Card, list[CompositeMechanism]],
) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    said = json.loads(example[0].to_json())
    VALIDATOR.validate(said)
    assert said == example[0].as_dict()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("clamped", 3),
        ("items.0.missing.count", 3),
        ("items.0.certificate.holds", False),
        ("items.0.certificate.ratio", "1.5"),
        ("items.0.parameters.k", "0.5"),
        ("items.0.bounds.origin", "read from the data"),
        ("privacy.epsilon", 1.0),
        ("privacy.epsilon", "-1"),
        ("rows.count", None),
        ("rows.at_most", 700),
        ("items", []),
        ("identifier", "7"),
        ("released_at", "yesterday"),
        ("not_covered", ...),
        ("items.0.error.worst", ...),
    ],
)
def test_the_schema_refuses_what_is_no_card(path: str, value: Any) -> None:
    said = card_of_table(drawn_table("one column")).as_dict()
    way = [int(step) if step.isdigit() else step for step in path.split(".")]
    VALIDATOR.validate(said)
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(put(said, way, value))


def described(kind: type) -> dict[str, Any]:
    said = schema()
    found: dict[str, Any] = said if kind is CardContents else said["$defs"][kind.__name__]
    return found


def kinds() -> list[type]:
    return [
        kind
        for kind in vars(card_parts).values()
        if dataclasses.is_dataclass(kind) and isinstance(kind, type)
    ]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_the_schema_names_exactly_the_fields_there_are(kind: type) -> None:
    said, hints = described(kind), get_type_hints(kind)
    more = {"format", "version"} if kind is CardContents else set()
    assert set(said["properties"]) == set(hints) | more
    # What cards did not have from the start is asked of none, or old ones would be none.
    later = {
        Rows: {"alignment"},
        Item: {
            "cells",
            "sampled",
            "kind",
            "listed",
            "response",
            "written",
            "rule",
            "c",
            "p",
            "c0",
            "lattice",
            "reading",
        },
        InFormat: {"settings"},
        Privacy: {"person"},
        PersonPart: {"counts", "count"},
        CellFormat: {"digits"},
        Answered: {"written"},
    }.get(kind, set())
    assert set(said["required"]) == set(said["properties"]) - later
    assert said["additionalProperties"] is False
    for name, hint in hints.items():
        optional = type(None) in get_args(hint)
        part = said["properties"][name]
        null = "null" in str(part.get("type")) or None in part.get("enum", ())
        null |= any(each.get("type") == "null" for each in part.get("oneOf", ()))
        assert null == optional, name


def test_the_version_is_that_of_the_project_file() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert version() == stated["project"]["version"]
    assert card_of_table(drawn_table("one column")).made_with == f"composite-dp {version()}"


# Numbers


def test_numbers_are_those_of_the_mechanism(
    example: tuple[Card, list[CompositeMechanism]],
) -> None:
    card, mechanisms = example
    assert len(card.items) == len(mechanisms)
    for item, mechanism in zip(of_numbers(card), mechanisms, strict=True):
        lattice, design, used = mechanism.lattice, mechanism.design, item.parameters
        assert Fraction(item.certificate.ratio) == mechanism.certificate.ratio
        assert item.certificate.points == lattice.points
        assert Fraction(repr(item.certificate.spacing)) == lattice.exact_spacing
        assert (item.outputs.lower, item.outputs.upper) == mechanism.outputs
        assert (item.inputs.lower, item.inputs.upper) == mechanism.inputs
        assert item.sensitivity.value == mechanism.sensitivity
        # What the parameters mean, worked out from one another.
        alpha, beta = design.pair.activation.area, design.pair.base.area
        mass = used.k * alpha * used.m + 2 * beta * used.y * used.L
        assert mass == pytest.approx(1.0, rel=1e-12)
        assert used.mu == pytest.approx(used.m / (2 * used.L), rel=1e-12)
        assert used.kappa == pytest.approx(used.k / used.y, rel=1e-9)
        assert used.tau == pytest.approx(used.t / used.y, rel=1e-12)
        assert pytest.approx(used.input_fraction * used.L, rel=1e-12) == used.C
        assert (used.steps is None) == (used.gamma is None) == (used.pair != "A4B1")
        # The error where it is largest is that of an end, and never below that of the middle.
        ends = [math.sqrt(mechanism.variance(end)) for end in mechanism.inputs]
        assert item.error.worst == max(ends) >= item.error.typical
        assert 0 <= item.certificate.worst_bias < 1e-6 * item.error.typical


def test_the_proof_is_within_the_budget_on_the_card(
    example: tuple[Card, list[CompositeMechanism]],
) -> None:
    card = example[0]
    for item in of_numbers(card):
        ratio, budget = Fraction(item.certificate.ratio), Fraction(item.epsilon)
        assert not exceeds(ratio, budget)
        assert not exceeds(ratio, Fraction(item.certificate.epsilon))
        assert Fraction(item.parameters.epsilon) <= budget
        assert item.certificate.holds


def test_typical_error_of_a_column_is_what_its_meaning_says() -> None:
    item = of_numbers(card_of_table(drawn_table("one column")))[0]
    assert "spread evenly" in item.error.typical_meaning
    mechanism = PLANS["one column"].columns[0].composite()
    evenly = np.linspace(*mechanism.inputs, 20_001)
    average = np.trapezoid(mechanism.variance(evenly), evenly) / np.ptp(evenly)
    assert item.error.typical == pytest.approx(math.sqrt(average), rel=1e-6)
    outside = mechanism.probability_outside(
        (160 - item.error.within_95, 160 + item.error.within_95), 160.0
    )
    assert outside == pytest.approx(0.05, abs=1e-4)


def test_budgets_are_exact_and_add_up() -> None:
    card = card_of_table(drawn_table("three columns"))
    assert [item.epsilon for item in card.items] == ["1/3", "0.5", "2"]
    assert exact(card.privacy.epsilon) == sum(map(exact, (i.epsilon for i in card.items)))
    assert card.privacy.composition.endswith("1/3 + 0.5 + 2 = 17/6.")


@pytest.mark.parametrize(
    ("name", "whole"), [("groups", "1.4"), ("groups of a private size", "0.7"), ("mean", "0.7")]
)
def test_the_budget_of_groups_is_what_one_row_can_reach(name: str, whole: str) -> None:
    told = asked(name)
    card = card_of_answer(*told.given)
    assert card.privacy.epsilon == whole
    grouping = told.inquiry.grouping
    if grouping is not None:
        assert exact(whole) == grouping.cost("0.7", told.inquiry.neighbours)
        assert [f'"{c}"' in i.name for c, i in zip(grouping.categories, card.items, strict=True)]


def test_answers_that_are_not_those_of_the_grouping_are_refused() -> None:
    groups, single = asked("groups"), asked("mean")
    assert isinstance(groups.answers, dict)
    fewer = {"7a": groups.answers["7a"]}
    for answers, told in ((single.answers, groups), (groups.answers, single), (fewer, groups)):
        with pytest.raises(ParameterError, match="answers"):
            card_of_answer(answers, told.inquiry, told.table)


def test_an_answer_is_on_its_card() -> None:
    told = asked("mean of some")
    item = card_of_answer(*told.given, "a day has 24 hours").items[0]
    drawn = told.each[0]
    assert item.answer is not None
    assert (item.answer.value, item.answer.level) == (drawn.value, 0.95)
    assert (item.answer.lower, item.answer.upper) == drawn.interval
    assert item.name == (
        'mean of sleep (h) where age (years) >= 14 and class != "9a" and sleep (h) is not missing'
    )
    assert item.bounds is not None
    assert item.bounds.source == "a day has 24 hours"


# Words


def test_bounds_say_who_stated_them_and_where_they_come_from() -> None:
    words = {HEIGHT: Statement("growth charts of the WHO", "cm")}
    item = card_of_table(drawn_table("one column"), words).items[0]
    assert item.bounds == card_parts.Bounds(
        100.0, 220.0, "cm", "stated by the owner as public", "growth charts of the WHO"
    )
    assert item.unit == "cm"
    assert card_of_table(drawn_table("one column")).items[0].bounds == card_parts.Bounds(
        100.0, 220.0, "", "stated by the owner as public", ""
    )


def test_columns_without_noise_that_are_in_the_file_are_named_first_among_the_uncovered() -> None:
    drawn = drawn_table("one column")
    labels = tuple(c.label for c in drawn.table.columns if c.position != HEIGHT)
    for gone in (0, 2):
        card = card_of_table(drawn, omit=range(gone))
        assert card.unchanged_columns == labels[gone:]
        assert all(label in card.not_covered[0] for label in card.unchanged_columns)
        assert not any(label in " ".join(card.not_covered) for label in labels[:gone])
    alone = card_of_table(released(plan_of(), data=b"x\n1\n2\n"))
    assert alone.unchanged_columns == ()
    assert not any("without any noise" in point for point in alone.not_covered)


@pytest.mark.parametrize(
    ("missing", "reveals", "point", "stays"),
    [
        ("fill", "Nothing", None, False),
        ("keep", "Which rows have no value", "Which rows have no value in “x”.", True),
        ("drop", "That every released row had a value", "a value in “x”", True),
    ],
)
def test_missing_values_say_what_they_reveal(
    missing: Any, reveals: str, point: str | None, stays: bool
) -> None:
    card = card_of_table(released(plan_of(missing=missing), data=b"x,y\n1,a\n,b\n3,c\n"))
    assert card.items[0].missing.policy == missing
    assert card.items[0].missing.reveals.startswith(reveals)
    assert ("stays missing" in card.privacy.meaning) == stays
    if point is not None:
        assert any(point in each for each in card.not_covered)


def test_lines_above_the_header_are_not_covered() -> None:
    data = b"Survey of the school\n\na,b\n1,2\n3,4\n"
    table = read(data, header=True, skip_lines=2)
    card = card_of_table(released(plan_of(), data=table))
    assert any(point.startswith("2 lines above the header") for point in card.not_covered)


def test_groups_that_were_checked_tell_that_every_row_is_in_one() -> None:
    told = asked("groups")
    assert told.inquiry.grouping is not None
    strict = dataclasses.replace(
        told.inquiry, grouping=dataclasses.replace(told.inquiry.grouping, unlisted="refuse")
    )
    said = "That every row belongs to one of the groups."
    assert said in card_of_answer(told.answers, strict, told.table).not_covered
    assert said not in card_of_answer(*told.given).not_covered


@pytest.mark.parametrize("name", [*PLANS, *INQUIRIES])
def test_neighbours_are_told_in_words(name: str) -> None:
    card = card_named(name)
    meaning = card.privacy.meaning
    assert "neighbours if" in meaning
    assert "e^ε times as likely" in meaning
    if name in PLANS:
        whose = "row" if PLANS[name].person is None else "person"
        assert card.privacy.neighbours == f"one {whose}'s values replaced"
        assert f"a single {whose}" in meaning
    else:
        whose = "row" if INQUIRIES[name].person is None else "person"
        assert card.privacy.neighbours == INQUIRIES[name].neighbours.value + (
            " person" if whose == "person" else ""
        )
        assert f"a single {whose}" in meaning
        change = "replaced by" if INQUIRIES[name].neighbours is REPLACE else "added or removed"
        assert change in meaning


def test_the_number_of_rows_is_told_only_where_it_is_public() -> None:
    table = card_of_table(drawn_table("one column"))
    assert (table.rows.public, table.rows.count) == (True, 600)
    replaced = card_of_answer(*asked("mean").given)
    assert (replaced.rows.public, replaced.rows.count, replaced.rows.at_most) == (True, 600, None)
    added = card_of_answer(*asked("count").given)
    assert (added.rows.public, added.rows.count, added.rows.at_most) == (False, None, 1000)


# Nothing private: what does not depend on the data cannot tell anything about them


def outputs(card: Card, *others: str) -> str:
    return "\n".join((card.to_json(), card.to_html(), *others))


def table_of(values: list[str], other: list[str]) -> Table:
    rows = "".join(f"{a};{b}\n" for a, b in zip(values, other, strict=True))
    return read(
        f"value;other\n{rows}".encode(),
        encoding="utf-8", separator=";", decimal=".", header=True, skip_lines=0,
    )  # fmt: skip


numbers = st.one_of(st.just(""), st.decimals(-500, 500, places=3, allow_nan=False).map(str))
odd_cells = st.sampled_from(
    ["NA", "n. a.", '"1,250"', '"12"', "5 kg", "$ 7", "1e400", "inf", "x", '"a;b"', '"it ""is"""',
     "00012", " 3.50 ", "1,5", "=1+1", "-", "9007199254740999"]
)  # fmt: skip


@st.composite
def two_tables(draw: st.DrawFn) -> tuple[Table, Table]:
    """Two tables that have nothing in common but their shape."""
    rows = draw(st.integers(1, 20))
    cells = st.lists(numbers | odd_cells, min_size=rows, max_size=rows)
    first, second = (table_of(["1", *draw(cells)], ["x", *draw(cells)]) for _ in range(2))
    return first, second


@given(two_tables(), st.sampled_from(["fill", "keep"]))
@settings(max_examples=20)
def test_what_is_said_of_a_table_does_not_depend_on_its_values(
    tables: tuple[Table, Table], missing: Any
) -> None:
    """Of a statistic ``test_noninterference_statistics.py`` shows it."""
    plan = plan_of(0, 100, missing=missing)
    one, other = (texts_of(released(plan, data=table)) for table in tables)
    assert one == other


def test_a_card_that_told_a_private_count_would_be_seen() -> None:
    """The broken twin of the test above: a title that counts the missing values."""

    def telling(drawn: TableRelease) -> Card:
        return card_of_table(drawn, title=f"{drawn.columns[0].missing}")

    one, other = (
        texts_of(released(plan_of(0, 100), data=table_of(values, ["x"] * 3)), telling)
        for values in (["1", "2", "3"], ["1", "", "3"])
    )
    assert one != other


# Nothing private: canaries


def canaries(rows: int = 3119) -> tuple[bytes, set[str]]:
    """A table whose every number is one of a kind, and all private texts of it."""
    random = np.random.default_rng(5)
    values = [f"{x:.5f}" for x in random.uniform(40.0, 173.0, rows)]
    for row in random.choice(rows - 1, 877, replace=False) + 1:
        values[row] = "NA"
    notes = [f"n{x:09d}" for x in random.integers(10**8, 10**9, rows)]
    cells = [f"{value},{note}" for value, note in zip(values, notes, strict=True)]
    known = [float(value) for value in values if value != "NA"]
    private = {f"{f(known):.{digits}f}" for f in (min, max, np.mean, np.std, np.median)
               for digits in (2, 3, 4, 5)}  # fmt: skip
    private |= {value for value in values if value != "NA"} | set(notes)
    return ("v,note\n" + "\n".join(cells)).encode(), private


def leaked(text: str, private: set[str], counts: set[int]) -> set[str]:
    """Private texts that occur anywhere, and private counts that occur as a number."""
    flat = re.sub(r"(?<=\d),(?=\d)", "", text)  # 1,031 is 1031
    found = set(re.findall(r"\d+(?:\.\d+)?", flat))
    return {each for each in private if each in flat} | {str(c) for c in counts if str(c) in found}


@pytest.mark.parametrize("missing", ["fill", "keep", "drop"])
def test_no_private_text_or_count_of_a_table_is_told(missing: Any) -> None:
    data, private = canaries()
    plan = Plan((ColumnPlan(0, Interval(50, 150), "1/3", missing=missing),))
    drawn = release(read(data), plan, source=SeededSource(2))
    column = drawn.columns[0]
    counts = {column.clamped, 877}
    assert column.missing == 877
    assert column.clamped > 300
    if missing == "drop":
        counts.add(3119)
    card = card_of_table(drawn, {0: Statement("a definition", "cm")}, title="A survey")
    text = outputs(card, script_of_table(drawn), to_json(TableSettings(plan, ("v",))))
    assert leaked(text, private, counts) == set()
    assert drawn.table.fingerprint not in text
    # The broken twins are seen.
    some = sorted(private)[7]
    assert leaked(text + f" {some}", private, counts) == {some}
    assert leaked(text + f" ({column.clamped:,})", private, counts) == {str(column.clamped)}


@pytest.mark.parametrize(
    "inquiry",
    [
        Query("count", 0, neighbours=ADD, max_rows=5000, missing="leave out"),
        Query(Mean(at_least=1000), 0, Interval(50, 150), ADD, 5000, missing="leave out"),
        Query("sum", 0, Interval(50, 150), ADD, 5000),
        Query("maximum", 0, Interval(50, 150), Neighbours.REPLACE_ONE),
    ],
    ids=lambda inquiry: inquiry.statistic.name,
)
def test_no_private_text_or_count_of_a_statistic_is_told(inquiry: Query) -> None:
    data, private = canaries()
    table = read(data)
    question = inquiry.ask(table)
    drawn = answer(question, "1/3", source=SeededSource(2))
    drawn = dataclasses.replace(drawn, identifier="f" * 32)  # a random one may hold any number
    counts = {877, 3119 - 877}
    if not inquiry.neighbours.n_is_public:
        counts.add(3119)
    assert drawn.value != question.value
    private |= {repr(question.value), f"{question.value:.3f}"} - {repr(drawn.value), "150.0"}
    private -= {"150.000"}
    card = card_of_answer(drawn, inquiry, table, "a definition")
    settings_text = to_json(StatisticSettings(inquiry, drawn.epsilon, label="v"))
    text = outputs(card, script_of_answer(drawn, inquiry, table), settings_text)
    counts -= {int(drawn.value), *map(int, drawn.interval)}
    assert leaked(text, private, counts) == set()
    assert table.fingerprint not in text


def test_statements_are_short_texts() -> None:
    for wrong in (3, None, "x" * 501):
        with pytest.raises(ParameterError):
            Statement(source=wrong)  # type: ignore[arg-type]


def test_intervals_far_from_zero_are_told_apart() -> None:
    low = 10**8
    plan = Plan((ColumnPlan(0, Interval(low, low + 1), 1),))
    page = card_of_table(release(read(f"x\n{low}\n{low + 1}\n".encode()), plan)).to_html()
    of_the_middle = re.search(r"95 % of releases of ([\d,.]+).*?<span>([\d,.]+) … ([\d,.]+)", page)
    assert of_the_middle is not None
    assert len(set(of_the_middle.groups())) == 3
