"""The staircase shape A4, and the density it makes: from the definition, level by level."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import optimize
from compdp_core.design.optimize.staircase import staircase_design
from compdp_core.errors import ParameterError
from compdp_core.shapes import pair_named
from compdp_core.shapes.staircase import Staircase, check_steps
from compdp_core.validation import Array
from tests.unit.design.measures import broken_laws
from tests.unit.shapes.laws import faults, wrong_moments
from tests.unit.strategies import epsilons


@st.composite
def staircases(draw: st.DrawFn) -> Staircase:
    epsilon = draw(epsilons())
    steps = draw(st.integers(1, max(1, min(60, int(100 / epsilon)))))
    return Staircase(steps, draw(st.floats(1e-3, 3.0)), epsilon)


def level(shape: Staircase, distance: float) -> int:
    """``n`` at a distance from the middle in units of δ, by counting down from the definition."""
    n, edge = shape.steps, shape.gamma
    while n > 0 and distance > edge:
        n, edge = n - 1, edge + 1.0
    return n


def height(shape: Staircase, v: float) -> float:
    """``h(v)`` from the definition; exponents are taken down so that none overflows."""
    n = level(shape, abs(2.0 * v - 1.0) * shape.reach)
    top = shape.epsilon * shape.steps
    return (math.exp(shape.epsilon * n - top) - math.exp(-top)) / -math.expm1(-top)


def cells(points: Array) -> tuple[Array, Array]:
    """Middles and widths of the cells between points: a step function is constant in each."""
    points = np.unique(points)
    return 0.5 * (points[1:] + points[:-1]), np.diff(points)


# --- The shape --------------------------------------------------------------------------------


@given(shape=staircases(), v=st.floats(0.0, 1.0))
def test_height_is_the_definition(shape: Staircase, v: float) -> None:
    edges = np.array(shape.breakpoints)
    if np.min(np.abs(edges - v)) < 1e-12:  # on an edge either side is right
        return
    assert float(shape.height(v)) == pytest.approx(height(shape, v), rel=1e-12, abs=1e-15)


@given(shape=staircases())
def test_area_variance_and_integral_are_sums_over_the_levels(shape: Staircase) -> None:
    middles, widths = cells(np.array(shape.breakpoints))
    heights = np.array([height(shape, v) for v in middles.tolist()])
    area = math.fsum(heights * widths)
    # ∫ (v - ½)² over a cell, exactly.
    second = math.fsum(heights * widths * ((middles - 0.5) ** 2 + widths**2 / 12.0))
    assert shape.area == pytest.approx(area, rel=1e-12)
    assert shape.variance == pytest.approx(second / area, rel=1e-11)
    below = np.cumsum(heights * widths)
    ends = middles + 0.5 * widths
    assert np.allclose(shape.integral(ends), below, rtol=1e-11, atol=1e-15)
    # Linear within a level.
    inside = shape.integral(middles)
    assert np.allclose(inside, below - 0.5 * heights * widths, rtol=1e-11, atol=1e-15)
    assert float(shape.integral(-1.0)) == 0.0
    assert float(shape.integral(2.0)) == pytest.approx(shape.area, rel=1e-15)


@pytest.mark.parametrize("shape", [Staircase(4, 0.3, 1.0), Staircase(7, 1.6, 0.2)])
def test_by_quadrature_and_the_laws_of_shapes_too(shape: Staircase) -> None:
    assert wrong_moments(shape, 1e-10) == []
    assert faults(shape) == []


@given(shape=staircases())
def test_breakpoints_are_where_it_jumps(shape: Staircase) -> None:
    points = np.array(shape.breakpoints)
    assert points.size == 2 * shape.steps
    assert np.all(np.diff(points) >= 0.0)
    assert points[0] == 0.0
    assert points[-1] == 1.0
    assert np.allclose(points, 1.0 - points[::-1], atol=1e-15)
    middles, _ = cells(points)
    for side in (-0.4, 0.4):  # constant between two of them
        moved = middles + side * np.diff(np.unique(points))
        assert np.array_equal(shape.height(moved), shape.height(middles))


@given(shape=staircases(), v=st.floats(0.0, 0.5))
def test_symmetric_to_the_last_bit_and_highest_in_the_middle(shape: Staircase, v: float) -> None:
    # 1 - v is exact enough only where both v and 1 - v are floats: mirror the mirrored one back.
    mirrored = 1.0 - v
    v = 1.0 - mirrored
    assert float(shape.height(v)) == float(shape.height(mirrored))
    assert float(shape.height(0.5)) == 1.0
    assert 0.0 <= float(shape.height(v)) <= 1.0
    assert float(shape.height(-1e-9)) == float(shape.height(1.0 + 1e-9)) == 0.0


def test_one_step_is_the_rectangle() -> None:
    shape, rectangle = Staircase(1, 0.4, 1.0), pair_named("A1B1", 1.0).activation
    v = np.linspace(0.0, 1.0, 101)
    assert np.array_equal(shape.height(v), rectangle.height(v))
    assert np.allclose(shape.integral(v), rectangle.integral(v), atol=1e-15)
    assert shape.area == rectangle.area
    assert shape.variance == pytest.approx(rectangle.variance, rel=1e-15)
    assert shape.height_ratio == pytest.approx(math.e - 1.0, rel=1e-15)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("steps", [0, -1, 1.5, True, math.nan, math.inf, "3", 603]),
        ("gamma", [0.0, -0.1, math.nan, math.inf, None]),
        ("epsilon", [0.0, 51.0, math.nan]),
    ],
)
def test_what_is_no_staircase_is_refused(name: str, values: list[Any]) -> None:
    for value in values:
        with pytest.raises(ParameterError) as refusal:
            Staircase(**{"steps": 3, "gamma": 0.4, "epsilon": 1.0, name: value})
        assert refusal.value.name == name


def test_numbers_of_steps_of_any_whole_type() -> None:
    assert Staircase(np.int64(3), 0.4, 1.0) == Staircase(3, 0.4, 1.0)  # type: ignore[arg-type]
    assert check_steps(4.0, 1.0) == 4
    assert check_steps(202, 1.0) == 202
    with pytest.raises(ParameterError, match="from 1 to 202"):
        check_steps(203, 1.0)


# --- The density ------------------------------------------------------------------------------


@st.composite
def designs(draw: st.DrawFn) -> tuple[Design, float]:
    epsilon = draw(epsilons(0.01, 20.0))
    steps = draw(st.integers(1, max(1, min(20, int(60 / epsilon)))))
    ratio = math.exp(draw(st.floats(math.log(1e-4), 0.0)))
    return staircase_design(epsilon, ratio, steps, draw(st.floats(0.05, 2.0))), ratio


def pieces(density: Density, *positions: float) -> tuple[Array, Array]:
    """Cells on which the densities at all positions are constant; slivers of rounding left out."""
    points = np.concatenate([density.breakpoints(p) for p in positions])
    middles, widths = cells(points)
    wide = widths > 1e-12 * density.design.L
    return middles[wide], widths[wide]


@given(given_design=designs(), place=st.floats(-1.0, 1.0), direction=st.sampled_from([-1, 1]))
def test_neighbours_differ_by_exactly_e_to_the_epsilon(
    given_design: tuple[Design, float], place: float, direction: int
) -> None:
    design, ratio = given_design
    density = Density(design)
    limit = design.C
    one = place * limit
    other = one + direction * 2.0 * limit * ratio
    if not abs(other) <= limit:
        one, other = -limit, -limit + 2.0 * limit * ratio
    middles, _ = pieces(density, one, other)
    p, q = density.pdf(middles, one), density.pdf(middles, other)
    worst = float(np.max(np.maximum(p / q, q / p)))
    assert worst == pytest.approx(math.exp(design.epsilon), rel=1e-9)


@pytest.mark.parametrize("ratio", [0.3, 0.05])
def test_farther_apart_they_differ_by_more(ratio: float) -> None:
    """The twin of the test above: a thousandth farther, and two levels meet."""
    design = staircase_design(1.0, ratio, 4, 0.4)
    density = Density(design)
    one = -design.C
    other = one + 2.0 * design.C * ratio * 1.001
    middles, _ = pieces(density, one, other)
    worst = float(np.max(density.pdf(middles, other) / density.pdf(middles, one)))
    assert worst == pytest.approx(math.exp(2.0), rel=1e-9)


@given(given_design=designs(), place=st.floats(-1.0, 1.0))
def test_the_density_of_a_staircase_obeys_its_laws(
    given_design: tuple[Design, float], place: float
) -> None:
    design, _ = given_design
    assert broken_laws(Density(design), place * design.C) == []


@given(given_design=designs())
def test_levels_are_whole_powers_of_e_to_the_epsilon(given_design: tuple[Design, float]) -> None:
    design, _ = given_design
    shape = design.pair.activation
    assert isinstance(shape, Staircase)
    density = Density(design)
    middles, _ = pieces(density, 0.0)
    levels = np.log(density.pdf(middles, 0.0) / design.y) / design.epsilon
    assert np.allclose(levels, np.round(levels), atol=1e-6 / design.epsilon)
    found = np.round(levels).astype(int).tolist()
    assert found[: len(found) // 2 + 1] == list(range(len(found) // 2 + 1))
    assert max(found) == shape.steps
    assert found == found[::-1]


@given(given_design=designs())
def test_the_activation_stays_within_the_domain(given_design: tuple[Design, float]) -> None:
    design, ratio = given_design
    density = Density(design)
    for c_p, end in ((design.C, design.L), (-design.C, -design.L)):
        edge = density.start(c_p) + (design.m if end > 0.0 else 0.0)
        assert edge == pytest.approx(end, rel=1e-12)
    shape = design.pair.activation
    assert isinstance(shape, Staircase)
    # m/2 = (γ + K - 1) δ, δ the shift of neighbouring inputs.
    shift = 2.0 * design.C * ratio / design.S1
    assert 0.5 * design.m == pytest.approx(shape.reach * shift, rel=1e-12)


def test_one_step_at_the_full_width_is_the_exact_optimum_of_a1b1() -> None:
    best = optimize(1.0, pair_named("A1B1", 1.0))
    gamma = best.mu / (2.0 * (1.0 - best.mu))
    design = staircase_design(1.0, 1.0, 1, gamma)
    assert design.mu == pytest.approx(best.mu, rel=1e-14)
    assert design.relative_variance() == pytest.approx(best.relative_variance(), rel=1e-14)
