"""The exact privacy loss: closed form, search and brute force over densities agree."""

from __future__ import annotations

import dataclasses
import math
import time

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from compdp_core.design.design import Design
from compdp_core.design.optimize import Objective, optimize
from compdp_core.design.optimize.staircase import optimize_staircase
from compdp_core.design.privacy_loss import (
    design_to_exact,
    log_ratio,
    loss,
    loss_curve,
    numeric_loss,
    tallest,
)
from compdp_core.errors import ParameterError
from compdp_core.shapes import (
    ACTIVATIONS,
    PAIR_NAMES,
    Constant,
    Pair,
    Quartic,
    Staircase,
    from_formula,
    pair_named,
)
from tests.unit.design.measures import brute_force, value
from tests.unit.strategies import designs, epsilons, pairs

distances = st.one_of(st.floats(1e-3, 1.0), st.just(1.0))
B1 = tuple(name for name in PAIR_NAMES if name.endswith("B1"))


@given(design=designs(0.01, 20.0), distance=distances)
def test_loss_is_reached_where_it_says_and_nowhere_exceeded(
    design: Design, distance: float
) -> None:
    found = loss(design, distance)
    assert 0.0 < found.epsilon <= found.declared * (1.0 + 1e-12)
    # Reached: the two densities at that output have this ratio; A1 on one side of its edge.
    assert abs(found.likelier - found.other) <= distance * 2.0 * design.C * (1.0 + 1e-9)
    assert abs(found.output) <= design.L
    ratio = float(log_ratio(design, found.likelier, found.other, found.output))
    if design.pair.activation.name != "A1":
        assert ratio == pytest.approx(found.epsilon, rel=1e-6, abs=1e-9)
    else:
        around = found.output + design.m * np.array([-1e-9, 0.0, 1e-9])
        inside = around[np.abs(around) <= design.L]
        near = log_ratio(design, found.likelier, found.other, inside)
        assert near.max() == pytest.approx(found.epsilon, rel=1e-6)
    assert brute_force(design, distance) <= found.epsilon + 1e-9


@given(design=designs(0.01, 20.0, names=B1), distance=distances)
def test_closed_form_and_search_agree(design: Design, distance: float) -> None:
    closed, searched = loss(design, distance), numeric_loss(design, distance)
    assert closed.closed_form
    assert not searched.closed_form
    assert searched.epsilon == pytest.approx(closed.epsilon, rel=1e-9)


def test_the_distance_counts_between_centres_not_between_inputs() -> None:
    # The broken twin: taking the distance of the mapped inputs for that of the centres forgets
    # the division by S₁ and claims too small a loss. Brute force sees it.
    design = optimize(1.0, pair_named("A3B1", 1.0))
    distance = 0.2
    forgotten = loss(design, distance * design.S1).epsilon
    assert brute_force(design, distance) > forgotten + 0.1
    assert brute_force(design, distance) <= loss(design, distance).epsilon * (1.0 + 1e-12)


@given(design=designs(0.05, 10.0), distance=distances)
def test_curve_peaks_at_the_loss(design: Design, distance: float) -> None:
    found = loss(design, distance)
    outputs = np.append(np.linspace(-design.L, design.L, 201), found.output)
    curve = loss_curve(design, outputs, distance)
    assert curve.shape == outputs.shape
    assert curve.min() >= 0.0
    assert curve.max() <= found.epsilon * (1.0 + 1e-9)
    assert curve[-1] == pytest.approx(found.epsilon, rel=2e-2)
    # The same from both ends: densities of opposite inputs mirror each other.
    assert curve[:201] == pytest.approx(curve[:201][::-1], rel=1e-6, abs=1e-9)


@given(design=designs(0.05, 10.0), distances=st.tuples(distances, distances))
def test_loss_grows_with_the_distance(design: Design, distances: tuple[float, float]) -> None:
    near, far = (loss(design, distance).epsilon for distance in sorted(distances))
    assert near <= far * (1.0 + 1e-9)


@given(design=designs(0.05, 10.0), scale=st.floats(0.01, 100.0), distance=distances)
def test_loss_has_no_unit(design: Design, scale: float, distance: float) -> None:
    other = dataclasses.replace(design, peak=design.peak * scale)
    first, second = loss(design, distance), loss(other, distance)
    assert second.epsilon == pytest.approx(first.epsilon, rel=1e-12)
    assert second.output * scale == pytest.approx(first.output, rel=1e-9)


