"""One text for one number: on pages, on the card, in charts, in rankings and formulas."""

from __future__ import annotations

import ast
import dataclasses
import html
import math
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compdp_core.accounting import decimal_text
from compdp_core.auditing.self_check import _span
from compdp_core.report import Card, card_of_table
from compdp_core.statistics.question import show
from compdp_core.text import ALL, brief, nearest, number, percent, plain, rounded_up, span
from pages.charts import chart
from pages.charts import error_table as figures
from pages.charts.ticks import log_axis, spelled
from pages.text import wording
from tests.unit.report.examples import drawn_table, of_numbers

ROOT = Path(__file__).parents[2]
UNIT = "cm"

# --- The places where people read numbers ---------------------------------------------------------


@cache
def card() -> Card:
    return card_of_table(drawn_table("one column"))


def on_the_card(value: float) -> tuple[str, str, str]:
    """Typical error, sensitivity and bound of a card, as its page has them."""
    item = of_numbers(card())[0]
    changed = dataclasses.replace(
        item,
        unit=UNIT,
        error=dataclasses.replace(item.error, typical=value),
        sensitivity=dataclasses.replace(item.sensitivity, value=value),
        bounds=dataclasses.replace(item.bounds, upper=value, unit=UNIT),
    )
    page = html.unescape(dataclasses.replace(card(), items=(changed,)).to_html())
    typical = re.search(r"Typical error</th>\s*<td>(.*?) cm<", page)
    sensitivity = re.search(r"Sensitivity Δ</th>\s*<td>(.*?) cm<", page)
    bounds = re.search(r"Bounds of the values</th>\s*<td>.* … (.*?) cm<", page)
    assert typical
    assert sensitivity
    assert bounds
    return typical[1], sensitivity[1], bounds[1]


def in_a_comparison(value: float) -> str:
    """A figure without a standard error, in the table of a comparison."""
    row: dict[str, object] = {"mechanism": "one", "treatment": "raw"}
    for name in ("bias", "RE", "MSE", "AL", "outside"):
        row |= {name: value, f"{name}_se": 0.0}
    return str(figures.in_words(pd.DataFrame([row]), UNIT)[f"bias ({UNIT})"][0])


def under_the_pointer(value: float, digits: int) -> str:
    """What a chart shows of a bar: a text, or what the browser makes of its format."""
    trace = spelled({"type": "bar", "y": [value], "hovertemplate": f"%{{y:.{digits}g}}"})
    if trace["hovertemplate"] == "%{customdata[0]}":
        return str(trace["customdata"][0][0])
    return f"{value:.{digits}g}".replace("-", "−")


def behind_a_chart(value: float) -> str:
    shown, columns = chart._in_words(pd.DataFrame({"y": [value]}))
    if columns:
        return f"{value:.{chart.DIGITS}g}".replace("-", "−")
    cell = re.search(r"<td[^>]*>(.*?)</td>", shown.to_html())
    assert cell
    return cell[1]


PLACES: dict[str, tuple[int, Callable[[float], str]]] = {
    "a page": (3, wording.number),
    "a page, with its unit": (3, lambda v: wording.quantity(v, UNIT).removesuffix(f" {UNIT}")),
    "a page, of two": (17, lambda v: wording.apart(v, math.nextafter(v, math.inf))[0]),
    "a page, a budget": (4, wording.brief),
    "the card, an error": (3, lambda v: on_the_card(v)[0]),
    "the card, a sensitivity": (6, lambda v: on_the_card(v)[1]),
    "the card, a bound": (ALL, lambda v: on_the_card(v)[2]),
    "a comparison": (3, in_a_comparison),
    "a formula": (6, lambda v: show(Fraction(v))),
    "a check": (6, lambda v: _span(v, math.inf).partition(" …")[0]),
}

NUMBERS = st.one_of(
    st.floats(1e-9, 1e12),
    st.floats(-1e7, 1e7).filter(lambda v: v == 0.0 or abs(v) > 1e-9),
    st.integers(-(10**9), 10**9).map(float),
    st.decimals(-1000, 1000, places=2).map(float),
)


@pytest.mark.parametrize("place", PLACES)
@given(NUMBERS)
@example(12345.678)
@example(0.1 + 0.2)
@example(999.96)
@example(0.99999)
def test_every_place_writes_a_number_the_same_way(place: str, value: float) -> None:
    digits, write = PLACES[place]
    assert write(value) == number(value, digits)


