"""The audit: calibrated where nothing is wrong, sharp with many draws, and a judge of broken twins.

Draws are seeded, so each test fails always or never; the rates say how unlikely a wrong failure was
when the seeds were picked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binom

from compdp_core.auditing.lower_bound import Audit, audit, clopper_pearson
from compdp_core.errors import ParameterError
from compdp_core.mechanisms.baselines import BASELINES, BoundedLaplace, Laplace, Mechanism
from compdp_core.mechanisms.composite import CompositeMechanism

Array = NDArray[np.float64]
Simulate = Callable[[Array, int], Array]

CONFIDENCE = 1.0 - 1e-9
"""Of the audits of honest mechanisms: each false alarm has a probability of at most 1e-9."""


def simulated(mechanism: Mechanism) -> Simulate:
    return lambda values, seed: mechanism.simulate(values, seed=seed)


def sure(
    simulate: Simulate, claimed: float, inputs: tuple[float, float], draws: int, seed: int = 1
) -> Audit:
    return audit(simulate, claimed, inputs, draws=draws, seed=seed, confidence=CONFIDENCE)


# --- The bounds on a probability ----------------------------------------------------------------


@given(trials=st.integers(1, 400), part=st.floats(0.0, 1.0), alpha=st.floats(1e-9, 0.4))
def test_bounds_by_the_binomial_tail_itself(trials: int, part: float, alpha: float) -> None:
    """At the lower bound so many hits or more have probability α; at the upper, so many or less."""
    hits = round(part * trials)
    low, high = clopper_pearson(hits, trials, alpha)
    assert 0.0 <= low <= hits / trials <= high <= 1.0
    if hits > 0:
        assert float(binom.sf(hits - 1, trials, low)) == pytest.approx(alpha, rel=1e-6)
    else:
        assert low == 0.0
    if hits < trials:
        assert float(binom.cdf(hits, trials, high)) == pytest.approx(alpha, rel=1e-6)
    else:
        assert high == 1.0


@pytest.mark.parametrize("probability", [0.003, 0.1, 0.5, 0.97])
def test_bounds_fail_no_more_often_than_they_say(probability: float) -> None:
    """Summed over all outcomes, exactly."""
    trials, alpha = 60, 0.05
    chances = binom.pmf(np.arange(trials + 1), trials, probability)
    bounds = [clopper_pearson(k, trials, alpha) for k in range(trials + 1)]
    missed_low = sum(p for p, (low, _) in zip(chances, bounds, strict=True) if low > probability)
    missed_high = sum(p for p, (_, high) in zip(chances, bounds, strict=True) if high < probability)
    assert missed_low <= alpha
    assert missed_high <= alpha


# --- Calibrated -----------------------------------------------------------------------------------

REPEATS = 300
LEVEL = 0.9
MOST = 66
"""Of 300 audits at 90 %, 66 or more are wrong with a probability of 7.9e-10, where each is
with 10 %: the tail of Bin(300, 0.1). An auditor that is wrong with 40 % is certain to be seen."""


def coin(epsilon: float) -> Simulate:
    """Randomised response among noise: its ε is exact, and lies in one hidden bit."""
    p = 1.0 / (1.0 + math.exp(-epsilon))

    def simulate(values: Array, seed: int) -> Array:
        rng = np.random.default_rng(seed)
        truth = rng.uniform(size=values.size) < p
        bit = np.where(truth, values, 1.0 - values)
        return bit + rng.uniform(0.0, 0.999, values.size)

    return simulate


def same_draws_twice(simulate: Simulate, base: int) -> Simulate:
    """A broken auditor: the draws that test the event are those that picked it."""

    def repeated(values: Array, seed: int) -> Array:
        place = (seed - base) // 7919
        return simulate(values, base + 7919 * (place % 2))

    return repeated


def refuted(simulate: Callable[[int], Simulate], epsilon: float, draws: int) -> int:
    found = []
    for repeat in range(REPEATS):
        seed = 40_000_000 + 100_003 * repeat
        found.append(
            audit(simulate(seed), epsilon, (0.0, 1.0), draws=draws, seed=seed, confidence=LEVEL)
        )
    assert all(each.refuted == (each.lower_bound > epsilon) for each in found)
    return sum(each.refuted for each in found)


@pytest.mark.parametrize("epsilon", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("draws", [400, 4000])
def test_wrong_no_more_often_than_it_says(epsilon: float, draws: int) -> None:
    assert refuted(lambda seed: coin(epsilon), epsilon, draws) < MOST


def test_an_auditor_that_tests_on_the_draws_it_chose_by_is_caught() -> None:
    """The twin of the test above must be far off its level."""
    assert refuted(lambda seed: same_draws_twice(coin(0.0), seed), 0.0, 4000) >= 2 * MOST


HONEST = [
    ({"epsilon": 1.0, "inputs": (0, 1)}, (0.0, 1.0)),
    ({"epsilon": 0.2, "inputs": (0, 10), "pair": "A2B1"}, (0.0, 10.0)),
    ({"epsilon": 3.0, "inputs": (-5, 5), "pair": "A1B2"}, (-5.0, 5.0)),
    ({"epsilon": 1.0, "inputs": (0, 10), "sensitivity": 1}, (4.0, 5.0)),
    ({"epsilon": 1.0, "inputs": (0, 10), "sensitivity": 1}, (9.0, 10.0)),
    ({"epsilon": 0.1, "inputs": (0, 10), "sensitivity": 3, "spacing": 1}, (0.0, 3.0)),
    ({"epsilon": 2.0, "inputs": (0, 100), "sensitivity": 1, "spacing": 1}, (50.0, 51.0)),
    ({"epsilon": 10.0, "inputs": (0, 1)}, (0.2, 0.9)),
]


@pytest.mark.parametrize(("arguments", "inputs"), HONEST)
def test_never_above_what_the_certificate_proves(
    arguments: dict[str, Any], inputs: tuple[float, float]
) -> None:
    mechanism = CompositeMechanism(**arguments)
    for order in (inputs, inputs[::-1]):
        result = sure(simulated(mechanism), mechanism.epsilon, order, 200_000, seed=5)
        assert 0.0 <= result.lower_bound <= mechanism.certificate.epsilon
        assert not result.refuted


@pytest.mark.parametrize("key", ["laplace", "staircase", "bounded_laplace", "discrete_laplace"])
def test_honest_baselines_are_not_refuted(key: str) -> None:
    mechanism = BASELINES[key].build(1.0, (0, 10), sensitivity=1.0, delta=1e-6)
    assert not sure(simulated(mechanism), 1.0, (0.0, 1.0), 200_000, seed=5).refuted


def test_delta_is_taken_off() -> None:
    """A Gaussian mechanism spends its δ on events that no ε would allow."""
    simulate = simulated(BASELINES["analytic_gaussian"].build(0.5, (0, 1), delta=0.05))
    kept = audit(simulate, 0.5, (0.0, 1.0), draws=400_000, seed=5, delta=0.05)
    assert not kept.refuted
    assert kept.lower_bound > 0.3
    forgotten = audit(simulate, 0.5, (0.0, 1.0), draws=400_000, seed=5)
    assert forgotten.refuted
    assert (forgotten.delta, forgotten.confidence) == (0.0, 0.999)


# --- Sharp ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "inputs"),
    [
        ({"epsilon": 1.0, "inputs": (0, 1)}, (0.0, 1.0)),
        ({"epsilon": 1.0, "inputs": (0, 10), "sensitivity": 1}, (4.0, 5.0)),
        ({"epsilon": 2.0, "inputs": (0, 10), "sensitivity": 1, "spacing": 1}, (4.0, 5.0)),
    ],
)
def test_the_bound_grows_with_the_draws_towards_epsilon(
    arguments: dict[str, Any], inputs: tuple[float, float]
) -> None:
    mechanism = CompositeMechanism(**arguments)
    bounds = [
        audit(simulated(mechanism), mechanism.epsilon, inputs, draws=n, seed=3).lower_bound
        for n in (1000, 10_000, 100_000, 1_000_000)
    ]
    assert bounds == sorted(bounds)
    assert bounds[0] < 0.9 * mechanism.epsilon
    assert bounds[-1] > 0.93 * mechanism.epsilon


# --- Broken twins ---------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", ["A1B1", "A2B1", "A4B1"])
def test_half_the_noise_is_refuted(pair: str) -> None:
    sensitivity = 1.0 if pair == "A4B1" else None
    inputs = (4.0, 5.0) if pair == "A4B1" else (0.0, 10.0)
    twin = CompositeMechanism(1.0, (0, 10), pair=pair, sensitivity=sensitivity)
    result = sure(simulated(twin), 0.5, inputs, 40_000)
    assert result.refuted
    assert result.lower_bound > 0.5


def pulled() -> Simulate:
    honest = CompositeMechanism(1.0, (0, 10), sensitivity=1)
    return lambda values, seed: values + 0.5 * (honest.simulate(values, seed=seed) - values)


def drawn_again() -> Simulate:
    """Clamped wrong: conditioning Laplace noise of scale Δ/ε on an interval is not ε-DP."""

    def twin(values: Array, seed: int) -> Array:
        rng = np.random.default_rng(seed)
        result = np.full(values.shape, np.inf)
        while (open_ := (result < 0.0) | (result > 1.0)).any():
            result[open_] = values[open_] + rng.laplace(0.0, 0.5, int(open_.sum()))
        return result

    return twin


def low_bits() -> Simulate:
    """Whole outputs for one input, halves for the other, seen through atoms."""
    return lambda values, seed: (
        np.floor(np.random.default_rng(seed).laplace(0.0, 3.0, values.size)) + 0.5 * values
    )


@pytest.mark.parametrize(
    ("twin", "inputs", "draws"),
    [
        (pulled, (4.0, 5.0), 100_000),
        (drawn_again, (0.0, 0.5), 400_000),  # half a unit apart, so ε = 1
        (low_bits, (0.0, 1.0), 40_000),
    ],
)
def test_twins_that_break_their_claim_are_refuted(
    twin: Callable[[], Simulate], inputs: tuple[float, float], draws: int
) -> None:
    assert sure(twin(), 1.0, inputs, draws).refuted


def test_noise_that_is_clamped_right_is_not_refuted() -> None:
    """The same noise moved to the ends, and Holohan's, whose scale is larger."""
    plain = Laplace(1.0, (0, 1), sensitivity=0.5)
    bounded = BoundedLaplace(1.0, (0, 1), sensitivity=0.5)
    for honest in (
        lambda values, seed: np.clip(plain.simulate(values, seed=seed), 0.0, 1.0),
        simulated(bounded),
    ):
        assert not sure(honest, 1.0, (0.0, 0.5), 400_000).refuted


