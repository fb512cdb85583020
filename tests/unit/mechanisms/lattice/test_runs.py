"""Runs against the plain list of weights they stand for."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import LatticeError
from compdp_core.mechanisms.lattice import Runs
from compdp_core.mechanisms.lattice.runs import RESOLUTION
from tests.unit.mechanisms.lattice.enumeration import expanded, runs

some_weights = st.lists(st.integers(0, 5) | st.integers(0, 2**120), min_size=1, max_size=30)


@given(weights=some_weights)
def test_sums_are_those_of_the_points(weights: list[int]) -> None:
    r = runs(weights)
    assert expanded(r) == tuple(weights)
    assert r.count == len(weights)
    assert r.mass == sum(r.masses) == sum(weights)
    assert r.is_symmetric is (weights == weights[::-1])
    middle = len(weights) - 1
    assert r.second_moment == sum(w * (2 * i - middle) ** 2 for i, w in enumerate(weights))
    for position in range(-3, len(weights) + 4):
        assert r.below(position) == sum(weights[: max(position, 0)])
    total = 3 * sum(weights) + 1
    assert r.shares(total).tolist() == pytest.approx([w / total for w in weights], rel=1e-15)


@given(weights=some_weights)
def test_merged_runs_are_as_few_as_possible(weights: list[int]) -> None:
    r = runs(weights)
    assert all(a != b for a, b in pairwise(r.weights))
    assert len(r.weights) == 1 + sum(a != b for a, b in pairwise(weights))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 17, 100, 4095, 4096, 4097])
def test_few_points_take_the_weight_at_their_own_place(count: int) -> None:
    """Up to the resolution each point is a run: at its distance from the middle, over half."""
    symmetric = Runs.symmetric(count, lambda v: [round(1e12 * (2.0 - x * x)) for x in v])
    places = np.abs(np.arange(count) - 0.5 * (count - 1)) / (0.5 * count)
    assert expanded(symmetric) == tuple(round(1e12 * (2.0 - x * x)) for x in places)
    assert symmetric.is_symmetric


@pytest.mark.parametrize("count", [4098, 10_001, 65_536, 1_000_003])
def test_many_points_share_runs(count: int) -> None:
    symmetric = Runs.symmetric(count, lambda v: [round(1e12 * (2.0 - x)) for x in v])
    assert symmetric.count == count
    assert symmetric.is_symmetric
    assert len(symmetric.weights) <= RESOLUTION + 1
    # Twice as long in the middle, where the two halves meet.
    assert max(symmetric.lengths) <= 2 * (count // RESOLUTION + 1)
    # On a linear shape the middle of a run stands for all of it, so the mass is exact.
    half = count // 2
    exact = 2.0 * count - sum(
        2.0 * (i + (0.5 if count % 2 == 0 else 1.0)) / (0.5 * count) for i in range(half)
    )
    assert symmetric.mass / 1e12 == pytest.approx(exact, rel=1e-12)


def test_one_run_is_enough_for_a_constant_of_any_length() -> None:
    constant = Runs.symmetric(10**15 + 1, lambda v: [7] * v.size)
    assert constant == Runs((10**15 + 1,), (7,))
    assert constant.below(10**14) == 7 * 10**14


@pytest.mark.parametrize(
    ("lengths", "weights"), [((), ()), ((1, 2), (1,)), ((0,), (1,)), ((1,), (-1,)), ((-1,), (1,))]
)
def test_what_is_not_a_list_of_weights_is_refused(
    lengths: tuple[int, ...], weights: tuple[int, ...]
) -> None:
    with pytest.raises(LatticeError, match="runs need"):
        Runs(lengths, weights)


def test_runs_cannot_be_changed() -> None:
    r = Runs((2, 3), (1, 4))
    assert isinstance(r.weights, tuple)
    with pytest.raises(AttributeError):
        r.weights = (9, 9)  # type: ignore[misc]
