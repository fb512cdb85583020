"""Sentences for whoever answers and for the wall: each is true at any number of answers."""

from __future__ import annotations

from compdp_core.estimates.estimate import Estimate
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release.accuracy import Meaning, odds_factor
from compdp_core.survey.means import FEWEST, LEVEL, numeric
from compdp_core.survey.question import Question
from compdp_core.text import alike, number, percent, plain, rounded_up

HARDLY = 0.5
"""Width of an interval, of that of the bounds, from which on answers tell hardly anything."""
MOST_EPSILON = 5
"""A larger one would say nearly which answer somebody gave, and the intervals of few answers would
miss more often than they say."""


def odds(question: Question) -> str:
    """By how much one answer moves the odds of two true ones at most, rounded up."""
    return rounded_up(odds_factor(float(question.epsilon)), 3)


def promise(question: Question) -> str:
    """What holds of each answer on the wall.

    >>> from compdp_core.release import ColumnPlan
    >>> promise(Question("Marks?", ColumnPlan(inputs=(0, 20), epsilon=4), "points"))
    'Each device adds its noise before it sends anything. Whatever it sends, any answer from 0 to \
20 points may be behind it: the odds of any two move by 54.6 times at most (ε = 4).'
    """
    if question.categories:
        may = "any of the answers may be behind it"
    else:
        low, high = map(plain, numeric(question).inputs)
        may = f"any answer from {low} to {high} {question.unit}".rstrip() + " may be behind it"
    most = f"{odds(question)} times at most (ε = {number(float(question.epsilon))})"
    return (
        f"Each device adds its noise before it sends anything. Whatever it sends, {may}: the odds "
        f"of any two move by {most}."
    )


def one_answer(question: Question) -> str:
    """How little a single answer says."""
    mechanism = question.mechanism
    if isinstance(mechanism, RandomizedResponse):
        changed = percent(1.0 - mechanism.probability_kept, 2)
        return f"By chance, {changed} of the answers are another than the true one."
    error = number(Meaning(mechanism).typical_error, 2)
    return f"A single answer is typically {error} {question.unit}".rstrip() + " off."


def told_of_mean(question: Question, n: int, mean: float, low: float, high: float) -> str:
    """What the answers tell together, at their number.

    >>> from compdp_core.release import ColumnPlan
    >>> asked = Question("Marks?", ColumnPlan(inputs=(0, 20), epsilon=4), "points")
    >>> told_of_mean(asked, 2, 17.2, float("nan"), float("nan"))
    'Two answers say hardly anything yet: it takes 3 for a mean.'
    >>> told_of_mean(asked, 30, 17.2, 15.8, 18.6)
    'With 95 % confidence the mean of the class lies between 15.8 and 18.6 points.'
    """
    if n < FEWEST:
        return f"{_FEW[n]} yet: it takes {FEWEST} for a mean."
    found, least, most = alike(0.5 * (high - low), mean, low, high)
    inputs = numeric(question).inputs
    share = (high - low) / (inputs[1] - inputs[0])
    said = (
        f"With {percent(LEVEL)} confidence the mean of the class lies between {least} and "
        f"{most} {question.unit}".rstrip()
    )
    if share >= HARDLY:
        said += ": so few answers tell hardly anything together"
    if not inputs[0] <= mean <= inputs[1]:
        said += f". By chance, the noise moves their own mean, {found}, beyond the bounds"
    return f"{said}."


_FEW = ("No answers", "One answer alone says nothing", "Two answers say hardly anything")


def told_of_share(name: str, share: Estimate) -> str:
    """The same of the share of a category."""
    if share.n < FEWEST:
        return f"{_FEW[share.n]} yet: it takes {FEWEST} for a share."
    ends = 100.0 * share.low, 100.0 * share.high
    least, most = alike(0.5 * (ends[1] - ends[0]), *ends)
    said = (
        f"With {percent(share.level)} confidence the share of “{name}” in the class lies between "
    )
    said += f"{least} and {most} %"
    if share.high - share.low >= HARDLY:
        return f"{said}: so few answers tell hardly anything together."
    return f"{said}."
