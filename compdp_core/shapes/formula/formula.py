"""A formula that was read: its values, its bounds over intervals, and where it has no value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from compdp_core.shapes.formula.enclosure import ENCLOSED, Bounds, exactly
from compdp_core.shapes.formula.grammar import POINTWISE, VARIABLE, FormulaError, Reader, Step
from compdp_core.shapes.formula.slopes import SLOPES
from compdp_core.validation import floats

Array = NDArray[np.float64]
_T = TypeVar("_T")


def _with_slope(operation: str) -> Callable[..., tuple[Bounds, Bounds]]:
    """A step on pairs of bounds and slope."""

    def step(*arguments: tuple[Bounds, Bounds]) -> tuple[Bounds, Bounds]:
        result = ENCLOSED[operation](*(bounds for bounds, _ in arguments))
        flat = [x for argument in arguments for x in argument]
        return result, SLOPES[operation](result, *flat)

    return step


_WITH_SLOPES = {operation: _with_slope(operation) for operation in POINTWISE}


@dataclass(frozen=True)
class Formula:
    """A formula that was read.

    >>> Formula("1 - abs(2*v - 1)")(np.array([0.0, 0.25, 0.5]))
    array([0. , 0.5, 1. ])
    >>> Formula("2v")
    Traceback (most recent call last):
    compdp_core.shapes.formula.grammar.FormulaError: formula, character 2: an operator is ...

    Raises :class:`FormulaError`.
    """

    text: str
    """As typed."""
    steps: tuple[Step, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(Reader(self.text).read()))

    def __call__(self, v: Any) -> Array:
        """Value at each ``v``; not finite where the formula has none, and without a warning."""
        v = floats("v", v)
        result = self._run(POINTWISE, np.float64, v)
        return np.array(np.broadcast_to(result, v.shape), dtype=np.float64)

    def enclose(self, lower: Array, upper: Array) -> Bounds:
        """Bounds of the exact formula over each interval ``[lower, upper]`` of ``v``.

        They hold for every real number in the interval, rounding included; wide where the formula
        repeats its variable, infinite where it may have no value.
        """
        low, high = self._run(ENCLOSED, exactly, (np.asarray(lower), np.asarray(upper)))
        return np.broadcast_to(low, lower.shape), np.broadcast_to(high, upper.shape)

    def variation(self, lower: Array, upper: Array) -> Array:
        """A bound on ``max - min`` of the exact formula over each interval ``[lower, upper]``.

        The width of its enclosure, or of the interval times its steepest slope, if that is less.
        """
        zero, one = exactly(0.0), exactly(1.0)
        (low, high), (down, up) = self._run(
            _WITH_SLOPES,
            lambda number: (exactly(number), zero),
            ((np.asarray(lower), np.asarray(upper)), one),
        )
        with np.errstate(all="ignore"):
            steepest = np.maximum(np.abs(down), np.abs(up))
            # Two roundings up make up for the roundings of the difference and the product.
            climb = np.nextafter(np.nextafter((upper - lower) * steepest, np.inf), np.inf)
            return np.asarray(np.fmin(np.broadcast_to(high - low, lower.shape), climb))

    def _run(
        self, arithmetic: Mapping[str, Callable[..., Any]], number: Callable[[float], _T], v: _T
    ) -> _T:
        stack: list[Any] = []
        with np.errstate(all="ignore"):
            for step in self.steps:
                if step.operation == "number":
                    stack.append(number(step.value))
                elif step.operation == VARIABLE:
                    stack.append(v)
                else:
                    first = len(stack) - step.arguments
                    stack[first:] = [arithmetic[step.operation](*stack[first:])]
        return stack.pop()  # type: ignore[no-any-return]

    def fault(self, v: float) -> FormulaError:
        """The refusal of a ``v`` without a finite value, at the step that loses it."""
        stack: list[tuple[Any, int]] = []
        for step in self.steps:
            first = len(stack) - step.arguments
            taken, stack[first:] = stack[first:], []
            with np.errstate(all="ignore"):
                if step.operation == "number":
                    value = np.float64(step.value)
                elif step.operation == VARIABLE:
                    value = np.float64(v)
                else:
                    value = POINTWISE[step.operation](*(x for x, _ in taken))
            lost = [at for x, at in taken if not np.isfinite(x)]
            stack.append((value, lost[0] if lost else step.position))
        return FormulaError(self.text, stack[0][1], f"has no finite value at v = {v:.12g}")
