"""What is asked of the data: its public side, and the one private number that answers it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

from compdp_core.adjacency import Neighbours, PerPerson, Person
from compdp_core.errors import BoundsError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.numerics import not_below
from compdp_core.text import count, number
from compdp_core.validation import flag, text

_NARROWEST = 1e-290  # below this, products of widths underflow


@dataclass(frozen=True)
class PublicFacts:
    """Everything a sensitivity may depend on. No field is read from the values."""

    neighbours: Neighbours = Neighbours.REPLACE_ONE
    rows: int | None = None
    """Number of rows, of persons where there are some, where it is public; else the most rows the
    table could have."""
    bounds: Interval | None = None
    """Values are clamped into these."""
    where: str | None = None
    """The rule in words, where a condition or a group picks rows; their number is private."""
    whole_numbers: bool = False
    """Whether the column is publicly known to hold whole numbers only."""
    column: str = "values"
    """Name of the column, for texts."""
    unit: str = ""
    """Unit of its values, for texts."""
    person: Person | None = None
    """Whose rows are one person's; None where each row is another person."""
    per_person: PerPerson = "rows"
    """What of a person is read."""

    def __post_init__(self) -> None:
        flag("whole_numbers", self.whole_numbers)
        text("column", self.column)
        text("unit", self.unit)
        if self.rows is not None and not is_whole_from(0, self.rows):
            raise ParameterError("rows", self.rows, "must be a whole number from 0")

    @property
    def n_is_public(self) -> bool:
        """Whether the number of values that the statistic reads is public: one of each row, or of
        each person.
        """
        return self.neighbours.n_is_public and self.where is None and self.most == 1

    @property
    def most(self) -> int:
        """How many of the values that the statistic reads are one person's at most, k."""
        if self.person is None or self.per_person != "rows":
            return 1
        return self.person.at_most

    @property
    def one(self) -> str:
        """What is added, removed or replaced, in a word."""
        return "row" if self.person is None else "person"

    @property
    def subject(self) -> str:
        """What is read, in words: the column, or what of each person."""
        if self.person is None or self.per_person == "rows":
            return self.column
        return f"the {self.per_person} of {self.column} of each {self.person.text}"

    @property
    def interval(self) -> Interval:
        """The bounds. Raises :class:`BoundsError` where none are set."""
        if self.bounds is None:
            raise BoundsError(
                "bounds", None, None, "must be set from public knowledge, not from the data"
            )
        return self.bounds

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """Both bounds, exactly."""
        return Fraction(self.interval.lower), Fraction(self.interval.upper)

    @property
    def middle(self) -> Fraction:
        """Midpoint of the bounds, exactly."""
        return Fraction(1, 2) * (self.ends[0] + self.ends[1])

    @property
    def answers_whole(self) -> bool:
        """Whether clamped values are whole: declared so, between whole bounds, and no means."""
        ends = () if self.bounds is None else self.bounds.as_tuple()
        whole = self.whole_numbers and self.per_person != "mean"
        return whole and all(end.is_integer() for end in ends)

    def describe(self, question: str) -> str:
        """``question`` with the rule that picks the rows, and how many of a person are read."""
        said = question if self.where is None else f"{question} where {self.where}"
        if self.person is None or self.per_person != "rows":
            return said
        return f"{said}, at most {count(self.most, 'row')} of each {self.person.text}"


@dataclass(frozen=True)
class QueryPlan:
    """The public side of a question: what a mechanism needs to know, and why it is so."""

    statistic: str
    text: str
    """The question in words, such as ``mean of score``."""
    unit: str
    """Unit of the answer."""
    range: Interval
    """All answers lie in it: the input interval of the mechanism."""
    sensitivity: Fraction
    """The most the exact answer can change between neighbouring tables."""
    formula: str
    """The sensitivity as a formula with its numbers."""
    reason: str
    """Why no neighbouring table changes the answer by more."""
    neighbours: Neighbours
    """The neighbour notion for which the sensitivity holds."""
    whole: bool
    """Whether every answer is a whole number."""
    rounded: bool
    """Whether an exact answer may need rounding to become a float."""

    @property
    def float_sensitivity(self) -> float:
        """A float that bounds the change of the answer *as a float*.

        Rounding moves each answer by half a unit in the last place of the range at most, so one
        such unit is added where answers round, and the result is rounded up. Never more than the
        width of the range.
        """
        slack = Fraction(0)
        if self.rounded:
            slack = Fraction(math.ulp(max(abs(self.range.lower), abs(self.range.upper))))
        return not_below(min(self.sensitivity + slack, Fraction(self.range.width)))


@dataclass(frozen=True)
class ExactAnswer:
    """A plan and its true answer. The answer is private, so it is left out of ``repr``."""

    plan: QueryPlan
    exact: Fraction = field(repr=False)
    """The true answer on the clamped values, exactly."""

    @property
    def value(self) -> float:
        """The true answer as the nearest float. Private: to be handed to a mechanism."""
        return float(self.exact)

    @property
    def range(self) -> Interval:
        """Input interval of the mechanism."""
        return self.plan.range

    @property
    def sensitivity(self) -> Fraction:
        """Exact sensitivity; :attr:`Plan.float_sensitivity` bounds that of :attr:`value`."""
        return self.plan.sensitivity


def is_whole_from(least: int, value: object) -> bool:
    """Whether ``value`` is an int, not a flag, of at least ``least``."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def outward(lower: Fraction, upper: Fraction) -> Interval:
    """The narrowest interval of floats that holds ``[lower, upper]``.

    Raises :class:`BoundsError` where its ends or its width overflow or underflow.
    """
    try:
        low, high = 0.0 - not_below(-lower), not_below(upper)  # 0.0 -: no negative zero
    except OverflowError:
        raise BoundsError(
            "bounds", None, None, "must be closer to 0: this statistic overflows"
        ) from None
    if not high - low >= _NARROWEST:
        raise BoundsError("bounds", low, high, "must be further apart: this statistic underflows")
    return Interval(low, high)


def show(value: Fraction) -> str:
    """A number of a formula, for people."""
    return number(float(value), 6)
