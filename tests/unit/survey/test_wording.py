"""Sentences on the wall are true as often as they say, at few answers and at many.

False alarms: 1e-9 for each verdict on means at another seed, as bounds lie 6.1 standard errors of
so many classes below a coverage of .947 (of whole numbers .94): a coverage of .92 (.91) is surely
rejected, and so is the twin, an interval of 90 % said to be of 95 %. Shares are worked out exactly.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from decimal import Decimal
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from compdp_core.estimates.estimate import About, Estimate
from compdp_core.estimates.shares import share
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release import ColumnPlan
from compdp_core.survey.question import Question
from compdp_core.survey.wording import (
    HARDLY,
    MOST_EPSILON,
    odds,
    one_answer,
    promise,
    told_of_mean,
    told_of_share,
)
from compdp_core.validation import Array
from tests.unit.survey.classes import asked, bounds, coverage, drawn, ends, margin

NUMBER = r"([−\d.,]+)"
MANY = 15_000
NORMAL = NormalDist()


def parsed(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


def said(sentence: str) -> tuple[float, float]:
    """The interval that a sentence tells."""
    found = re.search(rf"With 95 % confidence .* lies between {NUMBER} and {NUMBER} ", sentence)
    assert found is not None, sentence
    return parsed(found[1]), parsed(found[2])


def written(question: Question, low: Array, high: Array, n: int) -> tuple[Array, Array]:
    """Ends as the sentences have them."""
    parts = zip(low.tolist(), high.tolist(), strict=True)
    found = [said(told_of_mean(question, n, 0.5 * (a + b), a, b)) for a, b in parts]
    return np.array(found)[:, 0], np.array(found)[:, 1]


SHAPES: dict[str, Any] = {
    "near the top": lambda chance, shape: np.clip(chance.normal(0.88, 0.1, shape), 0, 1),
    "any": lambda chance, shape: chance.uniform(0, 1, shape),
    "both ends": lambda chance, shape: chance.integers(0, 2, shape),
}


@pytest.mark.parametrize("where", SHAPES)
@pytest.mark.parametrize("n", [5, 30, 200])
@pytest.mark.parametrize(
    ("inputs", "kind", "epsilon"),
    [((0, 20), "", 4.0), ((0, 20), "", 1.0), ((1, 5), "whole", 5.0), ((-5000, 9000), "", 5.0)],
)
def test_the_sentence_of_a_mean_is_true_as_it_is_written(
    inputs: tuple[float, float], kind: str, epsilon: float, n: int, where: str
) -> None:
    question = asked(inputs, epsilon, kind)
    many = MANY if n <= 30 else MANY // 2
    low, high = inputs
    true = low + (high - low) * SHAPES[where](np.random.default_rng(n), (many, n))
    if kind == "whole":
        true = np.round(true)
    u, means = drawn(question, true, seed=n), true.mean(axis=1)
    least = 0.94 if kind == "whole" else 0.947
    bound = least - margin(least, many)
    found = ends(question, u)
    assert coverage(*written(question, *found, n), means) > bound


def test_an_interval_of_90_percent_would_be_found_out() -> None:
    question, n = asked(), 30
    true = 20 * SHAPES["any"](np.random.default_rng(1), (MANY, n))
    found = ends(question, drawn(question, true), reach=NORMAL.inv_cdf(0.95))
    assert coverage(*written(question, *found, n), true.mean(axis=1)) < 0.947 - margin(0.947, MANY)


@cache
def choice(k: int, epsilon: float) -> Question:
    names = [f"name {place}" for place in range(k)]
    return Question("Which?", ColumnPlan(epsilon=epsilon, kind="category", categories=names))


def holding(question: Question, n: int, about: About) -> Array:
    """For each number of a class that has a category, how often the sentence of its share is true:
    by the exact probabilities of how many say so.
    """
    mechanism = question.mechanism
    assert isinstance(mechanism, RandomizedResponse)
    rest = [0.0] * (mechanism.categories - 2)
    told = []
    for f in range(n + 1):
        one = share([f, n - f, *rest], mechanism, about=about).each(0.95, "")[0]
        told.append(said(told_of_share("name 0", one)))
    low, high = np.array(told).T / 100
    p, q = mechanism.probability_kept, mechanism.probability_other
    rates = []
    for has in range(n + 1):
        kept = binom.pmf(np.arange(has + 1), has, p)
        pmf = np.convolve(kept, binom.pmf(np.arange(n - has + 1), n - has, q))
        rates.append(float(pmf @ ((low <= has / n + 1e-9) & (has / n - 1e-9 <= high))))
    return np.array(rates)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.5, 4.0, 5.0])
@pytest.mark.parametrize("k", [2, 4, 12])
@pytest.mark.parametrize("n", [5, 30, 200])
def test_the_sentence_of_a_share_is_true_over_classes_of_any_share(
    n: int, k: int, epsilon: float
) -> None:
    """Over classes of which any number have it, each as likely; and of every single one of them in
    nearly as many cases. Those of the rows alone are shorter, and are not.
    """
    found = holding(choice(k, epsilon), n, "population")
    assert found.mean() > 0.945
    assert found.min() > {5: 0.89, 30: 0.88, 200: 0.93}[n]


def test_intervals_of_the_rows_alone_would_be_too_short_for_the_sentence() -> None:
    assert holding(choice(2, 5.0), 30, "rows").mean() < 0.9
    assert holding(choice(2, 4.0), 30, "rows").mean() < 0.94


def test_too_few_answers_say_nothing() -> None:
    nan = math.nan
    found = [told_of_mean(asked(), n, 12.0, nan, nan) for n in range(3)]
    assert found == [
        "No answers yet: it takes 3 for a mean.",
        "One answer alone says nothing yet: it takes 3 for a mean.",
        "Two answers say hardly anything yet: it takes 3 for a mean.",
    ]


def test_a_wide_interval_is_said_to_tell_hardly_anything() -> None:
    low, high = bounds(asked())
    for width in (0.1, 0.49, HARDLY, 0.8, 1.0):
        mean = told_of_mean(asked(), 3, low, low, low + width * (high - low))
        one = Estimate(0.4, 0.1, 0.0, width, 0.95, 9, "", "", "population")
        for sentence in (mean, told_of_share("yes", one)):
            assert ("hardly anything together." in sentence) == (width >= HARDLY)
            assert sentence.endswith(".")
            assert "nan" not in sentence


def test_a_share_is_said_with_its_name_and_its_level() -> None:
    one = Estimate(0.4, 0.1, 0.21, 0.58, 0.95, 9, "", "", "population")
    assert told_of_share("a “b”", one) == (
        "With 95 % confidence the share of “a “b”” in the class lies between 21 and 58 %."
    )
    assert told_of_share("x", replace(one, level=0.9)).startswith("With 90 % confidence")


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1, 2, 2.5, 4, MOST_EPSILON, 50])
def test_odds_are_rounded_up_and_no_more(epsilon: float) -> None:
    exact = Decimal(epsilon).exp()
    text = odds(asked((0, 20), epsilon))
    mantissa, _, power = text.partition(" × 10")
    tens = int(power.translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")) or 0)
    told = Decimal(mantissa.replace(",", "")).scaleb(tens)
    assert exact <= told <= exact * Decimal("1.01")


@pytest.mark.parametrize("epsilon", [1, 4])
def test_the_promise_says_bounds_odds_and_budget(epsilon: float) -> None:
    question = asked((-5, 20), epsilon)
    words = promise(question)
    assert "any answer from −5 to 20 points may be behind it" in words
    assert f"by {odds(question)} times at most (ε = {epsilon})" in words
    # Of any output, by the probabilities that are drawn with.
    pmfs = [question.lattice.pmf(x) for x in (-5.0, 20.0)]
    largest = max(float((one / other).max()) for one, other in (pmfs, pmfs[::-1]))
    assert largest <= parsed(odds(question))
    named = promise(choice(3, float(epsilon)))
    assert "any of the answers may be behind it" in named
    mechanism = RandomizedResponse(epsilon, 3)
    assert mechanism.probability_kept / mechanism.probability_other <= parsed(odds(question))


def test_one_answer_says_how_far_it_is_off() -> None:
    question = asked()
    lattice = question.lattice
    y = lattice.value(np.arange(lattice.points))
    squares = [float(lattice.pmf(x) @ (y - x) ** 2) for x in np.linspace(0, 20, 201)]
    squares[0] *= 0.5
    squares[-1] *= 0.5
    assert one_answer(question) == (
        f"A single answer is typically {math.sqrt(sum(squares) / 200):.2g} points off."
    )
    changed = 100 / (1 + math.exp(2.5))
    assert one_answer(choice(2, 2.5)) == (
        f"By chance, {changed:.2g} % of the answers are another than the true one."
    )
