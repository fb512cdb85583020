"""The default lattice: what it costs, its decimals, and intervals far from zero."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import compdp_core as cdp
from compdp_core.design.optimize.exact import OBJECTIVES, Objective
from compdp_core.errors import CompdpError, LatticeError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import COST, Lattice, LeastVariance
from compdp_core.mechanisms.lattice.cost import DEAREST
from compdp_core.mechanisms.lattice.default_fit import smooth_exponent
from compdp_core.mechanisms.lattice.fit import exponent_below, fit_as_designed, fit_at
from compdp_core.mechanisms.lattice.runs import Runs, level_sums, symmetric_sums
from compdp_core.mechanisms.planning import Blueprint, blueprint
from compdp_core.shapes import PAIR_NAMES
from compdp_core.validation import Array
from tests.unit.strategies import epsilons

EPSILONS = (0.001, 0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 50.0)
INPUTS = ((0.0, 1.0), (0.0, 100.0), (-3.7, 12.25), (0.0, 1e9))
FAR = (999_999_999_999.0, 1e12)


def exact_cost(plan: Blueprint, lattice: Lattice) -> float:
    """By another route: the variance from sums over runs, the optimum from the design's own
    variance at one input or, for the mean, at three (Simpson's rule is exact for a square).

    At the centre for that objective, on average for the mean, at the worse end for the worst.
    """
    low, high = map(Fraction, plan.inputs.as_tuple())
    middle, third = (low + high) / 2, Fraction(1, 3)
    d, half = plan.design, 0.5 * plan.outputs.width
    of_outputs = (Fraction(plan.outputs.lower) + Fraction(plan.outputs.upper)) / 2
    total, fourfold = 0, 0
    for runs in (lattice.base, lattice.activation):
        place = 1 - runs.count
        for n, w in zip(runs.lengths, runs.weights, strict=True):
            fourfold += w * (n * (place + n - 1) ** 2 + n * (n * n - 1) // 3)
            total += n * w
            place += 2 * n
    p, step = Fraction(lattice.activation.mass, total), Fraction(10) ** lattice.exponent
    of_points = (lattice.first + Fraction(lattice.base.count - 1, 2)) * step

    def least(x: Fraction) -> float:
        return d.variance(float(x - of_outputs) / half * d.L) * (half / d.L) ** 2

    def found(x: Fraction) -> float:
        off = (x - of_points) / step
        return float((Fraction(fourfold, 4 * total) + p / 4 + (1 - p) / p * off * off) * step**2)

    if plan.wish.objective == "worst":
        return max(found(low), found(high)) / max(least(low), least(high)) - 1.0
    places = [(Fraction(1), middle)]
    if plan.wish.objective == "mean":
        places = [(third / 2, low), (2 * third, middle), (third / 2, high)]
    one, other = (sum(float(w) * of(x) for w, x in places) for of in (found, least))
    return one / other - 1.0


def plan_of(epsilon: float, inputs: tuple[float, float], **chosen: Any) -> Blueprint:
    return blueprint(epsilon, inputs, **chosen)


def with_hard_outputs(
    epsilon: float, inputs: tuple[float, float], **chosen: Any
) -> Blueprint | None:
    """Some that are a little wider than needed, and off the middle; None where that is too few."""
    own = plan_of(epsilon, inputs, **chosen).outputs
    more = 0.0137 * own.width
    bounds = (own.lower - more, own.upper + 0.8 * more)
    try:
        return plan_of(epsilon, inputs, outputs=bounds, **chosen)
    except CompdpError:
        return None


def earlier(plan: Blueprint) -> Lattice:
    """The broken twin: the rule of version 0.1, a spacing by rules of thumb, its cost not asked."""
    d, inputs, outputs = plan.design, plan.inputs, plan.outputs
    if not plan.is_staircase:
        exponent = smooth_exponent(d, inputs, outputs)
        return fit_as_designed(d, inputs, outputs, exponent, plan.sensitivity)
    deviation = math.sqrt(d.variance()) / d.L * 0.5 * outputs.width
    return plan.lattice(10.0 ** exponent_below(min(plan.sensitivity / 4096, deviation / 64.0)))


def too_dear(make: Callable[[Blueprint], Lattice], plans: list[Blueprint]) -> list[float]:
    return [c for plan in plans if (c := exact_cost(plan, make(plan))) > COST]


GRID: list[tuple[str, dict[str, Any]]] = [
    *((name, {"pair": name}) for name in PAIR_NAMES),
    *((f"A4B1 {ratio}", {"ratio": ratio}) for ratio in (1.0, 0.5, 0.01, 1e-4)),
]


def of_grid(
    inputs: tuple[float, float], said: dict[str, Any], epsilon: float, objective: Objective
) -> list[Blueprint]:
    chosen: dict[str, Any] = {"objective": objective}
    if "ratio" in said:
        width = inputs[1] - inputs[0]
        chosen |= {"pair": "A4B1", "sensitivity": said["ratio"] * width}
    else:
        chosen |= said
    hard = with_hard_outputs(epsilon, inputs, **chosen)
    return [plan_of(epsilon, inputs, **chosen), *([] if hard is None else [hard])]


@pytest.mark.parametrize("place", range(len(GRID)), ids=[name for name, _ in GRID])
def test_the_default_costs_at_most_a_ten_thousandth(place: int) -> None:
    """Every other budget, inputs and objectives in turns. By two routes that have to agree."""
    said = GRID[place][1]
    turns = itertools.islice(itertools.cycle(itertools.product(OBJECTIVES, INPUTS)), place, None)
    for epsilon in EPSILONS[place % 2 :: 2]:
        objective, inputs = next(turns)
        for plan in of_grid(inputs, said, epsilon, objective):
            lattice = plan.lattice()
            found = exact_cost(plan, lattice)
            assert found <= COST * (1.0 + 1e-6), (epsilon, inputs, objective, plan.hard)
            assert plan.least_variance.cost(lattice) == pytest.approx(found, abs=1e-9)


def test_the_rule_of_the_last_version_is_too_dear() -> None:
    plans = [plan_of(e, (0, 100), sensitivity=50.0) for e in (0.5, 1.0, 2.0, 4.0)]
    plans += [plan_of(1.0, (0, 100), pair="A2B1")]
    assert len(too_dear(earlier, plans)) == len(plans)
    assert not too_dear(Blueprint.lattice, plans)


@pytest.mark.parametrize("pair", ["A1B1", "A2B1", "A3B2"])
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 8.0, 32.0])
def test_one_decimal_fewer_costs_more(pair: str, epsilon: float) -> None:
    """Ten times the spacing, as :func:`CompositeMechanism` makes it where it is asked for."""
    mechanism = CompositeMechanism(epsilon, (0, 100), pair=pair)
    assert mechanism.lattice_cost <= COST
    coarser = CompositeMechanism(
        epsilon, (0, 100), pair=pair, spacing=10.0 ** (mechanism.lattice.exponent + 1)
    )
    plan = plan_of(epsilon, (0, 100), pair=pair)
    # Or, at an end of the inputs, ten times as much.
    assert plan.least_variance.price(coarser.lattice) > COST
    # The rule of the last version had as many decimals or more than were needed.
    assert earlier(plan).exponent <= mechanism.lattice.exponent


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 8.0, 32.0])
@pytest.mark.parametrize("delta", [50.0, 1.0])
def test_one_decimal_fewer_costs_a_staircase_more_or_other_outputs(
    epsilon: float, delta: float
) -> None:
    mechanism = CompositeMechanism(epsilon, (0, 100), sensitivity=delta)
    coarser = CompositeMechanism(
        epsilon, (0, 100), sensitivity=delta, spacing=10.0 ** (mechanism.lattice.exponent + 1)
    )
    widths = [each.outputs[1] - each.outputs[0] for each in (mechanism, coarser)]
    assert coarser._least.price(coarser.lattice) > COST or widths[1] > 1.001 * widths[0]


@settings(max_examples=40)
@given(
    epsilon=epsilons(0.001, 50.0),
    pair=st.sampled_from([*PAIR_NAMES, "A4B1"]),
    objective=st.sampled_from(OBJECTIVES),
    low=st.floats(-5.0, 5.0),
    width=st.floats(0.1, 3.0),
    scale=st.integers(-6, 9),
    ratio=st.floats(1e-3, 1.0),
)
def test_whatever_is_asked_costs_little(
    epsilon: float,
    pair: str,
    objective: Objective,
    low: float,
    width: float,
    scale: int,
    ratio: float,
) -> None:
    unit = 10.0**scale
    inputs = (low * unit, (low + width) * unit)
    chosen: dict[str, Any] = (
        {"sensitivity": ratio * (inputs[1] - inputs[0])} if pair == "A4B1" else {}
    )
    # Where floats allow a spacing that is fine enough: 2^-52 of the outputs, and ε grows e^-ε/3.
    assume(epsilon < 30.0 or abs(low) < 0.5 * width)
    mechanism = CompositeMechanism(epsilon, inputs, pair=pair, objective=objective, **chosen)
    assert mechanism.certificate.holds
    assert mechanism.lattice_cost <= COST


@pytest.mark.parametrize("count", [1, 2, 3, 10, 4095, 4097, 10_001])
def test_sums_in_floats_are_those_of_the_runs(count: int) -> None:
    def height(v: Array) -> Array:
        return 1.0 - 0.75 * v * v

    runs = Runs.symmetric(count, lambda v: [round(h * 2**60) for h in height(v).tolist()])
    mass, moment = symmetric_sums(count, height)
    assert mass * 2**60 == pytest.approx(runs.mass, rel=1e-12)
    assert moment * 4.0 * 2**60 == pytest.approx(runs.second_moment, rel=1e-12)
    assert level_sums(count) == pytest.approx(symmetric_sums(count, np.ones_like), rel=1e-12)


# --- The same lattice as before ------------------------------------------------------------------


@pytest.mark.parametrize("pair", [None, "A3B1"])
def test_a_lattice_that_was_good_enough_is_the_same(pair: str | None) -> None:
    plan = plan_of(1.0, (0, 100), pair=pair)
    before, now = earlier(plan), plan.lattice()
    assert (now.base, now.activation) == (before.base, before.activation)
    assert (now.first, now.exponent) == (before.first, before.exponent)


# --- Far from zero -------------------------------------------------------------------------------


@pytest.mark.parametrize("part", [1.0, 0.01])
def test_far_from_zero_a_few_points_are_no_lattice(part: float) -> None:
    """At this ε the noise is finer than the floats there: what is left would cost a thousandfold,
    and estimates would be wrong by it."""
    with pytest.raises(LatticeError, match=r"more than double .* subtract a public constant"):
        CompositeMechanism(50.0, FAR, sensitivity=part)


@pytest.mark.parametrize(
    ("epsilon", "part"), [(0.01, 1.0), (1.0, 1.0), (16.0, 1.0), (0.01, 0.01), (8.0, 0.01)]
)
def test_far_from_zero_the_finest_that_floats_allow(epsilon: float, part: float) -> None:
    """Every output is the float nearest to its decimal, and no two of them are one."""
    mechanism = CompositeMechanism(epsilon, FAR, sensitivity=part)
    lattice = mechanism.lattice
    assert mechanism.certificate.holds
    assert lattice.exponent == -3 or mechanism.lattice_cost <= COST
    assert mechanism.lattice_cost <= DEAREST
    some = np.unique(np.linspace(0, lattice.points - 1, 4000).astype(np.int64))
    outputs = lattice.value(some)
    assert np.all(np.diff(outputs) > 0.0)
    last = lattice.value(np.array([lattice.points - 2, lattice.points - 1]))
    assert last[0] < last[1]
    written = [f"{x:.{mechanism.decimals}f}" for x in outputs.tolist()]
    assert [float(text) for text in written] == outputs.tolist()
    step = Fraction(10) ** lattice.exponent
    assert [Fraction(text) / step for text in written] == [lattice.first + int(i) for i in some]
    assert abs(mechanism.bias(FAR[0])) <= mechanism.certificate.worst_bias


def test_a_far_column_is_released_and_read_back() -> None:
    rows = "".join(f"{FAR[0] + k / 10:.1f}\n" for k in range(11))
    table = cdp.read_csv(("x\n" + rows).encode())
    done = cdp.privatize(table, {"x": cdp.ColumnPlan(inputs=FAR, epsilon=2.0)})
    assert done.columns[0].mechanism.certificate.holds
    again = cdp.read_csv(done.csv())
    values = np.asarray(again.numbers(0).values)
    assert np.array_equal(values, done.columns[0].values)
    cells = done.csv().decode().split()[1:]
    assert all(len(cell.partition(".")[2]) == 3 for cell in cells)


def test_where_no_lattice_exists_it_is_refused() -> None:
    """Between these outputs lies one whole number, and floats have no tenths there."""
    with pytest.raises(LatticeError, match="floats can just tell apart"):
        CompositeMechanism(8.0, (1e15, 1e15 + 0.25), outputs=(1e15 - 0.25, 1e15 + 0.5))
    with pytest.raises(LatticeError, match="public constant"):
        CompositeMechanism(1.0, (1e60, 2e60))


def test_a_least_variance_of_nothing_costs_without_limit() -> None:
    mechanism = CompositeMechanism(1.0, (0, 1))
    tiny = Interval(0.0, 5e-324)
    least = LeastVariance(mechanism.design, tiny, tiny, "center")
    assert least.cost(mechanism.lattice) == math.inf
    assert (
        fit_at(
            mechanism.design, Interval(0, 1), Interval(*mechanism.outputs), -3, hard=False
        ).exponent
        == -3
    )
