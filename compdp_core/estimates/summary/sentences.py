"""Figures as a person writes them, and what they say in a sentence that can be repeated."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from compdp_core.estimates.estimate import Estimate
from compdp_core.estimates.summary.requests import BLANK
from compdp_core.estimates.summary.rows import SummaryRow
from compdp_core.text import count, number, span, to_error

NONE = "–"
POINTS = "percentage points"
_SLOPES = ("slope for ", "difference where ")
_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z])")
_MOST_OWN = 4


@dataclass(frozen=True)
class FigureTexts:
    """One figure in a table."""

    value: str
    interval: str
    error: str
    naive: str


def texts(row: SummaryRow) -> FigureTexts:
    """The texts of a row, with its unit; dates and times as they are written."""
    found, scale, unit = row.estimate, _scale(row), _unit(row)
    naive = told(row, row.naive)
    if found is None:
        return FigureTexts(NONE, NONE, NONE, naive)
    error = scale * found.standard_error
    of = POINTS if unit == "%" else unit
    said = _with(number(error, 2), of) if math.isfinite(error) else NONE
    if found.written is not None:
        value, low, high = found.written
        return FigureTexts(value, f"{low} … {high}", said, naive)
    value = _with(to_error(scale * found.value, error), unit)
    return FigureTexts(value, span(scale * found.low, scale * found.high, unit), said, naive)


def told(row: SummaryRow, value: float) -> str:
    """Another value of the same figure, with its unit."""
    if not math.isfinite(value):
        return NONE
    return row.written(value) or _with(number(_scale(row) * value, 4), _unit(row))


def sentence(row: SummaryRow) -> str:
    """What a figure says, for whoever has not seen it made; of one that is none, why."""
    found = row.estimate
    if found is None:
        return f"{_capital(_what(row))}: {row.refusal.rstrip('.')}."
    low, _, high = texts(row).interval.partition(" … ")
    if found.written is None:
        # The unit stands behind the second end alone.
        low = _with(low, _unit(row))
    if row.figure.startswith(_SLOPES):
        said = f"{_where(row)} {_of_whom(found)}, {row.column} differs by {low} to {high}"
    else:
        comma = "," * (row.request.method in ("means", "difference"))
        what = _capital(_what(row))
        lies = f"is {high}" if found.low == found.high else f"lies between {low} and {high}"
        said = f"{what}{comma} {_of_whom(found)}{comma} {lies}"
    return f"{said}, and {right(found.level)}.{_beside(row, found)}"


def remarks(rows: Iterable[SummaryRow]) -> list[str]:
    """What limits the figures, each sentence once; where many have one of their own, what several
    have in common.
    """
    notes = [_SENTENCES.split(row.estimate.note) for row in rows if row.estimate is not None]
    times = Counter(each for note in notes for each in dict.fromkeys(filter(None, note)))
    shared = [each for each, often in times.items() if often > 1]
    return list(times) if len(times) - len(shared) <= _MOST_OWN else shared


def right(level: float) -> str:
    """How often such an interval is right.

    >>> right(0.95), right(0.995)
    ('95 of 100 intervals made so are right', '995 of 1,000 intervals made so are right')
    """
    of = 100 if round(100 * level, 9) % 1 == 0 else 1000
    return f"{round(of * level):,} of {of:,} intervals made so are right"


def _what(row: SummaryRow) -> str:
    """The figure in a sentence."""
    given, column = row.request.arguments, row.column
    match row.request.method:
        case "share":
            return f"the share of rows whose {column} is {given[1] or BLANK}"
        case "correlation":
            return (
                f"the correlation of {column} with {row.figure.removeprefix('correlation with ')}"
            )
        case "regression":
            return f"the {row.figure} for {column}"
        case "means" | "difference":
            return f"the {row.figure.replace('mean where', f'mean {column} where', 1)}"
    return f"the {row.figure} of {column}"


def _of_whom(found: Estimate) -> str:
    if found.about == "population":
        return "in the population that the rows are drawn from"
    return f"over these {count(found.n, 'row')}"


def _where(row: SummaryRow) -> str:
    """How rows differ of which a slope tells."""
    alike = " and all else is alike," if len(row.request.arguments[1]) > 1 else ""
    if row.figure.startswith(_SLOPES[0]):
        return f"Where {row.figure.removeprefix(_SLOPES[0])} is 1 more{alike}"
    return f"{row.figure.replace('difference where', 'Where', 1)}{alike}"


def is_share(row: SummaryRow) -> bool:
    """Whether it is told in percent: a share, and the mean of what is 1 or 0."""
    method, subject = row.request.method, row.request.arguments[0]
    together = method in ("means", "difference", "regression")
    return method == "share" or (together and isinstance(subject, tuple))


def _scale(row: SummaryRow) -> float:
    return 100.0 if is_share(row) else 1.0


def _unit(row: SummaryRow) -> str:
    if not is_share(row):
        return row.unit
    # Of two shares the difference, and of one how it changes.
    apart = row.request.method == "difference" or row.figure.startswith(_SLOPES)
    return POINTS if apart else "%"


def _beside(row: SummaryRow, found: Estimate) -> str:
    """What a reader of the cells as they stand would say, where that is something else."""
    if not math.isfinite(row.naive) or found.low <= row.naive <= found.high:
        return ""
    return f" Read as it stands, the release says {texts(row).naive}: that is its noise."


def _with(text: str, unit: str) -> str:
    return f"{text} {unit}".rstrip()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
