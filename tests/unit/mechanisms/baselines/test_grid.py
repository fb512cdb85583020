"""Grids: nearest points, whole steps, and what cannot be counted on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import (
    DiscreteGaussian,
    DiscreteLaplace,
    TruncatedDiscreteLaplace,
)
from compdp_core.mechanisms.baselines.grid import Grid


@given(x=st.integers(-10_000, 10_000), shift=st.integers(0, 5000), parts=st.sampled_from([1, 2, 5]))
def test_rounding_never_puts_neighbours_farther_apart_than_their_sensitivity(
    x: int, shift: int, parts: int
) -> None:
    """Also at halves, where rounding to even would: 0.5 to 0 but 1.5 to 2."""
    grid = Grid(1.0)
    values = np.array([x / (2 * parts), (x + shift) / (2 * parts)])
    low, high = grid.indices(values)
    assert 0 <= high - low <= grid.steps(max(shift / (2 * parts), 1e-9))


def test_rounding_to_even_would_break_it() -> None:
    halves = np.array([0.5, 1.5])
    assert np.ptp(np.rint(halves)) == 2.0
    assert np.ptp(Grid(1.0).indices(halves)) == 1.0


@pytest.mark.parametrize("spacing", [1e-6, 0.01, 0.1, 0.25, 1.0, 2.5, 1000.0])
@pytest.mark.parametrize("far", [0.0, 5e7, 1e11, 1e14])
def test_points_are_their_own_nearest(spacing: float, far: float) -> None:
    grid = Grid(spacing)
    indices = far + np.arange(-1000.0, 1001.0)
    points = grid.points(indices)
    assert np.array_equal(grid.indices(points), indices)
    assert grid.is_point(points).all()
    assert not grid.is_point(points + (0.4 if far else 0.3) * spacing).any()
    assert [grid.ceil(p) for p in points] == indices.tolist()
    assert [grid.floor(p) for p in points] == indices.tolist()
    assert grid.ceil(0.3 * spacing) == 1
    assert grid.floor(0.3 * spacing) == 0


def test_decimals_stay_decimals() -> None:
    assert Grid(0.1).points(np.array([3.0, 7.0])).tolist() == [0.3, 0.7]
    assert Grid(0.001).points(np.array([1001.0])).tolist() == [1.001]


@pytest.mark.parametrize(
    ("inputs", "sensitivity", "expected"),
    [
        ((0, 100), 100, 1.0),
        ((0, 10_000), 1, 1.0),
        ((0, 1), 1, 0.01),
        ((0, 100), 0.5, 0.001),
        ((0.5, 100), 30, 0.1),
        ((0, 9), 9, 0.01),
        ((-1e-9, 1e-9), 2e-9, 1e-11),
    ],
)
def test_the_default_spacing(
    inputs: tuple[float, float], sensitivity: float, expected: float
) -> None:
    mechanism = DiscreteLaplace(1.0, inputs, sensitivity=sensitivity)
    assert mechanism.spacing == pytest.approx(expected, rel=1e-12)
    assert mechanism.steps == math.ceil(sensitivity / expected - 1e-6)


@pytest.mark.parametrize(
    ("spacing", "requirement"),
    [
        (0.0, "positive"),
        (-1.0, "positive"),
        (math.nan, "positive"),
        (math.inf, "positive"),
        ("1", "positive"),
        (1e-12, "at least 1e-09"),
        (60.0, "two points"),
    ],
)
def test_unusable_spacings_are_refused(spacing: object, requirement: str) -> None:
    for kind in (DiscreteLaplace, TruncatedDiscreteLaplace):
        with pytest.raises(ParameterError, match=requirement) as caught:
            kind(1.0, (10, 60), sensitivity=1, spacing=spacing)  # type: ignore[arg-type]
        assert caught.value.name == "spacing"
    with pytest.raises(ParameterError, match=requirement):
        DiscreteGaussian(1.0, (10, 60), sensitivity=1, spacing=spacing, delta=1e-6)  # type: ignore[arg-type]


def test_values_off_the_grid_are_rounded_and_the_bias_says_so() -> None:
    mechanism = DiscreteLaplace(1.0, (0, 100), sensitivity=1)
    np.testing.assert_allclose(mechanism.bias([30.0, 30.4, 30.5]), [0.0, -0.4, 0.5], atol=1e-12)


def test_bounds_off_the_grid_keep_to_the_points_inside() -> None:
    mechanism = TruncatedDiscreteLaplace(1.0, (0.4, 9.7), sensitivity=1, spacing=1)
    assert mechanism.outputs == (1.0, 9.0)
    assert mechanism.grid.range(Interval(0.4, 9.7)) == (1, 9)
    draws = mechanism.simulate(np.full(1000, 0.4), seed=1)
    assert draws.min() == 1.0
    assert draws.max() <= 9.0
    assert mechanism.bias(0.4) > 0.6


def test_a_sensitivity_between_steps_rounds_up() -> None:
    mechanism = DiscreteLaplace(1.0, (0, 100), sensitivity=2.2, spacing=1)
    assert mechanism.steps == 3
    assert mechanism.decay == pytest.approx(1.0 / 3.0)
