"""Every output of a mechanism with its likelihood under two inputs, as a table.

The composite's are exact: its lattice has one probability on each of a few runs of points. Point
masses on a grid are taken one by one, or evenly thinned where there are too many. Densities are
taken on a grid that is refined at their jumps, so that sums over it are integrals to 1e-4.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.auditing.attacks.faulty import Faulty
from compdp_core.mechanisms.baselines.base import Baseline
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.validation import two_settings

if TYPE_CHECKING:
    from compdp_core.mechanisms.baselines import Mechanism

Array = NDArray[np.float64]

POINTS = 2001
"""Places of a density, or point masses of a grid, before refinement."""

TAIL = 1e-6
"""Chance left outside the table where outputs are without limit; far below δ where there is one."""

_SHARE = 0.005
_STEPS = np.arange(8001.0)
"""Steps of that share of the noise's standard deviation: 40 of these on either side of an input,
however narrow the noise is beside the outputs."""

_HALVINGS = 48
_JUMP = 0.02
_CLEAR = 1e-11
"""How far off a jump its two sides are taken, as a share of all outputs …"""
_NARROW = 1e-4
"""… and at most as a share of the narrowest peak: what is lost of it stays far below any limit."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Outputs in rising order with their likelihoods; all arrays of shape (k,)."""

    outputs: Array
    """Data units."""
    first: Array
    """Density (1/data unit) or probability under the first input …"""
    second: Array
    """… and under the second."""
    spans: Array
    """How much of the outputs each stands for: data units, or a number of points."""
    is_mass: NDArray[np.bool_]
    """Whether it is the probability of single points."""

    @property
    def totals(self) -> tuple[float, float]:
        """Probability of all outputs of the table, under both inputs."""
        return float(self.first @ self.spans), float(self.second @ self.spans)

    @property
    def means(self) -> tuple[float, float]:
        """Mean output under both inputs, as far as the table reaches (data units)."""
        at = self.outputs * self.spans
        first, second = self.totals
        return float(self.first @ at) / first, float(self.second @ at) / second


def outcomes(
    mechanism: Mechanism | Faulty, inputs: tuple[float, float], *, points: int = POINTS
) -> Outcomes:
    """The table for two true values, clamped into the inputs as every release does.

    >>> from compdp_core import CompositeMechanism
    >>> table = outcomes(CompositeMechanism(1.0, (0, 100)), (0.0, 100.0))
    >>> [round(total, 12) for total in table.totals]
    [1.0, 1.0]

    Raises :class:`ParameterError` for inputs that are no two numbers.
    """
    x, y = two_settings("inputs", inputs)
    if isinstance(mechanism, CompositeMechanism):
        ends = mechanism.inputs
        return _of_lattice(mechanism.lattice, *(min(max(v, ends[0]), ends[1]) for v in (x, y)))
    view = seen_outputs(mechanism)
    if isinstance(mechanism, Faulty):
        return _of_density(mechanism.pdf, (x, y), view, points)
    return _of_baseline(mechanism, (x, y), view, points)


def seen_outputs(mechanism: Mechanism | Faulty) -> tuple[float, float]:
    """All outputs, or an interval that all but :data:`TAIL` of them fall into."""
    low, high = mechanism.outputs
    if isinstance(mechanism, Faulty) or (math.isfinite(low) and math.isfinite(high)):
        return low, high
    chance = min(TAIL, 1e-3 * mechanism.delta) if mechanism.delta else TAIL
    a, b = mechanism.inputs
    reach = mechanism.sensitivity
    while mechanism.probability_outside((a - reach, b + reach)) > chance and reach < 1e9 * (b - a):
        reach *= 1.25
    return a - reach, b + reach


