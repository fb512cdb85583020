"""What is released for which true values: the exact probabilities of cells of the lattice.

Of a real shift s the probability of ``index < i`` is linear between whole shifts, and all there is
of true values is their shift. So no integral is taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compdp_core.mechanisms.lattice import Lattice
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.validation import Array

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

FEW = 64
"""Up to so many true values each is looked at by itself."""

ALL_POINTS = 256
"""Up to so many outputs each is a cell."""

BINS = (32, 48)
"""So many bins where there are more true values."""

_INSIDE = 16
"""Places in a bin whose probabilities are averaged."""

_STEPS = 48
"""About so many steps of true values over the inputs, as wide as the activation is."""

_FINEST = 10
"""At least so many over the width of the activation, however narrow it is."""

_REACH = 3
"""How many widths of the activation from a limit true values are still told from each other."""


@dataclass(frozen=True, eq=False)
class OutputCells:
    """Cells of the lattice, between indices, and what true values they are read against."""

    lattice: Lattice
    edges: Ints
    """Rising indices from 0 to the number of points, shape (m + 1,)."""
    kernel: Array
    """``Pr[cell | true value]``, or of bins of them, shape (m, k)."""

    def counts(self, rising: Array) -> Array:
        """How many released values, which are sorted, fall into each cell."""
        # Half a spacing before the first point of a cell: no rounding of a file matters.
        power = 10.0 ** abs(self.lattice.exponent)
        ends = self.edges[1:-1] + self.lattice.first - 0.5
        ends = ends / power if self.lattice.exponent < 0 else ends * power
        found = np.searchsorted(rising, ends)
        return np.diff(found, prepend=0, append=rising.size).astype(np.float64)


def probabilities(lattice: Lattice, edges: Ints, shift: Array) -> Array:
    """``Pr[edges[i] <= index < edges[i + 1]]`` for each cell and real shift."""
    low = np.floor(shift).astype(np.int64)
    part = shift - low
    ends, mass = _before(lattice.activation, lattice.total)
    at = (edges[:, None] - low[None, :]).astype(np.float64)
    moved = (1.0 - part) * np.interp(at, ends, mass) + part * np.interp(at - 1.0, ends, mass)
    still = np.interp(edges.astype(np.float64), *_before(lattice.base, lattice.total))
    # Apart, as the base of a large ε would be lost beside the activation.
    found: Array = np.maximum(np.diff(moved, axis=0), 0.0) + np.diff(still)[:, None]
    return found


def _before(runs: Runs, total: int) -> tuple[Array, Array]:
    """Ends of the runs, and the probability before them: linear between."""
    mass = 0
    found = [0.0]
    for each in runs.masses:
        mass += each
        found.append(mass / total)
    return np.append(0, runs.ends).astype(np.float64), np.array(found)


def cut(lattice: Lattice, shifts: Array) -> Ints:
    """Edges of cells: where the activation begins and ends at these shifts."""
    ends = np.rint(np.concatenate([[0, lattice.points], shifts, shifts + lattice.activation.count]))
    return np.unique(np.clip(ends, 0, lattice.points).astype(np.int64))


def of_values(lattice: Lattice, values: Array) -> OutputCells:
    """Cells for the few true values that there may be: each output where they are few as well."""
    shifts = lattice.shift(values)
    edges = cut(lattice, shifts)
    if lattice.points <= ALL_POINTS:
        edges = np.arange(lattice.points + 1)
    return OutputCells(lattice, edges, probabilities(lattice, edges, shifts))


def around(lattice: Lattice, below: float, above: float) -> tuple[OutputCells, Mask]:
    """Cells to tell true values up to ``below`` from those from ``above`` on, and which are above.

    True values stand in whole steps of about the k-th part of the activation's width, and so do
    the cells. Probabilities of the cells are then linear in the true value between neighbours:
    wholly for A1B1 and the staircase of one level, nearly for curved ones. So every distribution
    whatever is one of these values, as far as the cells tell, with the same share above: for that
    ``below`` and ``above`` are among them, twice where they are one.
    """
    limits = lattice.shift(np.array([below, above]))
    first, last = lattice.shift(np.array(lattice.inputs.as_tuple()))
    width = lattice.activation.count
    parts = min(width, max(math.floor(_STEPS * width / (last - first)), _FINEST))
    turns, rest = np.divmod(np.arange(-_REACH * parts, _REACH * parts + 1), parts)
    # The same at every width, so that where the activation ends is a place as well.
    grid = np.floor(limits[0]) + turns * float(width) + np.rint(rest * (width / parts))
    grid = grid[(grid >= first) & (grid <= last)]
    edges = cut(lattice, grid)
    lower, upper = grid[grid <= limits[0]], grid[grid > limits[1]]
    shifts = np.concatenate([[first], lower, limits, upper, [last]])
    cells = OutputCells(lattice, edges, probabilities(lattice, edges, shifts))
    return cells, np.arange(shifts.size) >= lower.size + 2


def in_bins(lattice: Lattice) -> tuple[OutputCells, Array]:
    """Cells for bins of the inputs, in which true values lie evenly, and the edges of the bins.

    Of :data:`BINS` so many that the activation is about a whole number of them wide.
    """
    first, last = lattice.shift(np.array(lattice.inputs.as_tuple()))
    counts = np.arange(BINS[0], BINS[1] + 1)
    widths = counts * (lattice.activation.count / (last - first))
    k = int(counts[np.argmin(np.abs(widths - np.rint(widths)))])
    bins = np.linspace(first, last, k + 1)
    edges = cut(lattice, bins)
    inside = bins[:-1, None] + (np.arange(_INSIDE) + 0.5) / _INSIDE * np.diff(bins)[:, None]
    kernel = probabilities(lattice, edges, inside.ravel()).reshape(-1, k, _INSIDE).mean(axis=2)
    return OutputCells(lattice, edges, kernel), np.linspace(*lattice.inputs.as_tuple(), k + 1)
