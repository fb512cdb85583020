"""The widest inputs of a staircase, against every staircase on a grid and against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core.design.optimize.staircase import (
    largest_staircase_fraction,
    staircase_design,
    step_numbers,
    widest_inputs,
)
from compdp_core.errors import ParameterError
from tests.unit.strategies import epsilons


@given(epsilon=epsilons(0.01, 40.0))
def test_at_the_whole_width_it_is_that_of_the_rectangle(epsilon: float) -> None:
    # More levels than one fit in, and never help where any two inputs are neighbours.
    assert widest_inputs(epsilon, 1.0) == pytest.approx(math.tanh(epsilon / 4.0), rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("ratio", [0.02, 0.1, 0.7])
def test_no_staircase_of_a_grid_is_wider_and_one_comes_close(epsilon: float, ratio: float) -> None:
    steps = step_numbers(epsilon, ratio)[:80]
    widest = max(
        staircase_design(epsilon, ratio, int(k), gamma).input_fraction
        for k in steps
        for gamma in np.geomspace(0.005, 1.0, 60).tolist()
    )
    found = widest_inputs(epsilon, ratio)
    assert widest * (1.0 - 1e-9) <= found <= widest * 1.003


@settings(max_examples=20)
@given(epsilon=epsilons(0.05, 10.0), ratio=st.floats(1e-3, 1.0))
def test_fixed_outputs_of_that_width_are_just_feasible(epsilon: float, ratio: float) -> None:
    # By the other search: inputs that fill the share r of fixed outputs have Δ = 2 ρ r half-widths.
    share = widest_inputs(epsilon, ratio)
    assert largest_staircase_fraction(epsilon, 2.0 * ratio * share) >= share * (1.0 - 1e-6)
    wider = min(share * 1.01, 1.0)
    assert largest_staircase_fraction(epsilon, 2.0 * ratio * wider) < wider


@pytest.mark.parametrize(("epsilon", "ratio"), [(0.0, 0.1), (1.0, 0.0), (1.0, math.nan)])
def test_what_is_no_staircase_is_refused(epsilon: float, ratio: float) -> None:
    with pytest.raises(ParameterError):
        widest_inputs(epsilon, ratio)
