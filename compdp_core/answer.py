"""The answer to one question about a column: what it will cost in error, and its one release."""

from __future__ import annotations

import math
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.ledger import as_float
from compdp_core.mechanism import CompositeMechanism
from compdp_core.parameters import EPSILON, real
from compdp_core.randomness import Source, SystemSource
from compdp_core.statistics import Plan, Question

LEVEL = 0.95
"""Confidence of the intervals."""


class UnreachableAccuracyError(CompdpError):
    """No ε in range answers that precisely. ``closest`` is the half-width at the largest ε."""

    def __init__(self, wanted: float, closest: float) -> None:
        self.wanted = wanted
        self.closest = closest
        super().__init__(
            f"95 % of answers within ±{wanted:g} cannot be had: at the largest epsilon "
            f"{EPSILON.upper:g} they lie within ±{closest:.6g}; ask for less, or narrow the bounds"
        )


def mechanism_for(
    plan: Plan, epsilon: Fraction, *, pair: str | None = None, steps: int | None = None
) -> CompositeMechanism:
    """The mechanism that answers a question: a staircase where ``Δ < R`` unless told otherwise.

    Whole-number answers are released as whole numbers.
    """
    return CompositeMechanism(
        as_float(epsilon),
        plan.range,
        sensitivity=plan.float_sensitivity,
        pair=pair,
        steps=steps,
        spacing=1 if plan.whole else None,
    )


@dataclass(frozen=True, eq=False)
class Forecast:
    """The error to expect of an answer, from public settings alone, before anything is spent."""

    plan: Plan
    mechanism: CompositeMechanism

    @property
    def typical_error(self) -> float:
        """Standard deviation at the middle of the range (unit of the answer)."""
        return math.sqrt(self.mechanism.variance(self.plan.range.midpoint))

    @property
    def worst_error(self) -> float:
        """Standard deviation where it is largest, at an end of the range."""
        return math.sqrt(max(self.mechanism.variance(x) for x in self.mechanism.inputs))

    @property
    def half_width(self) -> float:
        """95 % of answers lie within this distance of the truth in the middle of the range."""
        return half_width(self.mechanism, self.plan.range.midpoint)

    @property
    def laplace_error(self) -> float:
        """Standard deviation of unbounded Laplace noise at the same ε: ``√2 Δ/ε``."""
        return math.sqrt(2.0) * float(self.plan.sensitivity) / self.mechanism.epsilon

    @property
    def any_two_error(self) -> float:
        """Standard deviation of the paper's design, which takes any two answers for neighbours."""
        paper = CompositeMechanism(
            self.mechanism.epsilon, self.plan.range, spacing=1 if self.plan.whole else None
        )
        return math.sqrt(paper.variance(self.plan.range.midpoint))


def half_width(mechanism: CompositeMechanism, value: float, level: float = LEVEL) -> float:
    """The smallest distance within which a release of ``value`` lies with probability ``level``."""
    low, high = 0.0, max(abs(end - value) for end in mechanism.outputs)
    step = 1e-3 * mechanism.lattice.spacing

    def within(distance: float) -> bool:
        outside = mechanism.probability_outside((value - distance, value + distance), value)
        return float(outside) <= 1.0 - level

    while high - low > max(step, 1e-12 * high):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if within(middle) else (middle, high)
    return high


@dataclass(frozen=True, eq=False)
class Answer:
    """A released answer with its confidence interval. Publishable: nothing private is in it."""

    plan: Plan
    mechanism: CompositeMechanism
    epsilon: Fraction
    """What was charged, exact."""
    value: float
    """The released answer."""
    interval: tuple[float, float]
    """Confidence interval for the exact answer, within the range."""
    level: float
    identifier: str
    when: datetime


def answer(
    question: Question,
    epsilon: Fraction,
    *,
    pair: str | None = None,
    steps: int | None = None,
    source: Source | None = None,
) -> Answer:
    """Draw the answer, once. ``source`` is the system's unless a simulation hands in another.

    >>> from compdp_core.intervals import Interval
    >>> from compdp_core.randomness import SeededSource
    >>> from compdp_core.statistics import Mean
    >>> question = Mean().ask([52.0, 61.0, 70.0, 55.0], Interval(0, 100))
    >>> released = answer(question, Fraction(4), source=SeededSource(1))
    >>> released.interval[0] <= question.value <= released.interval[1]
    True
    """
    mechanism = mechanism_for(question.plan, Fraction(epsilon), pair=pair, steps=steps)
    words = SystemSource() if source is None else source
    value = float(mechanism.draw(question.value, words))
    low, high = mechanism.inputs_within(value, LEVEL)
    if question.plan.whole:
        low, high = math.ceil(low), max(math.ceil(low), math.floor(high))
    return Answer(
        question.plan,
        mechanism,
        Fraction(epsilon),
        value,
        (float(low), float(high)),
        LEVEL,
        uuid.uuid4().hex,
        datetime.now(UTC).replace(microsecond=0),
    )


def epsilon_for_accuracy(plan: Plan, wanted: float, *, pair: str | None = None) -> Decimal:
    """The smallest ε, rounded up to three digits, with 95 % of answers within ``±wanted``.

    Raises :class:`ParameterError`, :class:`UnreachableAccuracyError`.
    """
    target = real(wanted)
    if target is None or not target > 0.0:
        raise ParameterError("wanted", wanted, "must be a finite number above 0")

    def reached(epsilon: Decimal) -> float:
        return Forecast(plan, mechanism_for(plan, Fraction(epsilon), pair=pair)).half_width

    highest = Decimal(str(EPSILON.upper))
    low, high = Decimal(str(EPSILON.lower)), highest
    if not reached(high) <= target:
        raise UnreachableAccuracyError(target, reached(high))
    if reached(low) <= target:
        return low.normalize()
    # Bisection between decimals of three digits, ending on the side where the wish is met.
    while True:
        middle = _three_digits((low * high).sqrt())
        if not low < middle < high:
            return high.normalize()
        low, high = (low, middle) if reached(middle) <= target else (middle, high)


def _three_digits(value: Decimal) -> Decimal:
    return value.quantize(Decimal(1).scaleb(value.adjusted() - 2), rounding=ROUND_CEILING)
