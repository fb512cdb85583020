"""The values of a column in its own words: numbers with their unit, dates and times as they are
written, errors of these as so many days or hours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from compdp_core.errors import CompdpError, InfeasibleOutputsError
from compdp_core.release.column_plan import Kind
from compdp_core.tables.categories import Categories
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.text import brief, number, percent, rounded_up, span
from pages.text.wording import count, literal, placed, quantity

DAY = 86_400.0
_YEAR = 365.2425
_UNITS = ((DAY, "day"), (3600.0, "h"), (60.0, "min"), (1.0, "s"))
_MEASURES = (("days", DAY), ("hours", 3600.0), ("minutes", 60.0))
_MANY_DAYS, _YEARS_FROM = 10, 730


@dataclass(frozen=True)
class ValueWords:
    """How the values of one column are said."""

    unit: str = ""
    """Of its numbers."""
    format: ValueFormat | None = None
    """How its dates, times or durations are written; None for numbers."""
    names: tuple[tuple[float, str], ...] = ()
    """What each place of a scale is called."""

    @classmethod
    def of(
        cls, unit: str, kind: Kind, form: ValueFormat | None, categories: Categories | None
    ) -> ValueWords:
        """Those of a column that is declared so."""
        if kind == "scale" and categories is not None:
            named = zip(categories.scores, categories.names, strict=True)
            return cls(unit, names=tuple(named))
        return cls(unit, None if form is None or form.kind == "number" else form)

    def in_markdown(self) -> ValueWords:
        """The same with a unit that markdown shows as it is typed."""
        return replace(self, unit=literal(self.unit))

    @property
    def step(self) -> float:
        """Seconds of a step of the format."""
        form = self.format
        return math.nan if form is None else form.step * (DAY if form.kind == "date" else 1.0)

    @property
    def of_axis(self) -> str:
        """What a number of its chart is measured in: dates and times are written out."""
        return self.unit if self.format is None else ""

    def named(self, what: str) -> str:
        """A heading of numbers with their unit, where they have one."""
        return f"{what} ({self.of_axis})" if self.of_axis else what

    def amount(self, size: float, digits: int = 3) -> str:
        """A difference of two values, such as an error."""
        if self.format is None:
            return quantity(size, self.unit, digits)
        seconds = size * self.step
        return days(seconds / DAY, digits) if self.format.kind == "date" else lasting(seconds)

    def measure(self, width: float) -> tuple[str, float]:
        """The unit in which errors are asked and listed for bounds so far apart, and its steps."""
        if self.format is None:
            return self.unit, 1.0
        if self.format.kind == "date":
            return "days", DAY / self.step
        length = width * self.step
        name, size = next((each for each in _MEASURES if length >= 4 * each[1]), ("seconds", 1.0))
        return name, size / self.step

    def off(self, difference: float) -> str:
        """The same with its sign."""
        if self.format is None:
            return quantity(difference, self.unit)
        return "−" * (difference < 0) + self.amount(abs(difference))

    def value(self, value: float, ends: tuple[float, float] | None = None) -> str:
        """One value; with digits enough to tell where between the ends it lies."""
        if self.format is None:
            named = dict(self.names).get(value)
            text = number(value, 4) if ends is None else placed(value, ends)
            if named is not None and named != text:
                return f"{text} ({named})"
            return f"{text} {self.unit}".rstrip()
        return written(self.format, value)

    def short(self, value: float, digits: int) -> str:
        """One value in a table, whose heading names the unit."""
        return number(value, digits) if self.format is None else written(self.format, value)

    def span(self, low: float, high: float, digits: int = 4, *, bare: bool = False) -> str:
        """Two ends; ``bare`` without the unit."""
        if self.format is None:
            return span(low, high, "" if bare else self.unit, digits)
        return f"{written(self.format, low)} … {written(self.format, high)}"

    def listed(self, values: Iterable[float | None]) -> list[Any]:
        """Values in a table of numbers: dates and times written out."""
        if self.format is None:
            return list(values)
        return [None if each is None else self.value(float(each)) for each in values]

    @property
    def beyond(self) -> str:
        """How a value is on the other side of a limit."""
        dated = self.format is not None and self.format.kind in ("date", "datetime")
        return "after" if dated else "above"

    @property
    def key(self) -> str:
        """What the places of a scale are called, where their names are no numbers."""
        shown = [(number(place, 4), name) for place, name in self.names]
        if all(place == name for place, name in shown):
            return ""
        return " · ".join(f"{place} {name}" for place, name in shown)


def written(form: ValueFormat, value: float) -> str:
    """The value as its column writes it, or the number of steps where it cannot be written."""
    try:
        return form.text(float(round(value)))
    except (CompdpError, OverflowError, ValueError):
        return quantity(value, form.unit)


def days(size: float, digits: int = 3) -> str:
    """So many days, and years where they are many.

    >>> days(12.34), days(1.0), days(2500.0)
    ('12.3 days', '1 day', '2,500 days (6.84 years)')
    """
    text = number(size, digits)
    said = f"{text} {'day' if text == '1' else 'days'}"
    return said if size < _YEARS_FROM else f"{said[:-5]} days ({number(size / _YEAR)} years)"


def lasting(seconds: float) -> str:
    """A length of time in its two largest units.

    >>> lasting(4800), lasting(59.96), lasting(0.25), lasting(200000), lasting(3599.7)
    ('1 h 20 min', '1 min', '0.25 s', '2 days 8 h', '1 h')
    """
    for at, (size, name) in enumerate(_UNITS[:-1]):
        smaller, small = _UNITS[at + 1]
        # What rounds to a whole one of the larger unit is one.
        rounded = smaller * round(seconds / smaller)
        if rounded < size:
            continue
        whole, rest = divmod(round(rounded / smaller), round(size / smaller))
        if name == "day" and whole >= _MANY_DAYS:
            return count(round(seconds / size), "day")
        first = count(whole, "day") if name == "day" else f"{whole} {name}"
        return f"{first} {rest} {small}" if rest else first
    return f"{number(seconds)} s"


def points(share: float, digits: int = 3) -> str:
    """A difference of two shares.

    >>> points(0.0123), points(0.01)
    ('1.23 percentage points', '1 percentage point')
    """
    text = percent(share, digits).removesuffix(" %")
    return f"{text} percentage {'point' if text == '1' else 'points'}"


def too_narrow(refusal: InfeasibleOutputsError, words: ValueWords) -> str:
    """Why hard bounds of dates or times cannot be kept, and the ways out, as they are written."""
    ways = []
    if refusal.smallest_epsilon is not None:
        ways.append(f"raise epsilon to at least {rounded_up(refusal.smallest_epsilon, 4)}")
    if (wider := refusal.narrowest_outputs) is not None:
        least = words.span(math.floor(wider[0]), math.ceil(wider[1]))
        ways.append(f"widen the outputs to at least {least}")
    if (narrower := refusal.widest_inputs) is not None:
        most = words.span(math.ceil(narrower[0]), math.floor(narrower[1]))
        ways.append(f"narrow the inputs to at most {most}")
    return (
        f"outputs {words.span(*refusal.outputs)} are too narrow for inputs "
        f"{words.span(*refusal.inputs)} at epsilon {brief(refusal.epsilon)}: {', or '.join(ways)}"
    )
