"""Every taker of a single number, a setting, gives every kind of input the same answer."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compdp_core import CompositeMechanism
from compdp_core.accounting import exact, split
from compdp_core.accounting.charge import charged
from compdp_core.auditing.attacks import average_repeats, split_budget, textbook_fingerprints
from compdp_core.auditing.lower_bound import audit
from compdp_core.design.density import Density
from compdp_core.design.optimize import Search
from compdp_core.errors import CompdpError
from compdp_core.experiments import compare
from compdp_core.experiments.seeds import derived_seed
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import BASELINES, Laplace
from compdp_core.parameters import EPSILON, SEED
from compdp_core.release.accuracy import Meaning, best_guess, epsilon_for_error, odds_factor
from compdp_core.shapes.custom import Points
from compdp_core.statistics import Condition
from compdp_core.validation import integer, real
from tests.naming import shown

JUNK: list[Any] = [
    True, False, np.True_, b"1", math.nan, math.inf, -math.inf, np.float64("nan"), 1j,
    np.complex128(1), dt.timedelta(seconds=1), dt.date(2024, 1, 1), np.timedelta64(1, "s"),
    np.timedelta64(1), np.timedelta64("NaT"), np.datetime64("2024-01-01"), [1.0], (1.0,), {1.0}, {},
    np.array([1.0]), np.array(1.0), np.ma.masked, pd.NA, pd.NaT, Decimal("NaN"), Decimal("sNaN"),
    10**400, Fraction(10**400), Decimal("1e400"), object(),
]  # fmt: skip
TEXT = ["", "1", "one"]

MECHANISM = CompositeMechanism(1.0, (0, 10))
MEANING = Meaning(MECHANISM)
Take = Callable[[Any], Any]


def _draws(values: Any, seed: int) -> Any:
    return np.random.default_rng(seed).laplace(values, 1.0)


def _built(key: str, name: str) -> Take:
    return lambda v: BASELINES[key].build(
        **{"epsilon": 1.0, "inputs": (0, 2), "delta": 1e-6, name: v}
    )


TAKERS: dict[str, Take] = {
    "epsilon": EPSILON.check,
    "seed": SEED.check,
    "lower bound": lambda v: Interval.checked("bounds", (v, 5.0)),
    "upper bound": lambda v: Interval.checked("bounds", (0.5, v)),
    "composite epsilon": lambda v: CompositeMechanism(v, (0, 10)),
    "composite sensitivity": lambda v: CompositeMechanism(1.0, (0, 10), sensitivity=v),
    "composite spacing": lambda v: CompositeMechanism(1.0, (0, 10), spacing=v),
    "composite steps": lambda v: CompositeMechanism(1.0, (0, 10), sensitivity=1.0, steps=v),
    "composite margin": lambda v: CompositeMechanism(5.0, (0, 10), sensitivity=1.0, margin=v),
    "composite seed": lambda v: MECHANISM.simulate(1.0, seed=v),
    "level": lambda v: MECHANISM.inputs_within(1.0, v / 2 if real(v) else v),
    "quantile": lambda v: MECHANISM.quantile(v / 2 if real(v) else v, 1.0),
    "baseline epsilon": _built("laplace", "epsilon"),
    "baseline sensitivity": _built("laplace", "sensitivity"),
    "gamma": _built("staircase", "gamma"),
    "grid": _built("discrete_laplace", "spacing"),
    "baseline seed": lambda v: Laplace(1.0, (0, 1)).simulate(1.0, seed=v),
    "derived seed": derived_seed,
    "search seed": lambda v: Search("gradient", None, seed=v),  # type: ignore[arg-type]
    "density input": lambda v: Density(MECHANISM.design).mean(0 * v if real(v) else v),
    "claim": lambda v: audit(_draws, v, (0.0, 1.0), draws=400, seed=1),
    "audited input": lambda v: audit(_draws, 1.0, (0.0, v), draws=400, seed=1),
    "attacked value": lambda v: average_repeats(MECHANISM, v, most=2),
    "parts": lambda v: split_budget(lambda e: Laplace(e, (0, 1)), 0.5, 1.0, [v]),
    "budget in parts": lambda v: split_budget(lambda e: Laplace(e, (0, 1)), 0.5, v, [1]),
    "textbook scale": lambda v: textbook_fingerprints(0.0, 1.0, v, draws=10),
    "points of a shape": lambda v: Points.of([(0.0, v), (1.0, 1.0)]),
    "constant": lambda v: Condition("a", "<", v),
    "wished error": lambda v: epsilon_for_error(v, (0, 1)),
    "rows of a mean": MEANING.error_of_mean,
    "odds": odds_factor,
    "guess": best_guess,
    "repetitions": lambda v: compare([MECHANISM], [1.0], repetitions=v, seed=1),
}
"""Each takes 1."""

BUDGETS: dict[str, Take] = {
    "charge": charged,
    "ledger": exact,
    "split": lambda v: split(1, [v]),
}
"""Each takes 1, and text: what a person typed."""
COUNTS = (
    "seed", "derived seed", "baseline seed", "composite steps", "parts", "repetitions",
    "rows of a mean",
)  # fmt: skip
EVERY = TAKERS | BUDGETS

ONES = [1, 1.0, np.int64(1), np.uint8(1), np.float32(1), np.float64(1), Decimal(1), Fraction(1)]


def answer(take: Take, value: Any) -> str:
    """Taken, refused, or the name of an error that is no refusal."""
    try:
        take(value)
    except CompdpError:
        return "refused"
    except Exception as error:
        return type(error).__name__
    return "taken"


@pytest.mark.parametrize("name", EVERY)
def test_every_setting_is_a_real_number(name: str) -> None:
    junk = JUNK if name in {*BUDGETS, "constant"} else [*JUNK, *TEXT]
    assert {shown(v): answer(EVERY[name], v) for v in junk} == {shown(v): "refused" for v in junk}


@pytest.mark.parametrize("name", sorted(EVERY.keys() - {"search seed"}))
def test_real_numbers_of_every_type_are_taken(name: str) -> None:
    assert [answer(EVERY[name], one) for one in ONES] == ["taken"] * len(ONES)


def test_whoever_converts_on_its_own_is_caught() -> None:
    answers = {shown(v): answer(float, v) for v in [*JUNK, *TEXT]}
    assert set(answers.values()) >= {"taken", "TypeError", "OverflowError"}
    assert answers[shown(True)] == answers[shown("1")] == "taken"


@pytest.mark.parametrize(
    "value",
    [1.5, Fraction(3, 2), Decimal("1.00000000000000000000001"), Fraction(10**30 + 1, 10**30)],
)
def test_what_counts_is_whole(value: Any) -> None:
    assert {name: answer(TAKERS[name], value) for name in COUNTS} == dict.fromkeys(
        COUNTS, "refused"
    )


def test_whole_numbers_lie_between_their_ends() -> None:
    assert [integer(v, 1, 3) for v in (0, 1, 2.0, Decimal(3), 4)] == [None, 1, 2, 3, None]
    assert integer(Fraction(6, 2), 0) == 3
    assert all(integer(v, 0) is None and real(v) is None for v in JUNK)
