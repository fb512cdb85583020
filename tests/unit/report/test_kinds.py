"""Every kind of column on card, page, in script and settings, and back in a frame."""

from __future__ import annotations

import ast
import json
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import COST
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, release
from compdp_core.report import (
    Card,
    Statement,
    card_of_table,
    differences,
    facts,
    schema,
    script_of_table,
)
from compdp_core.report.card_parts import FROM_DATA, STATED
from compdp_core.report.proofs import variance_facts
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.report.settings_reading import from_json
from compdp_core.tables import read
from compdp_core.tables.value_formats import FORMATS, ValueFormat
from compdp_core.text import number
from tests.unit.release.made import exceeds
from tests.unit.report.examples import INQUIRIES, asked, card_named, drawn_table, put
from tests.unit.report.kinds import DATA, MOODS, SMOKES, drawn, plan
from tests.unit.report.test_page import Read
from tests.unit.report.test_script import run, run_as_program

SMOKES_, MOOD, VISIT, KIDS = range(4)


def card(**statements: Statement) -> Card:
    places = {"smokes": 1, "mood": 2, "visit": 3, "kids": 4}
    return card_of_table(drawn(), {places[name]: said for name, said in statements.items()})


# The card


def test_the_schema_describes_a_card_of_every_kind() -> None:
    said = card().as_dict()
    jsonschema.Draft202012Validator(schema()).validate(said)
    assert [item["kind"] for item in said["items"]] == ["category", "scale", "date", "whole"]
    for way in (["items", 0, "response", "kept"], ["items", 0, "listed", "categories"]):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft202012Validator(schema()).validate(put(said, way, ["1"]))


def test_a_category_has_its_list_its_weights_and_no_fields_of_numbers() -> None:
    item = card().items[SMOKES_]
    assert item.listed is not None
    assert {each.name: list(each.texts) for each in item.listed.categories} == SMOKES
    assert [each.other for each in item.listed.categories] == [False, False, False, True]
    of_numbers = (item.bounds, item.inputs, item.outputs, item.outputs_are, item.sensitivity)
    assert {*of_numbers, item.parameters, item.error, item.c, item.p, item.c0} == {None}
    drawn_by, said = RandomizedResponse(0.5, 4), item.response
    assert said is not None
    a, b, whole = map(int, (said.kept, said.each_other, said.total))
    assert whole == a + 3 * b
    assert (a, b) == (drawn_by.kept, drawn_by.each_other)
    assert Fraction(item.certificate.ratio) == Fraction(a, b)
    assert not exceeds(Fraction(a, b), Fraction(item.certificate.epsilon))
    assert item.certificate.points == 4
    assert said.probability_kept == a / whole


def test_shares_are_estimated_as_the_card_says() -> None:
    """False alarm 1e-9 for all categories, at a fixed seed: 6.5 standard errors."""
    truth = {"yes": 0.5, "no": 0.3, "other": 0.2}
    rows = 40_000
    cells = [name for name, share in truth.items() for _ in range(round(share * rows))]
    column = ColumnPlan(0, epsilon=1, kind="category", categories=list(truth))
    data = read(("x\n" + "\n".join(cells)).encode(), header=True)
    made = release(data, Plan((column,)), source=SeededSource(8))
    said = card_of_table(made).items[0].response
    assert said is not None
    names = {name: int(getattr(said, word)) for name, word in
             (("a", "kept"), ("b", "each_other"), ("W", "total"))}  # fmt: skip
    released = made.csv().decode().split("\n")[1:-1]
    naive = 0
    for name, share in truth.items():
        f = released.count(name) / rows
        known = {**names, "f": f, "n": rows, "sqrt": math.sqrt}
        error = calculated(said.share_error, known)
        assert abs(calculated(said.share, known) - share) < 6.5 * error
        naive += abs(f - share) > 6.5 * error  # The broken twin: the released share itself.
    assert naive


def calculated(formula: str, known: dict[str, Any]) -> float:
    """A formula of the card, with a sign where letters stand side by side."""
    words = formula.replace("W f", "W * f").replace("f (", "f * (").replace(") W", ") * W")
    return float(eval(words, {}, known))  # noqa: S307 - the card is our own


def test_every_column_says_in_two_sentences_how_to_read_it_and_where_not_to() -> None:
    said = card(visit=Statement()).items
    shown = Read(card().to_html()).all_text()
    for item in said:
        assert item.reading is not None
        assert len(re.findall(r"\.( |$)", item.reading.replace("cdp.", ""))) == 2
        assert item.reading in shown
        assert "Read a release" in item.reading
    drawn_by = RandomizedResponse(0.5, 4)
    kept = f"with a probability of {100 * drawn_by.probability_kept:.1f} %, nor"
    assert kept in str(said[SMOKES_].reading)
    visit = said[VISIT]
    assert visit.error is not None
    assert f"up to about {number(visit.error.within_95)} days beside" in str(visit.reading)
    assert {each.reading for each in card_named("mean").items} == {None}


