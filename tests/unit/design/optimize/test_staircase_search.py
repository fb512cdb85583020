"""The best staircases: golden tables, reference numbers, brute force, limits and peers."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import OBJECTIVES, Objective, optimize
from compdp_core.design.optimize.staircase import (
    CLOSE,
    SMALLEST_RATIO,
    TOLERANCE,
    largest_staircase_fraction,
    optimize_staircase,
    staircase_design,
    step_numbers,
    widest_inputs,
)
from compdp_core.errors import ParameterError
from compdp_core.mechanisms.baselines.staircase import StaircaseMechanism as Unbounded
from compdp_core.shapes import Staircase, pair_named
from tests.unit.design import measures
from tests.unit.design.measures import fixed_value
from tests.unit.strategies import epsilons

FOLDER = Path(__file__).parents[3] / "golden"
GOLDEN = json.loads((FOLDER / "staircase.json").read_text(encoding="utf-8"))
"""15 digits, by tests/golden/generate_staircase.py."""
REFERENCE = json.loads((FOLDER / "staircase_reference.json").read_text(encoding="utf-8"))
"""Ten digits, by others; see its "source"."""

ratios = st.floats(math.log(1e-6), 0.0).map(math.exp)


def shape_of(design: Design) -> Staircase:
    shape = design.pair.activation
    assert isinstance(shape, Staircase)
    return shape


def value(design: Design, ratio: float, objective: str = "center") -> float:
    """Variance in units of Δ²."""
    return measures.value(design, objective) / ratio**2


def best_value(epsilon: float, ratio: float) -> float:
    """The least over the numbers of steps: few and far between, then all around the best."""
    most = int(step_numbers(epsilon, ratio)[-1])

    def at(steps: int) -> float:
        return value(optimize_staircase(epsilon, ratio, steps=steps), ratio)

    far = {round(k): at(round(k)) for k in np.geomspace(1, most, 24).tolist()}
    ordered = sorted(far)
    place = ordered.index(min(far, key=far.__getitem__))
    low, high = ordered[max(place - 1, 0)], ordered[min(place + 1, len(ordered) - 1)]
    return min(*far.values(), *(at(k) for k in range(low, min(high, low + 24) + 1)))


def unbounded_variance(epsilon: float) -> float:
    """Geng and Viswanath, ISIT 2014, Theorem 7, in units of Δ²."""
    b = math.exp(-epsilon)
    return float(((b * (1.0 + b) / 2.0) ** (2.0 / 3.0) + b) / math.expm1(-epsilon) ** 2)


def case(row: dict[str, Any]) -> str:
    return "-".join(str(v) for v in list(row.values())[:5])


# --- Golden tables ----------------------------------------------------------------------------


@pytest.mark.parametrize("row", GOLDEN["derived"], ids=case)
def test_golden_staircases(row: dict[str, Any]) -> None:
    epsilon, ratio, objective = row["epsilon"], row["ratio"], row["objective"]
    design = optimize_staircase(epsilon, ratio, objective)
    assert shape_of(design).steps == row["steps"]
    assert shape_of(design).gamma == pytest.approx(row["gamma"], rel=1e-6)
    assert value(design, ratio, objective) == pytest.approx(row["variance"], rel=1e-12)
    assert design.input_fraction == pytest.approx(row["input_fraction"], rel=1e-6)
    assert design.S2 / row["base_mass"] == pytest.approx(1.0, rel=1e-5)
    # A ceiling just below 0.5 percent does not change what the best of all is.
    closest = optimize_staircase(epsilon, ratio, objective, ceiling=0.0)
    excess = value(closest, ratio, objective) / row["best_variance"] - 1.0
    assert -1e-12 <= excess <= CLOSE


@pytest.mark.parametrize("row", GOLDEN["fixed"], ids=case)
def test_golden_staircases_in_fixed_outputs(row: dict[str, Any]) -> None:
    place, objective = (row["centre"], row["half"]), row["objective"]
    best = optimize_staircase(
        row["epsilon"], row["ratio"], objective, fixed=place, steps=row["best_steps"]
    )
    found = fixed_value(best, objective, *place)
    assert found == pytest.approx(row["best_variance"], rel=1e-8)
    if row["best_gamma"] < 1.0:
        assert shape_of(best).gamma == pytest.approx(row["best_gamma"], rel=1e-5)
    chosen = optimize_staircase(row["epsilon"], row["ratio"], objective, fixed=place)
    excess = fixed_value(chosen, objective, *place) / row["best_variance"] - 1.0
    assert -1e-8 <= excess <= TOLERANCE
    assert shape_of(chosen).steps <= row["best_steps"]


# --- Reference numbers ------------------------------------------------------------------------


@pytest.mark.parametrize("row", REFERENCE["staircase"], ids=case)
def test_reference_staircases(row: dict[str, Any]) -> None:
    epsilon, ratio = row["epsilon"], row["sensitivity_over_input_width"]
    design = optimize_staircase(epsilon, ratio)
    variance = value(design, ratio)
    outputs = 1.0 / design.input_fraction
    assert shape_of(design).steps == row["steps"]
    assert shape_of(design).gamma == pytest.approx(row["gamma"], rel=1e-6)
    assert variance == pytest.approx(row["variance_center_over_sens2"], rel=1e-9)
    assert outputs == pytest.approx(row["output_over_input_width"], rel=1e-7)
    assert (outputs - 1.0) / (2.0 * ratio) == pytest.approx(
        row["margin_over_sensitivity"], rel=1e-6
    )
    assert design.S2 / row["base_mass"] == pytest.approx(1.0, rel=1e-5)
    assert 2.0 / epsilon**2 == pytest.approx(row["laplace"], rel=1e-9)
    limit = row["unbounded_staircase"]
    assert unbounded_variance(epsilon) == pytest.approx(limit, rel=1e-9)
    assert Unbounded(epsilon, (0, 2), sensitivity=1.0).variance(1.0) == pytest.approx(
        limit, rel=1e-9
    )
    best = row["best_variance_any_steps"]
    assert best * (1.0 - 1e-9) <= variance <= best * (1.0 + TOLERANCE)


@pytest.mark.parametrize(
    "row", [r for r in REFERENCE["staircase"] if r["epsilon"] >= 0.5], ids=case
)
def test_reference_best_of_any_number_of_steps(row: dict[str, Any]) -> None:
    found = best_value(row["epsilon"], row["sensitivity_over_input_width"])
    assert found == pytest.approx(row["best_variance_any_steps"], rel=1e-9)


@pytest.mark.parametrize("row", REFERENCE["against_central_piecewise"], ids=case)
def test_at_or_below_central_piecewise(row: dict[str, Any]) -> None:
    """Free steps never above it; its own number of steps, R/Δ, is that very mechanism."""
    epsilon = row["epsilon"]
    whole = round(1.0 / row["sensitivity_over_input_width"])
    for objective in ("center", "worst"):
        peer = row[f"central_piecewise_{objective}"]
        closest = optimize_staircase(epsilon, 1.0 / whole, objective, ceiling=0.0)
        free = value(closest, 1.0 / whole, objective)
        assert free == pytest.approx(row[f"staircase_{objective}"], rel=CLOSE)
        assert min(free, row[f"staircase_{objective}"]) <= peer
        same = optimize_staircase(epsilon, 1.0 / whole, objective, steps=whole)
        assert value(same, 1.0 / whole, objective) <= peer * (1.0 + 1e-9)
        if whole <= 4:  # the scan of the peer's parameter is fine enough to meet it
            assert value(same, 1.0 / whole, objective) == pytest.approx(peer, rel=4e-3)


# --- Brute force ------------------------------------------------------------------------------


@given(
    data=st.data(),
    epsilon=epsilons(0.02, 50.0),
    ratio=ratios,
    objective=st.sampled_from(OBJECTIVES),
)
@example(data=None, epsilon=50.0, ratio=1e-6, objective="center").via("a top level of 1e-7")
@example(data=None, epsilon=50.0, ratio=1.0, objective="worst").via("one level")
def test_no_other_staircase_is_better(
    data: st.DataObject | None, epsilon: float, ratio: float, objective: Objective
) -> None:
    closest = optimize_staircase(epsilon, ratio, objective, ceiling=0.0)
    best = value(closest, ratio, objective) / (1.0 + CLOSE)
    chosen = optimize_staircase(epsilon, ratio, objective)
    assert value(chosen, ratio, objective) <= best * (1.0 + CLOSE) * (1.0 + TOLERANCE)
    shape = shape_of(chosen)
    most = int(step_numbers(epsilon, ratio)[-1])
    for i in range(8):
        if data is None:
            steps, gamma = min(i + 1, most), 10.0 ** (-i)
        else:
            steps = data.draw(st.integers(1, most))
            gamma = math.exp(data.draw(st.floats(-20.0, 3.0)))
        other = staircase_design(epsilon, ratio, steps, gamma)
        assert best <= value(other, ratio, objective) * (1.0 + 1e-12)
    # Nor one step to either side, where a slip in the sums would show.
    reached = value(
        optimize_staircase(epsilon, ratio, objective, steps=shape.steps), ratio, objective
    )
    for factor in (1.0 - 1e-5, 1.0 + 1e-5):
        near = staircase_design(epsilon, ratio, shape.steps, shape.gamma * factor)
        assert reached <= value(near, ratio, objective) * (1.0 + 1e-12)


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 2.0, 8.0])
@pytest.mark.parametrize("ratio", [1.0, 0.3, 0.02])
def test_the_fewest_steps_within_half_a_percent(epsilon: float, ratio: float) -> None:
    chosen = shape_of(optimize_staircase(epsilon, ratio)).steps
    values = {
        int(k): value(optimize_staircase(epsilon, ratio, steps=int(k)), ratio)
        for k in step_numbers(epsilon, ratio).tolist()
    }
    within = [k for k, v in values.items() if v <= min(values.values()) * (1.0 + TOLERANCE)]
    assert chosen == min(within)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("epsilon", [0.05, 1.0, 4.0])
def test_fixed_outputs_against_a_scan_of_all_staircases(
    epsilon: float, objective: Objective
) -> None:
    for ratio, part, off_centre in ((0.2, 0.9, 0.0), (0.05, 0.5, 0.4), (1.0, 0.7, -0.2)):
        needed = part * largest_staircase_fraction(epsilon, ratio)
        place = (needed * off_centre, needed * (1.0 - abs(off_centre)))
        chosen = optimize_staircase(epsilon, ratio, objective, fixed=place)
        assert chosen.input_fraction >= needed * (1.0 - 1e-12)
        scan = math.inf
        for steps in step_numbers(epsilon, ratio).tolist():
            if steps > 2.0 / ratio + 1.0:
                break
            for gamma in np.geomspace(0.02, 1.0, 40).tolist():
                try:
                    other = staircase_design(epsilon, ratio, steps, gamma, fixed=place)
                except ParameterError:  # wider than the outputs
                    continue
                if other.input_fraction >= needed:
                    scan = min(scan, fixed_value(other, objective, *place))
        found = fixed_value(chosen, objective, *place)
        assert found <= scan * (1.0 + TOLERANCE)
        assert found == pytest.approx(scan, rel=2e-2)


@given(epsilon=epsilons(0.02, 20.0), ratio=ratios, data=st.data())
def test_no_staircase_has_a_larger_fraction(
    epsilon: float, ratio: float, data: st.DataObject
) -> None:
    largest = largest_staircase_fraction(epsilon, ratio)
    for _ in range(10):
        steps = data.draw(st.integers(1, max(1, min(int(1.0 / ratio) + 1, int(60 / epsilon)))))
        gamma = data.draw(st.floats(0.01, 2.0))
        try:
            other = staircase_design(epsilon, ratio, steps, gamma, fixed=(0.0, 0.0))
        except ParameterError:  # wider than the outputs
            continue
        # The shift of inputs Δ apart fits that of the levels, whatever the fraction.
        shape = shape_of(other)
        assert other.mu / shape.reach * other.S1 == pytest.approx(ratio, rel=1e-9)
        assert other.input_fraction <= largest * (1.0 + 1e-9)


# --- Limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0])
def test_without_bounds_it_is_the_staircase_of_geng_and_viswanath(epsilon: float) -> None:
    """Below Laplace's variance 2/ε², and the optimal γ of their closed form."""
    design = optimize_staircase(epsilon, 1e-7, ceiling=0.0)
    limit = unbounded_variance(epsilon)
    assert limit < 2.0 / epsilon**2
    assert limit * (1.0 - 1e-9) <= value(design, 1e-7) <= limit * (1.0 + CLOSE)
    deep = optimize_staircase(epsilon, 1e-7, steps=int(step_numbers(epsilon, 1e-7)[-1]))
    assert value(deep, 1e-7) == pytest.approx(limit, rel=1e-8)
    b = math.exp(-epsilon)
    gamma = ((b * (1.0 + b) / 2.0) ** (1.0 / 3.0) - b) / (1.0 - b)
    assert shape_of(deep).gamma == pytest.approx(gamma, rel=1e-4)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("ratio", [1e-9, 1e-12, 1e-15, SMALLEST_RATIO])
