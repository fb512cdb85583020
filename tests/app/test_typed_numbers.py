"""Numbers that can be read in two ways are asked about beneath their field, on every page."""

from __future__ import annotations

import re

import pytest

from tests.app.driving import Driven

TABLE = b"name,pay\nAda,1200.5\nBen,950\nCleo,2100\n"
FIELDS = {
    "bound": ("pages/privatize.py", "Upper bound, pay"),
    "limit": ("pages/budget.py", "Limit for each table (empty: none)"),
}


def opened(kind: str) -> tuple[Driven, str]:
    page, label = FIELDS[kind]
    app = Driven(page)
    if kind == "bound":
        app.upload("pay.csv", TABLE).choose("Columns to privatize", [1])
        app.text("Lower bound, pay", "0")
    return app, label


def asked(app: Driven, text: str, one: str, other: str) -> None:
    said = app.said("error")
    assert f"{text}” can be read as {one} or as {other}. Say which one you mean." in said


@pytest.mark.parametrize(
    ("kind", "text", "one", "other"),
    [
        ("bound", "12,000", "12000", "12"),
        ("bound", "1.234", "1.234", "1234"),
        ("bound", "1_0", "10", "1"),
        ("limit", "1_0", "10", "1"),
        ("limit", "3,000", "3000", "3"),
    ],
)
def test_both_readings_are_presses(kind: str, text: str, one: str, other: str) -> None:
    for chosen in (one, other):
        app, label = opened(kind)
        app.text(label, text)
        asked(app, text, one, other)
        assert app.written(label) == text
        app.press(f"{label}: {chosen}")
        assert app.written(label) == chosen
        assert not app.messages("error")
        assert not [each for each in app.labels("button") if each.startswith(f"{label}: ")]


@pytest.mark.parametrize(
    ("text", "read"),
    [("12 000", "12000"), ("12,000.5", "12000.5"), ("0,125", "0.125"), ("−3", "-3")],
)
def test_what_can_be_read_in_one_way_is_taken(text: str, read: str) -> None:
    app, label = opened("bound")
    app.text("Lower bound, pay", "-10").text(label, text)
    assert not app.messages("error")
    app.go("pages/learn.py").go("pages/privatize.py")
    assert app.written(label) == text
    kept = [value for name, value in app.kept.items() if re.search(r"\.1\.upper$", name)]
    assert [str(value) for value in kept] == [read]


def test_a_point_is_the_decimal_mark_where_thousands_are_not_allowed() -> None:
    app = Driven("pages/function_lab.py")
    (label,) = [each for each in app.labels("text_input") if each.startswith("ε")][:1]
    app.text(label, "1.125")
    assert not app.messages("error")
    app.text(label, "3,000")
    assert "“3,000” can be read as 3000 or as 3." in app.said("error")
    assert [each for each in app.labels("button") if each.startswith(f"{label}: ")] == [
        f"{label}: 3"
    ]


KILOS = b"name;weight\nAda;12,500 kg\nBen;8,250 kg\nCleo;10,125 kg\n"
HEIGHTS = b"name;height\nAda;1,250\nBen;1,750\nCleo;1,625\n"


@pytest.mark.parametrize(
    ("data", "mark", "low", "high", "values"),
    [
        (HEIGHTS, ",", "1", "2", [1.25, 1.75, 1.625]),
        (KILOS, ",", "0", "20", [12.5, 8.25, 10.125]),
        (KILOS, ".", "0", "20 000", [12500, 8250, 10125]),
    ],
)
def test_a_column_in_doubt_is_asked_for_its_decimal_mark(
    data: bytes, mark: str, low: str, high: str, values: list[float]
) -> None:
    app = Driven("pages/privatize.py").upload("weights.csv", data)
    assert "can be read with either decimal mark" in app.said()
    if data is KILOS:
        app.set("multiselect", "Take symbols off these columns", [1])
    app.choose("Columns to privatize", [1]).bounds(2, low, high)
    (label,) = [each for each in app.labels("selectbox") if each.startswith("Decimal mark, ")]
    assert "fit either decimal mark: " in app.said("warning")
    assert "Say the decimal mark of" in app.said("info")
    assert "Release" not in app.labels("button")
    app.select(label, mark)
    assert "fit either decimal mark: " not in app.said("warning")
    app.press("Release").awaited()
    (kept,) = app.releases
    plan = kept.columns[0].plan
    assert plan.decimal == mark
    assert plan.read(kept.table).values.tolist() == values


def test_a_statistic_waits_for_the_decimal_mark_and_its_example_is_private() -> None:
    data = b"id;x\n1;1,250\n2;1,500\n3;1,750\n"
    app = Driven("pages/statistic.py").upload("x.csv", data)
    app.select("What to release", "mean").select("Of which column", 1).bounds(2, "1", "2")
    assert "Release the answer" not in app.labels("button")
    shown = [each for each in app.every("warning") if "fit either decimal mark" in each.value]
    assert len(shown) == 1
    app.select("Decimal mark of the numbers", ",")
    assert "fit either decimal mark" not in app.said("warning")
    assert "Release the answer" in app.labels("button")


def test_a_number_that_no_reading_allows_is_refused_with_the_limit() -> None:
    app = Driven("pages/statistic.py").upload("x.csv", b"id,x\n1,5\n2,6\n")
    app.select("What to release", "mean").select("Of which column", 1).bounds(2, "1", "9")
    app.text("ε, exactly", "500,000")
    assert "50" in app.said("error")
    assert "which one" not in app.said("error")