def test_a_scale_says_the_number_of_each_and_is_written_as_numbers() -> None:
    item = card().items[MOOD]
    assert item.listed is not None
    numbers = {each.name: each.number for each in item.listed.categories}
    assert numbers == dict(zip(MOODS, (1, 2, 3, 4), strict=True))
    assert item.response is None
    assert item.inputs is not None
    assert (item.inputs.lower, item.inputs.upper, item.whole) == (1, 4, True)


def test_dates_are_told_as_they_are_written_and_their_error_in_days() -> None:
    item, mechanism = card().items[VISIT], drawn().columns[VISIT].composite
    assert item.written is not None
    assert item.inputs is not None
    form = plan().columns[VISIT].format
    assert isinstance(form, ValueFormat)
    assert (item.written.inputs.lower, item.written.inputs.upper) == ("2022-01-01", "2024-12-31")
    ends = (item.written.outputs.lower, item.written.outputs.upper)
    assert tuple(map(form.value, ends)) == mechanism.outputs
    assert (item.unit, item.written.step) == ("days", "one day, counted from 1970-01-01")
    assert item.inputs.upper - item.inputs.lower == 1095


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_is_on_the_card(name: str) -> None:
    form = FORMATS[name]()
    kind: Any = "whole" if form.kind == "number" else form.kind
    column = ColumnPlan(0, (20, 900), 50, kind=kind, format=form)
    made = release(read(b"x,y\n1,2\n", header=True), Plan((column,)))
    item = card_of_table(made).items[0]
    jsonschema.Draft202012Validator(schema()).validate(card_of_table(made).as_dict())
    if form.kind == "number":
        assert (item.kind, item.written, item.rule) == ("whole", None, form.label)
        assert form.label in Read(card_of_table(made).to_html()).all_text()
        return
    assert item.written is not None
    assert (item.kind, item.rule, item.written.format) == (form.kind, None, form.label)
    assert (item.written.inputs.lower, item.unit) == (form.text(20), form.unit)


@pytest.mark.parametrize(
    "mechanism",
    [
        CompositeMechanism(1.0, (0, 100)),
        CompositeMechanism(4.0, (-7, 3), pair="A2B2"),
        CompositeMechanism(4.0, (0, 100), outputs=(-200, 400)),
        CompositeMechanism(0.5, (0, 100), sensitivity=1),
        CompositeMechanism(2.0, (1, 5), spacing=1),
        CompositeMechanism(8.0, (0, 61), spacing=1, pair="A3B1"),
    ],
    ids=repr,
)
def test_the_variance_is_what_c_p_and_c0_say(mechanism: CompositeMechanism) -> None:
    told = variance_facts(mechanism)
    c, p, c0 = told["c"], told["p"], told["c0"]
    x = np.linspace(*mechanism.inputs, 41)
    said, true = c0 + (1 - p) / p * (x - c) ** 2, mechanism.variance(x)
    rounding = p / 4 * mechanism.lattice.spacing**2
    assert (true >= said * (1 - 1e-12)).all()
    assert (true <= said * (1 + 1e-12) + rounding).all()
    if not mechanism.is_discrete:
        assert rounding <= COST * true.min()
    # Broken twins: another centre, and the odds of the activation the wrong way round.
    assert not np.allclose(true, c0 + (1 - p) / p * (x - c - 1) ** 2, rtol=1e-6, atol=rounding)
    assert not np.allclose(true, c0 + p / (1 - p) * (x - c) ** 2, rtol=1e-6, atol=rounding)


@pytest.mark.parametrize("name", ["three columns", *list(INQUIRIES)[:3]])
def test_every_item_of_numbers_has_them(name: str) -> None:
    made: list[Any] = list(card_named(name).items)
    drawn_by = (
        [column.composite for column in drawn_table(name).columns]
        if name not in INQUIRIES
        else [each.mechanism for each in asked(name).each]
    )
    for item, mechanism in zip(made, drawn_by, strict=True):
        assert {"c": item.c, "p": item.p, "c0": item.c0} == variance_facts(mechanism)
        assert item.kind == ("whole" if item.whole else "number")


def test_a_list_or_bounds_from_the_data_are_said_to_be() -> None:
    usual, leak = card(), card(smokes=Statement("asked", from_data=True), visit=Statement("a law"))
    assert not any("were taken from the" in point for point in usual.not_covered)
    assert sum("“smokes”, which were taken from the data" in p for p in leak.not_covered) == 1
    listed, bounds = leak.items[SMOKES_].listed, leak.items[VISIT].bounds
    assert listed is not None
    assert bounds is not None
    assert (listed.origin, listed.source) == (FROM_DATA, "asked")
    assert (bounds.origin, bounds.source) == (STATED, "a law")
    shown = Read(leak.to_html()).all_text()
    assert FROM_DATA in shown


