"""The settings of a release come back: what was set, and a sentence for what cannot be."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from compdp_core.report import Statement
from compdp_core.shapes import from_formula
from compdp_core.tables.alignment import Kind
from pages.sections.privatize.files import settings_json
from pages.sections.privatize.settings_file import ADVICE, NAME
from pages.sections.shared.alignment_questions import QUESTIONS
from pages.shell.panels import is_open
from tests.app.driving import Driven
from tests.app.test_privatize import CHOICE, EPSILON, PAGE

TABLE = b"id,score,height,weight\n1,12,170.5,60\n2,,181,72\n3,19,165.25,81\n"


def opened(data: bytes = TABLE) -> Driven:
    app = Driven(PAGE).upload("t.csv", data)
    app.kept[is_open(NAME)] = True
    return app.run()


def given(app: Driven, document: str | bytes) -> Driven:
    data = document if isinstance(document, bytes) else document.encode()
    return app.set("file_uploader", "Settings file", ("s.json", data, "application/json"))


def released() -> tuple[Driven, str]:
    """Everything that can be set, set to something unusual, and the settings of its release."""
    app = Driven(PAGE).upload("t.csv", TABLE).choose(CHOICE, [1, 2])
    app = app.bounds(2, "0", "20").bounds(3, "120.5", "210")
    app = app.text(EPSILON, "0.7").text("Unit, height", "cm")
    app = app.select("Missing values, score", "keep")
    app = app.text("Missing cells are written as, score", "n/a")
    app = app.select("Decimal mark, height", ".")
    app._of("multiselect", "Also missing").set_value(["-1"])
    app = app.select("Function pair", "A3B2").text("Tail ratio τ (empty: the usual one)", "0.9")
    app = app.press("Release").awaited()
    (release,) = app.releases
    said = {c.plan.position: Statement("an instrument", "cm") for c in release.columns}
    return app, settings_json(release, said)


@cache
def usual() -> str:
    """The settings of that release, made once: no value or noise is in them."""
    return released()[1]


def test_what_was_set_comes_back_and_makes_the_same_plan() -> None:
    first, said = released()
    app = given(opened(), said)
    assert not app.messages("warning")
    assert app.written("Lower bound, height") == "120.5"
    assert app.written("Unit, height") == "cm"
    assert app.written(EPSILON) == "0.7"
    assert app._of("multiselect", CHOICE).value == [1, 2]
    app.press("Release").awaited()
    (before,), (after,) = first.releases, app.releases
    assert after.plan == before.plan


def test_how_rows_and_cells_are_read_comes_back() -> None:
    first = Driven(PAGE).upload("t.csv", TABLE + b"4\n# checked,,,\n")
    first = uneven_answer(uneven_answer(first, "short", "complete"), "comment", "leave out")
    first = first.choose(CHOICE, [1])
    first = first.bounds(2, "0", "20").press("Release").awaited()
    (release,) = first.releases
    document = settings_json(release, {1: Statement()}, [0, 3])
    app = uneven_answer(opened(TABLE + b"4\n5,6,7,8\n"), "short", "leave out")
    app = given(app, document)
    assert app._of("multiselect", "Columns to leave out of the file").value == [0, 3]
    app.press("Release").awaited()
    (again,) = app.releases
    assert again.table.format.options == release.table.format.options
    assert again.plan == release.plan
    assert again.csv().decode().splitlines()[4].startswith("4,")


def uneven_answer(app: Driven, kind: Kind, answer: str) -> Driven:
    (widget,) = [each for each in app.every("radio") if QUESTIONS[kind].said in each.label]
    widget.set_value(answer)
    return app.run()


def test_the_shape_of_the_numbers_comes_back_beside_a_column_of_answers() -> None:
    data = b"ok,score\n" + b"yes,12\nno,14\n" * 4
    app = Driven(PAGE).upload("t.csv", data).choose(CHOICE, [0, 1]).bounds(2, "0", "20")
    (box,) = app.every("text_area")
    box.set_value("yes, no")
    app.run().select("Column shown in steps 3 to 5", 1)
    app.select("Function pair", "A3B2").pick("Make the error smallest", "worst")
    (release,) = app.press("Release").awaited().releases
    again = given(opened(data), settings_json(release, {0: Statement(), 1: Statement()}))
    assert not again.messages("warning")
    (after,) = again.press("Release").awaited().releases
    assert after.plan == release.plan


def test_budgets_of_their_own_come_back_exactly() -> None:
    app = given(opened(), edited(usual(), lambda columns: columns[1].update(epsilon="0.25")))
    app.press("Release").awaited()
    (release,) = app.releases
    assert [c.plan.epsilon for c in release.columns] == [Fraction(35, 100), Fraction(1, 4)]


def edited(document: str, change: Any) -> str:
    data = json.loads(document)
    change(data["columns"])
    return json.dumps(data)


def test_columns_are_found_by_name_where_they_moved() -> None:
    moved = b"score,name,height\n12,Ada,170.5\n,Ben,181\n19,Cy,165.25\n"
    app = given(opened(moved), usual())
    assert app._of("multiselect", CHOICE).value == [0, 2]
    assert app.written("Upper bound, score") == "20"
    assert app.written("Upper bound, height") == "210"


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (b"\xff\x00", "not a settings file"),
        ("[]", "not a settings file"),
        ('{"columns": []}', "no column that can be used"),
        ('{"kind": "statistic", "statistic": {"name": "count"}}', ""),
    ],
)
def test_what_is_no_settings_file_changes_nothing(document: str | bytes, words: str) -> None:
    app = given(opened(), document)
    (warning,) = app.messages("warning")
    assert words in warning
    assert ADVICE in warning
    assert app._of("multiselect", CHOICE).value == []


def test_of_many_strange_columns_the_reason_comes_first_and_the_way_out_last() -> None:
    data = json.loads(usual())
    column = data["columns"][0]
    data["columns"] = [column | {"position": 9 + i, "label": f"strange {i}"} for i in range(40)]
    app = given(opened(), json.dumps(data))
    (warning,) = app.messages("warning")
    first, *left_out, rest, last = warning.split("  \n")
    assert first == "No column of this table has a name that the file speaks of."
    assert [line.split(" is not")[0] for line in left_out] == [f"strange {i}" for i in range(18)]
    assert rest == "And 22 more."
    assert last == ADVICE


def test_what_the_table_lacks_is_named_and_the_rest_is_set() -> None:
    narrow = b"id,score\n1,12\n2,13\n3,19\n"
    app = given(opened(narrow), usual())
    (warning,) = app.messages("warning")
    assert "height" in warning
    assert app.written("Upper bound, score") == "20"
    app.press("Another table").upload("other.csv", TABLE)
    assert not app.messages("warning")  # that table has a height
    app.press("Another table").upload("t.csv", narrow).press("Dismiss")
    assert not app.messages("warning")


def test_a_shape_of_the_same_name_is_not_taken_for_the_one_of_the_file() -> None:
    def session(formula: str) -> Driven:
        app = opened()
        app.kept["own_shapes"] = {"F1": from_formula(formula, "activation", name="F1")}
        return app.run()

    first = session("1 - abs(2*v - 1)").choose(CHOICE, [1]).bounds(2, "0", "20")
    own = next(name for name in first._of("selectbox", "Function pair").options if "F1" in name)
    first.select("Function pair", own.split(":")[0]).press("Release").awaited()
    (release,) = first.releases
    document = settings_json(release, {1: Statement("", "")})
    same, other = session("1 - abs(2*v - 1)"), session("1 - (2*v - 1)^2")
    assert not given(same, document).messages("warning")
    same.press("Release").awaited()
    assert same.releases[0].plan.columns[0].pair == release.plan.columns[0].pair
    (warning,) = given(other, document).messages("warning")
    assert "Another shape is called F1 here: A1B1 is used." in warning
    assert other._of("selectbox", "Function pair").value == "A1B1"