@pytest.mark.parametrize("ratio", [1.0, 0.5, 0.1, 0.01, 1e-4])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 3.0])
def test_a_staircase_loses_epsilon_per_sensitivity(epsilon: float, ratio: float) -> None:
    design = optimize_staircase(epsilon, ratio)
    steps = design.pair.activation.steps  # type: ignore[attr-defined]
    assert loss(design, ratio).epsilon == pytest.approx(epsilon, rel=1e-9)
    for several in (2, 3):
        if several * ratio <= 1.0:
            expected = epsilon * min(several, steps)
            assert loss(design, several * ratio).epsilon == pytest.approx(expected, rel=1e-9)
            beyond = loss(design, min(several * ratio * (1.0 + 1e-6), 1.0)).epsilon
            assert beyond == pytest.approx(epsilon * min(several + 1, steps), rel=1e-9) or (
                several * ratio == 1.0
            )
    if steps <= 40:
        assert numeric_loss(design, ratio).epsilon == pytest.approx(epsilon, rel=1e-9)


def test_an_uneven_staircase_is_searched() -> None:
    # Lower than its steps were made for: the closed form of even steps does not hold.
    stairs = Staircase(3, 0.4, 1.0)
    design = Design(1.0, Pair(stairs, Constant()), 0.3, 0.5 * stairs.height_ratio)
    found = loss(design, 0.05)
    assert not found.closed_form
    assert brute_force(design, 0.05, inputs=201) <= found.epsilon + 1e-9


def test_a_shape_of_the_users_own() -> None:
    # Two humps: not concave, and lowest where the closed form would look for the highest.
    humps = from_formula("sin(2*pi*v)**2 + 0.2*v*(1-v)", "activation")
    design = Design(1.0, Pair(humps, Quartic(0.7)), 0.4, 1.0)
    for distance in (0.02, 0.1, 0.5, 1.0):
        found = loss(design, distance)
        ratio = float(log_ratio(design, found.likelier, found.other, found.output))
        assert ratio == pytest.approx(found.epsilon, rel=1e-6)
        force = brute_force(design, distance, inputs=241, outputs=801)
        assert force <= found.epsilon + 1e-9
        assert found.epsilon <= force + 0.05


@given(data=st.data(), epsilon=epsilons(0.01, 20.0), mu=st.floats(0.02, 0.98), distance=distances)
def test_tallest_uses_up_epsilon_and_not_more(
    data: st.DataObject, epsilon: float, mu: float, distance: float
) -> None:
    pair = data.draw(pairs(epsilon))
    kappa = tallest(epsilon, pair, mu, distance)
    # Never below what the bound sup P / inf P allows.
    assert kappa >= pair.largest_height(epsilon) * (1.0 - 2e-9)
    at_limit = numeric_loss(Design(epsilon, pair, mu, kappa), distance).epsilon
    assert at_limit <= epsilon * (1.0 + 1e-12)
    assert at_limit == pytest.approx(epsilon, rel=1e-7)
    # The broken twin: one per mille more is too much.
    assert numeric_loss(Design(epsilon, pair, mu, 1.001 * kappa), distance).epsilon > epsilon


@given(epsilon=epsilons(0.01, 10.0), tau=st.floats(0.05, 0.99), mu=st.floats(0.02, 0.98))
def test_tallest_rectangle_on_b2_in_closed_form(epsilon: float, tau: float, mu: float) -> None:
    pair = Pair(ACTIVATIONS["A1"], Quartic(tau))
    assert tallest(epsilon, pair, mu) == pytest.approx(tau * math.expm1(epsilon), rel=2e-9)


@given(
    epsilon=epsilons(0.01, 10.0),
    name=st.sampled_from(B1),
    mu=st.floats(0.02, 0.98),
    distance=distances,
)
def test_tallest_on_b1_in_closed_form(
    epsilon: float, name: str, mu: float, distance: float
) -> None:
    pair = pair_named(name, epsilon)
    share = min(distance * (1.0 - mu) / mu, 0.5)
    expected = math.expm1(epsilon) / float(pair.activation.height(share))
    assert tallest(epsilon, pair, mu, distance) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("distance", "objective"), [(1.0, "center"), (0.5, "mean"), (0.2, "worst")]
)
@pytest.mark.parametrize("pair", PAIR_NAMES)
def test_designing_to_the_exact_loss(pair: str, distance: float, objective: Objective) -> None:
    epsilon = 0.7
    shape = pair_named(pair, epsilon, 0.8 if pair.endswith("B2") else None)
    exact = design_to_exact(epsilon, shape, distance, objective)
    bound = optimize(epsilon, shape, objective)
    assert loss(exact, distance).epsilon <= epsilon * (1.0 + 1e-12)
    assert loss(exact, distance).epsilon == pytest.approx(epsilon, rel=1e-7)
    assert brute_force(exact, distance) <= epsilon * (1.0 + 1e-11)

    assert value(exact, objective) <= value(bound, objective) * (1.0 + 1e-9)
    if pair.endswith("B2"):
        assert value(exact, objective) < 0.9 * value(bound, objective)
    # No other width does better at its own tallest height.
    for mu in np.linspace(0.02, 0.98, 49):
        other = Design(epsilon, shape, float(mu), tallest(epsilon, shape, float(mu), distance))
        assert value(exact, objective) <= value(other, objective) * (1.0 + 1e-8)


