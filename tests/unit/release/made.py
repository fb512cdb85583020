"""Plans, releases and refusals, each in one call."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest

from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource, Words
from compdp_core.release import ColumnPlan, Plan, PlanError, TableRelease, release
from compdp_core.tables import Table, read

HOLES = (
    b"id,score,grade,note\n"
    b"1,52.5,7,plain\n"
    b'2,,8,"a, b"\n'
    b"3,NA,,=1+1\n"
    b"4,61.25,n.a.,\n"
    b"5,-900,9,\n"
    b"6,70,10,last\n"
)
"""Score is missing in rows 2 and 3, grade in 3 and 4; -900 lies outside any bounds below."""


class Counting:
    """Seeded words, and how many were taken."""

    def __init__(self, seed: int = 1) -> None:
        self.source, self.taken = SeededSource(seed), 0

    def words(self, count: int) -> Words:
        self.taken += count
        return self.source.words(count)


def plan_of(position: int = 0, upper: float = 9, epsilon: Any = 1, **settings: Any) -> ColumnPlan:
    return ColumnPlan(position, Interval(0, upper), epsilon, **settings)


def released(
    *plans: ColumnPlan,
    data: bytes | Table = HOLES,
    seed: int = 3,
    plan: dict[str, Any] | None = None,
    **options: Any,
) -> TableRelease:
    table = data if isinstance(data, Table) else read(data)
    return release(table, Plan(plans, **(plan or {})), source=SeededSource(seed), **options)


def exceeds(ratio: Fraction, epsilon: Fraction) -> bool:
    """Whether a ratio of probabilities is above ``e^ε``, in 60-digit arithmetic."""
    with mpmath.workdps(60):
        budget = mpmath.mpf(epsilon.numerator) / epsilon.denominator
        proved = mpmath.log(mpmath.mpf(ratio.numerator)) - mpmath.log(ratio.denominator)
        return bool(proved > budget)


def refuse(
    table: Table, *plans: ColumnPlan, match: str | None = None, error: type[Exception] = PlanError
) -> None:
    source = Counting()
    with pytest.raises(error, match=match):
        release(table, Plan(plans), source=source)
    assert source.taken == 0
