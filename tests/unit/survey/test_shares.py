"""Intervals of shares hold for every class: counted out, without chance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from compdp_core.estimates.shares import Shares
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release import ColumnPlan
from compdp_core.survey.answers import LABEL, SurveyAnswers
from compdp_core.survey.question import Question
from compdp_core.survey.shares import interval, shares_of_class
from compdp_core.validation import Array

RESPONSES = [RandomizedResponse(epsilon, k) for epsilon in (0.5, 2.5, 5.0) for k in (2, 5)]


def counted(response: RandomizedResponse, m: int, n: int) -> Array:
    """How likely each count is, by conditioning on those of the true ones that stay."""
    p, q = response.probability_kept, response.probability_other
    chances = np.zeros(n + 1)
    for stay in range(m + 1):
        chances[stay : stay + n - m + 1] += binom.pmf(stay, m, p) * binom.pmf(
            np.arange(n - m + 1), n - m, q
        )
    return chances


def least_coverage(response: RandomizedResponse, n: int, ends: Array) -> float:
    """Of all classes of n; ``ends``: the interval for each count."""
    found = []
    for m in range(n + 1):
        held = (ends[:, 0] <= m / n + 1e-12) & (m / n <= ends[:, 1] + 1e-12)
        found.append(float(counted(response, m, n)[held].sum()))
    return min(found)


@pytest.mark.parametrize("response", RESPONSES, ids=str)
@pytest.mark.parametrize("n", [1, 3, 5, 30, 60])
def test_every_class_is_within_its_interval_95_of_100_times(
    response: RandomizedResponse, n: int
) -> None:
    ends = np.array([interval(response, count, n) for count in range(n + 1)])
    assert least_coverage(response, n, ends) >= 0.95 - 1e-9
    assert (ends[:, 0] <= ends[:, 1]).all()
    assert ((ends >= 0.0) & (ends <= 1.0)).all()


def test_the_interval_for_many_rows_would_not_do() -> None:
    response, n = RandomizedResponse(5.0, 2), 30
    counts = (np.array([c, n - c], dtype=np.float64) for c in range(n + 1))
    ends = np.array([Shares(response, each, "rows").intervals()[0] for each in counts])
    assert least_coverage(response, n, ends) < 0.9


def test_it_is_not_longer_than_it_has_to_be() -> None:
    """A share more at either end would be unlikely: one of the tails is then 2.5 % or less."""
    response, n = RandomizedResponse(2.5, 2), 30
    for count in range(n + 1):
        low, high = (round(n * end) for end in interval(response, count, n))
        if low > 0:
            assert counted(response, low - 1, n)[count:].sum() <= 0.025 + 1e-12
        if high < n and high > low:
            assert counted(response, high + 1, n)[: count + 1].sum() <= 0.025 + 1e-12


def test_values_are_those_of_the_release() -> None:
    plan = ColumnPlan(epsilon=2, kind="category", categories=["yes", "no", "maybe"])
    question = Question("Late?", plan)
    values = np.array([0.0] * 4 + [1.0] * 7 + [2.0] * 2)
    here = shares_of_class(question, values)
    there = SurveyAnswers(question, values.tolist()).estimates.shares(LABEL, about="rows")
    assert list(here) == list(there) == ["yes", "no", "maybe"]
    for name, share in here.items():
        assert share.value == pytest.approx(there[name].value, rel=1e-12)
        assert share.n == 13
    assert sum(share.value for share in here.values()) == pytest.approx(1.0)
