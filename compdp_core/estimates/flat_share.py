"""How surely the share of true values above the middle of the bounds is told, by likelihood."""

from __future__ import annotations

import numpy as np

from compdp_core.estimates.channel import NumberChannel
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.numerics import bracket
from compdp_core.validation import Array

_BINS, _CELLS, _STEPS, _CLOSE, _TOP = 32, 128, 1000, 1e-3, 0.5 - 1e-6


def share_above(channel: NumberChannel, rows: float, level: float) -> tuple[float, float]:
    """Ends of the interval for the share above the middle where true values are spread evenly: all
    shares at which the likelihood of the counts to be expected, with the best distribution of that
    share, is not too far below its largest.
    """
    from scipy.special import chdtri

    assert channel.lattice is not None
    kernel = _kernel(channel.lattice)
    flat = np.full(_BINS, 1.0 / _BINS)
    counts = kernel @ flat
    most, far = _best(kernel, counts, 0.5), 0.5 * float(chdtri(1, 1.0 - level)) / rows

    def beyond(gap: float) -> bool:
        return most - _best(kernel, counts, 0.5 + gap) > far

    if not beyond(_TOP):
        return 0.0, 1.0
    _, gap = bracket(0.0, _TOP, beyond, lambda low, high: max(_CLOSE * high, 1e-9))
    return 0.5 - gap, 0.5 + gap


def _best(kernel: Array, counts: Array, share: float) -> float:
    """The largest likelihood of a row with that share in the upper half of the bins, by EM."""
    half = _BINS // 2
    g = np.repeat([1.0 - share, share], half) / half
    for _ in range(_STEPS):
        g = g * (kernel.T @ (counts / np.maximum(kernel @ g, 1e-300)))
        parts = g.reshape(2, half)
        g = (parts * (np.array([1.0 - share, share]) / parts.sum(axis=1))[:, None]).reshape(-1)
    return float(counts @ np.log(np.maximum(kernel @ g, 1e-300)))


def _kernel(lattice: Lattice) -> Array:
    """Chance of each cell of outputs for each bin of true values."""
    a, b = lattice.inputs.as_tuple()
    x = a + (b - a) * (np.arange(_BINS) + 0.5) / _BINS
    edges = np.unique(np.linspace(0, lattice.points, _CELLS + 1).astype(np.int64)).tolist()
    below = np.array([lattice.below(edge, x) for edge in edges])
    return np.diff(below, axis=0)
