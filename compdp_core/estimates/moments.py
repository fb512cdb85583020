"""Mean, total, variance and standard deviation of true values, from their readings.

All are right on average for every table. For readings u with noise s (see
:mod:`compdp_core.estimates.reading`), m their mean and n rows:

- mean: ``m``. Among the rows themselves it varies by ``mean(s)/n``, of a population by
  ``var(u)/n``.
- variance: ``var(u) - mean(s)``. It varies as the mean of ``t = (u - m)^2 - s`` does, of which
  ``q = mean(((x - m)^2 - v)^2)`` is that of the true values: of a population by ``mean((t - v)^2)
  /n``, among the rows by ``(mean((t - v)^2) - q)/n``; and by ``2 var(m)^2``, as m^2 does.

Where rows were drawn to answer, a share a of all, what the true values add among the rows is
``1 - a`` times that in a population. Where a person can have several rows, totals of persons take
the place of rows (Särndal, Swensson and Wretman, Model Assisted Survey Sampling, 1992, 5.6); where
it is not known whose they are, what the true values add counts ``at_most`` times, which is as much
as it can (Cauchy and Schwarz).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from compdp_core.estimates import wording
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import About, Estimate, EstimateError
from compdp_core.estimates.reading import Reading, Sampling
from compdp_core.intervals import Interval
from compdp_core.text import count, number, percent
from compdp_core.validation import Array

FEWEST = 10
"""Rows for a variance: among fewer its error cannot be told from them."""
FEW_ROWS = "Of so few rows the interval is rough, and may miss far more often than it says."
UNSEEN = (
    "What less than {share} of the population are may be among none of these rows, and the "
    "interval does not allow for it: where such rare values lie far off, so does the truth."
)
OVER_ONE_LESS = "The variance is the sum of squares over n − 1."
NOT_ABOVE_ZERO = "with these rows at this ε the variance cannot be told from 0"
ONE_ROW = "a single row does not say how much a population varies: it takes 2"
ONE_PERSON = (
    "the rows may all be of one person, who does not say how much a population varies: it takes 2 "
    "persons"
)
BEYOND = "The estimate lies beyond the bounds by chance; so means of many such estimates are right."


@dataclass(frozen=True)
class Spread:
    """How much the sum of independent parts varies, per row, and how well that is known."""

    error: float
    """Standard error of their mean."""
    freedom: float
    """Degrees of freedom of Student's t; infinite where the normal distribution will do."""

    def half_width(self, level: float) -> float:
        """Of the interval."""
        return self.error * quantile(level, self.freedom)


def quantile(level: float, freedom: float = math.inf) -> float:
    """By how many standard errors an interval reaches to either side."""
    from scipy.special import ndtri, stdtrit

    chance = 0.5 + 0.5 * level
    return float(ndtri(chance) if math.isinf(freedom) else stdtrit(freedom, chance))


def mean(reading: Reading, sampling: Sampling, about: About, level: float) -> Estimate:
    """The mean."""
    given, n = _given(reading, 1)
    u, found = given.values, float(given.values.mean())
    noise = held(float(given.noise.mean()), *given.noise_limits)
    high = _of_variance(given)[1]
    free = _independent(given, reading, sampling)
    alone = about == "population" and free == 1
    true = high if n == 1 or alone else held(float(u.var(ddof=1)) - noise, 0.0, high)
    if math.isinf(true) and alone:
        raise EstimateError(ONE_PERSON if n > 1 else ONE_ROW)
    spread = _spread(_totals(u - found, reading, sampling), noise, true, given, sampling, about)
    method = {
        "rows": "mean of the released values ± z √((variance of the noise, and of the true values "
        "where rows were drawn) / n)",
        "population": "mean of the released values ± t of their standard errors, by rows or "
        "persons",
    }[about]
    more = _doubts(given, free, found, spread.half_width(level), about, 1)
    if given.limits is not None and not given.limits.lower <= found <= given.limits.upper:
        more += (BEYOND,)
    return Estimate(
        found,
        spread.error,
        *within(found, spread.half_width(level), given.limits),
        level,
        n,
        method,
        wording.note(about, sampling, given, more=more),
        about,
    )


