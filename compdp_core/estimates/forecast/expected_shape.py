"""How surely shares beyond a limit, and the shape of the distribution, will be told by likelihood.

The counts of released cells are those to be expected, with their fractions, of a distribution that
is stated: even for the share above the middle, of two humps for the shape, as an even one would
need no picture.
"""

from __future__ import annotations

import math

import numpy as np

from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.forecast.flat import flat_values
from compdp_core.estimates.likelihood.distribution import PENALTIES, TOLD
from compdp_core.estimates.likelihood.kernel import FEW, around, in_bins, of_values, probabilities
from compdp_core.estimates.likelihood.profile import Profile
from compdp_core.intervals import Interval
from compdp_core.release.statistic import middle
from compdp_core.validation import Array

_HUMPS = ((0.3, 0.6), (0.7, 0.4))
"""Where two humps stand between the bounds, and their shares."""
_WIDTH = 0.12
_ALIKE, _CLOSE = 1e-6, 5e-3


def share_above(channel: NumberChannel, rows: float, level: float) -> tuple[float, float]:
    """Ends of the interval for the share above the middle where true values are spread evenly."""
    lattice = channel.lattice
    assert lattice is not None
    true = flat_values(lattice, whole=channel.whole)
    limit = middle(channel.inputs, whole=channel.whole)
    if true.size <= FEW:
        cells, above = of_values(lattice, true), true > limit
    else:
        behind = min(limit + lattice.spacing, channel.inputs.upper) if channel.whole else limit
        cells, above = around(lattice, limit, behind)
    counts = rows * probabilities(lattice, cells.edges, lattice.shift(true)).mean(axis=1)
    profile = Profile(cells.kernel, counts[None], above, channel.whole)
    at, centre = float((true > limit).mean()), 0.5 * float(true[0] + true[-1])
    high = _end(profile, at, 1.0, level)
    if at == 0.5 and abs(centre - channel.c) < _ALIKE * channel.inputs.width:
        return 1.0 - high, high
    return _end(profile, at, 0.0, level), high


def _end(profile: Profile, at: float, outer: float, level: float) -> float:
    """An end of the interval about a share, to two digits of its width, with the one degree of
    freedom that shares away from every border have.
    """
    from scipy.optimize import brentq
    from scipy.special import chdtri

    def deviance(share: float) -> float:
        return max(float(profile.compared(np.array([share]))[0][0]), 0.0)

    limit = float(chdtri(1, 1.0 - level))
    if deviance(outer) <= limit:
        return outer

    def beyond(share: float) -> float:
        return math.sqrt(deviance(share)) - math.sqrt(limit)

    return float(brentq(beyond, at, outer, xtol=_CLOSE * abs(outer - at), rtol=_CLOSE))


def picture_off(channel: NumberChannel, rows: float) -> float:
    """By how much of the range other rows will move the estimated distribution on average, where
    true values stand in two humps: what :data:`TOLD` is about.

    Shares that maximise ``l(g) - λ/2 g'D'Dg`` vary by ``A^-1 I A^-1`` and are off by ``-A^-1 λ D'D
    g``, with the information I of the rows and ``A = I + λ D'D``, among those that add up to 1
    (White, Econometrica 50, 1982). λ is that of the least Akaike criterion to be expected.
    """
    lattice = channel.lattice
    assert lattice is not None
    true = flat_values(lattice, whole=channel.whole)
    if true.size <= FEW:
        cells, middles = of_values(lattice, true), true
        widths = np.full(true.size, np.ptp(true) / (true.size - 1))
    else:
        cells, edges = in_bins(lattice)
        middles, widths = 0.5 * (edges[1:] + edges[:-1]), np.diff(edges)
    shares, kernel, k = _humps(channel.inputs, middles), cells.kernel, middles.size
    free = np.linalg.svd(np.ones((1, k)))[2][1:].T
    differences = np.diff(np.eye(k), min(3, k - 1), axis=0)
    seen = free.T @ (rows * (kernel.T / (kernel @ shares)) @ kernel) @ free
    rough = differences.T @ differences
    pulled, rough = free.T @ rough @ shares, free.T @ rough @ free
    found = []
    for penalty in PENALTIES:
        bread = np.linalg.inv(seen + penalty * rough)
        kept, bias = seen @ bread, penalty * bread @ pulled
        found.append((float(bias @ seen @ bias + np.sum(kept * kept.T)), bread @ kept))
    spread = min(found, key=lambda each: each[0])[1]
    steps = np.cumsum(free, axis=0)
    errors = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", steps, spread, steps), 0.0))
    return float(math.sqrt(2.0 / math.pi) * (errors @ widths) / widths.sum())


def tells_picture(channel: NumberChannel, rows: float) -> bool:
    """Whether there will be a picture of the distribution."""
    return picture_off(channel, rows) <= TOLD


def _humps(inputs: Interval, values: Array) -> Array:
    places = (values - inputs.lower) / inputs.width
    humps = [share * np.exp(-0.5 * ((places - at) / _WIDTH) ** 2) for at, share in _HUMPS]
    weights: Array = np.sum(humps, axis=0) / np.sum(humps)
    return weights
