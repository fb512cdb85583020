"""The distribution of the true values of a released column, by maximum likelihood.

Shares of bins maximise the likelihood of the released cells less ``λ/2`` times the sum of their
squared third differences; λ is that of the least ``-2 l + 2 df`` (Akaike's criterion, with the
effective number of parameters ``df = tr((H + λ D'D)^-1 H)``). As λ grows, a parabola comes out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import EstimateError
from compdp_core.estimates.kernel import FEW, HasKernel, in_bins, of_values
from compdp_core.estimates.likelihood import log_likelihood, most_likely
from compdp_core.estimates.received import ReceivedColumn
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.text import count, percent
from compdp_core.validation import Array

_PENALTIES = 10.0 ** np.arange(-2.0, 9.0)
_REPLICATES = 100
_SEED = 1
TOLD = 0.05
"""Resampled fits may lie so far from the fit on average, of the range of inputs."""

METHOD = (
    "maximum likelihood with the exact probabilities of the released values, third differences "
    "penalised by Akaike's criterion; band by resampling"
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

    cells: HasKernel
    edges: Array
    values: Array | None
    """Single values, where they are few."""
    counts: Array
    penalty: Array
    """Times λ/n."""
    shares: Array

    def again(self, counts: Array) -> Array:
        """The fits of other counts (b, m), with the same smoothing."""
        ones = np.ones((1, self.shares.size))
        return most_likely(self.cells.kernel, counts, ones, np.ones((len(counts), 1)), self.penalty)


def rising(values: Array) -> Array:
    """The values there are, in order."""
    return np.sort(values[~np.isnan(values)])


def lattice_of(column: ReceivedColumn) -> tuple[NumberChannel, Lattice]:
    """The channel of a column of numbers, and what it was drawn from."""
    channel = column.channel
    if not isinstance(channel, NumberChannel):
        raise EstimateError(f"{column.label} holds categories, which have shares: ask for those")
    if channel.lattice is None:
        raise EstimateError(
            f"the card of {column.label} does not carry the distribution that was drawn from, "
            "under item.lattice, but mean and variance alone: ask for a card of version 0.3"
        )
    return channel, channel.lattice


def few_values(column: ReceivedColumn, channel: NumberChannel) -> Array | None:
    """The true values there may be, where they are few: those of a list, or whole numbers."""
    listed = column.item.listed
    if listed is not None:
        given = [each.number for each in listed.categories if each.number is not None]
        found = np.unique(np.array(given, dtype=np.float64))
    elif channel.whole and channel.inputs.width < FEW:
        low, high = channel.inputs.as_tuple()
        found = np.unique(np.r_[low, np.arange(np.ceil(low), high + 1.0).clip(low, high), high])
    else:
        return None
    return found if 2 <= found.size <= FEW else None


def smoothed(lattice: Lattice, values: Array | None, released: Array) -> Smoothed:
    """The fit whose λ has the least criterion; ``released`` in order."""
    if values is None:
        cells, edges = in_bins(lattice)
    else:
        cells, middles = of_values(lattice, values), 0.5 * (values[1:] + values[:-1])
        ends = 2.0 * values[[0, -1]] - middles[[0, -1]]
        edges = np.concatenate([ends[:1], middles, ends[1:]])
    return fitted(cells, edges, values, cells.counts(released))


def fitted(cells: HasKernel, edges: Array, values: Array | None, counts: Array) -> Smoothed:
    """The fit of counts, which may be fractions."""
    k, n = cells.kernel.shape[1], float(counts.sum())
    differences = np.diff(np.eye(k), min(3, k - 1), axis=0)
    rough = differences.T @ differences
    found = []
    for each in _PENALTIES:
        fit = Smoothed(cells, edges, values, counts, each / n * rough, np.zeros(k))
        shares = fit.again(counts[None])[0]
        height = float(log_likelihood(cells.kernel, counts[None], shares[None])[0])
        criterion = 2.0 * _parameters(cells.kernel, counts, shares, each * rough) - 2.0 * height
        found.append((criterion, each, shares))
    _, best, shares = min(found, key=lambda each: each[:2])
    return Smoothed(cells, edges, values, counts, best / n * rough, shares)


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


def distribution(column: ReceivedColumn, level: float) -> Distribution:
    """The distribution."""
    channel, lattice = lattice_of(column)
    released = rising(column.values)
    if not released.size:
        raise EstimateError(f"{column.label} has no value in any row")
    fit = smoothed(lattice, few_values(column, channel), released)
    n = released.size
    # The same file gives the same band.
    random = np.random.default_rng([_SEED, *fit.counts.astype(np.int64).tolist()])
    chances = fit.cells.kernel @ fit.shares
    drawn = random.multinomial(n, chances / chances.sum(), size=_REPLICATES).astype(np.float64)
    others = fit.again(drawn)
    tail = 0.5 * (1.0 - level)
    low, high = np.quantile(others, [tail, 1.0 - tail], axis=0)
    width = np.diff(fit.edges)
    behind = np.cumsum(others - fit.shares, axis=1)
    off = float(np.mean(np.abs(behind) @ width)) / (fit.edges[-1] - fit.edges[0])
    told = off <= TOLD
    note = (
        f"Of the population that the {count(n, 'row')} are drawn from. Other rows would move it by "
        f"about {percent(off, 2)} of the range."
    )
    if not told:
        more = int(np.ceil(n * (off / TOLD) ** 2))
        note += f" That is too much for a picture: about {count(more, 'row')} would do."
    return Distribution(
        fit.edges,
        fit.shares,
        np.minimum(low, fit.shares),
        np.maximum(high, fit.shares),
        level,
        n,
        told,
        METHOD,
        note,
    )
