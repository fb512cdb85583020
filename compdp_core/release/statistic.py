"""The answer to one question about a column: what it will cost in error, and its one release."""

from __future__ import annotations

import math
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction

from compdp_core.accounting import Amount, Ledger
from compdp_core.accounting.charge import charged
from compdp_core.design.density import Density
from compdp_core.errors import CompdpError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.planning import blueprint
from compdp_core.numerics import bracket, first_above, not_above
from compdp_core.parameters import EPSILON, PROBABILITY, positive
from compdp_core.randomness import Source, SystemSource, checked
from compdp_core.statistics import ExactAnswer, QueryPlan
from compdp_core.text import number

LEVEL = 0.95
"""Confidence of the intervals."""


class UnreachableAccuracyError(CompdpError):
    """No ε in range answers that precisely. ``closest`` is the half-width at the largest ε."""

    def __init__(self, wanted: float, closest: float) -> None:
        self.wanted = wanted
        self.closest = closest
        super().__init__(
            f"95 % of answers within ±{number(wanted, 6)} cannot be had: at the largest epsilon "
            f"{number(EPSILON.upper, 6)} they lie within ±{number(closest, 6)}; ask for less, or "
            "narrow the bounds"
        )


def mechanism_for(
    plan: QueryPlan, epsilon: Amount, *, pair: str | None = None, steps: int | None = None
) -> CompositeMechanism:
    """The mechanism that answers a question: a staircase where ``Δ < R`` unless told otherwise.

    Whole-number answers are released as whole numbers. What it proves is never above ``epsilon``,
    read as :func:`~compdp_core.accounting.charge.charged` does.
    """
    return CompositeMechanism(
        not_above(charged(epsilon)),
        plan.range,
        sensitivity=plan.float_sensitivity,
        pair=pair,
        steps=steps,
        spacing=1 if plan.whole else None,
    )


@dataclass(frozen=True, eq=False)
class Forecast:
    """The error to expect of an answer, from public settings alone, before anything is spent."""

    plan: QueryPlan
    mechanism: CompositeMechanism

    @property
    def typical_error(self) -> float:
        """Standard deviation in the middle of the range (unit of the answer)."""
        return math.sqrt(self.mechanism.variance(_middle(self.plan)))

    @property
    def worst_error(self) -> float:
        """Standard deviation where it is largest, at an end of the range."""
        return math.sqrt(max(self.mechanism.variance(x) for x in self.mechanism.inputs))

    @property
    def half_width(self) -> float:
        """95 % of answers lie within this distance of the truth in the middle of the range."""
        return half_width(self.mechanism, _middle(self.plan))

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
        return math.sqrt(paper.variance(_middle(self.plan)))


def middle(inputs: Interval, *, whole: bool) -> float:
    """The true value in the middle of the inputs: a whole number where all true values are.

    Between two whole numbers, where none lies, rounding at random adds to the variance, and
    distances to outputs end in a half.

    >>> from compdp_core.intervals import Interval
    >>> middle(Interval(0, 61), whole=True), middle(Interval(0, 61), whole=False)
    (30.0, 30.5)
    >>> middle(Interval(0.6, 1.2), whole=True), middle(Interval(0.2, 0.9), whole=True)
    (1.0, 0.55)
    """
    beside = (float(math.floor(inputs.midpoint)), float(math.ceil(inputs.midpoint)))
    inside = [each for each in beside if whole and inputs.contains(each)]
    return inside[0] if inside else inputs.midpoint


def _middle(plan: QueryPlan) -> float:
    return middle(plan.range, whole=plan.whole)


def half_width(mechanism: CompositeMechanism, value: float, level: float = LEVEL) -> float:
    """The smallest distance within which a release of ``value`` lies with probability ``level``.

    Of the lattice that is drawn from: 0 where the value itself is that likely.
    """
    wanted = PROBABILITY.check(level)
    lattice = mechanism.lattice
    at = min(max(value, mechanism.inputs[0]), mechanism.inputs[1])

    def within(distance: float) -> bool:
        first = lattice.index_at_least(at - distance)
        behind = lattice.index_at_least(math.nextafter(at + distance, math.inf))
        return float(lattice.below(behind, at) - lattice.below(first, at)) >= wanted

    if within(0.0):
        return 0.0
    farthest = max(abs(end - at) for end in mechanism.outputs)
    fine = 1e-3 * lattice.spacing
    low, high = bracket(0.0, farthest, within, lambda _, high: max(fine, 1e-12 * high))
    # The distance is that of an output, where one is this close.
    beyond = lattice.index_at_least(math.nextafter(at + low, math.inf))
    outputs = lattice.value([lattice.index_at_least(at - low) - 1, beyond]).tolist()
    exact = sorted(abs(output - at) for output in outputs)
    return next((d for d in exact if low < d <= high and within(d)), high)


