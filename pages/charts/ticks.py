"""Marks of a logarithmic axis that read like numbers, whatever it spans."""

from __future__ import annotations

import math
from typing import Any

from pages.text.wording import number

MOST = 7
"""Marks at most, so that they fit a phone."""


def log_axis(low: float, high: float) -> dict[str, Any]:
    """A logarithmic axis from `low` to `high`: marks at 1, 2 and 5, or at powers of ten alone.

    >>> log_axis(0.9, 6.0)["ticktext"]
    ['1', '2', '5']
    >>> log_axis(1, 1e6)["ticktext"]
    ['1', '10', '100', '1,000', '10,000', '100,000', '1,000,000']
    >>> log_axis(0.917, 0.925)["ticktext"]
    ['0.918', '0.92', '0.922', '0.924']
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for within in ((1, 2, 5), (1, 3), (1,)):
        marks = [each * 10.0**power for power in range(first, last + 1) for each in within]
        marks = [mark for mark in marks if low * (1 - 1e-9) <= mark <= high * (1 + 1e-9)]
        if len(marks) <= MOST:
            break
    else:
        marks = marks[:: math.ceil(len(marks) / MOST)]
    if len(marks) < 3:
        marks = _even(low, high)
    return {
        "type": "log",
        "range": [math.log10(low), math.log10(high)],
        "tickvals": marks,
        "ticktext": _texts(marks),
        "tickangle": 0,
    }


def _texts(marks: list[float]) -> list[str]:
    """As few digits as tell the marks apart."""
    for digits in range(3, 12):
        texts = [_tidy(number(mark, digits)) for mark in marks]
        if len(set(texts)) == len(marks):
            break
    return texts


def _tidy(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text and "×" not in text else text


def _even(low: float, high: float) -> list[float]:
    """Round numbers at even distances, for less than a decade."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(each for each in (1, 2, 5, 10) if each * power >= rough)
    first = math.ceil(low / step - 1e-9)
    return [step * n for n in range(first, math.floor(high / step + 1e-9) + 1)]
