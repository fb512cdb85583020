"""How an answer is said: as its column has it, or as a number with its unit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from compdp_core.statistics import Count, Sum, Variance
from compdp_core.statistics.query import Query
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.text import plain
from pages.sections.shared.written_values import in_words
from pages.text.values import ValueWords
from pages.text.wording import quantity

SINCE = {
    "date": "a date is the number of {} since 1970-01-01",
    "time": "a time of day is the number of {} since midnight",
    "datetime": "a date with a time is the number of {} since 1970-01-01 00:00",
    "duration": "a duration is a number of {}",
}


@dataclass(frozen=True)
class AnswerWords(ValueWords):
    """Of answers with all their digits, and of sums of durations, which no column writes."""

    total: bool = False

    @classmethod
    def of_answers(cls, inquiry: Query, unit: str) -> AnswerWords:
        """A variance is no date, and neither is a number of rows."""
        form, kind = inquiry.format, inquiry.statistic
        if form is None or form.kind == "number" or isinstance(kind, Count | Variance):
            return cls(unit)
        return cls(unit, form, total=isinstance(kind, Sum))

    def value(self, value: float, ends: tuple[float, float] | None = None) -> str:
        """As the column writes it, with the date where it counts days; numbers with six digits."""
        if self.format is None:
            return quantity(value, self.unit, 6)
        if self.total:
            return in_words(float(round(value)), self.format)
        text = super().value(value, ends)
        return f"{text} ({_counted(value, self.format)})" if text.isdecimal() else text

    def span(self, low: float, high: float, digits: int = 4, *, bare: bool = False) -> str:
        if self.format is not None:
            return f"{self.value(low)} … {self.value(high)}"
        return super().span(low, high, digits, bare=bare)

    def released(self, value: float) -> str:
        """The released number with all of its decimals, and its unit."""
        return f"{plain(value)} {self.unit}".rstrip() if self.format is None else self.value(value)

    def interval(self, low: float, high: float, decimals: int) -> str:
        """With the decimals of the answer: more of them say nothing. Of days, whole ones."""
        if self.format is None:
            low, high = (round(end, decimals) for end in (low, high))
            return f"{plain(low)} … {plain(high)} {self.unit}".rstrip()
        return self.span(float(math.floor(low)), float(math.ceil(high)))

    @property
    def steps(self) -> str:
        """What numbers of formulas stand for; empty where they are those of the column."""
        form = self.format
        return "" if form is None else SINCE[form.kind].format(form.unit)


def _counted(value: float, form: ValueFormat) -> str:
    """A date or time that its column writes as a mere number."""
    try:
        return in_words(float(round(value)), form)
    except (OverflowError, ValueError):
        return f"no {form.kind}"