def _of_lattice(lattice: Lattice, x: float, y: float) -> Outcomes:
    """One row for each run of points that share their probability under both inputs."""
    shifts = [float(lattice.shift(value)) for value in (x, y)]
    inner = np.append(0, lattice.activation.ends)
    moved = [inner + math.floor(shift) + step for shift in shifts for step in (0, 1)]
    starts = np.unique(np.concatenate([[0], lattice.base.ends, *moved]))
    bounds = starts[(starts >= 0) & (starts <= lattice.points)]
    index, spans = bounds[:-1], np.diff(bounds)
    first, second = (_lattice_shares(lattice, index, shift) for shift in shifts)
    # Both ends of a run, so that a picture of it is a step; each stands for half of its points.
    last = index + spans - 1
    half = 0.5 * spans
    where = np.stack([index, last], axis=1).reshape(-1)
    return Outcomes(
        lattice.value(where),
        np.repeat(first, 2),
        np.repeat(second, 2),
        np.repeat(half, 2),
        np.ones(where.size, dtype=bool),
    )


def _lattice_shares(lattice: Lattice, index: NDArray[np.int64], shift: float) -> Array:
    total = lattice.total
    low = math.floor(shift)
    fraction = shift - low
    base = np.array([w / total for w in lattice.base.weights])
    shares = base[np.searchsorted(lattice.base.ends, index, side="right")]
    weights = np.array([*(w / total for w in lattice.activation.weights), 0.0])
    for step, part in ((low, 1.0 - fraction), (low + 1, fraction)):
        place = index - step
        run = np.searchsorted(lattice.activation.ends, place, side="right")
        shares = shares + part * np.where(place >= 0, weights[run], 0.0)
    return np.asarray(shares, dtype=np.float64)


def _of_baseline(
    mechanism: Mechanism, inputs: tuple[float, float], view: tuple[float, float], points: int
) -> Outcomes:
    assert isinstance(mechanism, Baseline)
    grid = getattr(mechanism, "grid", None)
    if grid is not None:
        low, high = grid.ceil(view[0]), grid.floor(view[1])
        spacing = float(np.diff(grid.points(np.array([0.0, 1.0])))[0])
        # The ends may hold what was moved to them, so they stand for themselves.
        near = [np.array([low, low + 1.0, high - 1.0, high])]
        for value in mechanism.interval.clamp(np.array(inputs)):
            steps = np.round(_STEPS * max(1.0, _fineness(mechanism, value) / spacing))
            near.append(float(grid.indices(np.array(value))) + np.append(-steps, steps))
        index = np.unique(np.concatenate([np.linspace(low, high, points).round(), *near]))
        index = index[(index >= low) & (index <= high)]
        return _masses(mechanism, inputs, grid.points(index), _gaps(index))
    twin, pair, centre = _about_zero(mechanism, inputs)
    table = _of_continuous(twin, pair, seen_outputs(twin), points)
    return replace(table, outputs=table.outputs + centre)


def _about_zero(
    mechanism: Baseline, inputs: tuple[float, float]
) -> tuple[Baseline, tuple[float, float], float]:
    """The mechanism and two inputs moved to 0, and from where.

    There floats are dense enough for a peak that is far narrower than the bounds are large; there
    and back again only what is shown is rounded. On a grid all stays where it is.
    """
    if getattr(mechanism, "grid", None) is not None:
        return mechanism, inputs, 0.0
    centre = 0.5 * sum(float(mechanism.interval.clamp(value)) for value in inputs)
    return mechanism.moved(-centre), (inputs[0] - centre, inputs[1] - centre), centre


def unseen(mechanism: Mechanism, inputs: tuple[float, float]) -> tuple[float, float]:
    """Probability of the outputs that the table of :func:`outcomes` leaves out, for both inputs."""
    if not isinstance(mechanism, Baseline):
        return 0.0, 0.0
    twin, (x, y), _ = _about_zero(mechanism, inputs)
    view = seen_outputs(twin)
    return float(twin.probability_outside(view, x)), float(twin.probability_outside(view, y))


def _of_continuous(
    mechanism: Baseline, inputs: tuple[float, float], view: tuple[float, float], points: int
) -> Outcomes:
    """Densities, with the point masses that clamping makes; or two point masses alone."""
    atoms = np.array([end for end in mechanism.outputs if math.isfinite(end)])
    chances = (
        [np.zeros(0)] * 2 if not atoms.size else [mechanism.pmf(atoms, value=v) for v in inputs]
    )
    held = (chances[0] > 0.0) | (chances[1] > 0.0)
    single = _masses(mechanism, inputs, atoms[held], np.ones(int(held.sum())))
    if mechanism.is_discrete:
        return single
    fine = [_fineness(mechanism, v) for v in inputs]
    spread = _of_density(lambda x, v: mechanism.pdf(x, value=v), inputs, view, points, fine)
    return _merged(single, spread) if single.outputs.size else spread