@dataclass(frozen=True, eq=False)
class Answer:
    """A released answer with its confidence interval. Publishable: nothing private is in it."""

    plan: QueryPlan
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
    pair: str | None = None
    """The function pair that was asked for; None for the best one."""
    steps: int | None = None
    """The steps of a staircase that were asked for."""
    ledger: Ledger | None = None
    """The ledger with this answer in it, to be used from now on; None where none was given."""


def answer(
    question: ExactAnswer,
    epsilon: Amount,
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
    charge = charged(epsilon)
    mechanism = mechanism_for(question.plan, charge, pair=pair, steps=steps)
    words = SystemSource() if source is None else checked(source)
    value = float(mechanism.draw(question.value, words))
    return Answer(
        question.plan,
        mechanism,
        charge,
        value,
        confidence_interval(question.plan, mechanism, value),
        LEVEL,
        uuid.uuid4().hex,
        datetime.now(UTC).replace(microsecond=0),
        pair,
        steps,
    )


def confidence_interval(
    plan: QueryPlan, mechanism: CompositeMechanism, released: float, level: float = LEVEL
) -> tuple[float, float]:
    """Where the exact answer lies, with at least that confidence, given what was released.

    Between whole numbers where answers are whole.
    """
    low, high = mechanism.inputs_within(released, level)
    if plan.whole:
        first = math.ceil(low)
        low, high = first, max(first, math.floor(high))
    return float(low), float(high)


def epsilon_for_accuracy(plan: QueryPlan, wanted: float, *, pair: str | None = None) -> Decimal:
    """An ε of three digits with 95 % of answers within ``±wanted``; the next lower one has fewer.

    The continuous design tells where to look, the lattice that would be drawn from decides.

    Raises :class:`ParameterError`, :class:`UnreachableAccuracyError`.
    """
    target = positive("wanted").check(wanted)

    def reached(place: int) -> bool:
        return _forecast(plan, place, pair).half_width <= target

    guess = first_above(-1, _LAST, lambda place: _likely(plan, target, place, pair))
    low, high = guess - 1, guess
    step = 1
    while high < _LAST and not reached(high):
        low, high, step = high, min(high + step, _LAST), 2 * step
    if high == _LAST and not reached(high):
        raise UnreachableAccuracyError(target, _forecast(plan, _LAST, pair).half_width)
    if low < guess:
        step = 1
        while low >= 0 and reached(low):
            low, high, step = max(low - step, -1), low, 2 * step
    return _three_digits(first_above(low, high, reached))


def _forecast(plan: QueryPlan, place: int, pair: str | None) -> Forecast:
    return Forecast(plan, mechanism_for(plan, _three_digits(place), pair=pair))


def _likely(plan: QueryPlan, target: float, place: int, pair: str | None) -> bool:
    """Whether the continuous design at an ε puts 95 % within ``±target`` of the middle."""
    reach = target
    if plan.whole:  # each whole number within reach stands for half a unit on either side
        reach = math.floor(target) + 0.5
    epsilon = not_above(charged(_three_digits(place)))
    sensitivity = plan.float_sensitivity
    design = blueprint(epsilon, plan.range, pair=pair, sensitivity=sensitivity).design
    distance = min(reach / plan.range.width * 2.0 * design.C, design.L)
    low, high = Density(design).cdf([-distance, distance], 0.0)
    return bool(high - low >= LEVEL)


_LAST = 4000
"""Place of 50 among the decimals of three digits that begin with 0.00100."""


def _three_digits(place: int) -> Decimal:
    """The decimal of three digits at a place of their order: 0.001, 0.00101, …, 0.01, 0.0101, …"""
    decade, mantissa = divmod(place, 900)
    value = Decimal(100 + mantissa).scaleb(decade - 5)
    return value.normalize() if value != value.to_integral() else value.to_integral()