def total(one: Estimate, rows: int, note: str = "") -> Estimate:
    """A mean or share of rows as the sum over so many; ``note``: a sentence more."""
    return replace(
        one,
        value=rows * one.value,
        standard_error=rows * one.standard_error,
        low=rows * one.low,
        high=rows * one.high,
        method=f"{count(rows, 'row')} times: {one.method}",
        note=f"{one.note} {note}".rstrip(),
        written=None,
    )


def variance(reading: Reading, sampling: Sampling, about: About, level: float) -> Estimate:
    """The variance, over n - 1."""
    given, n = _given(reading, 2 if reading.is_clean and about == "rows" else FEWEST)
    free = _independent(given, reading, sampling)
    if about == "population" and free == 1:
        raise EstimateError(ONE_PERSON)
    u, m = given.values, float(given.values.mean())
    found = float(u.var(ddof=1) - given.noise.mean())
    parts = (u - m) ** 2 - given.noise
    parts -= parts.mean()
    of_true = _of_true(given, m, found)
    least = 0.0
    if isinstance(given.channel, NumberChannel):
        least = given.channel.least_noise_of_square(m)
    noise = max(float(np.sum(parts**2)) / (n - 1) - of_true, least)
    if given.is_clean:
        noise = 0.0
    spread = _spread(_totals(parts, reading, sampling), noise, of_true, given, sampling, about)
    spread = replace(
        spread, error=math.hypot(spread.error, _of_squared_mean(reading, sampling, about))
    )
    limits = _of_variance(given)
    half = spread.half_width(level)
    value = held(found, *limits)
    low, high = max(value - half, limits[0]), min(value + half, limits[1])
    more = (OVER_ONE_LESS, *_doubts(given, free, m, half, about, 2))
    if not given.is_clean and not low > 0.0:
        more += (f"{NOT_ABOVE_ZERO.capitalize()}.",)
    if value != found:
        more += (f"By itself the estimate is {number(found)}, which is no variance.",)
    many = {"rows": "z", "population": "t"}[about]
    method = f"variance of the released values less that of the noise ± {many} of its errors"
    said = wording.note(about, sampling, given, more=more)
    return Estimate(value, spread.error, low, high, level, n, method, said, about)


def _of_squared_mean(reading: Reading, sampling: Sampling, about: About) -> float:
    """By how much the square of the mean varies, which a variance takes off: the part of it that
    is left where squares hardly vary, as with values at both ends of the bounds.
    """
    return math.sqrt(2.0) * mean(reading, sampling, about, 0.5).standard_error ** 2


def variance_of_share(share: Estimate) -> Estimate:
    """Of what is 1 in rows of a category and 0 in the others."""
    s, ends = share.value, (share.low, share.high)
    found = [end * (1.0 - end) for end in ends]
    return replace(
        share,
        value=held(s * (1.0 - s) + share.standard_error**2, 0.0, 0.25),
        standard_error=math.hypot(  # of a normal s
            (1.0 - 2.0 * s) * share.standard_error, math.sqrt(2.0) * share.standard_error**2
        ),
        low=min(found),
        high=0.25 if ends[0] <= 0.5 <= ends[1] else max(found),
        method=f"s (1 − s) of the share s: {share.method}",
    )


def root(squared: Estimate) -> Estimate:
    """The standard deviation of a variance."""
    found = math.sqrt(squared.value)
    return replace(
        squared,
        value=found,
        standard_error=0.5 * squared.standard_error / found if found > 0.0 else 0.0,
        low=math.sqrt(squared.low),
        high=math.sqrt(squared.high),
        method=f"root of: {squared.method}",
    )


def std(reading: Reading, sampling: Sampling, about: About, level: float) -> Estimate:
    """The standard deviation."""
    squared = variance(reading, sampling, about, level)
    if not (squared.value > 0.0 or reading.is_clean):
        assert reading.limits is not None
        wish = reading.limits.width / 4.0
        more = (quantile(level) * squared.standard_error / wish**2) ** 2
        raise EstimateError(
            f"{NOT_ABOVE_ZERO}, so of the standard deviation no more is known than that it is at "
            f"most {number(math.sqrt(squared.high))}: about "
            f"{number(math.ceil(squared.n * more), 2)} rows at this ε, or a larger ε, would tell "
            f"one of {number(wish)}, a quarter of the bounds, from 0"
        )
    return root(squared)