def test_the_number_that_had_two_texts_has_one() -> None:
    short = [write(12345.678) for digits, write in PLACES.values() if digits <= 4]
    assert set(short) == {"12,346"}
    assert under_the_pointer(12345.678, 3) == behind_a_chart(12345.678) == "12,346"
    assert span(12345.678, 98765.4) == "12,346 … 98,765"
    assert rounded_up(12345.678, 3) == "12,346"
    assert wording.placed(12345.678, (0.0, 20000.0)) == "12,346"


@given(NUMBERS, st.integers(1, 6))
@example(12345.678, 4)
@example(0.00001, 3)
@example(999.5, 3)
def test_charts_differ_by_zeros_at_the_end_alone(value: float, digits: int) -> None:
    """The browser fills numbers up that have fewer digits; its format rounds the same."""
    for shown, wanted in (
        (under_the_pointer(value, digits), number(value, digits)),
        (behind_a_chart(value), number(value, chart.DIGITS)),
    ):
        if shown != wanted and "e" not in shown:
            # Half of the last place may go either way: the browser sees the float's own digits.
            assert float(shown.replace("−", "-")) == pytest.approx(
                float(wanted.replace("−", "-").replace(",", "")),
                abs=1.01 * 10.0 ** (math.floor(math.log10(abs(value) or 1.0)) + 1 - digits),
            )
        assert "e" not in shown


@given(st.decimals("0.0001", "999", places=6).map(Fraction))
def test_a_budget_that_is_shown_exactly_looks_like_every_number(epsilon: Fraction) -> None:
    assert decimal_text(epsilon) == plain(Decimal(decimal_text(epsilon)))


def test_marks_of_an_axis_are_written_the_same_way() -> None:
    axis = log_axis(1.0, 1e8)
    texts = [number(mark) for mark in axis["tickvals"]]
    assert axis["ticktext"] == texts


# --- The rule itself ------------------------------------------------------------------------------


def read_back(text: str) -> Decimal:
    tidy = text.replace("−", "-").replace(",", "")
    mantissa, _, power = tidy.partition(" × 10")
    exponent = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or "0"
    return Decimal(mantissa).scaleb(int(exponent))


def faults(write: Callable[[float, int], str], value: float, digits: int) -> list[str]:
    text = write(value, digits)
    shown, exact = read_back(text), Decimal(repr(value))
    found = []
    step = Decimal(1).scaleb(exact.adjusted() - digits + 1) if value else Decimal(0)
    if "×" not in text:
        step = min(step, Decimal(1)) if step > 1 else step
    if abs(shown - exact) > step / 2 * (1 + Decimal("1e-9")) + abs(exact) * Decimal("1e-14"):
        found.append("another number")
    if ("×" in text) != (value != 0 and not 1e-4 <= abs(value) < max(1e9, 10.0 ** (digits + 1))):
        found.append("a power of ten, or none")
    if "." in text.partition(" ×")[0] and len(exact.as_tuple().digits) <= digits:
        if text.partition(" ×")[0].endswith("0"):
            found.append("filled up")
    whole = re.fullmatch(r"−?(\d{1,3}(?:,\d{3})*)(?:\.\d+)?(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?", text)
    if not whole or text == "−0":
        found.append("not a number as it is written")
    return found


def three_digits_of_everything(value: float, digits: int) -> str:
    """The twin that the card once had: 12345.678 becomes 12,300."""
    return plain(float(f"{value:.{digits - 1}e}"))


def as_the_browser_does(value: float, digits: int) -> str:
    return f"{value:.{digits}g}"


def always_filled_up(value: float, digits: int) -> str:
    size = abs(value) or 1.0
    decimals = max(0, digits - 1 - math.floor(math.log10(size)))
    return f"{value:,.{decimals}f}".replace("-", "−")


@given(NUMBERS, st.integers(1, 12))
@example(12345.678, 3)
@example(-0.0, 3)
@example(9.9999e-5, 3)
@example(999999999.6, 3)
def test_a_text_is_the_nearest_number_with_its_digits(value: float, digits: int) -> None:
    assert faults(number, value, digits) == []


