"""Columns that give others away are found, and nothing is found where nothing is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.tables import read
from compdp_core.tables.derived_columns import DerivedColumn, find_derived

ROWS = 60
RNG = np.random.default_rng(5)
A, B, C = (RNG.integers(0, 500, ROWS) for _ in range(3))


def table(**columns: list[str]) -> bytes:
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(row) for row in rows)]
    return ("\n".join(lines) + "\n").encode()


def words(values: object, decimals: int = 0) -> list[str]:
    return [f"{value:.{decimals}f}" for value in np.asarray(values, dtype=float)]


BASE = {"a": words(A), "b": words(B), "c": words(C)}


@pytest.mark.parametrize(
    ("more", "private", "expected"),
    [
        (words(A + B), {0}, DerivedColumn("sum", 3, (0, 1))),
        (words(A + C), {2}, DerivedColumn("sum", 3, (0, 2))),
        (words(A - B), {0}, DerivedColumn("sum", 0, (1, 3))),
        (words(A + B + C), {1}, DerivedColumn("sum", 3, (0, 1, 2))),
        (words(A + B + C), {3}, DerivedColumn("sum", 3, (0, 1, 2))),
        (words((A + B + C) / 3, 2), {1}, DerivedColumn("average", 3, (0, 1, 2))),
        (words(A), {0}, DerivedColumn("linear", 3, (0,))),
        (words(1000 - 7 * A), {0}, DerivedColumn("linear", 3, (0,))),
        (words(A / 2.54, 1), {3}, DerivedColumn("linear", 3, (0,))),
        ([f"${each}" for each in words(A)], {0}, DerivedColumn("linear", 3, (0,))),
    ],
)
def test_what_gives_a_column_away_is_found(
    more: list[str], private: set[int], expected: DerivedColumn
) -> None:
    assert find_derived(read(table(**BASE, more=more)), private) == [expected]


def test_decimals_add_up_as_typed_though_floats_do_not() -> None:
    """0.1 + 0.2 is not 0.3 in floats: sums are of whole hundredths."""
    first, second = words(A / 100, 2), words(B / 100, 2)
    total = words((A + B) / 100, 2)
    assert any(float(x) + float(y) != float(z) for x, y, z in zip(first, second, total))  # noqa: B905
    found = find_derived(read(table(x=first, y=second, z=total)), {0})
    assert found == [DerivedColumn("sum", 2, (0, 1))]


def test_rows_with_a_missing_cell_are_passed_over() -> None:
    total = words(A + B)
    total[3] = ""
    assert find_derived(read(table(**BASE, total=total)), {0}) == [DerivedColumn("sum", 3, (0, 1))]


def test_one_row_that_differs_is_no_relation() -> None:
    total = A + B
    total[-1] += 1
    assert find_derived(read(table(**BASE, total=words(total))), {0}) == []


def test_a_relation_without_a_private_column_is_no_matter() -> None:
    data = read(table(**BASE, total=words(A + B)))
    assert find_derived(data, {2}) == []
    assert find_derived(data, {0, 1, 3}) == []


def test_few_rows_or_values_could_be_chance() -> None:
    """Ten rows stand in 10! orders, 2^22; a column with one 1 in 60 rows in sixty."""
    few = {name: cells[:10] for name, cells in BASE.items()}
    assert find_derived(read(table(**few, total=words(A + B)[:10])), {0}) == []
    rare = words(np.arange(ROWS) == 7)
    assert find_derived(read(table(**BASE, rare=rare, copy=rare)), {3}) == []


def test_unrelated_columns_raise_no_alarm() -> None:
    """Small whole numbers, where single rows fit often: thirty columns in each of ten tables."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        columns = {f"c{i}": words(rng.integers(0, 3 + i % 5, 120)) for i in range(30)}
        assert find_derived(read(table(**columns)), set(range(10))) == []


def test_a_relation_of_the_first_rows_alone_is_not_confirmed() -> None:
    many = 100_000
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 900, many), rng.integers(0, 900, many)
    total = a + b
    assert find_derived(read(table(a=words(a), b=words(b), t=words(total))), {0})
    total[90_000] += 1
    assert find_derived(read(table(a=words(a), b=words(b), t=words(total))), {0}) == []


ODD = ("0", "7", "-3", "2.25", "0.1", "1e308", "-1e308", "1e-320", "9007199254740993", "", "$12")


@given(st.lists(st.lists(st.sampled_from(ODD), min_size=3, max_size=3), min_size=3, max_size=40))
def test_odd_numbers_are_passed_over(rows: list[list[str]]) -> None:
    columns = {
        name: list(cells) for name, cells in zip("abc", zip(*rows, strict=True), strict=True)
    }
    # A column of line numbers, so that there is always one of whole numbers alone.
    columns["n"] = [str(i * i) for i in range(len(rows))]
    for found in find_derived(read(table(**columns)), {0, 3}):
        assert set(found.columns) & {0, 3}
        assert set(found.columns) - {0, 3}
