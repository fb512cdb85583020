"""What whoever took the released cells for true ones would say, and by how much that is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from compdp_core.errors import CompdpError
from compdp_core.estimates.estimate import Estimate
from compdp_core.text import number, percent
from pages.text.values import ValueWords

Measured = Literal["value", "amount", "share"]
"""A value of the column, a distance of values, or a share of rows."""


@dataclass(frozen=True)
class ReadFigure:
    """One figure: as it is estimated, and as the released cells have it."""

    name: str
    measured: Measured
    found: Estimate | CompdpError
    """Or why nothing can be said."""
    naive: float


def told(value: float, figure: ReadFigure, words: ValueWords) -> str:
    """A value of the figure in the words of the column."""
    if figure.measured == "share":
        return percent(value)
    if figure.measured == "amount":
        return words.amount(value)
    ends = figure.found
    return words.value(value, (ends.low, ends.high) if isinstance(ends, Estimate) else None)


def ends_told(figure: ReadFigure, found: Estimate, words: ValueWords) -> tuple[str, str]:
    """Both ends of an interval, each with its unit where it is a date or a length of time."""
    if figure.measured == "share":
        return percent(found.low), percent(found.high)
    if words.format is None:
        low, _, high = words.span(found.low, found.high).partition(" … ")
        return low, high
    if figure.measured == "amount":
        return words.amount(found.low), words.amount(found.high)
    return words.value(found.low), words.value(found.high)


def verdict(figure: ReadFigure, words: ValueWords) -> str:
    """How wrong the naive reading is, by the estimate."""
    found, naive = figure.found, figure.naive
    if not isinstance(found, Estimate):
        return "–"
    if found.low <= naive <= found.high:
        return "within the interval"
    if figure.measured == "value":
        return f"off by {words.off(naive - found.value)}"
    if not min(found.value, naive) > 0.0:
        return "off"
    factor = naive / found.value
    larger = factor >= 1.0
    return f"{number(max(factor, 1 / factor), 2)} times too {'large' if larger else 'small'}"


def share_above(values: np.ndarray, limit: float) -> float:
    return float((values > limit).mean())
