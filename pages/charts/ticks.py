"""Numbers on the axes of a chart and under the pointer, written like all others."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

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


_FORMAT = re.compile(r"%\{(x|y|customdata|error_y\.array):,?\.(\d)g\}")
_EACH = ("scatter", "bar")
"""Traces that have one place and one height for each point."""


def spelled(trace: dict[str, Any]) -> dict[str, Any]:
    """The trace, with texts in place of formats wherever they would differ.

    >>> spelled({"type": "bar", "y": [12345.678, 0.5], "hovertemplate": "%{y:.4g} €"})
    {'type': 'bar', 'y': [12345.678, 0.5], 'hovertemplate': '%{customdata[0]} €',
     'customdata': [['12,346'], ['0.5']]}
    """
    template = trace.get("hovertemplate")
    if trace.get("type") not in _EACH or not isinstance(template, str):
        return trace
    columns: list[list[str]] = []

    def text(found: re.Match[str]) -> str:
        columns.append(list(_written(trace, found[1], int(found[2]))))
        return f"%{{customdata[{len(columns) - 1}]}}"

    wanted = list(_FORMAT.finditer(template))
    if not any(_differ(trace, found[1], int(found[2])) for found in wanted):
        return trace
    template = _FORMAT.sub(text, template)
    return trace | {
        "hovertemplate": template,
        "customdata": [list(each) for each in zip(*columns, strict=True)],
    }


def in_full(traces: Iterable[dict[str, Any]], axis: str) -> dict[str, Any]:
    """How an axis of the layout writes its marks and the place under the pointer: thousands in
    full, as they are everywhere, for as long as all numbers stay below a billion.

    >>> in_full([{"x": [0.0, 250000.0], "y": [1.0, 2.0]}], "xaxis")
    {'exponentformat': 'none', 'hoverformat': ',.0~f'}
    >>> in_full([{"x": [0.0, 250000.0], "y": [1.0, 2.0]}], "yaxis")
    {}
    """
    letter, mark = axis[0], axis.replace("axis", "")
    largest = 0.0
    for trace in traces:
        if letter in trace and trace.get(f"{letter}axis", letter) == mark:
            try:
                sizes = np.abs(_values(trace, letter))
            except (TypeError, ValueError):  # names, not numbers
                return {}
            largest = max(largest, float(np.nanmax(sizes, initial=0.0)))
    if not 1e3 <= largest < 1e9:
        return {}
    decimals = max(0, 5 - math.floor(math.log10(largest)))
    return {"exponentformat": "none", "hoverformat": f",.{decimals}~f"}


def _values(trace: dict[str, Any], name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    held = trace["error_y"]["array"] if name == "error_y.array" else trace[name]
    return np.asarray(held, dtype=np.float64)


def _differ(trace: dict[str, Any], name: str, digits: int) -> bool:
    sizes = np.abs(_values(trace, name))
    return bool(np.any((sizes >= 10.0**digits - 0.5) | (sizes > 0.0) & (sizes < 1e-4)))


def _written(trace: dict[str, Any], name: str, digits: int) -> Iterator[str]:
    return (number(value, digits) for value in _values(trace, name).tolist())
