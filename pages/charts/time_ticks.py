"""Marks of dates, times and durations on an axis, and under the pointer, as the column has them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from pages.text.values import DAY, ValueWords
from pages.text.wording import in_chart

LETTERS = 60
"""Of all marks together; on a phone they turn where they do not fit."""
_WITHIN_A_DAY = (
    1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
    1800, 3600, 7200, 10800, 14400, 21600, 43200,
)  # fmt: skip
_DAYS = (1, 2, 5, 7, 14)
_MONTHS = (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000)
_MONTH = 30.44
Marks = list[float]


def time_axis(words: ValueWords, low: float, high: float) -> dict[str, Any]:
    """Marks from one value to another; none of its own for plain numbers."""
    if words.format is None:
        return {}
    ends = max(len(words.value(end)) for end in (low, high))
    most = max(2, min(6, LETTERS // (ends + 1)))
    marks = _marks(words, low, high, most)
    return {
        "tickmode": "array",
        "tickvals": marks,
        "ticktext": [in_chart(words.value(mark)) for mark in marks],
    }


def in_time(data: Iterable[dict[str, Any]], words: ValueWords) -> list[dict[str, Any]]:
    """The traces, with what the pointer says beginning with the date or time."""
    if words.format is None:
        return list(data)
    return [_told(trace, words) for trace in data]


def _told(trace: dict[str, Any], words: ValueWords) -> dict[str, Any]:
    template = trace.get("hovertemplate")
    if template is None or "text" in trace:
        return trace
    texts = [in_chart(words.value(x)) for x in np.asarray(trace["x"], dtype=float).tolist()]
    more = {"textposition": "none"} if trace["type"] == "bar" else {"mode": "lines"}
    return trace | more | {"text": texts, "hovertemplate": f"%{{text}}: {template}"}


def _marks(words: ValueWords, low: float, high: float, most: int) -> Marks:
    """At round places: of the calendar for what has dates, of the clock else."""
    step, length = words.step, (high - low) * words.step
    dated = words.format is not None and words.format.kind in ("date", "datetime")
    candidates: Iterable[Marks]
    if dated and length > 40 * DAY * most:
        candidates = (_months(low, high, step, each) for each in _MONTHS if _some(length, each))
    else:
        sizes = [*_WITHIN_A_DAY, *(DAY * each for each in _DAYS)]
        sizes += [28 * DAY * 2**n for n in range(40)]
        candidates = (_even(low, high, each / step) for each in sizes if each >= step)
    return next((each for each in candidates if 0 < len(each) <= most), [low, high])


def _some(length: float, months: int) -> bool:
    return length / (months * _MONTH * DAY) < 1000


def _even(low: float, high: float, every: float) -> Marks:
    if (high - low) / every > 1000:
        return []
    first, last = math.ceil(low / every - 1e-9), math.floor(high / every + 1e-9)
    found = [round(every * n) for n in range(first, last + 1)]
    return [float(each) for each in found]


def _months(low: float, high: float, step: float, every: int) -> Marks:
    """First days of months, in steps of so many seconds."""
    first, last = (
        int(np.datetime64(math.floor(end * step / DAY), "D").astype("datetime64[M]").astype(int))
        for end in (low, high)
    )
    # Years of our era, so that marks are its round years: 1970 is month 0.
    start = -(-(first + 1970 * 12) // every) * every - 1970 * 12
    months = np.arange(start, last + 1, every).astype("datetime64[M]")
    places = months.astype("datetime64[D]").astype(np.int64) * DAY / step
    return [float(each) for each in places.tolist() if low <= each <= high]
