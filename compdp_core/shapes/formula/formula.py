"""A formula that was read: its values, and where it has none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from compdp_core.shapes.formula.grammar import FormulaError, Operation, read
from compdp_core.validation import Array, floats


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
    operations: tuple[Operation, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "operations", read(self.text))

    def __call__(self, v: Any) -> Array:
        """Value at each ``v``; not finite where the formula has none, and without a warning."""
        v = floats("v", v)
        stack: list[Any] = []
        with np.errstate(all="ignore"):
            for operation in self.operations:
                first = len(stack) - operation.arguments
                stack[first:] = [operation.on(v, stack[first:])]
        return np.array(np.broadcast_to(stack[0], v.shape), dtype=np.float64)

    def fault(self, v: float) -> FormulaError:
        """The refusal of a ``v`` without a finite value, at the operation that loses it."""
        stack: list[tuple[Any, int]] = []
        for operation in self.operations:
            first = len(stack) - operation.arguments
            with np.errstate(all="ignore"):
                value = operation.on(np.float64(v), [x for x, _ in stack[first:]])
            lost = [at for x, at in stack[first:] if not np.isfinite(x)]
            stack[first:] = [(value, lost[0] if lost else operation.position)]
        return FormulaError(self.text, stack[0][1], f"has no finite value at v = {v:.12g}")
