"""What a setting means: each number against a second route."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from compdp_core.design.density import Density
from compdp_core.errors import ParameterError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release.accuracy import (
    Meaning,
    UnreachableErrorError,
    best_guess,
    epsilon_for_error,
    epsilon_for_share,
    odds_factor,
)
from compdp_core.shapes import ACTIVATIONS, Pair
from compdp_core.shapes.custom import from_formula

SETTINGS = [
    {"epsilon": 0.5, "inputs": (0, 100)},
    {"epsilon": 1.0, "inputs": (-3, 8), "pair": "A2B1", "objective": "worst"},
    {"epsilon": 3.0, "inputs": (10, 20), "pair": "A3B2", "tail_ratio": 0.7},
    {"epsilon": 4.0, "inputs": (10, 20), "outputs": (0, 25)},
]


@pytest.fixture(params=SETTINGS, ids=lambda s: f"{s.get('pair', 'A1B1')} at {s['epsilon']}")
def mechanism(request: pytest.FixtureRequest) -> CompositeMechanism:
    return CompositeMechanism(**request.param)


def test_typical_error_is_the_average_over_evenly_spread_inputs(
    mechanism: CompositeMechanism,
) -> None:
    inputs = np.linspace(*mechanism.inputs, 20_001)
    average = np.trapezoid(mechanism.variance(inputs), inputs) / np.ptp(inputs)
    assert Meaning(mechanism).typical_error == pytest.approx(math.sqrt(average), rel=1e-6)


def test_worst_error_is_nowhere_exceeded_and_reached(mechanism: CompositeMechanism) -> None:
    errors = np.sqrt(mechanism.variance(np.linspace(*mechanism.inputs, 501)))
    assert Meaning(mechanism).worst_error == pytest.approx(errors.max(), rel=1e-9)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_interval_leaves_out_equal_tails(mechanism: CompositeMechanism, level: float) -> None:
    value = mechanism.inputs[0] + 0.3 * np.ptp(mechanism.inputs)
    low, high = Meaning(mechanism).interval(value, level)
    # The second route is the density that the lattice follows.
    mapping = mechanism.mapping
    tails = Density(mechanism.design).quantile(
        [0.5 * (1 - level), 0.5 * (1 + level)], float(mapping.to_domain(value))
    )
    assert (low, high) == pytest.approx(
        tuple(mapping.to_data(tails)), abs=2e-3 * np.ptp(mechanism.outputs)
    )
    floor, ceiling = mechanism.outputs
    below = mechanism.probability_outside((low, ceiling + 1.0), value)
    above = mechanism.probability_outside((floor - 1.0, high), value)
    assert below == pytest.approx(0.5 * (1 - level), abs=2e-3)
    assert above == pytest.approx(0.5 * (1 - level), abs=2e-3)


WHOLE = [((0, 5), 1.0), ((0, 5), 8.0), ((1, 6), 20.0), ((0, 10), 2.0)]


@pytest.mark.parametrize(("inputs", "epsilon"), WHOLE)
def test_numbers_about_whole_releases_are_those_of_the_probabilities(
    inputs: tuple[int, int], epsilon: float
) -> None:
    """A density between whole numbers says nothing of few of them: at ε = 8 its 95 % of the
    releases of 2.5 would hold none."""
    mechanism = CompositeMechanism(epsilon, inputs, spacing=1)
    meaning, lattice = Meaning(mechanism), mechanism.lattice
    outputs = lattice.value(np.arange(lattice.points))
    true = np.arange(inputs[0], inputs[1] + 1.0)
    squares = [float((outputs - x) ** 2 @ lattice.pmf(x)) for x in true]
    assert meaning.typical_error == pytest.approx(math.sqrt(np.mean(squares)), rel=1e-6)
    assert meaning.typical_error <= meaning.worst_error * (1 + 1e-9)
    for value in (*true, 0.5 * sum(inputs)):
        low, high = meaning.interval(value)
        chances = lattice.pmf(value)
        assert chances[(outputs >= low) & (outputs <= high)].sum() >= 0.95 - 1e-12
        assert chances[outputs < low].sum() <= 0.025 + 1e-12
        assert chances[outputs > high].sum() <= 0.025 + 1e-12
        assert {low, high} <= set(outputs)


def test_interval_of_a_value_outside_the_inputs_is_that_of_the_nearest_input() -> None:
    meaning = Meaning(CompositeMechanism(1.0, (0, 100)))
    assert meaning.interval(1e9) == meaning.interval(100)


def test_error_of_a_mean_falls_with_the_root_of_the_rows(mechanism: CompositeMechanism) -> None:
    meaning = Meaning(mechanism)
    assert meaning.error_of_mean(1) == meaning.typical_error
    assert meaning.error_of_mean(400) == pytest.approx(meaning.typical_error / 20)


def test_best_guess_is_what_bayes_allows() -> None:
    for epsilon in (0.001, 1.0, 50.0):
        odds = odds_factor(epsilon)
        assert best_guess(epsilon) == pytest.approx(odds / (1 + odds))


@pytest.mark.parametrize("error", [8.0, 20.0, 50.0, 300.0])
@pytest.mark.parametrize(
    "options", [{}, {"pair": "A3B1"}, {"objective": "worst"}, {"spacing": 1}, {"tail_ratio": 0.9}]
)
def test_epsilon_for_an_error_meets_the_wish_and_is_the_smallest(
    error: float, options: dict[str, Any]
) -> None:
    options = options | ({"pair": "A1B2"} if "tail_ratio" in options else {})
    epsilon = epsilon_for_error(error, (0, 100), **options)
    met = CompositeMechanism(float(epsilon), (0, 100), **options)
    assert Meaning(met).typical_error <= error
    just_below = CompositeMechanism(float(epsilon) * 0.995, (0, 100), **options)
    assert Meaning(just_below).typical_error > error


def test_epsilon_for_an_error_of_a_pair_with_a_base_of_its_own() -> None:
    # Its tail ratio of 1/3 alone uses up ln 3.
    pair = Pair(ACTIVATIONS["A1"], from_formula("1 + cos(pi*v)/2", "base"))
    epsilon = epsilon_for_error(40.0, (0, 100), pair=pair)
    assert float(epsilon) > math.log(3.0)
    met = Meaning(CompositeMechanism(float(epsilon), (0, 100), pair=pair)).typical_error
    less = Meaning(CompositeMechanism(float(epsilon) * 0.999, (0, 100), pair=pair)).typical_error
    assert met <= 40.0 < less


def test_epsilon_is_a_decimal_of_few_digits() -> None:
    assert epsilon_for_error(50, (0, 100)).as_tuple().digits == (1, 8, 3, 4)
    assert isinstance(epsilon_for_error(50, (0, 100)), Decimal)


def test_an_error_below_the_reachable_names_the_smallest() -> None:
    with pytest.raises(UnreachableErrorError, match="largest epsilon 50") as refusal:
        epsilon_for_error(1e-9, (0, 100))
    assert 0 < refusal.value.smallest < 0.1


@pytest.mark.parametrize("error", [0, -1, math.nan, math.inf, "5", True])
def test_a_wish_that_is_no_error_is_refused(error: object) -> None:
    with pytest.raises(ParameterError, match="error must be a finite number above 0"):
        epsilon_for_error(error, (0, 100))  # type: ignore[arg-type]


@pytest.mark.parametrize("rows", [0, -3, True])
def test_a_mean_of_no_rows_is_refused(rows: int) -> None:
    with pytest.raises(ParameterError, match="rows"):
        Meaning(CompositeMechanism(1.0, (0, 100))).error_of_mean(rows)


def test_the_way_back_from_a_share_is_on_the_private_side_and_near() -> None:
    epsilon = epsilon_for_share(0.03, 5, 2000)
    above, below = (
        RandomizedResponse(float(each), 5).typical_error / math.sqrt(2000)
        for each in (epsilon, epsilon * Decimal("0.999"))
    )
    assert above <= 0.03 < below
    with pytest.raises(UnreachableErrorError, match=r"percentage points.* take more rows"):
        epsilon_for_share(1e-15, 2, 100)
    for wrong in (0, -1, float("nan"), "5"):
        with pytest.raises(ParameterError, match="error"):
            epsilon_for_share(wrong, 2, 100)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="rows"):
        epsilon_for_share(0.03, 5, 0)
