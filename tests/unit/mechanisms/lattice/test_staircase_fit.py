"""Staircases on whole points: certified, unbiased, below Laplace, and private by enumeration."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.design.optimize.exact import OBJECTIVES, Objective
from compdp_core.errors import CertificateError, LatticeError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import DiscreteLaplace
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import Certificate, Lattice, Runs
from compdp_core.mechanisms.lattice.certificate import exponential_below
from compdp_core.mechanisms.lattice.levels import Ground, Levels, solve
from compdp_core.shapes import PAIR_NAMES, Pair, Staircase
from compdp_core.validation import Array
from tests.unit.mechanisms.baselines.cases import distance
from tests.unit.mechanisms.lattice.enumeration import Enumerated, apart, truth
from tests.unit.mechanisms.lattice.test_certificate import two_peaks

EPSILONS = [0.001, 0.01, 0.1, 1.0, 4.0, 10.0, 50.0]
RATIOS = [1.0, 0.5, 0.1, 0.01, 1e-4, 1e-6]


def average_variance(lattice: Lattice, value: float) -> float:
    """At inputs around a value, over the random place of their shift between whole ones."""
    step = float(lattice.share * lattice.exact_spacing)
    places = value + step * (np.arange(64) + 0.5) / 64.0
    return float(np.mean(lattice.variance(places)))


def within(mechanism: CompositeMechanism, draws: Array) -> bool:
    low, high = mechanism.outputs
    return bool(np.all((draws >= low) & (draws <= high)))


# --- At the default spacing -------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("ratio", RATIOS)
def test_the_certificate_holds_and_noise_is_as_designed_and_below_laplace(
    epsilon: float, ratio: float
) -> None:
    mechanism = CompositeMechanism(epsilon, (0, 1), pair="A4B1", sensitivity=ratio)
    certificate = mechanism.certificate
    assert certificate.holds
    assert certificate.ratio <= exponential_below(epsilon)
    # Hardly any of ε is left over.
    assert epsilon * (1.0 - 1e-4) <= certificate.epsilon <= epsilon
    designed = mechanism.design.relative_variance()
    assert average_variance(mechanism.lattice, 0.5) == pytest.approx(designed, rel=6e-4)
    low, high = mechanism.outputs
    assert low + high == pytest.approx(1.0, abs=2.0 * mechanism.lattice.spacing)
    assert high - low == pytest.approx(1.0 / mechanism.design.input_fraction, rel=2e-3)
    assert certificate.worst_bias <= 1e-9
    laplace = 2.0 * (ratio / epsilon) ** 2
    if 0.1 <= epsilon <= 4.0:
        places = np.array([0.5, 0.5 + 0.3 * mechanism.lattice.spacing])
        assert np.all(mechanism.variance(places) <= laplace)
    if epsilon < 0.1 and ratio <= 0.1:
        # The best unbounded noise gains ε²/24 on Laplace: less than whole points can tell.
        assert mechanism.variance(0.5) <= laplace * (1.0 + 6e-4)


def test_thousands_of_levels_stay_small_and_quick() -> None:
    """10,000 levels: some kilobytes each, not the square of their number."""
    tracemalloc.start()
    mechanism = CompositeMechanism(0.001, (0, 1), sensitivity=2e-4)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(mechanism.lattice.activation.lengths) > 20_000
    assert mechanism.certificate.holds
    assert peak < 100e6
    assert within(mechanism, mechanism.simulate(np.full(1000, 0.3), seed=1))


@pytest.mark.parametrize("steps", [1, 2, 7, 40])
def test_deep_staircases_keep_their_weights_apart(steps: int) -> None:
    mechanism = CompositeMechanism(5.0, (0, 1000), sensitivity=1, steps=steps)
    lattice = mechanism.lattice
    weights = [w + lattice.base.weights[0] for w in lattice.activation.weights]
    levels = [lattice.base.weights[0], *weights[: len(weights) // 2 + 1]]
    assert len(levels) == steps + 1
    bound = exponential_below(5.0)
    for below, above in itertools.pairwise(levels):
        assert bound * (1 - Fraction(1, 1000)) <= Fraction(above, below) <= bound


# --- Draws ------------------------------------------------------------------------------------

DRAWS = 400_000
STANDARD_ERRORS = 6.5
"""Of a mean: false alarm below 1e-10 at this number of draws and kurtosis. A bias of 1.1 % of the
standard deviation is seen; the twin below has 2 %."""


def faults(mechanism: CompositeMechanism, value: float, draws: Array) -> list[str]:
    """What draws contradict: their mean, and their distribution by the bound of Dvoretzky, Kiefer
    and Wolfowitz with Massart's constant, ``2 exp(-2 n d²)`` = 1e-9 at d = 0.0052.
    """
    found = []
    error = math.sqrt(mechanism.variance(value) / draws.size)
    if abs(float(np.mean(draws)) - value) > STANDARD_ERRORS * error:
        found.append("mean")
    if distance(mechanism, value, draws) > math.sqrt(math.log(2e9) / (2.0 * draws.size)):
        found.append("distribution")
    return found


@pytest.mark.parametrize(
    ("epsilon", "width", "sensitivity", "spacing"),
    [
        (1.0, 10.0, 1.0, None),
        (0.3, 4.0, 3.0, None),
        (4.0, 100.0, 1.0, None),
        (0.1, 10.0, 3.0, 1.0),
        (1.0, 1000.0, 1.0, 1.0),
    ],
)
def test_draws_are_unbiased_and_follow_the_weights(
    epsilon: float, width: float, sensitivity: float, spacing: float | None
) -> None:
    mechanism = CompositeMechanism(epsilon, (0, width), sensitivity=sensitivity, spacing=spacing)
    for value in (0.0, 0.377 * width, width):
        draws = mechanism.simulate(np.full(DRAWS, value), seed=11)
        assert not faults(mechanism, value, draws), value
        assert within(mechanism, draws)
    # Broken twins: a bias, and a factor between levels that is wrong by a few percent.
    value = 0.377 * width
    draws = mechanism.simulate(np.full(DRAWS, value), seed=11)
    bias = 0.02 * math.sqrt(mechanism.variance(value))
    assert "mean" in faults(mechanism, value, draws + bias)
    other = CompositeMechanism(1.06 * epsilon, (0, width), sensitivity=sensitivity, spacing=spacing)
    assert faults(mechanism, value, other.simulate(np.full(DRAWS, value), seed=11))


# --- Private, by enumeration of all inputs ------------------------------------------------------


def rebuilt(good: Lattice, narrower: int = 0, factor: Fraction | None = None) -> Lattice:
    """The same staircase with each step narrower by so many points, or by another factor."""
    half = len(good.activation.lengths) // 2
    lengths = list(good.activation.lengths)
    for i in (*range(half), *range(half + 1, len(lengths))):
        lengths[i] -= narrower
    base = good.base.weights[0]
    weights = list(good.activation.weights)
    if factor is not None:
        heights = [base]
        for _ in range(half + 1):
            heights.append(math.floor(heights[-1] * factor))
        sides = [h - base for h in heights[1:-1]]
        weights = [*sides, heights[-1] - base, *sides[::-1]]
    # Inputs half as wide, so that they still fit into what carries a little less.
    inner = replace(
        good.inputs,
        lower=0.75 * good.inputs.lower + 0.25 * good.inputs.upper,
        upper=0.25 * good.inputs.lower + 0.75 * good.inputs.upper,
    )
    return replace(good, activation=Runs(tuple(lengths), tuple(weights)), inputs=inner)


@pytest.mark.parametrize(
    ("epsilon", "width", "sensitivity"),
    [(1.0, 24, 5), (2.0, 30, 6), (4.0, 30, 5), (1.0, 16, 3), (2.0, 20, 3)],
)
def test_levels_one_point_too_narrow_are_refused(
    epsilon: float, width: float, sensitivity: float
) -> None:
    good = CompositeMechanism(epsilon, (0, width), sensitivity=sensitivity, spacing=1).lattice
    # One step to a sensitivity.
    assert good.activation.lengths[0] > apart(good, sensitivity) - 1
    same = rebuilt(good)
    assert Certificate.of(same, epsilon, sensitivity).holds
    assert truth(same, sensitivity) <= exponential_below(epsilon)
    broken = rebuilt(good, narrower=1)
    certificate = Certificate.of(broken, epsilon, sensitivity)
    assert truth(broken, sensitivity) > exponential_below(epsilon)
    assert not certificate.holds
    assert certificate.epsilon > epsilon
    with pytest.raises(CertificateError, match="nothing is released"):
        certificate.require()


def test_a_factor_that_is_not_lowered_for_the_fraction_is_refused() -> None:
    """Where shifts differ by a whole number of steps and a little more, ``e^(ε/i)`` is too much."""
    found = 0
    for epsilon, (width, sensitivity) in itertools.product(
        (0.1, 0.3, 0.5, 1.0), ((10, 1), (10, 3), (12, 5), (16, 2))
    ):
        mechanism = CompositeMechanism(
            epsilon, (0, width), sensitivity=sensitivity, spacing=1, steps=round(4 / epsilon)
        )
        good = mechanism.lattice
        distance, step = apart(good, sensitivity), good.activation.lengths[0]
        if math.floor(distance) % step or distance - math.floor(distance) < Fraction(1, 1000):
            continue
        found += 1
        assert truth(rebuilt(good), sensitivity) <= exponential_below(epsilon)
        naive = exponential_below(epsilon / (math.floor(distance) // step))
        broken = rebuilt(good, factor=naive)
        assert truth(broken, sensitivity) > exponential_below(epsilon)
        assert not Certificate.of(broken, epsilon, sensitivity).holds
    assert found >= 4


# --- Whole numbers ----------------------------------------------------------------------------


def test_a_count_of_a_thousand() -> None:
    mechanism = CompositeMechanism(1.0, (0, 10_000), sensitivity=1, spacing=1)
    discrete = DiscreteLaplace(1.0, (0, 10_000), sensitivity=1.0).variance(1000.0)
    assert mechanism.pair == "A4B1"
    assert mechanism.variance(1000) <= 1.92 * 1.03
    assert mechanism.variance(1000) == pytest.approx(discrete, rel=1e-3)
    released = mechanism.release(np.full(20_000, 1000))
    assert np.array_equal(released, np.round(released))
    assert within(mechanism, released)
    # Fourth moments are finite: six and a half standard errors, false alarm below 1e-9.
    assert abs(float(np.mean(released)) - 1000.0) < 6.5 * math.sqrt(1.92 / released.size)
    assert abs(float(np.var(released)) / mechanism.variance(1000) - 1.0) < 0.2


WHOLE = [
    (epsilon, width, sensitivity)
    for epsilon in (0.01, 0.1, 0.3, 1.0, 2.0, 4.0, 8.0, 50.0)
    for width, sensitivity in (
        (2, 1), (3, 1), (4, 3), (10, 3), (10, 7), (50, 45), (100, 7), (1000, 30), (10**6, 1),
        (10**9, 1),
    )
]  # fmt: skip
MOST = {(0.1, 10, 3): 1650.0, (0.1, 2, 1): 175.0, (0.1, 4, 3): 1400.0, (1.0, 4, 3): 16.0}
"""Variances: one step to a sensitivity, rounded up to whole points, is a fifth to a whole worse."""


@pytest.mark.parametrize(("epsilon", "width", "sensitivity"), WHOLE)
def test_whole_numbers_for_any_range(epsilon: float, width: int, sensitivity: int) -> None:
    mechanism = CompositeMechanism(epsilon, (0, width), sensitivity=sensitivity, spacing=1)
    lattice = mechanism.lattice
    assert mechanism.certificate.holds
    assert mechanism.decimals == 0
    assert mechanism.outputs[0] + mechanism.outputs[1] == width
    laplace = 2.0 * (sensitivity / epsilon) ** 2
    middle = width // 2
    assert mechanism.variance(middle) <= laplace * (1.0 + 1e-3)
    assert mechanism.variance(width / 2) <= MOST.get((epsilon, width, sensitivity), math.inf)
    # Whole points leave at most a quarter more, and some percent where they are few.
    designed = mechanism.design.relative_variance() * width**2
    assert average_variance(lattice, 0.5 * width) <= 1.1 * designed + 0.4
    draws = mechanism.simulate(np.full(200, float(middle)), seed=3)
    assert np.array_equal(draws, np.round(draws))
    assert within(mechanism, draws)


@pytest.mark.parametrize("offset", [-1000.5, 0.25, 7.5, 1e6 + 0.1])
def test_whole_numbers_off_the_middle(offset: float) -> None:
    """Inputs whose middle is no multiple of half a point."""
    mechanism = CompositeMechanism(1.0, (offset, offset + 9.7), sensitivity=2, spacing=1)
    assert mechanism.certificate.holds
    assert truth(mechanism.lattice, 2.0) <= exponential_below(1.0)
    for value in (offset, offset + 4.0, offset + 9.7):
        assert mechanism.bias(value) == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("spacing", [0.1, 10.0, 100.0])
def test_spacings_of_other_sizes(spacing: float) -> None:
    mechanism = CompositeMechanism(0.5, (0, 1000), sensitivity=30, spacing=spacing)
    assert mechanism.certificate.holds
    released = mechanism.simulate(np.full(100, 412.0), seed=1)
    assert np.allclose(released / spacing, np.round(released / spacing), atol=1e-9)
    assert mechanism.variance(500.0) <= 2.0 * (30.0 / 0.5) ** 2 + 0.3 * spacing**2 + 2 * spacing**2


# --- The comparison in floats -------------------------------------------------------------------


def built(ground: Ground, levels: Levels, factor: Fraction, points: int) -> Lattice:
    """A lattice around zero, from the rows' definition."""
    width, count, top = (int(x[0]) for x in (levels.width, levels.count, levels.top))
    heights = [10**30]
    for _ in range(count):
        heights.append(math.floor(heights[-1] * factor))
    sides = [h - heights[0] for h in heights[1:-1]]
    activation = Runs.merged(
        [*[width] * len(sides), top, *[width] * len(sides)],
        [*sides, heights[-1] - heights[0], *sides[::-1]],
    )
    half = 0.5 * ground.reach * (1.0 - 1e-12)
    first = -((points - 1) // 2)
    centre = first + (points - 1) / 2
    return Lattice(
        Runs((points,), (heights[0],)), activation, first, 0, Interval(centre - half, centre + half)
    )


rows = st.tuples(st.integers(1, 9), st.integers(1, 30), st.integers(1, 15))


@given(
    row=rows,
    epsilon=st.sampled_from([0.01, 0.1, 1.0, 4.0]),
    distance=st.floats(0.3, 12.0),
    share=st.floats(0.05, 1.0),
    parity=st.integers(0, 1),
)
def test_what_floats_promise_integers_keep(
    row: tuple[int, int, int], epsilon: float, distance: float, share: float, parity: int
) -> None:
    """Factor, points and variance of the comparison, against exact integers and the certificate."""
    ground = Ground(epsilon, distance, distance / share, None, parity, 0.0)
    levels = Levels.of([row])
    found = solve(ground, levels, 0.5)
    if not np.isfinite(found.variance[0]):
        return
    points = int(found.points[0])
    assert points % 2 == parity
    factor = exponential_below(float(found.log_factor[0]) * (1.0 - 1e-12))
    lattice = built(ground, levels, factor, points)
    assert Certificate.of(lattice, epsilon, distance).holds
    assert float(apart(lattice, distance)) <= found.distance[0] * (1.0 + 1e-9)
    # Second moments point by point; f(1 - f) of a random fraction is 1/6.
    plain = Enumerated.of(lattice)
    about = [
        sum(w * (2 * i - len(weights) + 1) ** 2 for i, w in enumerate(weights))
        for weights in (plain.base, plain.activation)
    ]
    expected = float(Fraction(sum(about), 4 * plain.total) + lattice.share / 6)
    assert float(found.variance[0]) == pytest.approx(expected, rel=1e-6)


def all_staircases(width: int, sensitivity: int, deepest: int) -> Iterator[tuple[int, int, int]]:
    for s in range(1, 3 * sensitivity + 3):
        for top in range(1, 2 * s + 3):
            yield from ((s, count, top) for count in range(1, deepest // s + 2))


@pytest.mark.parametrize(
    ("epsilon", "width", "sensitivity"),
    [(0.1, 10, 3), (0.1, 2, 1), (0.3, 4, 3), (1.0, 10, 1), (1.0, 4, 3), (2.0, 6, 2), (4.0, 10, 3)],
)
def test_none_of_all_staircases_on_whole_points_is_much_better(
    epsilon: float, width: int, sensitivity: int
) -> None:
    parity = (width + 1) % 2
    ground = Ground(epsilon, float(sensitivity), float(width), None, parity, 0.0)
    deepest = round(12.0 * sensitivity / epsilon) if epsilon > 0.2 else 160
    levels = Levels.of(all_staircases(width, sensitivity, deepest))
    best = min(
        float(solve(ground, levels, excess).variance.min()) for excess in (0.01, 0.1, 0.5, 1.0)
    )
    mechanism = CompositeMechanism(epsilon, (0, width), sensitivity=sensitivity, spacing=1)
    assert average_variance(mechanism.lattice, 0.5 * width) <= best * 1.02


# --- Options ------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [1, 2, 3, 8])
@pytest.mark.parametrize("spacing", [None, 1.0])
def test_steps_are_kept_on_whole_points_too(steps: int, spacing: float | None) -> None:
    mechanism = CompositeMechanism(1.0, (0, 20), sensitivity=2, steps=steps, spacing=spacing)
    lattice = mechanism.lattice
    shape = mechanism.design.pair.activation
    assert isinstance(shape, Staircase)
    assert shape.steps == steps
    top = Fraction(max(lattice.activation.weights), lattice.base.weights[0]) + 1
    assert top <= exponential_below(1.0) ** steps
    assert top > exponential_below(0.75) ** steps


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_objective_is_kept_on_whole_points(objective: Objective) -> None:
    """None of the three is better at another's own aim."""

    def at(mechanism: CompositeMechanism, aim: str) -> float:
        centre = average_variance(mechanism.lattice, 5.0)
        edge = float(mechanism.variance(10.0))
        return {"center": centre, "worst": edge, "mean": centre + (edge - centre) / 3.0}[aim]

    arguments: dict[str, Any] = {"sensitivity": 3, "spacing": 1}
    own = CompositeMechanism(0.1, (0, 10), objective=objective, **arguments)
    for other in OBJECTIVES:
        rival = CompositeMechanism(0.1, (0, 10), objective=other, **arguments)
        assert at(own, objective) <= at(rival, objective) * 1.01


def designed_variance(mechanism: CompositeMechanism, value: float) -> float:
    """Of the continuous design on the outputs, at one input."""
    design, (low, high) = mechanism.design, mechanism.outputs
    half, off = 0.5 * (high - low), value - 0.5 * (low + high)
    inner = design.variance() / design.L**2 * half**2
    return inner + off**2 * design.S2 / design.S1


@pytest.mark.parametrize(
    ("epsilon", "width", "sensitivity", "outputs"),
    [
        (1.0, 100, 2, (-30, 130)),
        (1.0, 100, 2, (-30, 200)),
        (1.0, 100, 2, (-60, 140)),
        (1.0, 100, 2, (-1000, 1100)),
        (2.0, 1192, 38, (-14_361, 9671)),
        (0.02, 1292, 20, (-9000, 10_300)),
        (0.2, 40, 25, (-4000, 4100)),
        (0.9, 900, 557, (-13_000, 14_000)),
        (5.0, 1720, 617, (-26_600, 3648)),
        (0.5, 50, 1, (-60, 4000)),
    ],
)
@pytest.mark.parametrize("spacing", [None, 1.0])
def test_hard_outputs_are_met_exactly_and_used_no_more_than_is_good(
    epsilon: float,
    width: int,
    sensitivity: int,
    outputs: tuple[float, float],
    spacing: float | None,
) -> None:
    """On whole points as by design, and none the worse for being wide, or off the middle."""
    mechanism = CompositeMechanism(
        epsilon, (0, width), sensitivity=sensitivity, outputs=outputs, spacing=spacing
    )
    assert mechanism.certificate.holds
    assert mechanism.outputs == mechanism.certificate.outputs == outputs
    assert mechanism.certificate.epsilon >= epsilon * (1.0 - 1e-6)
    for value in (0.0, 0.33 * width, float(width)):
        assert mechanism.bias(value) == pytest.approx(0.0, abs=1e-9)
    assert within(mechanism, mechanism.simulate(np.full(5000, 0.0), seed=1))
    middle = 0.5 * width
    found = average_variance(mechanism.lattice, middle)
    designed = designed_variance(mechanism, middle)
    assert found <= designed * (1.002 if spacing is None else 1.03) + 0.3 * (spacing or 0.0)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 5.0])
@pytest.mark.parametrize(("width", "sensitivity"), [(113.8, 0.0013), (2.0, 0.1), (3.0, 0.5)])
def test_sensitivities_below_a_point(epsilon: float, width: float, sensitivity: float) -> None:
    """A shift moves by less than a point: only its random rounding is left to hide."""
    mechanism = CompositeMechanism(epsilon, (0, width), sensitivity=sensitivity, spacing=1)
    assert mechanism.certificate.holds
    assert mechanism.certificate.epsilon == pytest.approx(epsilon, rel=1e-6)
    if mechanism.lattice.points < 200:
        assert truth(mechanism.lattice, sensitivity) <= exponential_below(epsilon)
    # With Laplace noise of that ε added to the randomly rounded value it would be this and more.
    assert mechanism.variance(0.5 * width) <= 2.0 * (1.0 / epsilon) ** 2 + 0.5


@pytest.mark.parametrize("spacing", [None, 0.1, 1.0, 10.0])
@pytest.mark.parametrize(("epsilon", "steps"), [(30.0, 8), (50.0, 6), (1.0, 202)])
def test_as_many_steps_as_can_be_asked_for(
    epsilon: float, steps: int, spacing: float | None
) -> None:
    mechanism = CompositeMechanism(epsilon, (0, 100), sensitivity=20, steps=steps, spacing=spacing)
    assert mechanism.certificate.holds
    assert within(mechanism, mechanism.simulate(np.full(100, 50.0), seed=1))


def test_outputs_too_coarse_for_the_inputs_are_refused() -> None:
    with pytest.raises(LatticeError, match="choose a smaller spacing or wider outputs"):
        CompositeMechanism(1.0, (0, 1), sensitivity=0.5, outputs=(-4, 5), spacing=10)


# --- Other pairs below the full width -----------------------------------------------------------


def name(pair: str | Pair) -> str:
    return pair.name if isinstance(pair, Pair) else pair


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("part", [0.7, 0.02])
@pytest.mark.parametrize("pair", [*PAIR_NAMES, two_peaks()], ids=name)
def test_other_pairs_are_certified_for_near_neighbours(
    pair: str | Pair, part: float, epsilon: float
) -> None:
    mechanism = CompositeMechanism(epsilon, (0, 10), pair=pair, sensitivity=10.0 * part)
    certificate = mechanism.certificate
    assert certificate.holds
    assert certificate.epsilon <= epsilon
    assert certificate.sensitivity == 10.0 * part
    # What is proved for any two inputs is proved for near ones.
    assert certificate.ratio <= Certificate.of(mechanism.lattice, epsilon).ratio
