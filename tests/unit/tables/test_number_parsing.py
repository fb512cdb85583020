"""Numbers, by array operations and by Python's own float and regular expressions."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compdp_core.tables.number_parsing import BLANK, INFINITE, NUMBER, TEXT, Numerals, parse
from tests.unit.tables.cells import padded

NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,6})?", re.ASCII)
NON_FINITE = re.compile(r"[+-]?(inf|infinity|0x[0-9a-f]+)", re.IGNORECASE)


def read(cells: list[str], decimal: str = ".", *, exact: bool = True) -> Numerals:
    block, starts, stops = padded(cells)
    return parse(block, starts, stops, decimal, exact=exact)


def expected(cell: str) -> tuple[int, float]:
    if not cell:
        return BLANK, math.nan
    if NON_FINITE.fullmatch(cell):
        return INFINITE, math.nan
    if not NUMERAL.fullmatch(cell):
        return TEXT, math.nan
    value = float(cell)
    return (INFINITE, math.nan) if math.isinf(value) else (NUMBER, value)


def check(cells: list[str]) -> None:
    found = read(cells)
    for i, cell in enumerate(cells):
        kind, value = expected(cell)
        assert found.kind[i] == kind, cell
        # The same bits, also of -0.0.
        assert np.float64(value).tobytes() == found.value[i].tobytes() or math.isnan(value), cell
        if kind == NUMBER:
            digits = re.fullmatch(r"[+-]?\d+", cell, re.ASCII) is not None
            assert found.integer[i] == digits, cell
            assert found.padded[i] == (digits and len(cell.lstrip("+-")) > 1
                                       and cell.lstrip("+-")[0] == "0"), cell  # fmt: skip


CHARACTERS = st.text("0123456789" * 3 + "....eE+-+-,x inf", max_size=34)
FLOATS = st.floats(allow_nan=False).map(repr)
FIXED = st.builds(
    lambda sign, whole, fraction: f"{sign}{whole}.{fraction}",
    st.sampled_from(["", "+", "-"]),
    st.text("0123456789", max_size=20),
    st.text("0123456789", max_size=20),
)
INTEGERS = st.integers(-(10**30), 10**30).map(str)
POWERS = st.builds(
    lambda mantissa, mark, exponent: f"{mantissa}{mark}{exponent}",
    FIXED,
    st.sampled_from(["e", "E", "e+", "e-0"]),
    st.integers(-400, 400),
)


@given(st.lists(CHARACTERS | FLOATS | FIXED | INTEGERS | POWERS, max_size=30))
@example(["9007199254740993", "9007199254740993.0", "0.1", "-0", "-0.0", "1e23", "8.41e21"])
@example(["1.7976931348623157e308", "1.7976931348623159e308", "5e-324", "2e-324", "0e999"])
@example(["123456789012345678901234567890", "0." + "1" * 40, "1" * 400, "-" + "9" * 70 + "e-60"])
@example(
    ["", ".", "-", "+.", "1.2.3", "e5", "5e", "5e+", "1e5e5", "inf", "-Infinity", "0x1A", "0xg"]
)
@example(["12345678", "123456789", "1234567.", ".12345678", "1234567812345678", "1.5" + "0" * 30])
@example(["1.2345678.9", "12.34567890123.4", "1.2.", "12345678.12345678.", "..", "1.234567.8"])
@example(["2024-01-31", "10:30", "12 Main Street", "1_000", "1 000", "²", "५"])
def test_numbers_are_those_of_python(cells: list[str]) -> None:
    check(cells)


def test_mantissas_beyond_floats_are_rounded_once() -> None:
    # Mantissa to float and then the division would round twice: wrong for one in six of these.
    rng = np.random.default_rng(1)
    mantissas = rng.integers(2**53, 2**55, 3000).tolist()
    cells = [f"{str(m)[:-k]}.{str(m)[-k:]}" for m in mantissas for k in (1, 7, 14)]
    twice = [float(m) / 10.0**k for m in mantissas for k in (1, 7, 14)]
    assert read(cells).value.tolist() == [float(cell) for cell in cells] != twice


def test_powers_of_ten_beyond_floats_are_not_divided_by() -> None:
    cells = [f".{m:023d}" for m in range(1, 3000)]
    twice = [m / 10.0**23 for m in range(1, 3000)]
    assert read(cells).value.tolist() == [float(cell) for cell in cells] != twice


@given(st.lists(FLOATS | FIXED | INTEGERS | POWERS, max_size=30))
def test_quick_values_are_close(cells: list[str]) -> None:
    exact, quick = read(cells), read(cells, exact=False)
    np.testing.assert_array_equal(exact.kind, quick.kind)
    np.testing.assert_array_equal(exact.decimals, quick.decimals)
    np.testing.assert_allclose(quick.value, exact.value, rtol=1e-13, atol=1e-300)


@given(st.lists(FIXED | POWERS, max_size=20))
def test_decimal_comma_is_the_point_of_other_countries(cells: list[str]) -> None:
    commas = read([cell.replace(".", ",") for cell in cells], ",")
    np.testing.assert_array_equal(commas.value, read(cells).value)
    assert not (read([cell for cell in cells if "." in cell], ",").kind == NUMBER).any()


@pytest.mark.parametrize(
    ("cell", "decimals"),
    [("3", 0), ("3.", 0), ("3.50", 2), (".5", 1), ("1.5e-3", 4), ("1.5e3", 0), ("1e-2", 2),
     ("0." + "1" * 30, 30), ("-12345678.25", 2), ("123.4567890123", 10)],
)  # fmt: skip
def test_decimals_as_typed(cell: str, decimals: int) -> None:
    assert read([cell]).decimals.tolist() == [decimals]


def test_neighbours_do_not_leak_into_a_cell() -> None:
    # The lines reach up to 32 bytes to the left of each cell.
    found = read(["99999999", "1", "88888888", "2.5", "inf", "3"])
    assert found.value[[1, 3, 5]].tolist() == [1, 2.5, 3]
    assert read(["in", "f"]).kind.tolist() == [TEXT, TEXT]
    assert read(["0", "x1"]).kind.tolist() == [NUMBER, TEXT]


def test_bytes_of_other_encodings_are_no_digits() -> None:
    block, starts, stops = padded([b"3.E\xff6", b"1\xff", b"\xfa", b"1\x00", b"\x001", b"1 2"])
    assert parse(block, starts, stops, ".").kind.tolist() == [TEXT] * 6