def held(value: float, low: float, high: float) -> float:
    """The value, or the end that it lies beyond."""
    return min(max(value, low), high)


def within(value: float, half: float, limits: Interval | None) -> tuple[float, float]:
    """The ends of an interval, within what is possible.

    An estimate beyond the bounds is taken for the bound: the interval then holds all it held
    between them and more, so that no estimate looks the surer the farther it is off.
    """
    low, high = (-math.inf, math.inf) if limits is None else limits.as_tuple()
    middle = held(value, low, high)
    return max(middle - half, low), min(middle + half, high)


def _given(reading: Reading, least: int) -> tuple[Reading, int]:
    """The rows with a value, and how many."""
    given = reading.there
    n = given.values.size
    if n == 0:
        raise EstimateError("no row has a value in this column: nothing can be said of it")
    if n < least:
        raise EstimateError(f"only {count(n, 'row')} with a value: a variance takes {least}")
    return given, n


def _of_variance(given: Reading) -> tuple[float, float]:
    """Between which the variance of true values lies, over n - 1."""
    n = given.values.size
    high = math.inf if given.limits is None else (0.5 * given.limits.width) ** 2
    return 0.0, high * n / max(n - 1, 1)


def _of_true(given: Reading, middle: float, found: float) -> float:
    """``q``: how much ``(x - m)^2`` varies among the true values; 0 where nothing tells it, which
    makes errors too large rather than too small.
    """
    if not isinstance(given.channel, NumberChannel):
        return float(np.var((given.values - middle) ** 2, ddof=1))
    powers, e = given.channel.powers(given.values), middle - given.channel.c
    if powers is None:
        return 0.0
    one, two, three, four = powers.mean(axis=1).tolist()
    second = two - 2.0 * e * one + e**2
    fourth = four - 4.0 * e * three + 6.0 * e**2 * two - 4.0 * e**3 * one + e**4
    return max(float(fourth - 2.0 * found * second + found**2), 0.0)


def _doubts(
    given: Reading, free: int, middle: float, half: float, about: About, power: int
) -> tuple[str, ...]:
    """What an interval does not allow for. Of what 3/n of a population are, or less, none of n rows
    is, one time in twenty; where rows of a person are alike, none of its ``free`` persons.
    """
    n, limits = free if about == "population" else given.values.size, given.limits
    found: tuple[str, ...] = (FEW_ROWS,) if n < FEWEST and not given.is_clean else ()
    if about == "population" and limits is not None:
        far = max(limits.upper - middle, middle - limits.lower) ** power
        if not 3.0 / free * far <= half:
            found += (UNSEEN.format(share=percent(min(3.0 / free, 1.0), 2)),)
    return found


def _totals(parts: Array, reading: Reading, sampling: Sampling) -> Array | None:
    """Of each person, where rows of one are known to belong together."""
    if sampling.at_most == 1 or sampling.persons is None:
        return None
    _, whose = np.unique(sampling.persons[~np.isnan(reading.values)], return_inverse=True)
    return np.bincount(whose, parts).astype(np.float64)


def _independent(given: Reading, reading: Reading, sampling: Sampling) -> int:
    """How many persons these rows are of at least."""
    totals = _totals(given.values, reading, sampling)
    return math.ceil(given.values.size / sampling.at_most) if totals is None else totals.size


def _spread(
    totals: Array | None,
    noise: float,
    true: float,
    given: Reading,
    sampling: Sampling,
    about: About,
) -> Spread:
    """Of a mean of parts of which each varies by ``noise`` and ``true``."""
    n = given.values.size
    if about == "rows":
        hidden = (1.0 - sampling.share) * true if wording.is_sampled(sampling, given) else 0.0
        return Spread(math.sqrt((noise + hidden) / n), math.inf)
    if totals is None:
        freedom = max(math.ceil(n / sampling.at_most) - 1, 1)
        # Rows that are alike vary less about their own mean than those of a population.
        alike = sampling.at_most * max(n - 1, 1) / max(n - sampling.at_most, 1)
        return Spread(math.sqrt((noise + alike * true) / n), freedom)
    persons = totals.size
    if persons == 1:
        return Spread(math.sqrt((noise + n * true) / n), 1)
    squares = float(np.sum(totals**2)) * persons / (persons - 1)
    return Spread(math.sqrt(max(squares / n, noise) / n), persons - 1)
