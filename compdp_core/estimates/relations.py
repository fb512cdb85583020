"""Correlation and linear regression of true values, from the readings of released ones.

With readings ``u`` (noise s) and ``w`` of two columns, whose noises are independent, ``Cov(u, w)``
is that of the true values, and ``Var(u) - mean(s)`` is their variance. So the matrix S of the true
predictors is that of the readings less the noise on its diagonal, and the coefficients are
``S^-1 Cov(u, y)`` (errors in variables of known size: Fuller, Measurement Error Models, 1987). The
noise of an outcome needs no correction, it widens the errors.

Coefficient j is a ratio of two means over rows. With ``t = a'x`` what the other predictors leave of
x_j (a_j = 1), ``r = y + b'x`` what they leave of the outcome (b_j = 0; all about their means),

``P = t r - sum_k a_k b_k s_k``, ``Q = t² - sum_k a_k² s_k``, coefficient ``mean P / mean Q``,

where the errors of a and b do not count to first order. Without noise the interval is that of the
sandwich (White, Econometrica 48, 1980).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.estimates import wording
from compdp_core.estimates.estimate import Estimate, EstimateError
from compdp_core.estimates.moments import held
from compdp_core.estimates.ratios import CLEAR, FEWEST, CompleteRows, Ratio
from compdp_core.estimates.reading import Reading, Sampling
from compdp_core.text import count, number
from compdp_core.validation import Array

NO_CAUSE = "It says what goes together, not what brings about what."
BEYOND = "The value lies beyond 1, where no correlation is, by its error alone."
INTERCEPT = "intercept"
MOST_PREDICTORS = 20
_COLLINEAR = 1e-9
"""Of correlations: the least eigenvalue of predictors that are none of each other's sums."""


@dataclass(frozen=True, eq=False)
class Together:
    """Readings of the rows in which all of them have a value, about their means."""

    names: tuple[str, ...]
    readings: tuple[Reading, ...]
    """Of all rows."""
    rows: CompleteRows
    means: Array
    about: Array
    """Distances from the means, shape (k, n)."""
    noise: Array
    """Shape (k, n), ``1 - 1/n`` of it: what is in the squared distances. Of clean columns 0."""

    @classmethod
    def of(cls, named: Sequence[tuple[str, Reading]], sampling: Sampling) -> Together:
        """Raises :class:`EstimateError` for too few rows, and a column of one value."""
        names, readings = zip(*named, strict=True)
        mask = np.logical_and.reduce([np.isfinite(each.values) for each in readings])
        rows, fewest = CompleteRows.of(sampling, mask), FEWEST + len(names) - 1
        rows.enough(fewest, f"in {' and '.join(names)}")
        values = np.stack([each.values[mask] for each in readings])
        means = values.mean(axis=1)
        about = values - means[:, None]
        for name, each in zip(names, values, strict=True):
            if np.ptp(each) == 0.0:
                raise EstimateError(f"{name} has one value only, with which nothing can vary")
        noises = np.stack([each.noise[mask] for each in readings]) * (1.0 - 1.0 / rows.count)
        return cls(names, readings, rows, means, about, noises)

    def variance(self, at: int) -> Ratio:
        """Of true values, as what stands below a ratio."""
        terms = self.about[at] ** 2 - self.noise[at]
        return Ratio.of(np.zeros_like(terms), terms, self.rows)

    def check(self, at: int, level: float) -> None:
        """Raise :class:`EstimateError` where the true values of a column may all be one."""
        if self.noise[at].any():
            what = f"the variance of the true values of {self.names[at]}"
            self.rows.clear(self.variance(at), level, what)

    def note(self, sampling: Sampling, *more: str) -> str:
        """Of whom it is said, and of which rows."""
        if self.rows.count < sampling.rows:
            whole = count(sampling.rows, "row")
            more += (f"Made of {self.rows.count:,} of {whole}: those with a value in each column.",)
        return wording.note("population", sampling, *self.readings, more=(NO_CAUSE, *more))


