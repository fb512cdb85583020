"""Claimed against true: ``ln p(x)/p'(x)`` of one pair of neighbours, over all their outputs.

A mechanism is (ε, δ)-DP for the pair where ``Σ max(p - e^ε p', 0) <= δ`` both ways (Dwork, Roth
2014, §3.5; the hockey-stick divergence of Barthe, Olmedo 2013). Without δ that says
``|ln p/p'| <= ε`` at every output.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from compdp_core.auditing.attacks.faulty import Faulty
from compdp_core.auditing.output_distribution import POINTS, Outcomes, outcomes

if TYPE_CHECKING:
    from compdp_core.mechanisms.baselines import Mechanism

Array = NDArray[np.float64]

ROUNDING = 1e-9
"""How far a loss computed in floats may exceed one that is met exactly."""

LEAST = 1e-250
"""Of the largest likelihood, below which ratios are not taken: at ε = 50 the other one is still far
above the smallest float of full precision, 1e-308."""

INTEGRATION = 1e-3
"""The same for a δ from a numeric integral, as a share of it."""


@dataclass(frozen=True, eq=False)
class LogRatio:
    """The privacy loss of two inputs at each output."""

    claimed: float
    """ε."""
    delta: float
    neighbours: tuple[float, float]
    """``x`` and ``x'`` (data units)."""
    table: Outcomes

    @cached_property
    def ratio(self) -> Array:
        """``ln p(x)/p'(x)``; infinite where one input only gives an output, NaN where none does.

        NaN, too, where both are so small that floats lose them: far out a ratio of e^ε would show
        as infinite.
        """
        first, second = self.table.first, self.table.second
        largest = np.maximum(first, second)
        seen = largest > LEAST * np.max(largest)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(seen, np.log(first) - np.log(second), np.nan)

    @cached_property
    def _worst(self) -> int:
        return int(np.nanargmax(np.abs(self.ratio)))

    @property
    def worst_output(self) -> float:
        """Where the two are told apart best (data units)."""
        return float(self.table.outputs[self._worst])

    @property
    def at_worst(self) -> float:
        """The log-ratio there, with its sign."""
        return float(self.ratio[self._worst])

    @property
    def largest(self) -> float:
        """The largest size of the log-ratio."""
        return abs(self.at_worst)

    @cached_property
    def excess(self) -> float:
        """The least δ with which these two keep ε."""
        first, second, spans = self.table.first, self.table.second, self.table.spans
        factor = math.exp(self.claimed)
        return max(
            float(np.maximum(first - factor * second, 0.0) @ spans),
            float(np.maximum(second - factor * first, 0.0) @ spans),
        )

    @property
    def kept(self) -> bool:
        """Whether the claim holds for these two."""
        if self.delta > 0.0:
            return self.excess <= self.delta * (1.0 + INTEGRATION)
        return self.largest <= self.claimed + ROUNDING

    def shown(self, points: int = 500) -> NDArray[np.int64]:
        """Rows enough for a picture: evenly spread, both sides of the largest jumps, the worst."""
        outputs = self.table.outputs
        if outputs.size <= points:
            return np.arange(outputs.size)
        even = np.searchsorted(outputs, np.linspace(outputs[0], outputs[-1], points))
        change = np.abs(np.diff(np.nan_to_num(self.ratio)))
        jumps = np.argsort(change)[-points // 4 :]
        rows = np.concatenate([even, jumps, jumps + 1, [self._worst]])
        return np.unique(np.clip(rows, 0, outputs.size - 1)).astype(np.int64)


def log_ratio_curve(
    mechanism: Mechanism | Faulty,
    neighbours: tuple[float, float] | None = None,
    *,
    points: int = POINTS,
) -> LogRatio:
    """The loss of two neighbours; those Δ apart in the middle of the inputs where none are given.

    Of a mechanism broken on purpose: the two it fails to protect.

    >>> from compdp_core.mechanisms.baselines import Laplace
    >>> curve = log_ratio_curve(Laplace(1.0, (0, 10)))
    >>> round(curve.largest, 9), curve.kept
    (1.0, True)
    >>> from compdp_core.auditing.attacks import FAULTY
    >>> broken = log_ratio_curve(FAULTY["half"]())
    >>> round(broken.largest, 6), broken.kept
    (2.0, False)

    Raises :class:`~compdp_core.errors.ParameterError` for neighbours that are no two numbers.
    """
    if isinstance(mechanism, Faulty):
        pair = mechanism.neighbours if neighbours is None else neighbours
        return LogRatio(mechanism.claimed, 0.0, pair, outcomes(mechanism, pair, points=points))
    pair = neighbours_in_the_middle(mechanism) if neighbours is None else neighbours
    table = outcomes(mechanism, pair, points=points)
    return LogRatio(mechanism.epsilon, mechanism.delta, pair, table)


def neighbours_in_the_middle(mechanism: Mechanism) -> tuple[float, float]:
    """Two inputs Δ apart: the ends of the inputs where any two are neighbours."""
    (low, high), distance = mechanism.inputs, mechanism.sensitivity
    if distance >= high - low:
        return low, high
    lower = low + 0.5 * (high - low - distance)
    return lower, a_sensitivity_above(lower, distance)


def a_sensitivity_above(lower: float, distance: float) -> float:
    """The neighbour above: the float nearest to ``lower + distance`` that is no farther than that.

    Sums of floats are rounded, and two inputs more than Δ apart are promised nothing.

    >>> a_sensitivity_above(49.99995, 1e-4) - 49.99995 <= 1e-4
    True
    """
    upper = lower + distance
    while upper - lower > distance:
        upper = math.nextafter(upper, -math.inf)
    return upper