def test_an_input_outside_the_valid_interval_is_refuted() -> None:
    """The fault of the authors' program: inputs are not clamped, the activation leaves the domain.

    Their example: ε = 1, k = .5, m = .4, y = .3, outputs from 0; valid inputs are 24.4 to 34.4.
    """
    length = (1.0 - 0.5 * 0.4) / (2.0 * 0.3)
    share = 0.5 * 0.4
    valid = share * (length - 0.2)
    scale = 10.0 / (2.0 * valid)  # data units in a domain unit

    def twin(values: Array, seed: int) -> Array:
        rng = np.random.default_rng(seed)
        centre = (values / scale - length) / share
        inner = rng.uniform(size=values.size) < share
        activation = centre + rng.uniform(-0.2, 0.2, values.size)
        base = rng.uniform(-length, length, values.size)
        return scale * (np.where(inner, activation, base) + length)

    low, high = scale * (length - valid), scale * (length + valid)
    assert (low, high) == pytest.approx((24.4, 34.4), abs=0.05)
    assert not sure(twin, 1.0, (low, high), 200_000).refuted
    broken = sure(twin, 1.0, (high, 20.0), 200_000)
    assert broken.refuted
    assert broken.lower_bound > 4.0
    # The outputs that give it away lie below what was promised.
    assert broken.inputs == (20.0, high)
    assert broken.event[0][0] == -math.inf
    assert broken.event[0][1] <= 1.0


