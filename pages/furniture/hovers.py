"""Numbers under the pointer, written like all others.

A browser's own format writes 12345.678 with four digits as ``1.235e+4``. Where a trace has such
numbers, each is handed over as text. Elsewhere the browser writes them: its digits are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from pages.furniture.wording import number

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
        columns.append(list(_texts(trace, found[1], int(found[2]))))
        return f"%{{customdata[{len(columns) - 1}]}}"

    wanted = list(_FORMAT.finditer(template))
    if not any(_differ(trace, found[1], int(found[2])) for found in wanted):
        return trace
    template = _FORMAT.sub(text, template)
    return trace | {
        "hovertemplate": template,
        "customdata": [list(each) for each in zip(*columns, strict=True)],
    }


def _values(trace: dict[str, Any], name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    held = trace["error_y"]["array"] if name == "error_y.array" else trace[name]
    return np.asarray(held, dtype=np.float64)


def _differ(trace: dict[str, Any], name: str, digits: int) -> bool:
    sizes = np.abs(_values(trace, name))
    return bool(np.any((sizes >= 10.0**digits - 0.5) | (sizes > 0.0) & (sizes < 1e-4)))


def _texts(trace: dict[str, Any], name: str, digits: int) -> Iterator[str]:
    return (number(value, digits) for value in _values(trace, name).tolist())
