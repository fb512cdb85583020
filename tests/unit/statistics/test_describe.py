"""Descriptions and bins against counting by hand."""

from __future__ import annotations

import itertools
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import MissingValueError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.statistics.describe import QUANTILES, Bins, Description

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=50)


@given(VALUES)
def test_description_agrees_with_the_standard_library(values: list[float]) -> None:
    described = Description.of(values)
    assert described.count == len(values)
    assert described.mean == pytest.approx(statistics.fmean(values), abs=1e-6)
    assert described.spread == pytest.approx(statistics.stdev(values), rel=1e-9, abs=1e-6)
    median = described.quantiles[QUANTILES.index(0.5)]
    assert median == pytest.approx(statistics.median(values), abs=1e-6)


def test_a_single_value_has_no_spread() -> None:
    assert Description.of([7]).spread == 0.0


def test_missing_and_no_values_are_refused() -> None:
    with pytest.raises(MissingValueError):
        Description.of([1.0, float("nan")])
    with pytest.raises(ParameterError, match="at least one"):
        Description.of([])


@given(st.lists(st.integers(-300, 400), min_size=1), st.integers(-300, 0), st.integers(1, 400))
def test_whole_numbers_are_never_split_and_each_bin_holds_equally_many(
    values: list[int], low: int, high: int
) -> None:
    bins = Bins.covering(Interval(low, high), whole=True)
    assert bins.count <= 60
    ends = np.ceil(bins.edges).astype(int)
    assert len(set(np.diff(ends).tolist())) == 1
    inside = [v for v in values if bins.edges[0] <= v <= bins.edges[-1]]
    by_hand = [sum(a <= v < b for v in inside) for a, b in itertools.pairwise(bins.edges)]
    assert bins.counts(values).tolist() == by_hand
    assert bins.edges[0] <= low
    assert bins.edges[-1] >= high


def test_bins_of_decimals_cover_the_interval_exactly() -> None:
    bins = Bins.covering(Interval(0, 6), at_most=3)
    assert bins.edges.tolist() == [0, 2, 4, 6]
    assert bins.middles.tolist() == [1, 3, 5]
    assert bins.counts([-1, 0, 2, 6, 7]).tolist() == [1, 1, 1]


@given(
    st.lists(st.integers(-120, 170), min_size=1),
    st.integers(-40, 20),
    st.integers(1, 60),
    st.booleans(),
)
def test_no_bin_crosses_an_end_of_what_lies_within(
    values: list[int], low: int, width: int, whole: bool
) -> None:
    within = Interval(low, low + width)
    bins = Bins.around(Interval(-100, 150), [within], whole=whole)
    inside = (bins.middles >= within.lower - 0.5) & (bins.middles <= within.upper + 0.5)
    if not whole:
        inside = (bins.middles >= within.lower) & (bins.middles <= within.upper)
    counts = bins.counts(values)
    assert counts[inside].sum() == sum(within.lower <= v <= within.upper for v in values)
    assert counts.sum() == sum(-100 <= v <= 150 for v in values)
    assert 56 <= bins.count <= 66
    # Heights are compared by eye: no bin is much wider than its neighbours.
    if not whole:
        assert bins.widths.max() <= 3 * bins.widths.min() or within.width < 3
