"""From what is asked for to a design: which pair, which outputs, and every refusal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.design.optimize.exact import OBJECTIVES, Objective, optimize
from compdp_core.design.optimize.staircase import optimize_staircase, staircase_design
from compdp_core.errors import BoundsError, CompdpError, InfeasibleOutputsError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.planning import ALL_PAIRS, blueprint, check_sensitivity, derived_outputs
from compdp_core.shapes import PAIR_NAMES, Constant, Pair, Staircase, pair_named
from tests.unit.design.optimize.test_feasibility import made, refusal
from tests.unit.strategies import epsilons

# --- Which pair -------------------------------------------------------------------------------


@pytest.mark.parametrize("sensitivity", [None, 10, 10.0])
def test_any_two_inputs_as_neighbours_get_the_rectangle(sensitivity: float | None) -> None:
    plan = blueprint(1.0, (0, 10), sensitivity=sensitivity)
    assert plan.design == optimize(1.0, pair_named("A1B1", 1.0))
    assert plan.sensitivity == 10.0
    assert not plan.hard
    assert not plan.is_staircase


@pytest.mark.parametrize("sensitivity", [math.nextafter(10.0, 0.0), 9, 1, 1e-3])
def test_a_sensitivity_below_the_width_gets_the_staircase(sensitivity: float) -> None:
    plan = blueprint(1.0, (0, 10), sensitivity=sensitivity)
    assert plan.design.pair.name == "A4B1"
    assert plan.sensitivity == sensitivity
    assert plan.is_staircase


@pytest.mark.parametrize("pair", ALL_PAIRS)
@pytest.mark.parametrize("sensitivity", [None, 3.0])
def test_a_pair_that_is_asked_for_is_taken(pair: str, sensitivity: float | None) -> None:
    plan = blueprint(1.0, (0, 10), pair=pair, sensitivity=sensitivity)
    assert plan.design.pair.name == pair
    assert plan.is_staircase == (pair == "A4B1")
    own = blueprint(1.0, (0, 10), pair=plan.design.pair, sensitivity=sensitivity)
    assert own.design.pair == plan.design.pair


def test_a_staircase_as_a_shape_of_ones_own_keeps_its_levels() -> None:
    """As a pair it is one shape among others: any two inputs are neighbours at its peak."""
    pair = Pair(Staircase(3, 0.4, 1.0), Constant())
    mechanism = CompositeMechanism(1.0, (0, 10), pair=pair)
    assert mechanism.design.kappa == pytest.approx(math.e - 1.0)
    assert mechanism.certificate.holds


@given(
    epsilon=epsilons(),
    width=st.floats(-6.0, 6.0).map(lambda x: 10.0**x),
    part=st.floats(-9.0, 0.0).map(lambda x: 10.0**x),
    objective=st.sampled_from(OBJECTIVES),
)
def test_every_staircase_is_known_as_one(
    epsilon: float, width: float, part: float, objective: Objective
) -> None:
    plan = blueprint(
        epsilon, (0, width), pair="A4B1", sensitivity=part * width, objective=objective
    )
    assert plan.is_staircase
    # The level is the shift of neighbours, and the whole budget is spent on each.
    shape = plan.design.pair.activation
    assert isinstance(shape, Staircase)
    assert shape.epsilon == epsilon


# --- Which design -----------------------------------------------------------------------------


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("sensitivity", [0.3, 5.0])
def test_the_staircase_is_the_best_and_below_laplace(
    objective: Objective, sensitivity: float
) -> None:
    plan = blueprint(0.5, (0, 10), sensitivity=sensitivity, objective=objective)
    ratio = sensitivity / 10.0
    free = optimize_staircase(0.5, ratio, objective)
    assert plan.design.pair.activation.steps >= free.pair.activation.steps  # type: ignore[attr-defined]
    position = {"center": 0.0, "mean": math.sqrt(1.0 / 3.0), "worst": 1.0}[objective]
    variance = plan.design.relative_variance(position) * 100.0
    assert variance <= free.relative_variance(position) * 100.0 * (1.0 + 1e-9)
    assert variance < 2.0 * (sensitivity / 0.5) ** 2


@pytest.mark.parametrize("steps", [1, 3, 12])
def test_steps_are_kept(steps: int) -> None:
    plan = blueprint(1.0, (0, 10), sensitivity=1, steps=steps)
    assert plan.design == optimize_staircase(1.0, 0.1, steps=steps)
    assert plan.wish.steps == steps


@pytest.mark.parametrize("margin", [7.0, 12, 40])
def test_a_margin_makes_hard_outputs(margin: float) -> None:
    plan = blueprint(1.0, (5, 15), sensitivity=0.5, margin=margin)
    assert plan.hard
    assert plan.outputs == Interval(5 - 0.5 * margin, 15 + 0.5 * margin)
    same = blueprint(1.0, (5, 15), sensitivity=0.5, outputs=plan.outputs)
    assert same.design == plan.design
    # More room, less noise, until nothing is gained any more.
    wider = blueprint(1.0, (5, 15), sensitivity=0.5, margin=2.0 * margin)
    half, more = 0.5 * plan.outputs.width, 0.5 * wider.outputs.width
    variance = plan.design.variance() / plan.design.L**2 * half**2
    assert wider.design.variance() / wider.design.L**2 * more**2 <= variance * 1.005


@pytest.mark.parametrize("margin", [2.5, 10.0])
@pytest.mark.parametrize("steps", [2, 3])
def test_margin_and_steps_go_together(margin: float, steps: int) -> None:
    plan = blueprint(2.0, (0, 10), sensitivity=2.0, margin=margin, steps=steps)
    assert plan.design.pair.activation.steps == steps  # type: ignore[attr-defined]
    mechanism = CompositeMechanism(2.0, (0, 10), sensitivity=2.0, margin=margin, steps=steps)
    assert mechanism.outputs == (-2.0 * margin, 10.0 + 2.0 * margin)


@pytest.mark.parametrize("pair", PAIR_NAMES)
def test_derived_outputs_share_the_middle(pair: str) -> None:
    plan = blueprint(1.0, (-3, 17), pair=pair)
    assert plan.outputs.midpoint == pytest.approx(7.0, abs=1e-12)
    assert 20.0 / plan.outputs.width == pytest.approx(plan.design.input_fraction, rel=1e-12)


@pytest.mark.parametrize("inputs", [(0.0, 1e-320), (1e300, 1.0000001e300), (-5.0, 5.0)])
def test_derived_outputs_reach_beyond_any_inputs(inputs: tuple[float, float]) -> None:
    interval = Interval(*inputs)
    outputs = derived_outputs(interval, optimize(1e-3, pair_named("A1B1", 1e-3)))
    assert math.isfinite(outputs.width)
    assert outputs.lower < interval.lower < interval.upper < outputs.upper


def test_outputs_that_floats_cannot_hold_are_refused() -> None:
    with pytest.raises(BoundsError, match="rescale"):
        derived_outputs(Interval(-8e307, 8e307), optimize(1e-3, pair_named("A1B1", 1e-3)))


# --- Designs by hand ----------------------------------------------------------------------------


@pytest.mark.parametrize(("steps", "gamma"), [(1, 0.3), (5, 0.4), (3, 1.7), (12, 0.1)])
def test_a_staircase_set_by_hand_is_followed(steps: int, gamma: float) -> None:
    design = staircase_design(1.0, 0.1, steps, gamma)
    mechanism = CompositeMechanism.from_design(design, (0, 10), sensitivity=1)
    assert mechanism.design == design
    assert mechanism.certificate.holds
    assert mechanism.certificate.epsilon == pytest.approx(1.0, rel=1e-4)
    assert mechanism.variance(5.0) == pytest.approx(100.0 * design.relative_variance(), rel=1e-3)
    lengths = mechanism.lattice.activation.lengths
    assert len(lengths) == 2 * steps - 1
    if steps > 1:
        assert lengths[len(lengths) // 2] / lengths[0] == pytest.approx(2.0 * gamma, rel=1e-3)


def test_a_staircase_serves_smaller_sensitivities_and_no_larger_ones() -> None:
    design = staircase_design(1.0, 0.1, 5, 0.4)
    nearer = CompositeMechanism.from_design(design, (0, 10), sensitivity=0.5)
    assert nearer.certificate.holds
    for sensitivity in (1.001, 5.0, None):
        with pytest.raises(ParameterError, match="sensitivity must be at most 1"):
            CompositeMechanism.from_design(design, (0, 10), sensitivity=sensitivity)


# --- Hard outputs and the ways out --------------------------------------------------------------

TIGHT = [
    (1.0, 100, 1, (-1, 101), None),
    (0.1, 100, 1, (-1, 101), None),
    (1.0, 100, 1, (-10, 110), 1),
    (1.0, 100, 1, (-3, 150), None),
    (1.0, 100, 1, (-2.2, 104.3), 3),
    (4.0, 10, 3, (-1, 11), None),
    (2.0, 1000, 0.5, (-0.7, 1000.4), None),
    (0.5, 10, 10, (-2, 12), None),
]


@pytest.mark.parametrize(("epsilon", "width", "sensitivity", "outputs", "steps"), TIGHT)
def test_each_way_out_works_and_a_hundred_thousandth_less_does_not(
    epsilon: float,
    width: float,
    sensitivity: float,
    outputs: tuple[float, float],
    steps: int | None,
) -> None:
    def chosen(inputs: tuple[float, float]) -> dict[str, object]:
        delta = min(sensitivity, inputs[1] - inputs[0])
        return {"sensitivity": delta, "steps": steps, "pair": "A4B1"}

    inputs = (0, width)
    error = refusal(epsilon, inputs, outputs, **chosen(inputs))
    assert error.needed_fraction > error.largest_fraction
    assert error.smallest_epsilon is not None
    made(error.smallest_epsilon, inputs, outputs, **chosen(inputs))
    refusal(error.smallest_epsilon * (1.0 - 1e-5), inputs, outputs, **chosen(inputs))

    assert error.narrowest_outputs is not None
    low, high = error.narrowest_outputs
    made(epsilon, inputs, (low, high), **chosen(inputs))
    less = 1e-5 * (high - low)
    refusal(epsilon, inputs, (low + less, high - less), **chosen(inputs))

    assert error.widest_inputs is not None
    low, high = error.widest_inputs
    narrower = made(epsilon, (low, high), outputs, **chosen((low, high)))
    assert narrower.bias(low) == pytest.approx(0.0, abs=1e-9 * width)
    more = 1e-5 * (high - low)
    wider = (low - more, high + more)
    refusal(epsilon, wider, outputs, **chosen(wider))


@pytest.mark.parametrize("steps", [1, 4])
def test_hard_outputs_just_wide_enough_for_so_many_steps(steps: int) -> None:
    wide = refusal(1.0, (0, 100), (-1, 101), sensitivity=1, steps=steps).narrowest_outputs
    assert wide is not None
    mechanism = made(1.0, (0, 100), wide, sensitivity=1, steps=steps)
    assert mechanism.design.pair.activation.steps == steps  # type: ignore[attr-defined]


def test_outputs_a_base_leaves_nothing_for_are_refused_without_a_width() -> None:
    """A base so low at its ends that ε alone is used up by it: no outputs are wide enough."""
    pair = pair_named("A1B2", 1.0, 0.5)
    with pytest.raises(CompdpError) as caught:
        blueprint(0.5, (0, 10), pair=pair, outputs=(-100, 110))
    if isinstance(caught.value, InfeasibleOutputsError):
        assert caught.value.narrowest_outputs is None
        assert caught.value.smallest_epsilon is not None


@pytest.mark.parametrize("value", [1, 1.0, np.float64(1.0), np.int32(1)])
def test_sensitivities_of_any_numeric_type(value: Any) -> None:
    assert check_sensitivity(value, Interval(0.0, 10.0)) == 1.0
    assert check_sensitivity(None, Interval(0.0, 10.0)) == 10.0