def correlation(
    first: tuple[str, Reading], second: tuple[str, Reading], sampling: Sampling, level: float
) -> Estimate:
    """Pearson's."""
    both = Together.of((first, second), sampling)
    both.check(0, level)
    both.check(1, level)
    (u, w), (su, sw) = both.about, both.noise
    each = both.variance(0), both.variance(1)
    v, x = each[0].below, each[1].below
    root = math.sqrt(v * x)
    spreads = 0.5 * root * ((u * u - su) / v + (w * w - sw) / x)
    found = Ratio.of(u * w, spreads, both.rows, sure=not both.noise.any())
    both.rows.clear(found, level, "the product of the two spreads")
    noisy = [ratio for ratio, s in zip(each, both.noise, strict=True) if s.any()]
    # Beyond 1 it is taken for 1: none looks the surer the farther it is off.
    inside = replace(found, above=held(found.above, -found.below, found.below))
    low, high = inside.interval(level, *noisy)
    more: tuple[str, ...] = () if abs(found.value) <= 1.0 else (BEYOND,)
    for ratio in noisy:
        more += ratio.doubt
    return Estimate(
        found.value,
        found.error,
        max(low, -1.0),
        min(high, 1.0),
        level,
        both.rows.count,
        "Covariance of the released values over the spreads of the true ones, from variances less "
        "that of the noise; interval by Fieller (1954).",
        both.note(sampling, *more),
    )


def regression(
    outcome: tuple[str, Reading],
    on: Sequence[tuple[str, Reading]],
    sampling: Sampling,
    level: float,
) -> dict[str, Estimate]:
    """The intercept, then a coefficient for each predictor."""
    for at, (name, _) in enumerate(on):
        if name == INTERCEPT or name in dict(on[:at]):
            raise ParameterError(
                "on", name, "must have a name that is not taken: rename the column"
            )
    every = Together.of((*on, outcome), sampling)
    matrix = every.about @ every.about.T / every.rows.count
    matrix -= np.diag(every.noise.mean(axis=1))
    s, c = matrix[:-1, :-1], matrix[:-1, -1]
    _check(every, s, level)
    ratios = dict(zip((INTERCEPT, *every.names), _ratios(every, s, c), strict=False))
    if every.noise[:-1].any():
        for name, _ in on:
            what = f"the variance of {name}" + " beside the other columns" * (len(on) > 1)
            every.rows.clear(ratios[name], level, what)
    if not ratios[INTERCEPT].is_clear(level):
        ratios[INTERCEPT] = ratios[INTERCEPT].surely
    doubts = [doubt for name, _ in on for doubt in ratios[name].doubt if every.noise[:-1].any()]
    note = every.note(sampling, *doubts)
    how = (
        "Least squares with the covariances of the true values: those of the released ones less "
        "the variance of the noise; interval by Fieller (1954)."
    )
    return {
        name: Estimate(r.value, r.error, *r.interval(level), level, every.rows.count, how, note)
        for name, r in ratios.items()
    }


def _check(every: Together, s: Array, level: float) -> None:
    """Refuse predictors that do not vary, or that give each other away."""
    for at in range(len(s)):
        every.check(at, level)
    scale = 1.0 / np.sqrt(np.diag(s))
    least = float(np.linalg.eigvalsh(s * scale * scale[:, None])[0])
    if least > _COLLINEAR:
        return
    names = ", ".join(every.names[:-1])
    if every.noise[:-1].any():
        raise EstimateError(
            f"the noise is too large to tell {names} from each other: leave one out, or it needs "
            f"more than {number(CLEAR**2 * every.rows.count, 2)} rows, or a larger ε"
        )
    raise EstimateError(f"of {names} one is a sum of the others: leave it out")


def _ratios(every: Together, s: Array, c: Array) -> list[Ratio]:
    """The intercept and the coefficients; for all at once ``t = t0 + a x``, ``r = r0 + y + b x``.

    The intercept is that of the constant 1 as a predictor, with all moments about 0: ``S + m m'``
    has the inverse of Sherman and Morrison.
    """
    d, m, mean = len(s), every.means[:-1], float(every.means[-1])
    a, b = np.zeros((d + 1, d)), np.zeros((d + 1, d))
    q, beta = np.linalg.solve(s, np.stack([m, c], axis=1)).T
    rest = 1.0 / (1.0 + float(m @ q))
    a[0], b[0] = -q * rest, -beta - q * rest * (mean - float(m @ beta))
    for j in range(d):
        others = [k for k in range(d) if k != j]
        inner = s[np.ix_(others, others)]
        left = np.linalg.solve(inner, np.stack([s[others, j], c[others]], axis=1))
        a[j + 1, others], b[j + 1, others] = -left.T
        a[j + 1, j] = 1.0
    x, noises = every.about[:-1], every.noise[:-1]
    t, r = a @ x, b @ x + every.about[-1]
    t[0] += rest
    r[0] += mean + float(b[0] @ m)
    above, below = t * r - (a * b) @ noises, t * t - a**2 @ noises
    sure = not noises.any()
    return [Ratio.of(p, q, every.rows, d + 1, sure=sure) for p, q in zip(above, below, strict=True)]