def test_ranges_of_billions_of_sensitivities_need_only_more_steps(
    epsilon: float, ratio: float
) -> None:
    design = optimize_staircase(epsilon, ratio)
    assert value(design, ratio) <= unbounded_variance(epsilon) * (1.0 + TOLERANCE)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0, 20.0])
def test_at_the_full_width_one_step_is_a1b1(epsilon: float, objective: Objective) -> None:
    single = optimize_staircase(epsilon, 1.0, objective, steps=1)
    exact = optimize(epsilon, pair_named("A1B1", epsilon), objective)
    assert value(single, 1.0, objective) == pytest.approx(value(exact, 1.0, objective), rel=1e-12)
    assert single.mu == pytest.approx(exact.mu, rel=1e-6)


@given(epsilon=epsilons(), ratio=ratios, objective=st.sampled_from(OBJECTIVES))
def test_never_worse_than_a1b1_for_any_two_inputs(
    epsilon: float, ratio: float, objective: Objective
) -> None:
    design = optimize_staircase(epsilon, ratio, objective)
    single = optimize(epsilon, pair_named("A1B1", epsilon), objective)
    limit = value(single, ratio, objective) * (1.0 + TOLERANCE)
    assert value(design, ratio, objective) <= limit


@given(epsilon=epsilons(0.1, 50.0), ratio=ratios)
def test_a_ceiling_is_kept_where_it_can_be(epsilon: float, ratio: float) -> None:
    laplace = 2.0 / epsilon**2
    free, held = (
        value(optimize_staircase(epsilon, ratio, ceiling=c), ratio) for c in (None, laplace)
    )
    assert held <= laplace
    assert held <= free * (1.0 + 1e-12)