def test_a_constant_in_place_of_a_draw_is_refuted() -> None:
    result = audit(lambda values, seed: values.copy(), 5.0, (0.0, 1.0), draws=20_000, seed=1)
    assert result.refuted
    assert result.hits == (5000, 0)


def test_a_rare_leak_at_the_end_of_the_outputs_is_found() -> None:
    """One draw in two hundred is marked, far beyond all others."""

    def twin(values: Array, seed: int) -> Array:
        rng = np.random.default_rng(seed)
        marked = (rng.uniform(size=values.size) < 0.005) & (values == 1.0)
        return np.where(marked, 100.0, rng.normal(size=values.size))

    result = audit(twin, 1.0, (0.0, 1.0), draws=100_000, seed=1)
    assert result.refuted
    assert result.inputs == (1.0, 0.0)


# --- What is told -------------------------------------------------------------------------------


@pytest.mark.parametrize("spacing", [None, 1.0])
def test_the_event_is_told_and_can_be_counted_again(spacing: float | None) -> None:
    mechanism = CompositeMechanism(1.0, (0, 10), sensitivity=1, spacing=spacing)
    result: Audit = audit(simulated(mechanism), 1.0, (4.0, 5.0), draws=40_000, seed=9)
    assert result.draws == 40_000
    assert result.claimed == 1.0
    assert result.confidence == 0.999
    assert sorted(result.inputs) == [4.0, 5.0]
    ends = [x for interval in result.event for x in interval]
    assert ends == sorted(ends)
    counted = []
    for value in result.inputs:
        # The second half of the draws, in the order in which the inputs were given.
        seed = 9 + 7919 * (2 + [4.0, 5.0].index(value))
        draws = mechanism.simulate(np.full(10_000, value), seed=seed)
        counted.append(sum(int(np.sum((draws >= a) & (draws < b))) for a, b in result.event))
    assert tuple(counted) == result.hits
    low = clopper_pearson(result.hits[0], 10_000, 0.0005)[0]
    high = clopper_pearson(result.hits[1], 10_000, 0.0005)[1]
    assert result.lower_bound == pytest.approx(math.log(low / high), rel=1e-12)


