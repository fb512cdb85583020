"""Shares of a class, with intervals that hold for every class of any size.

Of n answers m have a category; it is released ``C = Bin(m, p) + Bin(n - m, q)`` times, with ``p =
a/W`` and ``q = b/W``. The interval has all m under which a C so far from its expectation is not
unlikely: neither ``Pr[C >= c]`` nor ``Pr[C <= c]`` is 2.5 % or less (Neyman, Phil. Trans. A 236,
1937; Clopper and Pearson, Biometrika 26, 1934). Both are monotone in m, as p is above q, so
bisection finds the ends. It holds the true share in at least 95 of 100 classes, however few answer,
which the one of :mod:`compdp_core.estimates.shares` does from many rows on.
"""

from __future__ import annotations

import math

import numpy as np

from compdp_core.estimates.estimate import Estimate
from compdp_core.estimates.moments import quantile
from compdp_core.estimates.shares import Shares
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.numerics import first_above
from compdp_core.survey.means import LEVEL
from compdp_core.survey.question import Question
from compdp_core.validation import Array, floats, of

METHOD = "(f − b/W) W/(a − b) of the released share f; all shares under which f is not unlikely"


def shares_of_class(question: Question, values: Array) -> dict[str, Estimate]:
    """The share of each category among those who answered, in the order of the question.

    ``values``: places of the released categories. A share is right on average; by chance one may
    lie below 0 or above 1.

    >>> from compdp_core.release import ColumnPlan
    >>> late = ColumnPlan(epsilon=2, kind="category", categories=["yes", "no"])
    >>> found = shares_of_class(Question("Late?", late), np.array([0.0] * 10 + [1.0] * 20))["yes"]
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.281, 0.1, 0.433)
    """
    response = _response(question)
    names = question.categories
    places = floats("values", values).astype(np.intp)
    counts = np.bincount(places, minlength=len(names))
    found = Shares(response, counts.astype(np.float64), "rows", names)
    rows = zip(names, counts.tolist(), found.estimates, found.standard_errors, strict=True)
    return {
        name: Estimate(
            float(value),
            float(error),
            *interval(response, count, found.rows),
            LEVEL,
            found.rows,
            METHOD,
            "Of those who answered: what is not known of them is the noise alone.",
            "rows",
        )
        for name, count, value, error in rows
    }


def released_share(question: Question, share: float) -> float:
    """``f = q + (p - q) s``: how often a category is released that a share s of a class has."""
    response = _response(question)
    kept, other = response.probability_kept, response.probability_other
    return other + share * (kept - other)


def share_half_width(question: Question, share: float, answers: int) -> float:
    """Half of the interval of a share of so many answers, as it is to be expected:
    ``z √(f (1 - f)/n) W/(a - b)``.
    """
    f = released_share(question, share)
    error = math.sqrt(f * (1.0 - f) / answers) * _response(question).noise_factor
    return quantile(LEVEL) * error


def _response(question: Question) -> RandomizedResponse:
    return of("question", question.mechanism, RandomizedResponse, "must list categories")


def interval(response: RandomizedResponse, count: int, n: int) -> tuple[float, float]:
    """The interval of a share, where a category was released ``count`` of n times."""
    tail = 0.5 * (1.0 - LEVEL)

    def so_many(m: int) -> bool:
        return bool(_chances(response, m, n)[count:].sum() > tail)

    def so_few(m: int) -> bool:
        return bool(_chances(response, m, n)[: count + 1].sum() > tail)

    if so_many(n) and so_few(0):
        low, behind = first_above(-1, n, so_many), first_above(0, n + 1, lambda m: not so_few(m))
        return low / n, (behind - 1) / n
    # By no share so likely: those that are nearly as likely as the likeliest one (Wilks, Ann. Math.
    # Stat. 9, 1938).
    chances = np.array([_chances(response, m, n)[count] for m in range(n + 1)])
    near = np.flatnonzero(chances >= math.exp(-0.5 * quantile(LEVEL) ** 2) * chances.max())
    return float(near[0]) / n, float(near[-1]) / n


def _chances(response: RandomizedResponse, m: int, n: int) -> Array:
    """Of each number of times, 0 to n, where m of n have the category."""
    found: Array = np.convolve(
        _binomial(m, response.probability_kept), _binomial(n - m, response.probability_other)
    )
    return found


def _binomial(n: int, p: float) -> Array:
    """``C(n, k) p^k (1 - p)^(n - k)`` for k = 0 to n; scipy.stats takes a second to load."""
    from scipy.special import gammaln, xlog1py, xlogy

    k = np.arange(n + 1.0)
    ways = gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)
    found: Array = np.exp(ways + xlogy(k, p) + xlog1py(n - k, -p))
    return found
