"""Traces as arrays and as steps, whole and thinned out for playback."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.design.optimize import Problem, Search, Step, Trace
from compdp_core.shapes import pair_named


@pytest.fixture(scope="module")
def trace() -> Trace:
    return Search("enumeration", Problem(1.0, pair_named("A1B1", 1.0))).run()


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
    full = Search("enumeration", Problem(1.0, pair_named("A1B1", 1.0)), rounds=2).run()
    thin = full.thinned(count)
    assert len(thin) <= max(count, 3)
    assert len(thin) >= min(max(count, 3), len(full)) - 2
    assert thin.iteration[0] == 0
    assert thin.iteration[-1] == len(full) - 1
    assert full.best_index in thin.iteration
    assert np.all(np.diff(thin.iteration) > 0)
    for column in ("k", "m", "y", "variance", "best"):
        assert np.array_equal(getattr(thin, column), getattr(full, column)[thin.iteration])
    assert (thin.design, thin.stop, thin.evaluations) == (
        full.design,
        full.stop,
        full.evaluations,
    )
    if count >= 200:  # more than twice the improvements: all of them are shown
        assert set(full.improvements) <= set(thin.iteration.tolist())