def test_the_same_seed_tells_the_same() -> None:
    mechanism = CompositeMechanism(1.0, (0, 10), sensitivity=1)
    one, same, other = (
        audit(simulated(mechanism), 1.0, (4.0, 5.0), draws=4000, seed=s) for s in (1, 1, 2)
    )
    assert one == same
    assert one.hits != other.hits


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("draws", [399, 1000.5, math.nan, True, "1000"]),
        ("confidence", [0.0, 1.0, math.nan]),
        ("claimed", [math.nan, -1.0, "1"]),
        ("inputs", [(0.0, math.nan), (0.0,), (0.0, 1.0, 2.0), (0.0, "1"), None, 1.0]),
        ("seed", [None, "x", -1, 0.5]),
        ("simulate", [None, "x", 1.0]),
        ("delta", [math.nan, 1.0, -1e-9]),
    ],
)
def test_refusals_name_the_argument(name: str, values: list[Any]) -> None:
    usual: dict[str, Any] = {"claimed": 1.0, "inputs": (0.0, 1.0), "draws": 1000, "seed": 1}
    usual["simulate"] = coin(1.0)
    for value in values:
        with pytest.raises(ParameterError) as caught:
            audit(**{**usual, name: value})
        assert caught.value.name == name


@pytest.mark.parametrize("drawn", [np.ones(3), np.ones((100, 1)), np.ones(101)], ids=np.shape)
def test_draws_that_are_not_one_a_value_are_refused(drawn: np.ndarray) -> None:
    with pytest.raises(ParameterError, match="one a value"):
        audit(lambda v, s: drawn, 1.0, (0.0, 1.0), draws=400, seed=1)