def test_a_tapered_activation_gains_even_at_full_distance() -> None:
    # Wide triangles of a small ε: no input sees the peak of another from outside its own.
    pair = pair_named("A3B1", 0.1)
    exact, bound = design_to_exact(0.1, pair), optimize(0.1, pair)
    assert exact.relative_variance() < 0.5 * bound.relative_variance()
    assert brute_force(exact, 1.0, inputs=241) <= 0.1 * (1.0 + 1e-11)
    assert math.log(exact.declared_ratio) > 0.4


def test_a_base_that_alone_spends_more_than_epsilon_can_be_designed() -> None:
    # sup P / inf P of the base alone is 1/τ > e^ε, but it is the same for every input.
    pair = Pair(ACTIVATIONS["A2"], Quartic(0.3))
    exact = design_to_exact(0.5, pair)
    assert math.log(exact.declared_ratio) > 1.2
    assert brute_force(exact, 1.0) <= 0.5 * (1.0 + 1e-11)


@given(epsilon=epsilons(), distance=distances)
@example(epsilon=1e-3, distance=1e-3)
@example(epsilon=50.0, distance=1.0)
def test_every_epsilon_of_the_range_can_be_designed(epsilon: float, distance: float) -> None:
    assume(distance > 0.0)
    design = design_to_exact(epsilon, pair_named("A2B1", epsilon), distance)
    assert loss(design, distance).epsilon == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.parametrize("distance", [0.0, -0.1, 1.0 + 1e-9, math.nan, math.inf, None, "1", True])
def test_nonsense_distances_are_refused(distance: float) -> None:
    design = optimize(1.0, pair_named("A2B1", 1.0))
    for call in (
        lambda: loss(design, distance),
        lambda: numeric_loss(design, distance),
        lambda: loss_curve(design, [0.0], distance),
        lambda: tallest(1.0, design.pair, 0.5, distance),
        lambda: design_to_exact(1.0, design.pair, distance),
    ):
        with pytest.raises(ParameterError) as caught:
            call()
        assert caught.value.name == "distance"


def test_curve_of_a_staircase_of_thousands_of_levels_is_soon_there() -> None:
    """Every level made the grid finer, for each output: a minute and a half, and gigabytes."""
    design = optimize_staircase(0.001, 1e-6)
    began = time.perf_counter()
    curve = loss_curve(design, np.linspace(-design.L, design.L, 201), 1e-6)
    assert time.perf_counter() - began < 20.0
    assert 0.000_999 < curve[100] <= curve.max() <= 0.001 * (1.0 + 1e-9)


def test_an_activation_of_any_height_has_a_loss() -> None:
    """A kink within it and 10²¹ times the base: a logarithm of 0 was met on the way."""
    shape = from_formula("max(0,sin(3*pi*v))", "activation")
    design = Design.from_parameters(5.0, shape, Quartic(0.999999999999), 0.7, 0.4, 1e-21)
    assert loss(design, 0.5).epsilon == pytest.approx(math.log(design.declared_ratio), rel=1e-6)


def test_an_edge_far_below_the_middle_is_not_lost_in_rounding() -> None:
    """1 - (1 - τ) is 0 for τ = 1e-21, and the loss was no number."""
    tau = 2e-22
    shape = Quartic(tau)
    assert shape.height(np.array([-1.0, 1.0])).tolist() == [tau, tau]
    design = Design.from_parameters(50.0, pair_named("A3B1", 1.0).activation, shape, 0.5, 0.4, 0.3)
    found = loss(design)
    assert found.declared == pytest.approx(math.log(0.8 / (0.3 * tau)))
    x = np.linspace(-design.L, design.L, 20_001)
    seen = log_ratio(design, -design.C, design.C, x).max()
    assert seen == pytest.approx(found.epsilon, abs=1e-3)
    assert seen <= found.epsilon
