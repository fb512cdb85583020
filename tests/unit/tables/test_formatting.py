"""Numbers as cells, and by Python's exact decimal arithmetic."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compdp_core.errors import ParameterError
from compdp_core.tables import CellTexts, format_cells


def texts(cells: CellTexts) -> list[str | None]:
    return [cells[i] for i in range(len(cells))]


@given(st.integers(0, 6), st.lists(st.integers(-(10**9), 10**9), max_size=40))
@example(0, [0, -1, 10, 99, 100, -100])
@example(3, [0, -1, 5, 999, 1000, -1000])
def test_lattice_values_get_the_digits_of_the_lattice(decimals: int, points: list[int]) -> None:
    values = [float(Decimal(point).scaleb(-decimals)) for point in points]
    found = texts(format_cells(values, decimals))
    assert found == [f"{Decimal(point).scaleb(-decimals):.{decimals}f}" for point in points]


@given(st.floats(-1e15, 1e15), st.integers(0, 17))
@example(2.0**53 + 2, 0)
@example(1e22, 3)
def test_any_value_is_rounded_to_the_nearest(value: float, decimals: int) -> None:
    text = format_cells([value], decimals)[0]
    assert text is not None
    # The product with 10^decimals is rounded: next to a tie it may go either way.
    slack = Decimal(abs(value)) * Decimal(2) ** -52 + Decimal("0.5").scaleb(-decimals)
    assert abs(Decimal(text) - Decimal(value)) <= slack
    assert len(text.partition(".")[2]) == decimals


def test_zero_has_no_sign_and_whole_numbers_no_point() -> None:
    assert texts(format_cells([-0.0, -0.001, 3.0, -3.0], 0)) == ["0", "0", "3", "-3"]
    assert texts(format_cells([-0.0, -0.001, -0.01], 2)) == ["0.00", "0.00", "-0.01"]


def test_missing_keeps_the_cell() -> None:
    found = format_cells([1.0, np.nan, 2.0], 1, ",")
    assert texts(found) == ["1,0", None, "2,0"]


def test_over_several_blocks() -> None:
    values = np.arange(200_000) / 8
    found = format_cells(values, 3)
    assert found.flat.tobytes() == "".join(f"{v:.3f}" for v in values.tolist()).encode()
    assert found[150_001] == "18750.125"


@pytest.mark.parametrize(
    ("values", "decimals", "mark", "name"),
    [([np.inf], 2, ".", "values"), ([1.0], -1, ".", "decimals"), ([1.0], 18, ".", "decimals"),
     ([1.0], 2, ";", "decimal_mark")],
)  # fmt: skip
def test_refusals(values: list[float], decimals: int, mark: str, name: str) -> None:
    with pytest.raises(ParameterError) as caught:
        format_cells(values, decimals, mark)
    assert caught.value.name == name


@given(st.lists(st.none() | st.text(max_size=8), max_size=20))
def test_texts_in_texts_out(given_texts: list[str | None]) -> None:
    assert texts(CellTexts.of(given_texts)) == given_texts


def test_byte_strings() -> None:
    found = CellTexts.of_array(np.array([b"1.5", b"", b"-20"]))
    assert texts(found) == ["1.5", "", "-20"]
    with pytest.raises(IndexError):
        found[3]
