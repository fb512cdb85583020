"""The distribution of an answer as bars or steps, no more than a screen can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism

BINS = 121
FINE = 1000
"""Outputs in a picture from which on single ones cannot be told apart."""
MOST_JUMPS = 400


@dataclass(frozen=True)
class Bars:
    edges: Any
    single: bool
    """Whether each holds one output only."""

    @classmethod
    def over(cls, low: float, high: float, spacing: float) -> Bars:
        """Bins over an interval, none narrower than the spacing of the outputs."""
        width = max(1, round((high - low) / BINS / spacing))
        if width * spacing * BINS < high - low:
            width += 1
        first = round(low / spacing)
        amount = int(np.ceil((high - low) / (width * spacing))) + 1
        edges = (first - 0.5 + width * np.arange(amount + 1)) * spacing
        return cls(edges, width == 1)

    def chances(self, mechanism: CompositeMechanism, value: float) -> Any:
        """Exact probability of each bin for one true answer."""
        lattice = mechanism.lattice
        below = [float(lattice.below(lattice.index_at_least(e), value)) for e in self.edges]
        return np.clip(np.diff(below), 0.0, 1.0)


@dataclass(frozen=True)
class Curves:
    """What is drawn: outputs, and how likely they are for an answer and for its neighbour's."""

    x: Any
    here: Any
    there: Any
    height: str
    """Name of the vertical axis."""
    steps: bool
    """Whether x are the edges of bins rather than places on a curve."""


def curves(mechanism: CompositeMechanism, window: Interval, answers: tuple[float, float]) -> Curves:
    """Chances of single outputs where these can be told apart in a picture, else the density."""
    lattice, (low, high) = mechanism.lattice, window.as_tuple()
    if window.width > FINE * lattice.spacing and not mechanism.is_discrete:
        grid = np.unique(
            np.concatenate(
                [
                    np.linspace(low, high, BINS),
                    *(_jumps(mechanism, value, window) for value in answers),
                ]
            )
        )
        here, there = (mechanism.pdf(grid, value=value) for value in answers)
        return Curves(grid, here, there, "probability density", False)
    bars = Bars.over(low, high, lattice.spacing)
    here, there = (bars.chances(mechanism, value) for value in answers)
    single = "probability of each output" if bars.single else "probability of each bar"
    return Curves(bars.edges, here, there, single, True)


def _jumps(mechanism: CompositeMechanism, value: float, window: Interval) -> Any:
    """Both sides of every place where the density jumps, so that jumps are drawn upright."""
    points = np.array(mechanism.density().breakpoints(mechanism.mapped(value)))
    nudge = 1e-9 * mechanism.design.L
    both = mechanism.mapping.to_data(np.concatenate([points - nudge, points + nudge]))
    inside = both[(both > window.lower) & (both < window.upper)]
    return inside[:MOST_JUMPS]