def test_what_becomes_of_cells_that_do_not_fit_is_said_by_kind() -> None:
    smokes, mood, visit, kids = (item.missing.meaning for item in card().items)
    assert "a category was drawn in its place" in smokes
    assert "A text that is not listed counts as “other”" in smokes
    assert "A text that is not listed counts as missing" in mood
    assert "that is no date" in visit
    assert "that is no number" in kids
    points = card().not_covered
    assert any("not on the list" in point for point in points)
    assert any("outside the bounds" in point for point in points)
    alone = release(drawn().table, Plan((plan().columns[0],)), source=SeededSource(1))
    assert not any("outside the bounds" in each for each in card_of_table(alone).not_covered)


def test_the_page_shows_lists_weights_and_dates() -> None:
    shown = Read(card().to_html()).all_text()
    response = card().items[SMOKES_].response
    assert response is not None
    wanted = [
        "one of yes, no, silent, other", "all texts that are not listed", "blank cells",
        "“no”, “No”, “n”", response.kept, response.total, response.share, response.share_error,
        "2022-01-01 … 2024-12-31", "between 2022-01-01 and 2024-12-31", "dates as", "days",
        "A released category is drawn from a public list", "The noise on numbers stays",
    ]  # fmt: skip
    assert [words for words in wanted if words not in shown] == []


def test_digits_of_another_script_are_said() -> None:
    data = read("x,y\n٢,a\n٣,b\n".encode(), header=True)
    for digits, said in (("٠", "٠"), ("0", None), (None, None)):
        column = ColumnPlan(0, (0, 9), 1, kind="whole", digits=digits)
        card = card_of_table(release(data, Plan((column,)), source=SeededSource(1)))
        cells = card.items[0].cells
        assert cells is not None
        assert cells.digits == said
        assert ("in digits from ٠ to ٩" in card.to_html()) == (said is not None)


@pytest.mark.parametrize("alone", [True, False])
def test_which_cells_are_in_quotes_is_as_the_card_says(alone: bool) -> None:
    listed = {"a, b": ["a"], 'say "c"': ["c"], "d": ["d"], "": [""]}
    column = ColumnPlan(0, epsilon=0.1, kind="category", categories=listed)
    cells = [b'""' if alone else b",x"] + ([b"a", b"d"] if alone else [b"a,x", b"d,x"]) * 40
    data = read(b"\n".join([b"k" if alone else b"k,n", *cells]), header=True)
    made = release(data, Plan((column,)), source=SeededSource(1))
    said = card_of_table(made).items[0].cells
    assert said is not None
    assert said.quotes.startswith("A cell is in quotes where its text holds a quote or what")
    assert ("An empty one is" in said.quotes) == alone
    lines = made.csv().decode().splitlines()[1:]
    raw = {line if alone else line.removesuffix(",x") for line in lines}
    assert raw == {'"a, b"', '"say ""c"""', "d", '""' if alone else ""}


# Script


def test_a_script_repeats_every_kind(tmp_path: Path) -> None:
    source, written = tmp_path / "in.csv", tmp_path / "out"
    source.write_bytes(DATA)
    code, said = run_as_program(script_of_table(drawn()), tmp_path, str(source), str(written))
    assert code == 0, said
    assert "Design and certificate are those on the privacy card." in said
    again = read(written.read_bytes(), header=True)
    assert again.row_count == drawn().row_count
    assert {*again.texts(1)} <= {*SMOKES}
    assert written.read_bytes() != drawn().csv()


def test_a_script_with_another_list_or_other_weights_draws_nothing(tmp_path: Path) -> None:
    source, script = tmp_path / "in.csv", script_of_table(drawn())
    source.write_bytes(DATA)
    kept = facts(drawn().columns[0].mechanism)["kept"]
    fewer = script.replace(", 'other',)", ",)").replace(", (),)", ",)")
    for changed, named in (
        (fewer, "certificate_points"),
        (script.replace(repr(kept), repr(str(int(kept) + 1))), "kept"),
        (script.replace("lower=18993.0", "lower=18990.0"), "inputs_lower"),
    ):
        assert changed != script
        code, said, written = run(changed, tmp_path, source)
        assert (code, written.exists()) == (1, False)
        assert f"{named}:" in said


def test_facts_of_weights_are_compared_and_survive_the_script() -> None:
    one, other = (facts(RandomizedResponse(1.0, k)) for k in (3, 4))
    assert one == ast.literal_eval(ascii(one))
    assert differences(one, one) == []
    changed = ("kept", "each_other", "total", "points")
    assert all(any(word in each for each in differences(one, other)) for word in changed)