def _fineness(mechanism: Baseline, value: float) -> float:
    """A step so short that tails of the noise are all but straight over it (data units)."""
    return _SHARE * math.sqrt(float(mechanism.variance(value)))


def _masses(
    mechanism: Baseline, inputs: tuple[float, float], outputs: Array, spans: Array
) -> Outcomes:
    first, second = (np.asarray(mechanism.pmf(outputs, value=v)) for v in inputs)
    return Outcomes(outputs, first, second, spans, np.ones(outputs.size, dtype=bool))


def _gaps(index: Array) -> Array:
    """How many grid points each of the taken ones stands for; 1 where none is left out."""
    middle = 0.5 * (index[1:] + index[:-1])
    edges = np.concatenate([[index[0] - 0.5], middle, [index[-1] + 0.5]])
    return np.asarray(np.diff(edges))


def _of_density(
    pdf: Callable[[Array, float], Any],
    inputs: tuple[float, float],
    view: tuple[float, float],
    points: int,
    fine: Sequence[float] = (0.0, 0.0),
) -> Outcomes:
    width = view[1] - view[0]
    # Noise is likeliest at the input itself, which may be all but at an end of the outputs.
    peak = max(float(pdf(np.array(value), value)) for value in inputs)
    edge = min(1e-12 * width, _NARROW / peak) if peak > 0.0 else 1e-12 * width
    inside = view[0] + edge, view[1] - edge
    around = []
    for v, step in zip(inputs, fine, strict=True):
        # Ever closer to the inputs, where densities bend or peak, down to where the even steps end.
        nearest = min(1e-9 * width, float(_STEPS[-1]) * step) or 1e-9 * width
        away = np.geomspace(nearest, width, points // 8)
        around += [v - away, v + away, v - _STEPS * step, v + _STEPS * step]
    near = np.concatenate(around)
    near = near[(near > inside[0]) & (near < inside[1])]
    x = np.unique(np.concatenate([np.linspace(*inside, points), near]))
    jumps = [_jumps(pdf, value, x) for value in inputs]
    x = np.clip(np.unique(np.concatenate([x, *jumps])), *inside)
    first, second = (np.asarray(pdf(x, value), dtype=np.float64) for value in inputs)
    gaps = np.diff(x)
    spans = 0.5 * (np.append(gaps, 0.0) + np.append(0.0, gaps))
    return Outcomes(x, first, second, spans, np.zeros(x.size, dtype=bool))


def _jumps(pdf: Callable[[Array, float], Any], value: float, x: Array) -> Array:
    """Both sides of every jump, found by halving the gaps over which the density changes most."""
    y = np.asarray(pdf(x, value), dtype=np.float64)
    steep = np.abs(np.diff(y)) > _JUMP * np.max(y)
    low: Array = x[:-1][steep]
    high: Array = x[1:][steep]
    at_low, at_high = y[:-1][steep], y[1:][steep]
    if not low.size:
        return low
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        at = np.asarray(pdf(middle, value))
        left = np.abs(at - at_low) > np.abs(at_high - at)
        high, at_high = np.where(left, middle, high), np.where(left, at, at_high)
        low, at_low = np.where(left, low, middle), np.where(left, at_low, at)
    # Off the jump itself: where two densities jump at one place, rounding would part them.
    clear = min(_CLEAR * float(x[-1] - x[0]), _NARROW / float(np.max(y)))
    return np.concatenate([low - clear, high + clear])


def _merged(one: Outcomes, other: Outcomes) -> Outcomes:
    columns = [
        np.concatenate([getattr(each, name) for each in (one, other)])
        for name in ("outputs", "first", "second", "spans", "is_mass")
    ]
    order = np.argsort(columns[0], kind="stable")
    outputs, first, second, spans, is_mass = (column[order] for column in columns)
    return Outcomes(outputs, first, second, spans, is_mass)
