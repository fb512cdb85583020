"""What a receiver can recover: mechanisms on the same rows, each read by its best estimator.

Of each mechanism a mean, a standard deviation, a share above a limit and the whole distribution are
estimated from its outputs alone, again and again. Known estimators are

- the **plain mean**, where outputs are right on average;
- the **corrected variance**: where ``Var(Y | x) = α + β t + γ t²`` with ``t = x - c``, the mean of
  ``(Y - c)²`` is that of ``α + β t + (1 + γ) t²``, from which the mean of ``t²`` follows (kept
  within what the inputs allow);
- the **distribution of maximum likelihood** given the chance of each output, as it comes or
  smoothed to some strength, and the mean, standard deviation and share that it has. It needs no
  unbiased outputs, and serves clamped ones.

Of several, that of the smallest error counts, which is known here alone, where the rows are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.estimates.likelihood.mechanism_cells import MechanismCells
from compdp_core.estimates.likelihood.solver import most_likely
from compdp_core.experiments.comparison import blocks, by_name, true_values
from compdp_core.experiments.frames import frame
from compdp_core.experiments.progress import Cancelled, Progress, Task
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import Mechanism
from compdp_core.validation import Array, function, one_number, whole

if TYPE_CHECKING:
    import pandas as pd

FIGURES = {
    "mean": "mean",
    "std": "standard deviation",
    "share": "share above the limit",
    "distribution": "distribution",
}
"""What is recovered, and what it is called."""
PLAIN, CORRECTED, LIKELIHOOD, NONE = (
    "plain mean",
    "corrected variance",
    "maximum likelihood",
    "none: the outputs do not tell it",
)
STRENGTHS = {LIKELIHOOD: 0.0} | {
    f"{LIKELIHOOD}, smoothed (10{power})": 10.0**exponent
    for power, exponent in (("²", 2), ("⁴", 4), ("⁶", 6), ("⁸", 8))
}
"""What is taken off the likelihood of all rows: half of so many times the sum of squared third
differences of the shares in the bins. The least error needs little of it where much is told."""
LIMIT = 0.6
"""Of the width of the inputs, where no other limit is said."""
_GRID = 33
_UNBIASED = 1e-2
"""Bias up to which outputs count as right on average, in widths of the inputs: a grid moves values
by up to half a step, some up and some down."""
_QUADRATIC = 5e-3
"""How far the variance may lie off its parabola, over the largest variance."""


@dataclass(frozen=True)
class Recovered:
    """How well one figure is recovered from the outputs of one mechanism."""

    mechanism: str
    figure: str
    """One of :data:`FIGURES`."""
    estimator: str
    truth: float
    """Of the rows at hand; NaN for a distribution."""
    error: float
    """Root mean squared error; for a distribution the mean Wasserstein distance from that of the
    rows (data units). NaN where the outputs do not tell the figure."""
    error_se: float
    """Its standard error."""
    bias: float
    """NaN for a distribution."""
    bias_se: float
    naive: float
    """The same error where the released column is read as if it were the true one."""
    naive_se: float


@dataclass(frozen=True)
class Recovery:
    """What is recovered from each mechanism."""

    found: tuple[Recovered, ...]
    rows: int
    repetitions: int
    limit: float

    def of(self, figure: str) -> tuple[Recovered, ...]:
        """Those that tell the figure, the smallest error first."""
        known = [each for each in self.found if each.figure == figure and each.error >= 0.0]
        return tuple(sorted(known, key=lambda each: each.error))

    def frame(self) -> pd.DataFrame:
        """One row a mechanism and figure."""
        same = {"rows": self.rows, "repetitions": self.repetitions, "limit": self.limit}
        return frame(asdict(each) | same for each in self.found)


def recover(
    mechanisms: Mapping[str, Mechanism] | Sequence[Mechanism],
    values: Any,
    *,
    repetitions: int,
    seed: int,
    limit: float | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Recovery:
    """Release the same true values so often with each mechanism, and read what comes out.

    ``values``: the true values, shape (n,). ``limit``: of the share above it. All errors are about
    the rows at hand, whose values stay as they are.

    >>> from compdp_core.experiments import roster
    >>> two = roster(1.0, (0, 100), keys=["A1B1", "duchi"])
    >>> found = recover(two, [20.0, 30.0, 70.0] * 50, repetitions=20, seed=1)
    >>> [each.mechanism for each in found.of("std")], found.of("mean")[0].truth
    (['Composite A1B1'], 40.0)

    Raises :class:`ParameterError`, :class:`MissingValueError`, and :class:`CancelledError` where
    ``cancelled()`` says so.
    """
    named, truth = by_name(mechanisms), true_values(values)
    rounds = whole("repetitions", repetitions, 2)
    for argument, given in {"progress": progress, "cancelled": cancelled}.items():
        if given is not None:
            function(argument, given)
    ends = [Interval.checked("inputs", each.inputs) for each in named.values()]
    if len({end.as_tuple() for end in ends}) > 1:
        raise ParameterError("mechanisms", list(named), "must all have the same inputs")
    middle = ends[0].lower + LIMIT * ends[0].width
    at = middle if limit is None else one_number("limit", limit)
    rows = np.sort(ends[0].clamp(truth))
    task, found = Task(progress, cancelled), []
    for index, (name, mechanism) in enumerate(named.items()):
        part = task.part(index / len(named), (index + 1) / len(named))
        found += _of_one(name, mechanism, rows, rounds, seed, at, part)
    task.tell(1.0, "done")
    return Recovery(tuple(found), rows.size, rounds, at)


def _of_one(
    name: str, mechanism: Mechanism, rows: Array, rounds: int, seed: int, limit: float, task: Task
) -> list[Recovered]:
    cells = MechanismCells.of(mechanism)
    square = _Square.of(mechanism)
    counts, seen = [], []
    done = 0
    for released in blocks(mechanism, rows, rounds, seed, name, "recovery"):
        task.tell(0.7 * done / rounds, f"{name}: {done:,} of {rounds:,} repetitions")
        done += len(released)
        counts.append(cells.counts(released))
        seen.append(_as_it_stands(released, rows, limit, square))
    plain, spread, above, distance, corrected = np.concatenate(seen, axis=1)
    true = (float(rows.mean()), float(rows.std()), float(np.mean(rows > limit)), math.nan)
    read: list[dict[str, Array]] = [{}, {}, {}, {}]
    if np.abs(mechanism.bias(_grid(mechanism))).max() <= _UNBIASED * np.ptp(mechanism.inputs):
        read[0][PLAIN] = plain
    if square is not None:
        read[1][CORRECTED] = corrected
    if cells.tells_shape:
        task.tell(0.7, f"{name}: likelihood")
        for key, shares in _fits(cells, np.concatenate(counts)).items():
            for place, each in enumerate(_figures(cells, shares, rows, limit)):
                read[place][key] = each
    naive = (plain, spread, above, distance)
    return [
        _recovered(name, figure, estimates, truth, as_it_stands)
        for figure, estimates, truth, as_it_stands in zip(FIGURES, read, true, naive, strict=True)
    ]


def _recovered(
    name: str, figure: str, estimates: dict[str, Array], truth: float, naive: Array
) -> Recovered:
    found = {key: _error(each, truth) for key, each in estimates.items()}
    best = min(found, key=lambda key: found[key][0], default=NONE)
    error, error_se = found.get(best, (math.nan, math.nan))
    bias = estimates[best] - truth if found else np.array([math.nan])
    return Recovered(
        name, figure, best, truth, error, error_se, *_mean(bias), *_error(naive, truth)
    )


def _error(values: Array, truth: float) -> tuple[float, float]:
    """The root mean squared error with its standard error by the delta method; the mean of what
    are distances.
    """
    if math.isnan(truth):
        return _mean(values)
    square, error = _mean((values - truth) ** 2)
    root = math.sqrt(square)
    return root, 0.5 * error / root if root > 0.0 else 0.0


def _mean(values: Array) -> tuple[float, float]:
    several = values.size > 1
    error = float(values.std(ddof=1)) / math.sqrt(values.size) if several else math.nan
    return float(values.mean()), error


@dataclass(frozen=True)
class _Square:
    """``Var(Y | x) = alpha + beta t + gamma t²`` with ``t = x - c``."""

    inputs: Interval
    alpha: float
    beta: float
    gamma: float

    @classmethod
    def of(cls, mechanism: Mechanism) -> _Square | None:
        """None where the variance is no such parabola, or outputs tell nothing of ``t²``."""
        inputs = Interval(*mechanism.inputs)
        grid = _grid(mechanism)
        t = grid - inputs.midpoint
        variance = np.broadcast_to(mechanism.variance(grid), grid.shape)
        gamma, beta, alpha = np.polyfit(t, variance, 2)
        off = np.abs(np.polyval([gamma, beta, alpha], t) - variance).max()
        biased = np.abs(mechanism.bias(grid)).max() > _UNBIASED * inputs.width
        if biased or not off <= _QUADRATIC * variance.max() or not 1.0 + gamma > 1e-6:
            return None
        return cls(inputs, float(alpha), float(beta), float(gamma))

    def std(self, released: Array) -> Array:
        """The standard deviation of the true values of each row of outputs."""
        t = released - self.inputs.midpoint
        mean, half = t.mean(axis=1), 0.5 * self.inputs.width
        second = ((t**2).mean(axis=1) - self.alpha - self.beta * mean) / (1.0 + self.gamma)
        second = np.clip(second, 0.0, half**2)
        of_mean = (self.alpha + self.beta * mean + self.gamma * second) / released.shape[1]
        found: Array = np.sqrt(np.clip(second - mean**2 + of_mean, 0.0, half**2))
        return found


def _as_it_stands(released: Array, rows: Array, limit: float, square: _Square | None) -> Array:
    """Mean, spread, share and distance of outputs that are taken for true values, and the corrected
    standard deviation; shape (5, r).
    """
    corrected = np.full(len(released), math.nan) if square is None else square.std(released)
    return np.stack(
        [
            released.mean(axis=1),
            released.std(axis=1),
            (released > limit).mean(axis=1),
            np.abs(np.sort(released, axis=1) - rows).mean(axis=1),
            corrected,
        ]
    )


def _grid(mechanism: Mechanism) -> Array:
    return np.linspace(*mechanism.inputs, _GRID)


def _figures(cells: MechanismCells, shares: Array, rows: Array, limit: float) -> tuple[Array, ...]:
    """Mean, standard deviation, share above the limit and distance from the rows of estimated
    shares, shape (r, bins); within a bin values lie evenly.
    """
    middles, edges = cells.middles, cells.edges
    width = float(edges[1] - edges[0])
    mean = shares @ middles
    second = shares @ (middles**2 + width**2 / 12.0)
    below = np.concatenate([np.zeros((len(shares), 1)), np.cumsum(shares, axis=1)], axis=1)
    above = np.array([1.0 - float(np.interp(limit, edges, each)) for each in below])
    true = np.searchsorted(rows, edges, side="right") / rows.size
    true[0] = 0.0
    distance = np.abs(below - true)[:, 1:].sum(axis=1) * width
    return mean, np.sqrt(np.clip(second - mean**2, 0.0, None)), above, distance


def _fits(cells: MechanismCells, counts: Array) -> dict[str, Array]:
    """Shares of maximum likelihood for each row of counts, as they come and smoothed."""
    bins, rows = cells.middles.size, float(counts[0].sum())
    rough = np.diff(np.eye(bins), 3, axis=0)
    sides, totals = np.ones((1, bins)), np.ones((len(counts), 1))
    return {
        name: most_likely(cells.kernel, counts, sides, totals, strength / rows * rough.T @ rough)
        for name, strength in STRENGTHS.items()
    }
