"""Hard outputs: what is possible at which ε, and three ways out that really are ways out."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core.design.optimize.exact import OBJECTIVES, Objective, largest_fraction
from compdp_core.design.optimize.feasibility import inputs_in_outputs
from compdp_core.errors import BoundsError, InfeasibleOutputsError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import PAIR_NAMES, pair_named
from tests.unit.strategies import epsilons

ANY_PAIR = pytest.mark.parametrize("pair", PAIR_NAMES)


def refusal(
    epsilon: float, inputs: tuple[float, float], outputs: tuple[float, float], **chosen: object
) -> InfeasibleOutputsError:
    with pytest.raises(InfeasibleOutputsError) as caught:
        CompositeMechanism(epsilon, inputs, outputs=outputs, **chosen)  # type: ignore[arg-type]
    return caught.value


def made(
    epsilon: float, inputs: tuple[float, float], outputs: tuple[float, float], **chosen: object
) -> CompositeMechanism:
    mechanism = CompositeMechanism(epsilon, inputs, outputs=outputs, **chosen)  # type: ignore[arg-type]
    assert mechanism.certificate.holds
    assert mechanism.outputs == outputs
    return mechanism


# --- Feasible or not ----------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@ANY_PAIR
def test_the_limit_is_where_the_theory_puts_it(pair: str, epsilon: float) -> None:
    """Just inside the largest input fraction it works, just outside it is refused."""
    half = 1.0 / largest_fraction(epsilon, pair_named(pair, epsilon))
    inside, outside = half * (1.0 + 3e-7), half * (1.0 - 3e-7)
    mechanism = made(epsilon, (-1, 1), (-inside, inside), pair=pair)
    assert mechanism.certificate.epsilon == pytest.approx(epsilon, rel=0.5)
    error = refusal(epsilon, (-1, 1), (-outside, outside), pair=pair)
    assert error.largest_fraction == pytest.approx(1.0 / half, rel=1e-12)
    assert error.needed_fraction == pytest.approx(1.0 / outside, rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_inputs_beside_the_middle_need_what_their_farther_end_needs(epsilon: float) -> None:
    """``r* = 2w/(u-l)`` with ``w`` the distance of the farther end from the middle."""
    limit = math.tanh(epsilon / 4.0)
    for near in (-0.9, 0.0, 0.99):
        inputs = (near * limit * 10.0, limit * 10.0)
        made(epsilon, inputs, (-10.001, 10.001))
        refusal(epsilon, inputs, (-9.999, 9.999))


# --- The ways out -------------------------------------------------------------------------------


@settings(max_examples=15)
@given(
    epsilon=epsilons(0.02, 10.0),
    name=st.sampled_from(PAIR_NAMES),
    shift=st.floats(-0.9, 0.9),
    excess=st.floats(1.01, 3.0),
    scale=st.sampled_from([1.0, 1e-6, 1e6]),
    offset=st.sampled_from([0.0, 50.0]),
)
def test_each_way_out_works_and_is_tight(
    epsilon: float, name: str, shift: float, excess: float, scale: float, offset: float
) -> None:
    """Taken as it stands it works; a little less of it does not."""
    limit = largest_fraction(epsilon, pair_named(name, epsilon))
    width = min(excess * limit, 0.999) * (1.0 - abs(shift))
    inputs = ((offset + shift - width) * scale, (offset + shift + width) * scale)
    outputs = ((offset - 1.0) * scale, (offset + 1.0) * scale)
    if abs(shift) + width <= limit * 1.001:
        made(epsilon, (offset * scale, inputs[1]) if shift > 0 else inputs, outputs, pair=name)
        return
    error = refusal(epsilon, inputs, outputs, pair=name)
    if error.smallest_epsilon is not None:
        # B2 keeps its tail ratio where it was given; left out it follows ε.
        tail = pair_named(name, epsilon).base.tau
        fixed = {"pair": name} | ({"tail_ratio": tail} if name.endswith("B2") else {})
        assert made(error.smallest_epsilon, inputs, outputs, **fixed).epsilon > epsilon
        refusal(error.smallest_epsilon * (1.0 - 1e-5), inputs, outputs, **fixed)
    assert error.narrowest_outputs is not None
    low, high = error.narrowest_outputs
    made(epsilon, inputs, (low, high), pair=name)
    less = 1e-5 * (high - low)
    refusal(epsilon, inputs, (low + less, high - less), pair=name)
    if error.widest_inputs is not None:
        low, high = error.widest_inputs
        assert inputs[0] <= low < high <= inputs[1]
        made(epsilon, (low, high), outputs, pair=name)
        more = 1e-5 * (outputs[1] - outputs[0]) * limit
        for wider in ((low - more, high), (low, high + more)):
            if inputs[0] <= wider[0] and wider[1] <= inputs[1]:
                refusal(epsilon, wider, outputs, pair=name)
    else:
        # Then no part of the inputs lies where an input can be.
        middle = offset * scale
        nearest = min(max(middle, inputs[0]), inputs[1])
        assert abs(nearest - middle) >= limit * scale * (1.0 - 1e-6)


@pytest.mark.parametrize("needed", [0.05, 0.3, 0.7, 0.95, 0.99])
def test_smallest_epsilon_in_closed_form(needed: float) -> None:
    """A1B1 needs ``ε = 4 artanh r*``."""
    error = refusal(0.05, (-needed, needed), (-1, 1), pair="A1B1")
    assert error.smallest_epsilon == pytest.approx(4.0 * math.atanh(needed), rel=1e-5)
    assert error.largest_fraction == pytest.approx(math.tanh(0.05 / 4.0), rel=1e-12)
    assert error.narrowest_outputs == pytest.approx(
        (-needed / math.tanh(0.0125), needed / math.tanh(0.0125)), rel=1e-5
    )
    assert error.widest_inputs == pytest.approx((-math.tanh(0.0125), math.tanh(0.0125)), rel=1e-5)


def test_no_epsilon_in_range_is_enough() -> None:
    error = refusal(1.0, (0, 1), (-1e-12, 1 + 1e-12))
    assert error.smallest_epsilon is None
    assert "raise epsilon" not in str(error)
    assert "widen the outputs" in str(error)


def test_no_part_of_the_inputs_is_possible() -> None:
    error = refusal(0.1, (8, 9), (-10, 10))
    assert error.widest_inputs is None
    assert "narrow the inputs" not in str(error)
    low, high = error.narrowest_outputs or (0.0, 0.0)
    assert low < 8 < 9 < high
    assert 0.5 * (low + high) == pytest.approx(8.5)


@pytest.mark.parametrize(
    ("chosen", "outputs"),
    [*(({"pair": pair}, (-20, 130)) for pair in PAIR_NAMES), ({"sensitivity": 1}, (-1, 101))],
    ids=str,
)
def test_what_is_printed_works_when_typed_in(
    chosen: dict[str, Any], outputs: tuple[float, float]
) -> None:
    """Numbers of the text itself, rounded as they are."""
    text = str(refusal(1.0, (0, 100), outputs, **chosen))
    number = r"(-?[\d.]+(?:e[+-]?\d+)?)"
    found = re.search(
        rf"epsilon to at least {number}, .*outputs to at least \({number}, {number}\), "
        rf".*inputs to at most \({number}, {number}\)",
        text,
    )
    assert found is not None
    epsilon, low, high, first, last = map(float, found.groups())
    tail = {"tail_ratio": 0.95} if chosen.get("pair", "").endswith("B2") else {}
    made(epsilon, (0, 100), outputs, **chosen, **tail)
    made(1.0, (0, 100), (low, high), **chosen)
    made(1.0, (first, last), outputs, **chosen)


# --- Where the lattice meets the bounds -----------------------------------------------------------


@pytest.mark.parametrize("spacing", [None, 1.0, 0.1])
@ANY_PAIR
def test_released_values_keep_the_bounds(pair: str, spacing: float | None) -> None:
    mechanism = made(5.0, (0, 100), (-40, 140), pair=pair, spacing=spacing)
    released = mechanism.release(np.tile([0.0, 50.0, 100.0], 2000))
    assert -40.0 <= released.min() <= released.max() <= 140.0
    for value in (0.0, 61.8, 100.0):
        assert abs(mechanism.bias(value)) < 1e-9 * 100
    theory = mechanism.design.variance(0.0) / mechanism.mapping.scale**2
    assert mechanism.variance(50.0) == pytest.approx(theory, rel=2e-3 if spacing is None else 0.05)


@pytest.mark.parametrize(
    ("epsilon", "inputs", "outputs", "chosen", "within"),
    [
        (5.0, (0, 100), (-39.7, 140.2), {}, (-39.0, 140.0)),
        (1.0, (0.3, 9.8), (-14.6, 20.7), {"sensitivity": 1}, (-14.0, 20.0)),
    ],
)
def test_outputs_between_points_are_not_passed(
    epsilon: float, inputs: Any, outputs: Any, chosen: dict[str, Any], within: object
) -> None:
    mechanism = made(epsilon, inputs, outputs, spacing=1, **chosen)
    assert (mechanism.lattice.lower, mechanism.lattice.upper) == within
    assert mechanism.certificate.outputs == within


@pytest.mark.parametrize("objective", OBJECTIVES)
@ANY_PAIR
def test_derived_outputs_are_the_best_of_all_outputs(pair: str, objective: Objective) -> None:
    """Narrower ones squeeze the design, wider ones waste room: both cost variance."""
    free = CompositeMechanism(2.0, (-50, 50), pair=pair, objective=objective)
    best = free.design.L / free.mapping.scale
    limit = 50.0 / largest_fraction(2.0, free.design.pair) * (1.0 + 1e-6)

    def cost(half: float) -> float:
        chosen = made(2.0, (-50, 50), (-half, half), pair=pair, objective=objective)
        middle, end = float(chosen.variance(0.0)), float(chosen.variance(50.0))
        return {"center": middle, "worst": end, "mean": middle + (end - middle) / 3.0}[objective]

    narrower = [cost(limit + share * (best - limit)) for share in (0.0, 0.3, 0.6)]
    wider = [cost(best * factor) for factor in (1.05, 1.2, 2.0)]
    least = cost(best * (1.0 + 1e-6))
    for variances in (narrower[::-1], wider):
        assert sorted([least, *variances]) == [least, *variances]


@pytest.mark.parametrize(
    "outputs", [(0, 1), (-1, 1), (0, 2), (0.2, 0.8), (5, 6), (-6, -5), (-1, 0.5), (0.5, 2)]
)
def test_outputs_contain_the_inputs_strictly(outputs: tuple[float, float]) -> None:
    with pytest.raises(BoundsError, match=r"^outputs must reach beyond the inputs"):
        inputs_in_outputs(Interval(0, 1), Interval(*outputs))
    wider = Interval(-1e-9, 1 + 1e-9)
    assert inputs_in_outputs(Interval(0, 1), wider) is wider
