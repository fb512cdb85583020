"""The vectorised objective against the density of the same parameters."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from compdp_core.design.constraints import evaluate
from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import OBJECTIVES, Objective
from compdp_core.design.optimize.problem import Problem
from compdp_core.errors import ParameterError
from compdp_core.shapes import pair_named
from tests.unit.strategies import epsilons, pairs

objectives: st.SearchStrategy[Objective] = st.sampled_from(OBJECTIVES)
flags = st.booleans()


@st.composite
def problems(draw: st.DrawFn, lower: float = 0.01, upper: float = 12.0) -> Problem:
    epsilon = draw(epsilons(lower, upper))
    pair = draw(pairs(epsilon))
    free = pair.base.tau < 1.0 and draw(flags)
    return Problem(epsilon, pair, draw(objectives), free_tail=free)


def by_density(design: Design, objective: str) -> float:
    """The objective from the density's variance at single inputs: Simpson is exact for the mean."""
    density = Density(design)
    at = [density.variance(x * design.C) / (2.0 * design.C) ** 2 for x in (-1.0, 0.0, 1.0)]
    simpson = (at[0] + 4.0 * at[1] + at[2]) / 6.0
    return {"center": at[1], "worst": max(at), "mean": simpson}[objective]


@given(problem=problems(), seed=st.integers(0, 2**32))
def test_variance_of_parameters_is_that_of_their_density(problem: Problem, seed: int) -> None:
    k, m, y = problem.start(np.random.default_rng(seed))
    expected = by_density(problem.design(k, m, y), problem.objective)
    assert float(problem.variance(k, m, y)) == pytest.approx(expected, rel=1e-9)
    assert problem.value(problem.design(k, m, y)) == pytest.approx(expected, rel=1e-12)
    assert not problem.violation(*(np.array([x]) for x in (k, m, y)))


@given(
    problem=problems(upper=6.0),
    k=st.floats(-0.1, 1.1),
    m=st.floats(-0.1, 3.0),
    y=st.floats(-0.1, 1.1),
)
def test_finite_exactly_where_every_constraint_is_met(
    problem: Problem, k: float, m: float, y: float
) -> None:
    pair = problem.pair
    tail = pair.base.tau if pair.base.tau < 1.0 and not problem.free_tail else None
    rows = evaluate(problem.epsilon, pair.activation, pair.base.name, k, m, y, tail_ratio=tail)
    assume(all(abs(row.margin) > 1e-9 for row in rows if not math.isnan(row.margin)))
    feasible = bool(np.isfinite(problem.variance(k, m, y)))
    assert feasible == all(row.met for row in rows)
    # The slope that leads back to feasible points ends exactly where they begin.
    assert feasible == (not problem.violation(*(np.array([x]) for x in (k, m, y))))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 0.0, -1.0, 1e300])
def test_nonsense_is_infeasible_and_silent(bad: float) -> None:
    for free in (False, True):
        problem = Problem(1.0, pair_named("A2B2", 1.0), "mean", free_tail=free)
        values = problem.variance([bad, 0.5, 0.5], [0.8, bad, 0.8], [0.3, 0.3, bad])
        assert np.all(values == np.inf)


@given(problem=problems(), seed=st.integers(0, 2**32), kept=st.floats(0.0, 1.0))
def test_floor_is_below_every_feasible_point(problem: Problem, seed: int, kept: float) -> None:
    rng = np.random.default_rng(seed)
    k, m, y = rng.uniform(size=(3, 2000)) * np.array([[1.0], [2.0], [1.0]])
    variance = problem.variance(k * kept, m, y)
    assert variance.min() >= problem.floor * (1.0 - 1e-9)


@given(epsilon=epsilons(0.05, 10.0), objective=objectives)
def test_a_free_tail_comes_as_near_to_its_floor_as_one_likes(
    epsilon: float, objective: Objective
) -> None:
    problem = Problem(epsilon, pair_named("A1B2", epsilon), objective, free_tail=True)
    flat = Problem(epsilon, pair_named("A1B1", epsilon), objective)
    assert problem.floor == flat.floor
    near = problem.design_of(problem.tallest * (1.0 - 1e-9), 0.3)
    same = flat.design_of(flat.tallest, 0.3)
    assert problem.value(near) == pytest.approx(flat.value(same), rel=1e-7)
    assert problem.value(near) > flat.value(same)


def test_what_makes_no_problem_is_refused() -> None:
    with pytest.raises(ParameterError, match="belongs to base B2"):
        Problem(1.0, pair_named("A1B1", 1.0), free_tail=True)
    with pytest.raises(ParameterError, match="center, mean, worst"):
        Problem(1.0, pair_named("A1B1", 1.0), "best")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="must be above"):
        Problem(0.1, pair_named("A1B2", 1.0, 0.5))
    assert Problem(0.1, pair_named("A1B2", 1.0, 0.5), free_tail=True).tallest > 0.0
