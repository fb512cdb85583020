"""Claimed against measured: a lower bound on ε from draws, with its confidence.

A mechanism that is ε-DP satisfies ``Pr[M(x) in E] <= e^ε Pr[M(x') in E] + δ`` for every event E.
So the first half of the draws picks an event, and the second half bounds both probabilities
(Clopper and Pearson, Biometrika 1934): with confidence ``1 - α``,

``ε >= ln((p_low - δ) / p'_high)``,

each bound at ``α/2``. The bound is honest for whatever event was picked, since the draws that
test it did not pick it. It says nothing about events nobody tried: an audit can convict, but not
acquit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.parameters import PROBABILITY, Parameter
from compdp_core.randomness import ANY_SEED
from compdp_core.validation import floats, function, two_settings, whole

Simulate = Callable[[NDArray[np.float64], int], NDArray[np.float64]]
"""Draws for an array of equal inputs, given a seed."""

CONFIDENCE = replace(PROBABILITY, name="confidence")
_CLAIMED = Parameter("claimed", "ε", "The ε that is claimed.", "", 0.0, 1e9)
_DELTA = replace(PROBABILITY, name="delta", lower_open=False)

_CELLS = 32
"""Cells of outputs from which an event is put together, of equal shares of the draws."""

_TAIL = 0.5 ** np.arange(12, 5, -1)
"""Shares of smaller cells at both ends, where outputs that only one input can have show first."""


@dataclass(frozen=True)
class Audit:
    """What draws prove about a mechanism."""

    claimed: float
    """The ε that is claimed."""
    lower_bound: float
    """ε is at least this, with the stated confidence; 0 where nothing is proved."""
    confidence: float
    draws: int
    """Draws in all, for both inputs and both halves."""
    inputs: tuple[float, float]
    """``(x, x')``; the event is likelier under ``x``."""
    event: tuple[tuple[float, float], ...]
    """Intervals of outputs that make up the event."""
    hits: tuple[int, int]
    """Draws of the second half that fell into the event, under ``x`` and ``x'``."""
    delta: float = 0.0

    @property
    def refuted(self) -> bool:
        """Whether the claim is refuted at the stated confidence."""
        return self.lower_bound > self.claimed


def clopper_pearson(hits: int, trials: int, alpha: float) -> tuple[float, float]:
    """One-sided bounds on a probability, each failing with probability at most ``alpha``.

    ``Beta(α; k, n-k+1)`` and ``Beta(1-α; k+1, n-k)`` quantiles.

    >>> low, high = clopper_pearson(50, 100, 0.025)
    >>> round(low, 3), round(high, 3)
    (0.398, 0.602)
    """
    from scipy.special import betaincinv

    low = 0.0 if hits == 0 else float(betaincinv(hits, trials - hits + 1, alpha))
    high = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, 1.0 - alpha))
    return low, high


