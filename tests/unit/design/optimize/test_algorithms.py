"""What every search promises: a feasible end, a reason, the same again, and a way to stop it."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.design.constraints import constraints
from compdp_core.design.optimize import ALGORITHMS, Problem, Search, Step, Trace, optimize
from compdp_core.design.optimize.exact import OBJECTIVES, Objective
from compdp_core.errors import ParameterError
from compdp_core.shapes import PAIR_NAMES, Pair, from_formula, pair_named
from tests.unit.strategies import epsilons

names = st.sampled_from(list(ALGORITHMS))
QUICK: dict[str, dict[str, Any]] = {
    "exact": {},
    "enumeration": {"rounds": 2},
    "target": {"step": 0.05, "ratio": 1.01},
    "gradient": {"updates": 200},
    "evolution": {"generations": 30, "population": 5},
}
"""Options for runs in which only the promises matter."""


def asked(epsilon: float = 1.0, pair: str = "A1B1", objective: Objective = "center") -> Problem:
    return Problem(epsilon, pair_named(pair, epsilon), objective)


def check(trace: Trace) -> None:
    """The promises of every trace."""
    problem = trace.problem
    assert len(trace) > 0
    assert trace.stop
    assert trace.seconds > 0.0
    assert trace.evaluations >= len(trace)
    assert np.array_equal(trace.best, np.minimum.accumulate(trace.variance))
    assert np.array_equal(trace.feasible, np.isfinite(trace.variance))
    assert trace.best[-1] >= problem.floor * (1.0 - 1e-9)
    assert trace.design is not None
    assert problem.value(trace.design) == pytest.approx(trace.best[-1], rel=1e-9)
    assert [row.name for row in constraints(trace.design) if not row.met] == []
    assert math.log(trace.design.declared_ratio) <= problem.epsilon * (1.0 + 1e-12)
    assert trace.best_index is not None
    step = trace.step(trace.best_index)
    # The minimum is flat: at one variance to the last digit the width has half the digits.
    assert (step.k, step.m, step.y) == pytest.approx(
        (trace.design.k, trace.design.m, trace.design.y), rel=1e-6
    )


@given(
    name=names,
    epsilon=epsilons(0.002, 20.0),
    pair=st.sampled_from(PAIR_NAMES),
    free=st.booleans(),
    objective=st.sampled_from(OBJECTIVES),
    seed=st.integers(0, 2**63),
)
def test_every_search_ends_feasible_and_says_why(
    name: str, epsilon: float, pair: str, free: bool, objective: Objective, seed: int
) -> None:
    free = free and pair.endswith("B2")
    problem = Problem(epsilon, pair_named(pair, epsilon), objective, free_tail=free)
    check(Search(name, problem, seed=seed, **QUICK[name]).run())


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("epsilon", [1e-3, 50.0])
def test_both_ends_of_the_range_of_epsilon_end_feasible(name: str, epsilon: float) -> None:
    trace = Search(name, asked(epsilon), **QUICK[name]).run()
    assert trace.design is not None
    assert trace.problem.value(trace.design) >= trace.problem.floor * (1.0 - 1e-9)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_same_seed_searches_the_same_way(name: str) -> None:
    first, again, other = (
        Search(name, asked(), seed=seed, **QUICK[name]).run() for seed in (3, 3, 4)
    )
    for column in ("k", "m", "y", "variance"):
        assert np.array_equal(getattr(first, column), getattr(again, column))
    assert first.stop == again.stop
    assert first.design == again.design
    differs = len(first) != len(other) or not np.array_equal(first.k, other.k)
    # The enumeration starts at random only where its first grid holds nothing feasible.
    assert differs == (ALGORITHMS[name].seeded and name != "enumeration")


def test_the_seed_matters_to_the_enumeration_where_its_first_grid_is_empty() -> None:
    starts = {Search("enumeration", asked(0.05), seed=s, rounds=1).run().best[-1] for s in (3, 4)}
    assert len(starts) == 2


@pytest.mark.parametrize("name", ALGORITHMS)
def test_cancelling_stops_after_the_batch_at_hand(name: str) -> None:
    answers = itertools.chain([False], itertools.repeat(True))
    search = Search(name, asked(), cancelled=lambda: next(answers), **QUICK[name])
    batches = list(search)
    if len(batches) == 1:  # the exact solver is done before it could be asked again
        assert name == "exact"
        assert search.trace.stop == "the slope is zero to the last digit"
    else:
        assert len(batches) == 2
        assert search.trace.stop == "cancelled"
        assert len(search.trace) == sum(len(batch) for batch in batches)
    assert list(search) == []


@pytest.mark.parametrize("name", ALGORITHMS)
def test_batches_show_progress_and_can_be_left(name: str) -> None:
    search = Search(name, asked(), **QUICK[name])
    assert len(search.trace) == 0
    assert search.trace.design is None
    assert search.trace.best_index is None
    for batch in search:
        assert 0.0 < batch.progress <= 1.0
        break
    left = search.trace
    assert len(left) == len(batch)
    assert left.stop == ("left before the end")
    rest = [batch.progress for batch in search]
    assert rest == sorted(rest)
    assert len(search.trace) >= len(left)
    assert search.trace.stop != left.stop


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("pair", PAIR_NAMES)
def test_the_exact_trace_ends_at_the_exact_design(pair: str, objective: Objective) -> None:
    problem = asked(0.7, pair, objective)
    trace = Search("exact", problem).run()
    assert trace.design == optimize(0.7, problem.pair, objective)
    assert trace.best[-1] == pytest.approx(problem.floor, rel=1e-14)
    assert trace.evaluations < 150
    assert trace.improvements.size > 3


@pytest.mark.parametrize("pair", ["A1B1", "A3B1", "A2B2"])
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 5.0])
@pytest.mark.parametrize(
    ("name", "within"), [("gradient", 0.003), ("evolution", 1e-6), ("exact", 1e-12)]
)
def test_searches_find_the_optimum(name: str, within: float, pair: str, epsilon: float) -> None:
    objective: Objective = {0.05: "center", 1.0: "mean", 5.0: "worst"}[epsilon]  # type: ignore[assignment]
    trace = Search(name, asked(epsilon, pair, objective), seed=5).run()
    assert trace.best[-1] <= trace.problem.floor * (1.0 + within)


@pytest.mark.parametrize("ratio", [1.05, 1.5, 3.0])
def test_the_target_is_met_by_the_last_point_only(ratio: float) -> None:
    trace = Search("target", asked(), ratio=ratio, seed=2).run()
    goal = ratio * trace.problem.floor
    assert trace.variance[-1] < goal
    assert np.all(trace.variance[:-1] >= goal)
    assert trace.stop == f"the variance is below the target {goal:.6g}"
    assert trace.feasible[0]


def test_the_target_search_steps_through_one_grid() -> None:
    trace = Search("target", asked(), ratio=1.0, step=0.1, seed=8).run()
    assert "the whole grid, step 0.1, holds nothing" in trace.stop
    for values, upper in ((trace.k, 1.0), (trace.y, 1.0), (trace.m, 2.0)):
        levels = np.unique(values.round(9))
        assert np.diff(levels) == pytest.approx(np.full(len(levels) - 1, 0.1))
        assert 0.0 < levels[0] <= 0.1
        assert upper - 0.1 - 1e-9 < levels[-1] <= upper + 1e-9
    points = {tuple(row) for row in np.array([trace.k, trace.m, trace.y]).T.round(9)}
    assert len(points) == len(trace)


def test_a_target_out_of_reach_is_given_up() -> None:
    trace = Search("target", asked(), ratio=1.0, looks=1000, seed=1).run()
    assert len(trace) == 1000
    assert trace.stop.startswith("given up after 1000 points")
    assert trace.design is not None


@pytest.mark.parametrize(
    ("name", "keywords", "argument"),
    [
        ("annealing", {}, "algorithm"),
        ("enumeration", {"rounds": 0}, "rounds"),
        ("enumeration", {"rounds": math.nan}, "rounds"),
        ("enumeration", {"step": 0.1}, "option"),
        ("exact", {"rounds": 3}, "option"),
        ("target", {"ratio": 0.5}, "ratio"),
        ("target", {"step": 0.001}, "step"),
        ("gradient", {"rate": 0.0}, "rate"),
        ("evolution", {"population": True}, "population"),
        *(("exact", {"seed": each}, "seed") for each in (-1, 0.5, None, "1")),
    ],
)
def test_unknown_or_bad_settings_are_refused(
    name: str, keywords: dict[str, Any], argument: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        Search(name, asked(), **keywords)
    assert caught.value.name == argument


@pytest.mark.parametrize("name", ALGORITHMS)
def test_options_are_declared_with_defaults_in_their_range(name: str) -> None:
    algorithm = ALGORITHMS[name]
    assert algorithm.name == name
    defaults = {option.name: option.default for option in algorithm.options}
    for option in algorithm.options:
        assert option.usual is not None
        assert all(option.contains(end) for end in option.usual)
        assert option.default is not None
        assert option.check(option.default) == option.default
    # The declared defaults are the ones that a call without options uses.
    assert algorithm.run.__kwdefaults__ == (defaults or None)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_pairs_of_the_users_own_can_be_searched(name: str) -> None:
    pair = Pair(
        from_formula("exp(-20*(v-0.5)**2)", "activation"), from_formula("1 - 0.1*v**2", "base")
    )
    check(Search(name, Problem(1.0, pair, "mean"), **QUICK[name]).run())


# --- Traces, whole and thinned out for playback ---------------------------------------------------


@pytest.fixture(scope="module")
def trace() -> Trace:
    return Search("enumeration", asked()).run()


def test_steps_are_the_rows(trace: Trace) -> None:
    steps = list(trace)
    assert len(steps) == len(trace)
    assert steps[0] == Step(0, 0.0, 0.0, 0.0, np.inf, False, np.inf)
    assert [s.iteration for s in steps] == list(range(len(trace)))
    assert min(s.variance for s in steps) == steps[-1].best
    assert trace.best_index is not None
    assert steps[trace.best_index].variance == steps[-1].best


def test_improvements_are_where_the_best_falls(trace: Trace) -> None:
    best = np.inf
    rows = []
    for step in trace:
        if step.variance < best:
            best = step.variance
            rows.append(step.iteration)
    assert trace.improvements.tolist() == rows


def test_a_trace_is_read_only(trace: Trace) -> None:
    with pytest.raises(ValueError, match="read-only"):
        trace.best[0] = 0.0
    with pytest.raises(AttributeError):
        trace.stop = "never"  # type: ignore[misc]


@given(count=st.integers(-5, 30_000))
def test_thinning_keeps_the_ends_the_best_and_the_numbers(count: int) -> None:
    full = Search("enumeration", asked(), rounds=2).run()
    thin = full.thinned(count)
    assert len(thin) <= max(count, 3)
    assert len(thin) >= min(max(count, 3), len(full)) - 2
    assert thin.iteration[0] == 0
    assert thin.iteration[-1] == len(full) - 1
    assert full.best_index in thin.iteration
    assert np.all(np.diff(thin.iteration) > 0)
    for column in ("k", "m", "y", "variance", "best"):
        assert np.array_equal(getattr(thin, column), getattr(full, column)[thin.iteration])
    assert (thin.design, thin.stop, thin.evaluations) == (full.design, full.stop, full.evaluations)
    if count >= 200:  # more than twice the improvements: all of them are shown
        assert set(full.improvements) <= set(thin.iteration.tolist())