# Settings


def test_settings_of_every_kind_come_back_and_draw_the_same() -> None:
    statements = {1: Statement("asked", from_data=True)}
    said = TableSettings.of(drawn(), statements)
    found = from_json(to_json(said))
    assert (found.settings, found.notices) == (said, ())
    assert isinstance(found.settings, TableSettings)
    again = read(DATA, **found.settings.reading)
    assert release(again, found.settings.plan, source=SeededSource(4)).csv() == drawn().csv()


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_comes_back_in_settings_and_script(name: str) -> None:
    form = FORMATS[name]()
    kind: Any = "whole" if form.kind == "number" else form.kind
    said = TableSettings(Plan((ColumnPlan(0, (20, 900), 50, kind=kind, format=form),)))
    found = from_json(to_json(said))
    assert (found.settings, found.notices) == (said, ())


SETTINGS = json.loads(to_json(TableSettings.of(drawn())))
CATEGORY, SCALE, DATE, WHOLE = SETTINGS["columns"]
TIME = {**DATE, "kind": "time", "inputs": [0, 90]}
UNKNOWN = {"name": "klingon"}


def column_of(column: dict[str, Any]) -> tuple[ColumnPlan | None, tuple[str, ...]]:
    found = from_json(json.dumps({**SETTINGS, "columns": [column, {**WHOLE, "position": 99}]}))
    assert isinstance(found.settings, TableSettings)
    first, *others = found.settings.plan.columns
    return (first if others else None), found.notices


@pytest.mark.parametrize(
    ("column", "changes", "notice"),
    [
        ({**WHOLE, "kind": "colour"}, {}, "kind 'colour' makes no sense: numbers are read"),
        ({**WHOLE, "kind": ["whole"]}, {}, "kind"),
        ({**WHOLE, "kind": "number"}, {}, "kind 'number' makes no sense: it does not go with"),
        ({**WHOLE, "categories": ["a", "b"]}, {}, "categories"),
        ({**WHOLE, "format": UNKNOWN}, {}, "format"),
        ({**WHOLE, "format": DATE["format"]}, {}, "format"),
        ({**DATE, "format": {"name": "date", "pattern": 7}}, {"format": None}, "format"),
        ({**DATE, "format": "iso"}, {"format": None}, "format"),
        ({**CATEGORY, "inputs": [0, 1]}, {}, "inputs"),
        ({**CATEGORY, "inputs": "junk"}, {}, "inputs"),
        ({**SCALE, "inputs": [1, 9]}, {}, "inputs"),
        ({**SCALE, "inputs": None}, {}, None),
        ({**CATEGORY, "categories": ["a", "b"]}, {}, None),
        ({**CATEGORY, "whole": True}, {}, None),
        ({**CATEGORY, "from_data": "yes"}, {}, "from_data"),
    ],
    ids=str,
)
def test_what_does_not_go_with_a_kind_is_named_and_left_out(
    column: dict[str, Any], changes: dict[str, Any], notice: str | None
) -> None:
    found, notices = column_of(column)
    assert found is not None
    assert len(notices) == (notice is not None)
    assert all(notice in each for each in notices if notice)
    for name, value in changes.items():
        assert getattr(found, name) == value


@pytest.mark.parametrize(
    ("column", "notice"),
    [
        ({**CATEGORY, "categories": None}, "it has no categories: it is left out"),
        *(
            ({**CATEGORY, "categories": each}, "the column is left out, it has no list")
            for each in (["a"], ["a", "a"], "a", {"a": ["x"], "b": ["x"]}, {"a": 1, "b": 2}, [1, 2])
        ),
        ({**DATE, "inputs": None}, "it has no inputs: it is left out"),
        ({**TIME, "format": UNKNOWN}, "steps of a format that is not known"),
        ({**TIME, "format": DATE["format"]}, "steps of a format that is not known"),
    ],
    ids=str,
)
def test_a_column_without_list_or_with_bounds_in_unknown_steps_is_left_out(
    column: dict[str, Any], notice: str
) -> None:
    found, notices = column_of(column)
    assert found is None
    assert any(notice in each for each in notices)


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["number", "category", "scale", "date", "time", "datetime", "duration"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)  # fmt: skip


@given(
    st.sampled_from([CATEGORY, SCALE, DATE, WHOLE]),
    st.sampled_from(["kind", "categories", "format", "inputs", "whole", "missing_as", "from_data"]),
    junk,
)
def test_junk_of_a_kind_never_raises(column: dict[str, Any], name: str, value: Any) -> None:
    found = from_json(json.dumps({**SETTINGS, "columns": [{**column, name: value}]}))
    assert all(len(notice) < 500 for notice in found.notices)
    if found.settings is not None:
        assert from_json(to_json(found.settings)).settings == found.settings
    else:
        assert found.notices
