"""What a privacy setting means in the unit of the data: errors, intervals, odds, and the way back.

Everything here follows from public settings alone; no value of a table is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

import numpy as np

from compdp_core.design.optimize import Objective
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.numerics import not_above
from compdp_core.parameters import EPSILON, count, positive, share
from compdp_core.shapes import Pair
from compdp_core.text import number
from compdp_core.validation import real

_DIGITS = 4


class UnreachableErrorError(CompdpError):
    """No ε in range makes the noise that small. ``smallest`` is the error at the largest ε."""

    def __init__(
        self, wanted: float, smallest: float, told: str = "", way: str = "narrow the bounds"
    ) -> None:
        self.wanted = wanted
        self.smallest = smallest
        super().__init__(
            f"{told or f'a typical error of {number(wanted, 6)}'} cannot be reached: at the "
            f"largest epsilon {number(EPSILON.upper, 6)} it is {number(smallest, 6)}; ask for a "
            f"larger error, or {way}"
        )


@dataclass(frozen=True)
class Meaning:
    """The noise of one mechanism in data units."""

    mechanism: CompositeMechanism

    @property
    def typical_error(self) -> float:
        """Root of the variance averaged over inputs spread evenly between the bounds.

        The variance is quadratic in the input, so Simpson's rule is exact:
        ``(Var(a) + 4 Var(mid) + Var(b)) / 6``. On a coarse lattice, such as the whole numbers, the
        rounding of inputs to it counts, too: there the inputs are the lattice's own.
        """
        a, b = self.mechanism.inputs
        if self.mechanism.is_discrete:
            lattice = self.mechanism.lattice
            step = lattice.exact_spacing
            first, last = math.ceil(Fraction(a) / step), math.floor(Fraction(b) / step)
            if first < last:
                own = lattice.value(np.arange(first, last + 1) - lattice.first)
                return math.sqrt(float(np.mean(self.mechanism.variance(own))))
        ends = self._variance(a) + self._variance(b)
        return math.sqrt((ends + 4.0 * self._variance(0.5 * (a + b))) / 6.0)

    @property
    def worst_error(self) -> float:
        """Standard deviation at the input where it is largest: one of the two bounds."""
        return math.sqrt(max(self._variance(end) for end in self.mechanism.inputs))

    def error_of_mean(self, rows: int) -> float:
        """Typical error of the mean of that many independently privatized values."""
        return self.typical_error / math.sqrt(count("rows", lower=1).check(rows))

    def interval(self, value: float, level: float = 0.95) -> tuple[float, float]:
        """The central interval that holds a release of ``value`` with at least that probability.

        Both ends are outputs of the very lattice that is drawn from.
        """
        tail = 0.5 * (1.0 - share("level").check(level))
        return self.mechanism.quantile(tail, value), self.mechanism.quantile(1.0 - tail, value)

    def _variance(self, value: float) -> float:
        return float(self.mechanism.variance(value))


def odds_factor(epsilon: float | Fraction) -> float:
    """``e^ε``: the most by which any release can shift the odds between two true values.

    Infinite beyond all floats, as for a person of a thousand rows at ε = 1 each.
    """
    try:
        return math.exp(_number(epsilon))
    except OverflowError:
        return math.inf


def best_guess(epsilon: float | Fraction) -> float:
    """Largest chance to tell two equally likely values apart: ``e^ε / (1 + e^ε)``.

    >>> round(best_guess(1.0), 3)
    0.731
    """
    return 1.0 / (1.0 + math.exp(-_number(epsilon)))


def _number(epsilon: object) -> float:
    number = real(epsilon)
    if number is None:
        raise ParameterError("epsilon", epsilon, "must be a number")
    return number


def epsilon_for_error(
    error: float,
    inputs: tuple[float, float],
    *,
    pair: str | Pair = "A1B1",
    objective: Objective = "center",
    tail_ratio: float | None = None,
    spacing: float | None = None,
) -> Decimal:
    """The smallest ε, to four digits, at which the typical error is at most ``error``.

    The typical error falls as ε grows, so bisection finds it; it ends on the side where the wish
    is met. Outputs are derived from the inputs; a coarse ``spacing`` costs a little more ε.

    >>> epsilon_for_error(50.0, (0, 100))
    Decimal('1.834')

    Raises :class:`ParameterError` for an error that is not a finite number above 0,
    :class:`UnreachableErrorError` where even the largest ε is noisier.
    """
    wanted = positive("error").check(error)
    interval = Interval.checked("inputs", inputs)

    def typical(epsilon: Decimal) -> float:
        mechanism = CompositeMechanism(
            not_above(Fraction(epsilon)),
            interval,
            pair=pair,
            objective=objective,
            tail_ratio=tail_ratio,
            spacing=spacing,
        )
        return Meaning(mechanism).typical_error

    low = Decimal(repr(EPSILON.lower))
    tail = pair.base.tau if isinstance(pair, Pair) else tail_ratio
    if tail is not None and tail < 1.0:
        # At -ln(tau) the tail ratio alone uses up epsilon.
        low = max(low, _rounded_up(Decimal(-math.log(tail))))
    return smallest_epsilon(wanted, typical, low, lambda at: UnreachableErrorError(wanted, at))


def epsilon_for_share(error: float, categories: int, rows: int) -> Decimal:
    """The smallest ε, to four digits, at which the error of a share among so many rows is at most
    ``error``, where all categories are as frequent.

    >>> epsilon_for_share(0.05, 4, 1000)
    Decimal('0.8903')

    Raises as :func:`epsilon_for_error` does.
    """
    wanted = positive("error").check(error)
    root = math.sqrt(count("rows", lower=1).check(rows))

    def at(epsilon: Decimal) -> float:
        return RandomizedResponse(not_above(Fraction(epsilon)), categories).typical_error / root

    def refused(at_best: float) -> UnreachableErrorError:
        told = f"an error of {number(100 * wanted, 6)} percentage points in a share"
        return UnreachableErrorError(100 * wanted, 100 * at_best, told, "take more rows")

    return smallest_epsilon(wanted, at, Decimal(repr(EPSILON.lower)), refused)


def smallest_epsilon(
    wanted: float,
    error: Callable[[Decimal], float],
    low: Decimal,
    refused: Callable[[float], UnreachableErrorError],
) -> Decimal:
    """The smallest ε from ``low`` on whose error, which falls, is at most the wanted one."""
    high = Decimal(repr(EPSILON.upper))
    if not (least := error(high)) <= wanted:
        raise refused(least)
    while low < (middle := _rounded_up((low * high).sqrt())) < high:
        low, high = (low, middle) if error(middle) <= wanted else (middle, high)
    return high


def _rounded_up(value: Decimal) -> Decimal:
    step = Decimal(1).scaleb(value.adjusted() - _DIGITS + 1)
    return value.quantize(step, rounding=ROUND_CEILING).normalize()
