"""The distribution of the true values of a released column, by maximum likelihood.

Shares of bins maximise the likelihood of the released cells less ``λ/2`` times the sum of their
squared third differences: as λ grows, a parabola comes out (Eilers and Marx, Stat. Sci. 11, 1996).
Fits for many λ are averaged with the weights ``exp(-AIC/2)``, ``AIC = -2 l + 2 tr((H + λ D'D)^-1
H)`` (Buckland, Burnham and Augustin, Biometrics 53, 1997). Nothing is set by hand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compdp_core.estimates.likelihood.kernel import OutputCells, in_bins, of_values
from compdp_core.estimates.likelihood.solver import log_likelihood, most_likely
from compdp_core.estimates.likelihood.support import ReleasedValues
from compdp_core.estimates.likelihood.threads import on_one_thread
from compdp_core.estimates.reading import Sampling
from compdp_core.estimates.received.table import ReceivedColumn
from compdp_core.text import count, percent
from compdp_core.validation import Array

PENALTIES = 10.0 ** np.arange(-2.0, 9.0)
_REPLICATES = 100
_SEED = 1
TOLD = 0.05
"""Fits of resampled rows may lie so far from the fit on average, of the range of inputs."""
FEWEST = 20
"""Rows for a picture at any ε."""
_MOST_ROWS = 10**9

METHOD = (
    "maximum likelihood with the exact probabilities of the released values, third differences "
    "penalised, averaged by Akaike weights; band by the parametric bootstrap"
)


@dataclass(frozen=True, eq=False)
class Distribution:
    """Estimated shares of true values in bins, or of single values."""

    edges: Array
    """Of the bins, shape (k + 1,); for whole numbers and scales each value stands in the middle of
    its bin."""
    shares: Array
    """In the bins, 1 in sum."""
    low: Array
    """Lower end of the pointwise band of the shares at the level."""
    high: Array
    level: float
    n: int
    told: bool
    """Whether these rows at this ε carry enough for a picture; see ``note``."""
    method: str
    note: str


@dataclass(frozen=True, eq=False)
class Smoothed:
    """A smoothed fit of counts in cells."""

    cells: OutputCells
    edges: Array
    rough: Array
    """``D'D``."""
    strength: float
    """The λ of the fits that were averaged, on average."""
    counts: Array
    """May be fractions, such as those expected."""
    shares: Array

    def again(self, rows: float, random: np.random.Generator, replicates: int) -> Array:
        """Fits of so many rows drawn from this one, with the same smoothing, shape (b, k)."""
        chances = self.cells.kernel @ self.shares
        drawn = random.multinomial(max(round(rows), 1), chances / chances.sum(), size=replicates)
        return _penalised(self.cells.kernel, drawn.astype(np.float64), self.strength * self.rough)

    def distance(self, others: Array) -> float:
        """How far fits lie from this one on average, of the range (Wasserstein)."""
        ahead = np.abs(np.cumsum(others - self.shares, axis=1)) @ np.diff(self.edges)
        return float(ahead.mean() / (self.edges[-1] - self.edges[0]))


def smoothed(given: ReleasedValues) -> Smoothed:
    """The fit of released values."""
    values = given.values
    if values is None:
        cells, edges = in_bins(given.lattice)
    else:
        cells, middles = of_values(given.lattice, values), 0.5 * (values[1:] + values[:-1])
        ends = 2.0 * values[[0, -1]] - middles[[0, -1]]
        edges = np.concatenate([ends[:1], middles, ends[1:]])
    return fitted(cells, edges, given.weight * cells.counts(given.rising))


def fitted(cells: OutputCells, edges: Array, counts: Array) -> Smoothed:
    """The fit of counts in cells."""
    k = edges.size - 1
    differences = np.diff(np.eye(k), min(3, k - 1), axis=0)
    rough = differences.T @ differences
    each = np.concatenate(
        [_penalised(cells.kernel, counts[None], strength * rough) for strength in PENALTIES]
    )
    heights = log_likelihood(cells.kernel, np.broadcast_to(counts, (len(each), counts.size)), each)
    sizes = [
        _parameters(cells.kernel, counts, shares, strength * rough)
        for shares, strength in zip(each, PENALTIES, strict=True)
    ]
    likely = heights - sizes
    weights = np.exp(likely - likely.max())
    weights /= weights.sum()
    strength = float(np.exp(weights @ np.log(PENALTIES)))
    return Smoothed(cells, edges, rough, strength, counts, weights @ each)


def _penalised(kernel: Array, counts: Array, penalty: Array) -> Array:
    ones, totals = np.ones((1, kernel.shape[1])), np.ones((len(counts), 1))
    return most_likely(kernel, counts, ones, totals, penalty / counts[0].sum())


@on_one_thread
def _parameters(kernel: Array, counts: Array, shares: Array, penalty: Array) -> float:
    """Effective number of parameters, among the shares that are not 0."""
    on = shares > 1e-6
    if on.sum() < 2:
        return 0.0
    half = kernel[:, on] * (np.sqrt(counts) / (kernel @ shares))[:, None]
    free = np.linalg.svd(np.ones((1, int(on.sum()))))[2][1:].T  # shares add up to 1
    told = free.T @ (half.T @ half) @ free
    all_told = told + free.T @ penalty[np.ix_(on, on)] @ free
    return float(np.trace(np.linalg.lstsq(all_told, told, rcond=None)[0]))


def distribution(column: ReceivedColumn, sampling: Sampling, level: float) -> Distribution:
    """The distribution."""
    given = ReleasedValues.of(column, sampling, "population")
    fit, n = smoothed(given), given.n
    # The same file gives the same band.
    random = np.random.default_rng([_SEED, n, *fit.cells.counts(given.rising).astype(np.int64)])
    others = fit.again(n * given.weight, random, _REPLICATES)
    tail = 0.5 * (1.0 - level)
    low, high = np.quantile(others, [tail, 1.0 - tail], axis=0) - fit.shares
    # What smoothing took off the fit it takes off the resampled ones: to that side as well.
    off = fit.distance(others)
    told = off <= TOLD and n >= FEWEST
    note = f"{given.note} Other rows would move it by about {percent(off, 2)} of the range."
    if not told:
        note = f"{_too_little(fit, n, given.weight, random)} {note}"
    return Distribution(
        fit.edges,
        fit.shares,
        np.clip(fit.shares + np.minimum(np.minimum(low, -high), 0.0), 0.0, 1.0),
        np.clip(fit.shares + np.maximum(np.maximum(high, -low), 0.0), 0.0, 1.0),
        level,
        n,
        told,
        METHOD,
        note,
    )


def _too_little(fit: Smoothed, n: int, weight: float, random: np.random.Generator) -> str:
    """What would be enough: rows are doubled until it is."""
    rows = max(n, FEWEST // 2)
    while rows < _MOST_ROWS:
        rows *= 2
        if fit.distance(fit.again(rows * weight, random, _REPLICATES // 4)) <= TOLD:
            return (
                f"{count(n, 'row')} at this ε are too few for a picture: about {rows:,} would do, "
                "or a larger ε."
            )
    return f"{count(n, 'row')} at this ε tell nothing of the distribution, nor would more rows."
