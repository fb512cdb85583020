"""Figures as a person writes them, and what they say in a sentence that can be repeated."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from compdp_core.estimates.estimate import Estimate
from compdp_core.estimates.summary.requests import BLANK
from compdp_core.estimates.summary.rows import VALUES, SummaryRow
from compdp_core.text import alike, count, number

NONE = "–"
POINTS = "percentage points"
_SLOPES = ("slope for ", "difference where ")
_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z])")
_MOST_OWN = 4
WORTH_A_FACTOR = 1.1
"""From here on a factor tells more than a difference."""


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
    value, low, high = found.written or map(row.written, (found.value, found.low, found.high))
    if value and low and high:
        return FigureTexts(value, _ends(found, low, high), said, naive)
    given = (found.value, found.low, found.high, row.naive)
    half = 0.5 * scale * (found.high - found.low)
    value, low, high, naive = alike(half, *(scale * each for each in given))
    ends = _with(_ends(found, low, high), unit)
    return FigureTexts(_with(value, unit), ends, said, _with(naive, unit * (naive != NONE)))


def _ends(found: Estimate, low: str, high: str) -> str:
    """Both of an interval, or the one value that is left of it."""
    return high if found.low == found.high else f"{low} … {high}"


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
    if found.written is None and not row.written(found.low):
        # The unit stands behind the second end alone.
        low = _with(low, _unit(row))
    if row.figure.startswith(_SLOPES):
        by = f"{low} to {high}" if high else texts(row).interval
        said = f"{_where(row)} {_of_whom(found)}, {row.column} differs by {by}"
    else:
        comma = "," * (row.request.method in ("means", "difference"))
        what = _capital(_what(row))
        lies = f"lies between {low} and {high}" if high else f"is {texts(row).interval}"
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


def verdict(row: SummaryRow) -> str:
    """How wrong the figure is as it stands, by the estimate."""
    found, naive = row.estimate, row.naive
    if found is None or not math.isfinite(naive):
        return NONE
    if row.request.method != "quantile" and math.isclose(naive, found.value, rel_tol=1e-9):
        return "the same, without its error"
    if found.low <= naive <= found.high:
        return "within the interval"
    if row.request.method not in VALUES and naive * found.value > 0.0:
        factor = naive / found.value
        times, larger = max(factor, 1.0 / factor), "large" if factor > 1.0 else "small"
        if times >= WORTH_A_FACTOR:
            return f"{number(times, 2)} times too {larger}"
    off = _scale(row) * (naive - found.value)
    return f"off by {_with(number(off), 'percentage points' if is_share(row) else row.unit)}"


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
        case "share" if len(given) == 1:
            return f"the share of rows where {column} is {row.figure.removeprefix('share ')}"
        case "share":
            return f"the share of rows where {column} is {given[1] or BLANK}"
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