@pytest.mark.parametrize(
    ("twin", "value"),
    [
        (three_digits_of_everything, 12345.678),
        (as_the_browser_does, 12345.678),
        (always_filled_up, 0.5),
        (always_filled_up, 1.5e-7),
    ],
)
def test_other_rules_are_found(twin: Callable[[float, int], str], value: float) -> None:
    try:
        found = faults(twin, value, 3)
    except ArithmeticError:  # no text of a number at all
        return
    assert found


@given(NUMBERS, st.integers(1, 12))
def test_the_nearest_number_is_the_one_shown(value: float, digits: int) -> None:
    if "×" not in number(value, digits):
        assert Decimal(repr(nearest(value, digits))) == read_back(number(value, digits))


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(0.1 + 0.2)
def test_plain_numbers_lose_no_digit(value: float) -> None:
    assert read_back(plain(value)) == Decimal(repr(value))


@given(st.floats(1e-300, 1e300), st.integers(1, 8))
def test_bounds_are_rounded_up(value: float, digits: int) -> None:
    shown = rounded_up(value, digits)
    assert read_back(shown) >= Decimal(value)
    assert float(read_back(shown)) == pytest.approx(value, rel=1.01 * 10.0 ** (1 - digits))


@given(NUMBERS)
def test_texts_of_other_kinds_follow_the_rule(value: float) -> None:
    assert brief(value) == number(value, 4)
    assert percent(value / 100.0) == f"{number(value)} %" or abs(value) < 1e-4


@pytest.mark.parametrize(
    ("value", "text"),
    [(math.nan, "–"), (math.inf, "∞"), (-math.inf, "−∞"), (0, "0"), (-0.0, "0"), (True, "1")],
)
def test_what_is_no_usual_number_has_a_text(value: float, text: str) -> None:
    assert number(value) == text
    assert plain(value) == text


# --- Nobody writes numbers by a rule of their own -------------------------------------------------

ALLOWED = {
    "pages/sections/statistic/bounds.py": "as it is typed",
    "pages/sections/audit/evidence.py": "the name of a setting",
    "pages/session/jobs.py": "whole percents of what is done",
    "pages/charts/theme.py": "the opacity of a colour",
    "pages/text/typed_numbers.py": "as it is typed",
    "pages/sections/function_lab/optimum.py": "what a field is set to",
    "pages/sections/function_lab/input_value.py": "what a field is set to",
    "pages/sections/shared/data.py": "megabytes of a file",
    "pages/sections/shared/larger_file.py": "whole gigabytes of a file",
    "pages/sections/learn/notebook.py": "bounds, as they are typed",
    "pages/sections/privatize/meaning.py": "a limit, as it is typed",
    "pages/sections/read_release/example.py": "cells of a file",
    "compdp_core/statistics/conditions.py": "a constant with all its digits, as it is typed",
}


def own_rules(source: str) -> list[str]:
    """Formats with digits of their own; of a number that is only rounded they are no text."""
    tree = ast.parse(source)
    rounded = {
        id(part)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "float"
        for part in ast.walk(call)
    }
    return [
        ast.unparse(part.value)
        for part in ast.walk(tree)
        if isinstance(part, ast.FormattedValue)
        and part.format_spec is not None
        and id(part) not in rounded
        and ast.unparse(part.format_spec).rstrip("'\"")[-1] in "gfe%n"
    ]


def test_pages_and_card_have_no_other_rule() -> None:
    folders = ("pages", "compdp_core/report", "compdp_core/statistics")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    paths += [
        ROOT / "compdp_core" / name for name in ("auditing/self_check.py", "experiments/ranking.py")
    ]
    assert len(paths) > 150
    found = {
        path.relative_to(ROOT).as_posix()
        for path in paths
        if own_rules(path.read_text(encoding="utf-8"))
    }
    assert found <= set(ALLOWED)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("f'{x:.3g}'", True),
        ("f'{x:g}'", True),
        ("f'{x:,.1f} cm'", True),
        ("f'{x:.{digits}g}'", True),
        ("f'{n:,} rows'", False),
        ("float(f'{x:.5g}')", False),
        ("f'{number(x)} cm'", False),
    ],
)
def test_a_rule_of_its_own_is_found(source: str, found: bool) -> None:
    assert bool(own_rules(source)) is found