def audit(
    simulate: Simulate,
    claimed: float,
    inputs: tuple[float, float],
    *,
    draws: int,
    seed: int,
    confidence: float = 0.999,
    delta: float = 0.0,
) -> Audit:
    """A lower bound on the ε of a mechanism for one pair of neighbouring inputs.

    ``simulate(values, seed)`` returns one draw per value. ``draws`` counts all draws.

    >>> from compdp_core import CompositeMechanism
    >>> m = CompositeMechanism(epsilon=1.0, inputs=(0, 1))
    >>> result = audit(lambda v, s: m.simulate(v, seed=s), 1.0, (0.0, 1.0), draws=40_000, seed=1)
    >>> result.refuted, result.lower_bound > 0.7
    (False, True)

    Raises :class:`ParameterError` for too few draws, a confidence outside ``(0, 1)``, a claim,
    inputs, δ or a seed that are no numbers, and a ``simulate`` that is no function.
    """
    function("simulate", simulate)
    start = int(ANY_SEED.check(seed))
    claim, ends = _CLAIMED.check(claimed), two_settings("inputs", inputs)
    slack, level = _DELTA.check(delta), CONFIDENCE.check(confidence)
    each = whole("draws", draws, 400, 10**9) // 4
    samples = [
        floats("simulate", simulate(np.full(each, value), start + 7919 * i))
        for i, value in enumerate([*ends, *ends])
    ]
    for sample in samples:
        if sample.shape != (each,):
            raise ParameterError(
                "simulate", sample.shape, f"must return {each:,} draws, one a value"
            )
    edges, chosen, swapped = _event(samples[0], samples[1], slack)
    first, second = (samples[3], samples[2]) if swapped else (samples[2], samples[3])
    hits = [int(np.count_nonzero(chosen[_cell(edges, s)])) for s in (first, second)]
    alpha = (1.0 - level) / 2.0
    low = clopper_pearson(hits[0], each, alpha)[0] - slack
    high = clopper_pearson(hits[1], each, alpha)[1]
    bound = math.log(low / high) if low > high > 0.0 else 0.0
    pair = (ends[1], ends[0]) if swapped else ends
    return Audit(
        claimed=claim,
        lower_bound=bound,
        confidence=level,
        draws=4 * each,
        inputs=pair,
        event=_intervals(edges, chosen),
        hits=(hits[0], hits[1]),
        delta=slack,
    )


def _cell(edges: NDArray[np.float64], sample: NDArray[np.float64]) -> NDArray[np.int64]:
    return np.searchsorted(edges, sample, side="right")


def _event(
    first: NDArray[np.float64], second: NDArray[np.float64], delta: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_], bool]:
    """Edges of cells, the cells of the event, and whether it favours the second input.

    Cells hold equal shares of the pooled draws, smaller ones at both ends, heavy atoms in a cell of
    their own. They are taken in order of their likelihood ratio, as many as make the bound largest
    on these draws.
    """
    pooled = np.concatenate([first, second])
    levels = np.concatenate([_TAIL, np.linspace(0.0, 1.0, _CELLS + 1)[1:-1], 1.0 - _TAIL])
    edges = np.unique(np.quantile(pooled, levels, method="lower"))
    # An atom that fills a cell by itself gets one: an edge on both of its sides.
    atoms = edges[[np.count_nonzero(pooled == e) * _CELLS >= pooled.size for e in edges.tolist()]]
    edges = np.unique(np.concatenate([edges, np.nextafter(atoms, math.inf)]))
    counts = [np.bincount(_cell(edges, s), minlength=edges.size + 1) for s in (first, second)]
    best: tuple[float, NDArray[np.bool_], bool] = (-math.inf, np.ones(edges.size + 1, bool), False)
    for swapped in (False, True):
        mine, other = counts[::-1] if swapped else counts
        order = np.argsort(-(mine + 0.5) / (other + 0.5), kind="stable")
        a, b = np.cumsum(mine[order]), np.cumsum(other[order])
        # Three standard errors are taken off, so that a lucky small cell is not preferred.
        ratio = (a / first.size - delta) / ((b + 1.0) / second.size)
        error = np.sqrt(1.0 / (a + 1.0) + 1.0 / (b + 1.0))
        score = np.log(np.maximum(ratio, 1e-300)) - 3.0 * error
        place = int(np.argmax(score))
        if score[place] > best[0]:
            chosen = np.zeros(edges.size + 1, dtype=bool)
            chosen[order[: place + 1]] = True
            best = (float(score[place]), chosen, swapped)
    return edges, best[1], best[2]


def _intervals(edges: NDArray[np.float64], chosen: Any) -> tuple[tuple[float, float], ...]:
    """Neighbouring cells of the event joined into intervals."""
    bounds = np.concatenate([[-math.inf], edges, [math.inf]])
    change = np.diff(np.concatenate([[0], chosen.astype(np.int8), [0]]))
    starts, stops = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    return tuple((float(bounds[i]), float(bounds[j])) for i, j in zip(starts, stops, strict=True))
