"""Which mechanism serves a goal best, and why, in words. From closed forms: nothing is drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.experiments.comparison import by_name
from compdp_core.experiments.frames import frame
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import ClassicGaussian, Mechanism
from compdp_core.text import number, percent, telling
from compdp_core.validation import one_of

if TYPE_CHECKING:
    import pandas as pd

POSITIONS = 65
"""Inputs at which bias and error are looked up, evenly spaced, ends and middle among them."""

UNBIASED = 1e-9
"""Largest bias that counts as rounding, in units of the inputs' width and of the noise."""
ROUNDING = 64 * np.finfo(float).eps
"""What floats lose of the largest input, whatever the noise."""

GOALS: dict[str, str] = {
    "no value outside": "every released value within the bounds, then the smallest worst error",
    "unbiased": "right on average at every input, then the smallest worst error",
    "bounded and unbiased": "finite outputs and right on average, then the smallest worst error",
    "smallest worst case": "the smallest error at the input where it is largest",
    "smallest error at the centre": "the smallest error at the middle of the inputs",
}
"""What can be asked for, and how the mechanisms are then ordered."""


@dataclass(frozen=True)
class Figures:
    """What the goals are judged by. Errors are root mean squared errors, data units."""

    bias: float
    """Largest ``|E[M(x)] - x|`` over the inputs (over the grid, if outputs lie on one)."""
    centre_error: float
    worst_error: float
    outside: float
    """Probability of an output outside the bounds, at the input where it is largest."""
    inputs: tuple[float, float]
    outputs: tuple[float, float]

    @classmethod
    def of(cls, mechanism: Mechanism, bounds: Interval) -> Figures:
        """Look them up at :data:`POSITIONS` inputs."""
        lower, upper = mechanism.inputs
        x = np.linspace(lower, upper, POSITIONS)
        on_grid = x
        grid = getattr(mechanism, "grid", None)
        if grid is not None:
            # Moving a value to the grid is rounding of the input, not bias of the noise.
            on_grid = grid.points(np.clip(grid.indices(x), *grid.range(Interval(lower, upper))))
        bias = np.broadcast_to(np.asarray(mechanism.bias(on_grid)), x.shape)
        square = np.broadcast_to(np.asarray(mechanism.bias(x)), x.shape) ** 2
        error = np.sqrt(np.asarray(mechanism.variance(x)) + square)
        outputs = mechanism.outputs
        within = bounds.lower <= outputs[0] and outputs[1] <= bounds.upper
        return cls(
            bias=float(np.max(np.abs(bias))),
            centre_error=float(error[POSITIONS // 2]),
            worst_error=float(np.max(error)),
            outside=0.0 if within else float(mechanism.probability_outside(bounds)),
            inputs=(float(lower), float(upper)),
            outputs=outputs,
        )

    @property
    def width(self) -> float:
        """Of the inputs."""
        return self.inputs[1] - self.inputs[0]

    @property
    def unbiased(self) -> bool:
        """Whether the bias is rounding only."""
        return self.bias <= rounding(self.inputs, self.worst_error)

    @property
    def bounded(self) -> bool:
        """Whether all outputs lie in a finite interval."""
        return all(math.isfinite(end) for end in self.outputs)


def rounding(inputs: tuple[float, float], error: float) -> float:
    """Largest bias (data units) that is no bias but the rounding of floats.

    Measured by the noise, where that is far smaller than the inputs are wide: clamping pulls a
    third of a tiny noise inward, too.

    >>> round(rounding((0.0, 100.0), 113.0), 10), rounding((0.0, 100.0), 0.0) < 1e-11
    (1e-07, True)
    """
    lower, upper = inputs
    floats = ROUNDING * max(abs(lower), abs(upper))
    return UNBIASED * min(upper - lower, error) + float(floats)


def rank(
    mechanisms: Mapping[str, Mechanism] | Sequence[Mechanism], goal: str, *, bounds: Any = None
) -> pd.DataFrame:
    """The mechanisms in the order in which they serve a goal of :data:`GOALS`, best first.

    ``bounds`` is where released values should lie; the inputs of each mechanism where left out.
    Columns: ``rank``, ``mechanism``, whether it ``meets`` the goal (the two goals of an error are
    met by whoever has the smallest one), ``why`` in words, and the figures behind it.

    >>> from compdp_core.experiments import roster
    >>> field = roster(1.0, (0, 100), keys=["A1B1", "laplace", "clamped_laplace"])
    >>> rank(field, "unbiased").mechanism.tolist()
    ['Composite A1B1', 'Laplace', 'Laplace, clamped']

    Raises :class:`ParameterError` for an unknown goal.
    """
    one_of("goal", goal, GOALS)
    judged = []
    for name, mechanism in by_name(mechanisms).items():
        limits = Interval.checked("bounds", mechanism.inputs if bounds is None else bounds)
        judged.append((name, mechanism, limits, Figures.of(mechanism, limits)))
    judged.sort(key=lambda each: _order(goal, each[3]))
    best = judged[0][3]
    return frame(
        {
            "rank": place,
            "mechanism": name,
            "meets": _meets(goal, figures, best),
            "why": _why(goal, figures, best, limits, mechanism),
            "bias": figures.bias,
            "centre_error": figures.centre_error,
            "worst_error": figures.worst_error,
            "outside": figures.outside,
        }
        for place, (name, mechanism, limits, figures) in enumerate(judged, 1)
    )


def _order(goal: str, figures: Figures) -> tuple[float, float]:
    if goal == "no value outside":
        return (figures.outside, figures.worst_error)
    if goal == "unbiased":
        return (0.0 if figures.unbiased else figures.bias, figures.worst_error)
    if goal == "bounded and unbiased":
        return (float(not (figures.bounded and figures.unbiased)), figures.worst_error)
    if goal == "smallest worst case":
        return (figures.worst_error, figures.bias)
    return (figures.centre_error, figures.worst_error)


def _meets(goal: str, figures: Figures, best: Figures) -> bool:
    if goal == "no value outside":
        return figures.outside == 0.0
    if goal == "unbiased":
        return figures.unbiased
    if goal == "bounded and unbiased":
        return figures.bounded and figures.unbiased
    # Two ways to compute the same noise, such as A1B1 and the staircase with one step, tie.
    return _error(goal, figures) <= _error(goal, best) * (1.0 + 1e-3)


def _error(goal: str, figures: Figures) -> float:
    return figures.worst_error if goal != "smallest error at the centre" else figures.centre_error


def _why(goal: str, figures: Figures, best: Figures, bounds: Interval, mechanism: Mechanism) -> str:
    """Two or three short statements: the goal's figure, what it costs, what else to know."""
    place = f"{number(bounds.lower, 6)} to {number(bounds.upper, 6)}"
    outside = (
        f"no value outside {place}"
        if figures.outside == 0.0
        else f"up to {percent(figures.outside)} of values outside {place}"
    )
    off = f"off by up to {number(figures.bias)} on average"
    bias = "right on average" if figures.unbiased else off
    worst = f"error up to {number(figures.worst_error)}"
    if goal == "no value outside":
        parts = [outside, worst, bias]
    elif goal == "unbiased":
        parts = [bias, worst, outside]
    elif goal == "bounded and unbiased":
        low, high = figures.outputs
        ends = f"outputs {_end(low, figures.inputs[0])} to {_end(high, figures.inputs[1])}"
        reach = ends if figures.bounded else "outputs without bounds"
        parts = [bias, reach, worst]
    else:
        at = "in the middle" if goal == "smallest error at the centre" else "at its worst input"
        error, least = _error(goal, figures), _error(goal, best)
        times = error / least if least > 0.0 else math.inf
        compared = "the smallest here" if times <= 1.001 else f"{number(times)} times the smallest"
        parts = [f"error {number(error)} {at}, {compared}", bias, outside]
    if not figures.unbiased and figures.worst_error >= 0.5 * figures.width:
        parts.append("at its worst input no better than always answering the middle")
    if mechanism.delta > 0.0:
        parts.append(f"needs δ = {number(mechanism.delta)}")
    if isinstance(mechanism, ClassicGaussian) and not mechanism.proof_holds:
        parts.append("its proof needs ε below 1")
    return "; ".join(parts)


def _end(output: float, bound: float) -> str:
    """An end of the outputs, with digits enough to show how far beyond the inputs it lies.

    >>> _end(254.42, 100.0), _end(100.000002293, 100.0)
    ('254.4', '100.0000023')
    """
    return number(output, min(telling(bound, output, 4), 15))
