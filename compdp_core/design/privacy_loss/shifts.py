"""All pairs of neighbouring inputs at one output, and the one that is worst.

Two activations start at ``s`` and ``s'``, at most ``δ = ρ 2(L - m/2)`` apart for a distance
``ρ = Δ/R`` of the inputs. With ``x = s + u m = s' + u' m`` any comparison of their densities at
``x`` is one of ``h(u)``, ``h(u')`` and ``g(x/L)``, where ``u - u' <= δ/m`` and ``x`` leaves both
activations inside the domain. By symmetry ``u' < u`` is enough, and all ``u' < 0`` are alike.

At a jump both sides are looked at; a shift that reaches a jump exactly meets it in no more than
single outputs, which have no probability, so shifts end just before δ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from compdp_core.design.privacy_loss.floor import EDGE, Floor, RangeMinimum
from compdp_core.parameters import positive
from compdp_core.shapes import Pair
from compdp_core.validation import Array

Score = Callable[[Array, Array, Array], Array]
"""Of ``h(u)``, ``h(u')`` and the lowest ``g``: what is to be as large as possible."""

DISTANCE = positive(
    "distance",
    "ρ",
    "Largest distance of neighbouring inputs over the width of the valid inputs, Δ/R.",
    upper=1.0,
    usual=(0.01, 1.0),
    default=1.0,
)

JUST_BEFORE = 1.0 - 1e-11
GRID = np.linspace(0.0, 1.0, 65)
STARTS = 4
"""Rows of the grid from whose best points the search is refined."""
ROUNDS = 40
MOST_JUMPS = 600
"""More are thinned out, which only a staircase of hundreds of steps has."""
ZOOM = np.linspace(-1.0, 1.0, 9)


class Shifts:
    """Neighbours at ``distance``; lengths in units of ``L``."""

    def __init__(self, pair: Pair, mu: float, distance: float, floor: Floor | None = None) -> None:
        self._pair = pair
        self._mu = mu
        self.floor = Floor(pair.base) if floor is None else floor
        self._whole_reach = distance * (1.0 - mu) / mu
        self.reach = self._whole_reach * JUST_BEFORE
        """``δ/m``."""
        self._edge = min(EDGE, 0.5 * self.reach)

    @property
    def closed_form(self) -> bool:
        """Whether the worst pair is known: one activation's edge, up to where the other rises."""
        return self._pair.activation.concave and self._pair.base.tau == 1.0

    @property
    def _jumps(self) -> Array:
        """Where the activation may jump or bend, thinned out where there are too many."""
        jumps = np.asarray(self._pair.activation.breakpoints)
        if len(jumps) <= MOST_JUMPS:
            return jumps
        kept: Array = jumps[np.linspace(0, len(jumps) - 1, MOST_JUMPS).round().astype(np.intp)]
        return kept

    @property
    def edge_of_activation(self) -> tuple[float, float, float]:
        """``u``, ``u'`` and ``h(u)`` of that pair, with ``u`` at ``min(δ/m, ½)``."""
        height = self._pair.activation.height
        u = min(self.reach, 0.5)
        # A concave shape does not jump inside: up to the whole reach, on the private side.
        top = float(height(min(self._whole_reach, 0.5) if self.closed_form else u))
        # A shape that is as high at its edge is met there already.
        u = 0.0 if float(height(0.0)) == float(height(u)) else u
        return u, float(self.below(u)), top

    def below(self, u: Any) -> Array:
        """The smallest ``u'`` that matters: one shift below, or just outside the activation."""
        start: Array = np.maximum(u - self.reach, -self._edge)
        return start

    def outputs(self, u: Any, v: Any) -> tuple[Any, Any]:
        """The outputs at which both activations lie inside the domain, ``v`` = ``u'``."""
        return -1.0 + 2.0 * self._mu * u, 1.0 - 2.0 * self._mu * (1.0 - v)

    def scores(self, score: Score, u: Array, v: Array) -> Array:
        """The score of each pair."""
        height = self._pair.activation.height
        return score(height(u), height(v), self.floor.lowest(*self.outputs(u, v)))

    def largest(self, score: Score, rounds: int = ROUNDS) -> tuple[float, float, float]:
        """The largest score with its ``u`` and ``u'``: a grid with all jumps, then refinement."""
        jumps = self._jumps
        sides = self._sides(jumps)
        u = np.unique(np.concatenate((GRID, sides, self._sides(jumps + self.reach))))
        rows = [self._best_of_rows(score, part, sides) for part in np.array_split(u, len(u) // 64)]
        values, v = np.concatenate(rows, axis=1)
        starts = np.argsort(values)[::-1][:STARTS]
        values, u, v = self._refined(score, values[starts], u[starts], v[starts], rounds)
        best = int(values.argmax())
        return float(values[best]), float(u[best]), float(v[best])

    def _best_of_rows(self, score: Score, u: Array, sides: Array) -> Array:
        """For each ``u`` the largest score and its ``u'``."""
        low = self.below(u)[:, None]
        v = np.concatenate((low + GRID * (u[:, None] - low), np.tile(sides, (len(u), 1))), axis=1)
        allowed = (v >= low) & (v <= u[:, None])
        values = np.where(allowed, self.scores(score, u[:, None], v), -np.inf)
        place = values.argmax(axis=1)[:, None]
        best: Array = np.concatenate(
            (np.take_along_axis(values, place, 1), np.take_along_axis(v, place, 1)), axis=1
        )
        return best.T

    def _sides(self, points: Array) -> Array:
        around = np.concatenate((points - self._edge, points, points + self._edge))
        return np.unique(np.clip(around, 0.0, 1.0))

    def _refined(
        self, score: Score, best: Array, u: Array, v: Array, rounds: int
    ) -> tuple[Array, Array, Array]:
        """Ever finer grids around each start; the limits of ``u'`` are on every one of them."""
        size, starts = 1.0 / (len(GRID) - 1), np.arange(len(best))
        for _ in range(rounds):
            # Shapes: start, u, u'.
            us = np.clip(u[:, None, None] + size * ZOOM[:, None], 0.0, 1.0)
            low = self.below(us)
            near = np.clip(v[:, None, None] + size * ZOOM, low, us)
            vs = np.concatenate((low, near), axis=2)
            us = np.broadcast_to(us, vs.shape)
            values = self.scores(score, us, vs).reshape(len(best), -1)
            place = values.argmax(axis=1)
            better = values[starts, place] > best
            best = np.where(better, values[starts, place], best)
            u = np.where(better, us.reshape(len(best), -1)[starts, place], u)
            v = np.where(better, vs.reshape(len(best), -1)[starts, place], v)
            size *= 0.6
        return best, u, v

    def curve(self, x: Array, kappa: float) -> Array:
        """The largest log-ratio at each output of ``[-1, 1]``, over a grid of inputs."""
        height = self._pair.activation.height
        jumps = self._jumps
        special = np.concatenate((jumps, jumps - self.reach, jumps + self.reach))
        special = np.concatenate((special - EDGE, special, special + EDGE))
        nodes = np.union1d(np.linspace(-2.0 * EDGE, 1.0 + 2.0 * EDGE, 1025), special)
        nodes = nodes[(nodes >= -2.0 * EDGE) & (nodes <= 1.0 + 2.0 * EDGE)]
        heights = height(nodes)
        minima = RangeMinimum(heights)
        # Positions of the output within an activation that stays inside the domain.
        first = (x[..., None] - 1.0) / (2.0 * self._mu) + 1.0
        last = (x[..., None] + 1.0) / (2.0 * self._mu)
        low = np.maximum(nodes - self.reach, first)
        high = np.minimum(nodes + self.reach, last)
        between = minima(np.searchsorted(nodes, low), np.searchsorted(nodes, high, side="right"))
        least = np.minimum(between, np.minimum(height(low), height(high)))
        base = self._pair.base.height(x)[..., None]
        value = np.log1p(kappa * (heights - least) / (base + kappa * least))
        inside = (nodes >= first - EDGE) & (nodes <= last + EDGE)
        largest: Array = np.where(inside, value, 0.0).max(axis=-1)
        return largest
