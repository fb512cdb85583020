"""The constraints of staircases, against the designs and the exact losses they describe."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.design.constraints import Constraint
from compdp_core.design.density import Density
from compdp_core.design.optimize.staircase import staircase_design
from compdp_core.design.privacy_loss import loss
from compdp_core.design.staircase_constraints import evaluate_staircase
from compdp_core.errors import CompdpError
from tests.unit.strategies import epsilons, positions

NAMES = ["steps", "top", "distance", "mass", "input", "privacy"]
NONSENSE: list[Any] = [
    math.nan, math.inf, -math.inf, 0, -1, 0.5, 2.5, 1e308, 10**400, None, "3", True, [1],
]  # fmt: skip


def broken(rows: tuple[Constraint, ...]) -> list[str]:
    return [row.name for row in rows if not row.met]


@given(
    epsilon=epsilons(0.1, 8.0),
    steps=st.integers(1, 20),
    gamma=st.floats(0.01, 1.0),
    ratio=st.floats(1e-3, 1.0),
    position=positions,
)
def test_a_staircase_meets_them_and_spends_epsilon(
    epsilon: float, steps: int, gamma: float, ratio: float, position: float
) -> None:
    design = staircase_design(epsilon, ratio, steps, gamma)
    rows = evaluate_staircase(epsilon, steps, gamma, ratio, position * design.C)
    assert [row.name for row in rows] == NAMES
    assert broken(rows) == []
    by_name = {row.name: row for row in rows}
    assert by_name["mass"].margin == design.S2
    assert by_name["input"].margin == pytest.approx(
        design.C * (1.0 - abs(position)), rel=1e-9, abs=1e-12 * design.L
    )
    # By another route: the worst pair of neighbours, where one step is left to cross.
    reachable = ratio * 2.0 * (1.0 - design.mu) >= design.mu * 2.0 * gamma / (gamma + steps - 1.0)
    spent = loss(design, ratio).epsilon
    assert spent <= epsilon * (1.0 + 1e-9)
    if steps > 1 or reachable:
        assert spent == pytest.approx(epsilon, rel=1e-9)


@given(
    epsilon=epsilons(0.1, 8.0),
    steps=st.integers(1, 20),
    gamma=st.floats(0.01, 1.0),
    ratio=st.floats(1e-3, 1.0),
    beyond=st.floats(1.0 + 1e-6, 100.0),
)
def test_an_input_beyond_the_limit_is_named(
    epsilon: float, steps: int, gamma: float, ratio: float, beyond: float
) -> None:
    design = staircase_design(epsilon, ratio, steps, gamma)
    rows = evaluate_staircase(epsilon, steps, gamma, ratio, beyond * design.C)
    assert broken(rows) == ["input"]
    with pytest.raises(CompdpError):
        Density(design).start(beyond * design.C)


@given(
    epsilon=st.one_of(st.sampled_from(NONSENSE), st.floats()),
    steps=st.one_of(st.sampled_from(NONSENSE), st.integers(), st.floats()),
    gamma=st.one_of(st.sampled_from(NONSENSE), st.floats()),
    ratio=st.one_of(st.sampled_from(NONSENSE), st.floats()),
    c_p=st.one_of(st.sampled_from(NONSENSE), st.floats()),
)
def test_never_raises_and_never_calls_nonsense_met(
    epsilon: Any, steps: Any, gamma: Any, ratio: Any, c_p: Any
) -> None:
    rows = evaluate_staircase(epsilon, steps, gamma, ratio, c_p)
    assert [row.name for row in rows] == NAMES
    for row in rows:
        assert row.reason
        assert not (row.met and math.isnan(row.margin))
        assert row.met or not row.margin > 0.0, row
    if broken(rows) == []:
        Density(staircase_design(epsilon, ratio, int(steps), gamma)).start(float(c_p))


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
def test_what_is_broken_says_what_to_change(change: dict[str, Any], name: str, text: str) -> None:
    start: dict[str, Any] = {"epsilon": 1.0, "steps": 5, "gamma": 0.4, "ratio": 0.1}
    assert broken(evaluate_staircase(**start)) == []
    row = next(row for row in evaluate_staircase(**{**start, **change}) if row.name == name)
    assert not row.met
    assert text in row.reason
