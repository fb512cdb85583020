"""Closed forms against sums and quadratures of the density and the point masses alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

from compdp_core.mechanisms.baselines import BASELINES, Baseline, Piecewise
from tests.unit.mechanisms.baselines.cases import (
    CASES,
    IDS,
    atoms,
    breakpoints,
    build,
    expectation,
    integral,
    values_of,
)

# The sum over point masses and the quadrature are this good; a formula that is wrong is worse.
TOLERANCE = 2e-9


def tolerance(mechanism: Baseline, value: float) -> float:
    """At ε = 50 the plateau of the piecewise mechanism is only a few thousand floats wide."""
    if not isinstance(mechanism, Piecewise):
        return TOLERANCE
    plateau = mechanism.interval.width / math.expm1(0.5 * mechanism.epsilon)
    return TOLERANCE + 4.0 * float(np.spacing(max(abs(value), plateau))) / plateau


def broken_laws(mechanism: Baseline, value: float) -> list[str]:
    """Which closed forms disagree with the density and the point masses."""
    width = mechanism.interval.width
    mass = expectation(mechanism, value, np.ones_like)
    bias = expectation(mechanism, value, lambda x: x - value)
    variance = expectation(mechanism, value, lambda x: (x - value - bias) ** 2)
    spread = math.sqrt(variance)
    allowed = tolerance(mechanism, value)
    laws = {
        "mass": abs(mass - 1.0) <= allowed,
        "bias": abs(bias - mechanism.bias(value)) <= allowed * (spread + 1e-3 * width),
        "variance": math.isclose(variance, mechanism.variance(value), rel_tol=allowed),
    }
    return [law for law, holds in laws.items() if not holds]


@pytest.mark.parametrize(("key", "index"), CASES, ids=IDS)
def test_mass_bias_and_variance_are_those_of_the_density(key: str, index: int) -> None:
    mechanism = build(key, index)
    broken = {value: broken_laws(mechanism, value) for value in values_of(mechanism)}
    assert not any(broken.values()), broken


@pytest.mark.parametrize("key", BASELINES)
@pytest.mark.parametrize("factor", [0.99, 1.01])
def test_a_wrong_variance_is_seen(key: str, factor: float, monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = build(key, 0)
    right = type(mechanism)._variance
    monkeypatch.setattr(type(mechanism), "_variance", lambda self, x: factor * right(self, x))
    assert broken_laws(mechanism, 50.0) == ["variance"]


def test_the_bias_of_clamping_left_out_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = build("clamped_laplace", 0)
    monkeypatch.setattr(type(mechanism), "_bias", lambda self, x: np.zeros(x.shape))
    assert broken_laws(mechanism, 3.0) == ["bias"]


@pytest.mark.parametrize(("key", "index"), CASES, ids=IDS)
def test_misses_are_the_mass_outside(key: str, index: int) -> None:
    mechanism = build(key, index)
    lower, upper = mechanism.inputs
    width = upper - lower
    targets = [
        (lower, upper),
        (lower + 0.2 * width, upper - 0.5 * width),
        (lower - 0.7 * width, lower + 0.1 * width),
        (upper + 0.01 * width, upper + 0.5 * width),
        (lower - 9.0 * width, upper + 9.0 * width),
    ]
    for value in values_of(mechanism):
        for low, high in targets:
            claimed = mechanism.probability_outside((low, high), value)
            assert claimed == pytest.approx(
                mass_outside(mechanism, value, low, high), abs=tolerance(mechanism, value)
            ), (value, low, high)


def mass_outside(mechanism: Baseline, value: float, low: float, high: float) -> float:
    """The jump of the indicator lies inside a piece of the quadrature, so split there."""
    points = breakpoints(mechanism, value)
    if points.size:
        inside = np.clip([low, high], points[0], points[-1])
        points = np.unique(np.concatenate([points, inside]))
    smooth = integral(
        lambda x: np.where((x < low) | (x > high), mechanism.pdf(x, value=value), 0.0), points
    )
    places = atoms(mechanism, value)
    # Grid points are decimals in floats: what is on the edge counts as inside.
    slack = 1e-9 * (high - low) if mechanism.is_discrete else 0.0
    out = (places < low - slack) | (places > high + slack)
    return smooth + float(np.sum(mechanism.pmf(places, value=value)[out]))


@pytest.mark.parametrize(("key", "index"), CASES, ids=IDS)
def test_the_largest_miss_is_the_largest_over_all_inputs(key: str, index: int) -> None:
    mechanism = build(key, index)
    lower, upper = mechanism.inputs
    width = upper - lower
    values = np.linspace(lower, upper, 401)
    for low, high in ((0.0, 1.0), (0.3, 0.4), (0.9, 3.0), (-2.0, 0.05), (-0.1, 1.4)):
        target = (lower + low * width, lower + high * width)
        everywhere = mechanism.probability_outside(target, values)
        assert np.all((everywhere >= 0.0) & (everywhere <= 1.0))
        assert mechanism.probability_outside(target) == pytest.approx(
            float(np.max(everywhere)), abs=1e-14
        )


@pytest.mark.parametrize(("key", "index"), CASES, ids=IDS)
def test_outside_the_outputs_there_is_nothing(key: str, index: int) -> None:
    mechanism = build(key, index)
    low, high = mechanism.outputs
    assert BASELINES[key].is_bounded == math.isfinite(low) == math.isfinite(high)
    if math.isfinite(low):
        assert mechanism.probability_outside((low, high)) == 0.0
        beyond = np.array([low - 0.1 * (high - low), high + 0.1 * (high - low)])
        for value in values_of(mechanism):
            assert not mechanism.pdf(beyond, value=value).any()
            assert not mechanism.pmf(beyond, value=value).any()


@pytest.mark.parametrize("key", BASELINES)
def test_unbiased_is_said_of_the_unbiased_only(key: str) -> None:
    mechanism = build(key, 0)
    on_grid = np.array([0.0, 13.0, 50.0, 100.0])
    bias = np.abs(mechanism.bias(on_grid))
    assert BASELINES[key].is_unbiased == bool(np.all(bias <= 1e-12))


@pytest.mark.parametrize("key", BASELINES)
def test_an_input_outside_is_clamped_and_the_bias_says_so(key: str) -> None:
    mechanism = build(key, 0)
    assert mechanism.bias(130.0) == pytest.approx(mechanism.bias(100.0) - 30.0)
    assert mechanism.variance(-5.0) == mechanism.variance(0.0)
    assert np.array_equal(
        mechanism.simulate([-5.0, 130.0], seed=1), mechanism.simulate([0.0, 100.0], seed=1)
    )


@pytest.mark.parametrize("key", BASELINES)
def test_shapes_are_kept(key: str) -> None:
    mechanism = build(key, 0)
    grid = np.linspace(0.0, 100.0, 6).reshape(2, 3)
    for answer in (
        mechanism.bias(grid),
        mechanism.variance(grid),
        mechanism.probability_outside((0, 90), grid),
        mechanism.simulate(grid, seed=3),
        mechanism.pdf(grid, value=4.0),
        mechanism.pmf(4.0, value=grid),
    ):
        assert answer.shape == (2, 3)
    for number in (
        mechanism.bias(4),
        mechanism.variance(4),
        mechanism.probability_outside((0, 90), 4),
        mechanism.probability_outside((0, 90)),
    ):
        assert type(number) is float
    assert mechanism.simulate(4, seed=3).shape == ()
    assert mechanism.simulate([], seed=3).shape == (0,)
