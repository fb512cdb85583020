"""The exact optimum: golden table, brute force over the one unknown, limits and inverses."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import (
    OBJECTIVES,
    Objective,
    largest_fraction,
    optimize,
    smallest_epsilon,
)
from compdp_core.design.optimize.feasibility import fitted
from compdp_core.errors import ParameterError, UnknownPairError
from compdp_core.intervals import Interval
from compdp_core.shapes import PAIR_NAMES, Pair, pair_named
from tests.unit.design.measures import fixed_value, value
from tests.unit.strategies import epsilons, pairs

GOLDEN = json.loads(
    (Path(__file__).parents[3] / "golden" / "exact_optimum.json").read_text(encoding="utf-8")
)
"""15 digits, by tests/golden/generate_exact_optimum.py."""

objectives = st.sampled_from(OBJECTIVES)


def case(row: dict[str, Any]) -> str:
    return "-".join(str(row[key]) for key in ("pair", "epsilon", "objective", "tau") if key in row)


@pytest.mark.parametrize(
    "row", [*GOLDEN["optimum_B1"], *GOLDEN["optimum_B2_at_fixed_tail_ratio"]], ids=case
)
def test_golden_optimum(row: dict[str, Any]) -> None:
    pair = pair_named(row["pair"], row["epsilon"], row.get("tau"))
    design = optimize(row["epsilon"], pair, row["objective"])
    found = {
        "mu": design.mu,
        "variance": value(design, row["objective"]),
        "variance_center": design.relative_variance(0.0),
        "variance_edge": design.relative_variance(1.0),
        "h1": design.h1,
        "input_fraction": design.input_fraction,
    }
    golden = {name: row[name] for name in found if name in row}
    assert {name: found[name] for name in golden} == pytest.approx(golden, rel=1e-13)


@pytest.mark.parametrize("row", GOLDEN["max_input_fraction"], ids=case)
def test_golden_largest_input_fraction(row: dict[str, Any]) -> None:
    epsilon, pair = row["epsilon"], pair_named(row["pair"], row["epsilon"])
    largest = largest_fraction(epsilon, pair)
    assert largest == pytest.approx(row["max_input_fraction"], rel=1e-13)
    widest = Design(epsilon, pair, row["mu"], pair.largest_height(epsilon))
    assert widest.input_fraction == pytest.approx(largest, rel=1e-13)
    if row["pair"] == "A1B1":
        assert largest == pytest.approx(math.tanh(epsilon / 4.0), rel=1e-13)
        assert row["mu"] == pytest.approx(1.0 / (math.exp(epsilon / 2.0) + 1.0), rel=1e-13)


@given(data=st.data(), epsilon=epsilons(), objective=objectives)
def test_no_other_width_and_no_lower_height_is_better(
    data: st.DataObject, epsilon: float, objective: Objective
) -> None:
    pair = data.draw(pairs(epsilon))
    best = optimize(epsilon, pair, objective)
    limit = pair.largest_height(epsilon)
    assert best.kappa == limit
    for _ in range(10):
        mu = data.draw(st.floats(1e-6, 1.0 - 1e-6))
        kappa = limit * data.draw(st.floats(1e-3, 1.0))
        other = Design(epsilon, pair, mu, kappa)
        assert value(best, objective) <= value(other, objective) * (1.0 + 1e-12)
    # Nor one step to either side, where a slip in the equation of the slope would show.
    for mu in (best.mu * (1.0 - 1e-5), best.mu * (1.0 + 1e-5)):
        if 0.0 < mu < 1.0:
            near = Design(epsilon, pair, mu, limit)
            assert value(best, objective) <= value(near, objective) * (1.0 + 1e-13)


@given(epsilon=epsilons(0.05, 10.0), name=st.sampled_from(PAIR_NAMES))
def test_variance_falls_as_the_tail_ratio_rises(epsilon: float, name: str) -> None:
    # So B2 left free is B1, and the tail ratio has to be a choice.
    assume(name.endswith("B2"))
    low = math.exp(-epsilon)
    taus = [low + share * (1.0 - low) for share in (0.2, 0.5, 0.8, 0.99)]
    variances = [
        optimize(epsilon, pair_named(name, epsilon, tau)).relative_variance() for tau in taus
    ]
    flat = optimize(epsilon, pair_named(name[:2] + "B1", epsilon)).relative_variance()
    assert variances == sorted(variances, reverse=True)
    assert flat < variances[-1]


@given(data=st.data(), epsilon=epsilons())
def test_smallest_epsilon_inverts_largest_fraction(data: st.DataObject, epsilon: float) -> None:
    pair = data.draw(pairs(epsilon))
    fraction = largest_fraction(epsilon, pair)
    # Near fraction 1 (ε = 50) one float of the fraction is a whole interval of ε.
    sensitivity = math.exp(epsilon / 2.0) * 1e-15
    assume(sensitivity < 1e-3)
    tolerance = 1e-12 + 8.0 * sensitivity
    assert smallest_epsilon(pair, fraction) == pytest.approx(epsilon, rel=tolerance, abs=1e-15)


@given(data=st.data(), fraction=st.floats(1e-3, 0.999))
def test_at_the_smallest_epsilon_the_inputs_just_fit(data: st.DataObject, fraction: float) -> None:
    pair = data.draw(pairs(1.0))
    epsilon = smallest_epsilon(pair, fraction)
    assume(1e-3 <= epsilon <= 50.0)
    assert largest_fraction(epsilon, pair) == pytest.approx(fraction, rel=1e-9)
    assume(epsilon * (1.0 - 1e-6) > -math.log(pair.base.tau))
    assert largest_fraction(epsilon * (1.0 - 1e-6), pair) < fraction


def scanned(
    pair: Pair, epsilon: float, objective: str, c: float, w: float, more: float = 0.0
) -> float:
    """The least value over a fine grid of widths at which inputs wider by ``more`` fit."""
    kappa = pair.largest_height(epsilon)
    logits = np.linspace(-18.0, 18.0, 4001)
    values = []
    for mu in 1.0 / (1.0 + np.exp(-logits)):
        design = Design(epsilon, pair, float(mu), kappa)
        if design.input_fraction >= (abs(c) + w) * (1.0 + more):
            values.append(fixed_value(design, objective, c, w))
    return min(values, default=math.inf)


@given(
    data=st.data(),
    epsilon=epsilons(0.05, 12.0),
    objective=objectives,
    filled=st.floats(0.01, 1.0),
    off_centre=st.floats(-0.95, 0.95),
)
def test_fixed_outputs_against_a_scan_of_all_widths(
    data: st.DataObject, epsilon: float, objective: Objective, filled: float, off_centre: float
) -> None:
    pair = data.draw(pairs(epsilon))
    needed = filled * largest_fraction(epsilon, pair)
    c, w = needed * off_centre, needed * (1.0 - abs(off_centre))
    design = optimize(epsilon, pair, objective, fixed=(c, w))
    assert design.kappa == pair.largest_height(epsilon)
    assert design.input_fraction >= needed * (1.0 - 1e-12)
    best = fixed_value(design, objective, c, w)
    scan = scanned(pair, epsilon, objective, c, w)
    assert best <= scan * (1.0 + 1e-12)
    if filled < 0.9:  # nearer to the largest fraction hardly any point of the grid fits
        assert best == pytest.approx(scan, rel=1e-2)
    if filled < 0.999:
        found = fitted(epsilon, pair, objective, Interval(c - w, c + w), Interval(-1.0, 1.0))
        assert found.input_fraction >= abs(c) + w
        scan = scanned(pair, epsilon, objective, c, w, 1e-6)
        assert fixed_value(found, objective, c, w) <= scan * (1.0 + 1e-9)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_outputs_that_just_fit_give_the_widest_design(objective: Objective) -> None:
    pair = pair_named("A1B1", 1.0)
    needed = largest_fraction(1.0, pair)
    design = optimize(1.0, pair, objective, fixed=(0.0, needed))
    assert design.mu == pytest.approx(1.0 / (math.exp(0.5) + 1.0), rel=1e-7)
    assert design.input_fraction == pytest.approx(needed, rel=1e-14)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("w", [1e-3, 1e-12, 1e-16, 1e-17, 1e-40, 1e-300, 5e-324])
def test_outputs_far_wider_than_the_inputs(objective: Objective, w: float) -> None:
    # Inputs (0, 1) and outputs (-1e17, 1e17) are odd but feasible.
    pair = pair_named("A1B1", 1.0)
    design = optimize(1.0, pair, objective, fixed=(0.0, w))
    assert fixed_value(design, objective, 0.0, w) <= scanned(pair, 1.0, objective, 0.0, w)


@given(data=st.data(), objective=objectives)
@example(data=None, objective="center").via("both ends of the range of ε")
def test_every_epsilon_of_the_range_has_an_optimum(
    data: st.DataObject | None, objective: Objective
) -> None:
    for epsilon in (1e-3, 50.0) if data is None else (data.draw(epsilons()),):
        for name in PAIR_NAMES:
            design = optimize(epsilon, pair_named(name, epsilon), objective)
            assert 0.0 < design.mu < 1.0
            assert 0.0 < design.input_fraction < 1.0
            assert math.isfinite(design.relative_variance(1.0))


@pytest.mark.parametrize(
    ("values", "refused", "words"),
    [
        ([0.5], lambda v: optimize(v, pair_named("A1B2", 1.0, 0.5)), "must be above"),
        (
            ["", "Center", None, 0, ["mean"]],
            lambda v: optimize(1.0, pair_named("A1B1", 1.0), v),
            "center, mean, worst",
        ),
        (
            [0.0, -1.0, math.nan, math.inf, 51.0, True, "1", None],
            lambda v: optimize(v, pair_named("A1B1", 1.0)),
            "epsilon must be",
        ),
    ],
)
def test_what_has_no_optimum_is_refused(
    values: list[Any], refused: Callable[[Any], object], words: str
) -> None:
    for each in values:
        with pytest.raises(ParameterError, match=words):
            refused(each)


def test_a_pair_goes_by_its_name_too() -> None:
    for name in PAIR_NAMES:
        assert optimize(1.0, name, "worst") == optimize(1.0, pair_named(name, 1.0), "worst")
    for wrong in ("A9B9", None):
        with pytest.raises(UnknownPairError, match="choose one of A1B1"):
            optimize(1.0, wrong)  # type: ignore[arg-type]
