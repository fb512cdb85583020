"""What any mechanism turns a bin of true values into: the chance of each cell of outputs.

Of composite mechanisms from the lattice, of all others from the closed-form tails, with point
masses or without.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from compdp_core.estimates.likelihood.kernel import in_bins
from compdp_core.mechanisms.baselines import Mechanism
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.validation import Array

CELLS = 160
"""Of outputs: noise is never so narrow beside its range that finer ones would tell more."""
BINS = 50
"""Of true values."""
INSIDE = 4
"""Places in a bin whose chances are averaged: noise may be narrower than a bin."""
_FAR = 1e6
"""Widths of the inputs beyond which no output is looked for."""
_REACH = 4.0
"""Standard deviations beyond the inputs at which the last cell of unbounded outputs begins."""
_BESIDE = 1e-6
"""Of the width of the inputs: what lies no farther from the lowest output counts as it."""
_NOTHING = 1e-9


@dataclass(frozen=True, eq=False)
class MechanismCells:
    """Cells of outputs and bins of true values of one mechanism."""

    cuts: Array
    """Where a new cell begins, ascending."""
    edges: Array
    """Of the bins, shape (b + 1,)."""
    kernel: Array
    """``Pr[output in cell | true value in bin]``, shape (cells, b)."""

    @classmethod
    def of(cls, mechanism: Mechanism) -> MechanismCells:
        """Cells of even width over the outputs, their ends for themselves; those of the lattice."""
        if isinstance(mechanism, CompositeMechanism):
            lattice = mechanism.lattice
            known, edges = in_bins(lattice)
            return cls(
                lattice.value(known.edges[1:-1]) - 0.5 * lattice.spacing, edges, known.kernel
            )
        edges, cuts = np.linspace(*mechanism.inputs, BINS + 1), _cuts(mechanism)
        places = edges[:-1, None] + (np.arange(INSIDE) + 0.5) / INSIDE * np.diff(edges)[:, None]
        below = [_below(mechanism, cut, places).mean(axis=1) for cut in cuts.tolist()]
        steps = np.vstack([np.zeros(BINS), *below, np.ones(BINS)])
        kernel = np.clip(np.diff(steps, axis=0), 0.0, None)
        # A cell that nothing reaches, such as an end without a point mass, is none.
        reached = np.flatnonzero(kernel.any(axis=1))
        return cls(cuts[reached[1:] - 1], edges, kernel[reached])

    @property
    def middles(self) -> Array:
        """Of the bins."""
        found: Array = 0.5 * (self.edges[1:] + self.edges[:-1])
        return found

    @property
    def tells_shape(self) -> bool:
        """Whether outputs tell more of a distribution than its mean: two cells never do."""
        return int(np.linalg.matrix_rank(self.kernel, tol=_NOTHING)) > 2

    def counts(self, released: Array) -> Array:
        """How many of each row of released values, shape (r, n), lie in each cell."""
        place = np.searchsorted(self.cuts, released, side="right")
        many = self.cuts.size + 1
        rows = np.arange(len(released))[:, None] * many
        found = np.bincount((place + rows).ravel(), minlength=many * len(released))
        return found.reshape(len(released), many).astype(np.float64)


def _cuts(mechanism: Mechanism) -> Array:
    (a, b), (low, high) = mechanism.inputs, mechanism.outputs
    reach = _REACH * math.sqrt(max(float(mechanism.variance(end)) for end in (a, b)))
    inner = np.linspace(max(low, a - reach), min(high, b + reach), CELLS + 1)
    # An end may hold a point mass, which is then a cell of its own. A grid's points are apart.
    beside = low + _BESIDE * (b - a)
    ends = [beside] * math.isfinite(low) + [high] * math.isfinite(high)
    return np.unique(np.concatenate([inner[1:-1], ends]))


def _below(mechanism: Mechanism, cut: float, values: Array) -> Array:
    """``Pr[output < cut]`` for each value."""
    low, high = mechanism.inputs
    far = max(high, cut) + _FAR * (high - low)
    return np.asarray(mechanism.probability_outside((cut, far), values), dtype=np.float64)
