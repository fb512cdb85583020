"""The inequalities as data, against the densities that they are meant to describe."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from compdp_core.design.constraints import Constraint, constraints, evaluate, unmet_first
from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.design.optimize import optimize
from compdp_core.design.optimize.staircase import staircase_design
from compdp_core.design.privacy_loss import loss
from compdp_core.design.staircase_constraints import evaluate_staircase
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.shapes import ACTIVATIONS, Activation, Pair, Quartic
from compdp_core.shapes.custom import from_formula
from tests.unit.strategies import designs, epsilons, positions

NAMES = ["height", "width", "base", "mass", "input", "peak", "privacy"]
activations = st.sampled_from(list(ACTIVATIONS.values()))
base_names = st.sampled_from(["B1", "B2"])
NONSENSE: list[Any] = [
    math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0, 1e308, -1e308, 5e-324, 1e-200,
    None, "0.3", "", True, 3 + 4j, [0.5], 2.5, "3",
    np.float64("nan"), np.array([1.0, 2.0]), 10**400,
]  # fmt: skip


def broken(rows: tuple[Constraint, ...]) -> list[str]:
    return [row.name for row in rows if not row.met]


@given(design=designs(0.001, 50.0), position=st.one_of(positions, st.sampled_from([-1.0, 1.0])))
def test_a_design_meets_all_but_perhaps_the_cap_on_the_peak(
    design: Design, position: float
) -> None:
    rows = constraints(design, position * design.C)
    assert [row.name for row in rows] == NAMES
    assert set(broken(rows)) <= ({"peak"} if design.peak > 1.0 else set())
    assert all(row.reason and row.formula for row in rows)


@given(design=designs(), position=st.floats(1.0 + 1e-6, 100.0))
def test_margins_are_those_of_the_design(design: Design, position: float) -> None:
    rows = {row.name: row for row in constraints(design, position * design.C)}
    assert rows["height"].margin == design.k
    assert rows["mass"].margin == pytest.approx(design.S2, rel=1e-12)
    assert rows["input"].margin == pytest.approx(
        design.C * (1.0 - position), rel=1e-12, abs=1e-12 * design.L
    )
    assert not rows["input"].met
    assert "C_p must lie within" in rows["input"].reason


typed = st.fixed_dictionaries(
    {
        "epsilon": epsilons(0.05, 8.0),
        "activation": activations,
        "k": st.floats(0.001, 1.0),
        "m": st.floats(0.01, 4.0),
        "y": st.floats(0.001, 1.0),
    }
)


@given(typed=typed, base=base_names, c_p=st.floats(-1.0, 1.0))
def test_all_met_exactly_where_a_private_density_exists(
    typed: dict[str, Any], base: str, c_p: float
) -> None:
    rows = evaluate(**typed, base=base, c_p=c_p)
    assume(all(abs(row.margin) > 1e-9 for row in rows if not math.isnan(row.margin)))
    # Two routes: the inequalities, and building the density and asking it.
    try:
        density = Density(Design.from_parameters(**typed, base=base))
        density.start(c_p)
    except ParameterError:
        exists = False
    else:
        ratio = density.design.declared_ratio
        private = math.log(ratio) <= typed["epsilon"] * (1.0 + 1e-12)
        exists = private and typed["k"] + typed["y"] <= 1.0
    assert (broken(rows) == []) == exists


@given(typed=typed, tau=st.floats(0.05, 0.95), c_p=st.floats(-1.0, 1.0))
def test_a_base_of_its_own_is_judged_like_one_by_name(
    typed: dict[str, Any], tau: float, c_p: float
) -> None:
    by_name = evaluate(**typed, base="B2", c_p=c_p, tail_ratio=tau)
    assert evaluate(**typed, base=Quartic(tau), c_p=c_p) == by_name


def test_an_own_base_is_held_to_its_own_tail() -> None:
    base = from_formula("1 + cos(pi*v)/2", "base")  # from 1/2 to 3/2: a tail ratio of 1/3
    assert base.tau == pytest.approx(1.0 / 3.0)
    design = optimize(2.0, Pair(ACTIVATIONS["A2"], base))
    k, m, y = (float(x) for x in design.rounded())
    assert broken(evaluate(2.0, ACTIVATIONS["A2"], base, k, m, y, 0.9 * design.C)) == []
    again = Design.from_parameters(2.0, ACTIVATIONS["A2"], base, k, m, y)
    assert again.pair == design.pair
    assert pytest.approx(design.L, rel=1e-5) == again.L
    # At e^-ε = 1/3 the base alone spends everything.
    assert broken(evaluate(math.log(3.0), ACTIVATIONS["A2"], base, k, m, y)) == ["privacy"]


def check_nonsense(rows: tuple[Constraint, ...], names: list[str]) -> None:
    assert [row.name for row in rows] == names
    for row in rows:
        assert isinstance(row.met, bool)
        assert row.reason
        assert not (row.met and math.isnan(row.margin))
        assert row.met or not row.margin > 0.0, row


nonsense = st.one_of(st.sampled_from(NONSENSE), st.floats())


@given(
    typed=st.fixed_dictionaries(dict.fromkeys(("epsilon", "k", "m", "y"), nonsense)),
    rest=st.fixed_dictionaries({"c_p": nonsense, "tail_ratio": nonsense}),
    activation=activations,
    base=st.sampled_from(["B1", "B2", "B9", ""]),
)
def test_never_raises_and_never_calls_nonsense_met(
    typed: dict[str, Any], rest: dict[str, Any], activation: Activation, base: str
) -> None:
    rows = evaluate(activation=activation, base=base, **typed, **rest)
    check_nonsense(rows, NAMES)
    if broken(rows) == [] and base == "B1":
        design = Design.from_parameters(activation=activation, base=base, **typed)
        Density(design).start(float(rest["c_p"]))


@pytest.mark.parametrize("missing", ["k", "m", "y", "c_p", "epsilon"])
def test_what_is_missing_leaves_its_rows_open(missing: str) -> None:
    numbers: dict[str, Any] = {"epsilon": 1.0, "k": 0.5, "m": 0.4, "y": 0.3, "c_p": 0.0}
    rows = evaluate(activation=ACTIVATIONS["A1"], base="B1", **{**numbers, missing: None})
    open_rows = {row.name for row in rows if math.isnan(row.margin)}
    assert (
        open_rows
        == {
            "k": {"height", "mass", "input", "peak", "privacy"},
            "m": {"width", "mass", "input"},
            "y": {"base", "input", "peak", "privacy"},
            "c_p": {"input"},
            "epsilon": {"privacy"},
        }[missing]
    )
    assert open_rows == set(broken(rows))


@pytest.mark.parametrize(
    ("change", "name", "text"),
    [
        ({"k": 0.9, "m": 1.2, "y": 0.1}, "mass", "mass 1.08: lower k or m"),
        ({"k": 0.5, "m": 1.9, "y": 0.5}, "input", "wider than the domain, 0.1: lower m"),
        ({"c_p": 0.5}, "input", "C_p must lie within [-0.226667, 0.226667]"),
        ({"k": 0.8}, "peak", "the peak is 1.1"),
        ({"k": 0.6}, "privacy", "lower k to at most 0.515485"),
        ({"k": 0.6, "base": "B2"}, "privacy", "lower k to below y (e^epsilon - 1) = 0.515485"),
        ({"base": "B2", "tail_ratio": 0.3}, "privacy", "the base alone spends 1.20397"),
        ({"base": "B2", "tail_ratio": 1.5}, "privacy", "the tail ratio must lie above"),
        ({"base": "B2", "tail_ratio": 0.9}, "privacy", "lower k to at most 0.433936"),
        ({"epsilon": 60.0}, "privacy", "epsilon must be a number from 0.001 to 50"),
        ({"k": -0.1}, "height", "k must be a positive, finite number"),
    ],
)
def test_what_is_broken_says_what_to_change(change: dict[str, Any], name: str, text: str) -> None:
    start = {"epsilon": 1.0, "base": "B1", "k": 0.5, "m": 0.4, "y": 0.3}
    assert broken(evaluate(activation=ACTIVATIONS["A1"], **start)) == []  # type: ignore[arg-type]
    rows = evaluate(activation=ACTIVATIONS["A1"], **{**start, **change})
    row = next(row for row in rows if row.name == name)
    assert not row.met
    assert text in row.reason


def test_unmet_first_keeps_the_order_within_each_group() -> None:
    rows = evaluate(1.0, ACTIVATIONS["A1"], "B1", k=0.9, m=1.2, y=0.1)
    ordered = unmet_first(rows)
    assert [row.met for row in ordered] == sorted(row.met for row in rows)
    assert [row.name for row in ordered] == broken(rows) + [r.name for r in rows if r.met]


# --- Staircases -----------------------------------------------------------------------------------

STAIRCASE_NAMES = ["steps", "top", "distance", "mass", "input", "privacy"]
stairs = st.fixed_dictionaries(
    {
        "epsilon": epsilons(0.1, 8.0),
        "steps": st.integers(1, 20),
        "gamma": st.floats(0.01, 1.0),
        "ratio": st.floats(1e-3, 1.0),
    }
)


@given(stairs=stairs, position=positions)
def test_a_staircase_meets_them_and_spends_epsilon(stairs: dict[str, Any], position: float) -> None:
    design = staircase_design(**stairs)
    rows = evaluate_staircase(**stairs, c_p=position * design.C)
    assert [row.name for row in rows] == STAIRCASE_NAMES
    assert broken(rows) == []
    by_name = {row.name: row for row in rows}
    assert by_name["mass"].margin == design.S2
    assert by_name["input"].margin == pytest.approx(
        design.C * (1.0 - abs(position)), rel=1e-9, abs=1e-12 * design.L
    )
    # By another route: the worst pair of neighbours, where one step is left to cross.
    epsilon, steps, gamma, ratio = (stairs[n] for n in ("epsilon", "steps", "gamma", "ratio"))
    reachable = ratio * 2.0 * (1.0 - design.mu) >= design.mu * 2.0 * gamma / (gamma + steps - 1.0)
    spent = loss(design, ratio).epsilon
    assert spent <= epsilon * (1.0 + 1e-9)
    if steps > 1 or reachable:
        assert spent == pytest.approx(epsilon, rel=1e-9)


@given(stairs=stairs, beyond=st.floats(1.0 + 1e-6, 100.0))
def test_an_input_beyond_the_limit_is_named(stairs: dict[str, Any], beyond: float) -> None:
    design = staircase_design(**stairs)
    assert broken(evaluate_staircase(**stairs, c_p=beyond * design.C)) == ["input"]
    with pytest.raises(CompdpError):
        Density(design).start(beyond * design.C)


@given(
    stairs=st.fixed_dictionaries(dict.fromkeys(("epsilon", "gamma", "ratio", "c_p"), nonsense)),
    steps=nonsense | st.integers(),
)
def test_never_raises_and_never_calls_a_nonsense_staircase_met(
    stairs: dict[str, Any], steps: Any
) -> None:
    rows = evaluate_staircase(steps=steps, **stairs)
    check_nonsense(rows, STAIRCASE_NAMES)
    if broken(rows) == []:
        c_p = float(stairs.pop("c_p"))
        Density(staircase_design(steps=int(steps), **stairs)).start(c_p)


@pytest.mark.parametrize(
    ("change", "name", "text"),
    [
        ({"steps": 0}, "steps", "whole number of at least 1"),
        ({"steps": 2.5}, "steps", "must be a whole number from 1 to 202"),
        ({"steps": 500}, "steps", "must be a whole number from 1 to 202"),
        ({"gamma": 0.0}, "top", "positive, finite"),
        ({"ratio": 1.5}, "distance", "choose above 0 and up to 1"),
        ({"c_p": 2.4}, "input", "C_p must lie within"),
        ({"epsilon": 60.0}, "privacy", "epsilon must be a number from 0.001 to 50"),
    ],
)
def test_what_is_broken_in_a_staircase_says_what_to_change(
    change: dict[str, Any], name: str, text: str
) -> None:
    start: dict[str, Any] = {"epsilon": 1.0, "steps": 5, "gamma": 0.4, "ratio": 0.1}
    assert broken(evaluate_staircase(**start)) == []
    row = next(row for row in evaluate_staircase(**{**start, **change}) if row.name == name)
    assert not row.met
    assert text in row.reason
