"""Attacks succeed where they should and fail where they must; broken mechanisms are as broken as
they say.

Every draw here is seeded, so nothing fails at random: the false alarm rate is 0, below 1e-9.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from compdp_core import CompositeMechanism
from compdp_core.auditing.attacks import (
    FAULTY,
    Faulty,
    average_repeats,
    guess_inputs,
    lattice_fingerprints,
    textbook_fingerprints,
)
from compdp_core.auditing.lower_bound import audit
from compdp_core.errors import BoundsError, ParameterError
from compdp_core.mechanisms.baselines import ClampedLaplace


@pytest.fixture(params=FAULTY)
def broken(request: pytest.FixtureRequest) -> Faulty:
    return FAULTY[request.param]()


def test_the_stated_loss_is_that_of_the_density(broken: Faulty) -> None:
    x = np.linspace(*broken.outputs, 100_003)[1:-1]
    first, second = (broken.pdf(x, value) for value in broken.neighbours)
    assert np.max(np.abs(np.log(first / second))) == pytest.approx(broken.true, rel=1e-9)
    assert broken.true > broken.claimed + 0.1


def test_the_density_is_that_of_the_draws(broken: Faulty) -> None:
    """Bins of 200,000 seeded draws within five standard errors; a density off by a tenth is not."""
    for value in broken.neighbours:
        draws = broken.simulate(np.full(200_000, value), 5)
        edges = np.linspace(*broken.outputs, 21)
        x = np.linspace(*broken.outputs, 40_001)
        middle = 0.5 * (x[1:] + x[:-1])
        mass = np.histogram(middle, edges, weights=broken.pdf(middle, value) * np.diff(x))[0]
        share = np.histogram(draws, edges)[0] / draws.size
        error = np.sqrt(mass * (1.0 - mass) / draws.size)
        assert np.all(np.abs(share - mass) < 5.0 * error + 1e-4)
        assert not np.all(np.abs(share - 1.1 * mass) < 5.0 * error + 1e-4)


def test_an_audit_convicts_each(broken: Faulty) -> None:
    result = audit(broken.simulate, broken.claimed, broken.neighbours, draws=1_000_000, seed=2)
    assert result.refuted
    assert result.lower_bound <= broken.true


@pytest.mark.parametrize("extremes", [(37, 91), (-5.5, 2.25), (0.001, 0.002)])
def test_bounds_read_from_data_are_read_back(extremes: tuple[float, float]) -> None:
    mechanism = CompositeMechanism(1.0, extremes)
    guess = guess_inputs(mechanism.outputs, mechanism.design.input_fraction)
    assert guess == pytest.approx(extremes, abs=2.0 * mechanism.lattice.spacing)


def test_one_value_more_or_less_moves_the_guess() -> None:
    guesses = []
    for top in (91.0, 92.0):
        m = CompositeMechanism(1.0, (37, top))
        guesses.append(guess_inputs(m.outputs, m.design.input_fraction)[1])
    assert guesses[1] - guesses[0] == pytest.approx(1.0, abs=0.05)


def test_impossible_outputs_are_refused() -> None:
    with pytest.raises(BoundsError, match="outputs"):
        guess_inputs((5.0, 5.0), 0.3)


def test_averaging_follows_the_root_of_the_repeats() -> None:
    mechanism = CompositeMechanism(1.0, (0, 100))
    result = average_repeats(mechanism, 30.0, most=20_000, seed=4)
    expected = math.sqrt(mechanism.variance(30.0) / 20_000)
    assert result.expected[-1] == pytest.approx(expected, rel=1e-6)
    assert result.error[-1] < 5.0 * expected
    assert result.epsilon[-1] == pytest.approx(20_000.0)


def test_a_few_repeats_are_looked_at_one_by_one() -> None:
    mechanism = CompositeMechanism(1.0, (0, 100))
    result = average_repeats(mechanism, 30.0, most=60, seed=4)
    draws = mechanism.simulate(np.full(60, 30.0), seed=4)
    assert result.repeats.tolist() == list(range(1, 61))
    for n in (1, 17, 43, 60):
        assert result.error[n - 1] == pytest.approx(abs(draws[:n].sum() / n - 30.0), rel=1e-9)
    assert len(average_repeats(mechanism, 30.0, most=61, seed=4).repeats) < 61


def test_averaging_does_not_take_a_bias_away() -> None:
    """Clamped noise at an end of the bounds: the broken twin, whose mean stays wrong."""
    clamped = ClampedLaplace(1.0, (0, 100))
    result = average_repeats(clamped, 0.0, most=20_000, seed=4)
    assert result.error[-1] == pytest.approx(abs(clamped.bias(0.0)), rel=0.1)


def test_textbook_noise_tells_inputs_apart() -> None:
    assert textbook_fingerprints(0.0, 1.0, 1.0).share > 0.4
    assert textbook_fingerprints(0.0, 0.0, 1.0).told_apart == 0


def test_the_lattice_does_not() -> None:
    """Every output of either input is a point of the one lattice; one bit off would be seen."""
    mechanism = CompositeMechanism(1.0, (0, 1))
    draws = mechanism.simulate(np.r_[np.zeros(5000), np.ones(5000)], seed=3)
    exponent = mechanism.lattice.exponent
    assert lattice_fingerprints(draws, exponent).told_apart == 0
    twin = draws.copy()
    twin[7] = np.nextafter(twin[7], 2.0)
    assert lattice_fingerprints(twin, exponent).told_apart == 1


@pytest.mark.parametrize("scale", [0.0, -1.0, math.nan, "b"])
def test_fingerprints_need_a_scale(scale: Any) -> None:
    with pytest.raises(ParameterError, match="scale"):
        textbook_fingerprints(0.0, 1.0, scale)


@pytest.mark.parametrize(("value", "most"), [(math.nan, 100), (1.0, 1), (1.0, 2.5), ("a", 100)])
def test_averaging_needs_numbers(value: Any, most: Any) -> None:
    with pytest.raises(ParameterError):
        average_repeats(ClampedLaplace(1.0, (0, 100)), value, most=most)