# --- The widest inputs -------------------------------------------------------------------------


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


# --- Refusals ---------------------------------------------------------------------------------


BUDGETS: list[Any] = [0.0, -1.0, math.nan, math.inf, 51.0, True, "1", None]
COUNTS: list[Any] = [0, -1, 203, 1.5, True, math.nan, "2"]
FRACTIONS: list[Any] = [0.0, -0.1, math.nan, 2.1, math.inf, 1e-19]
REFUSED: list[tuple[Callable[[Any], object], list[Any], str]] = [
    (lambda v: optimize_staircase(v, 0.1), BUDGETS, "epsilon must be"),
    (lambda v: staircase_design(v, 0.1, 2, 0.5), BUDGETS, "epsilon must be"),
    (lambda v: largest_staircase_fraction(v, 0.1), BUDGETS, "epsilon must be"),
    (lambda v: widest_inputs(v, 0.1), BUDGETS, "epsilon must be"),
    (lambda v: optimize_staircase(1.0, v), FRACTIONS, "sensitivity must be"),
    (lambda v: staircase_design(1.0, v, 2, 0.5), FRACTIONS, "sensitivity must be"),
    (lambda v: widest_inputs(1.0, v), FRACTIONS, "sensitivity must be"),
    (lambda v: optimize_staircase(1.0, 0.1, steps=v), COUNTS, "steps must be a whole .* 202"),
    (lambda v: staircase_design(1.0, 0.1, v, 0.5), COUNTS, "steps must be a whole .* 202"),
    (
        lambda v: staircase_design(1.0, 0.1, 2, v),
        [0.0, -1.0, math.nan, math.inf, None, "0.5"],
        "gamma must be",
    ),
    (lambda v: optimize_staircase(1.0, 0.1, v), ["", "Center", None, 0], "center, mean, worst"),
]


@pytest.mark.parametrize(("call", "values", "words"), REFUSED)
def test_what_is_outside_its_range_is_refused(
    call: Callable[[Any], object], values: list[Any], words: str
) -> None:
    for value in values:
        with pytest.raises(ParameterError, match=words):
            call(value)


@pytest.mark.parametrize("steps", [None, 1, 5])
def test_inputs_that_do_not_fit_are_refused(steps: int | None) -> None:
    largest = largest_staircase_fraction(1.0, 0.1, steps)
    fits = optimize_staircase(1.0, 0.1, fixed=(0.0, largest * (1.0 - 1e-9)), steps=steps)
    assert fits.input_fraction == pytest.approx(largest, rel=1e-8)
    with pytest.raises(ParameterError, match="no room"):
        optimize_staircase(1.0, 0.1, fixed=(0.0, largest * (1.0 + 1e-6)), steps=steps)
