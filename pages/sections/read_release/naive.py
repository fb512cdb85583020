"""What whoever took the released cells for true ones would say, and by how much that is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose
from typing import Literal

from compdp_core.errors import CompdpError
from compdp_core.estimates.estimate import Estimate
from compdp_core.text import number, percent, span
from pages.text.values import ValueWords, points

Measured = Literal["value", "amount", "share"]
"""A value of the column, a distance of values, or a share of rows."""

WORTH_A_FACTOR = 1.1
"""From here on a factor tells more than a difference."""


@dataclass(frozen=True)
class ReadFigure:
    """One figure: as it is estimated, and as the released cells have it."""

    name: str
    measured: Measured
    found: Estimate | CompdpError | None
    """Or why nothing can be said; None while it is worked out."""
    naive: float
    """What the released cells have."""
    of: str = ""
    """The limit, or the category, of a share."""

    @property
    def estimate(self) -> Estimate | None:
        """None where there is none, or none yet."""
        return self.found if isinstance(self.found, Estimate) else None


def told(value: float, figure: ReadFigure, words: ValueWords) -> str:
    """A value of the figure in the words of the column, with digits that fit its interval."""
    if figure.measured == "share":
        return percent(value)
    if figure.measured == "amount":
        return words.amount(value)
    found = figure.estimate
    return words.value(value, None if found is None else (found.low, found.high))


def ends_told(figure: ReadFigure, words: ValueWords) -> tuple[str, str]:
    """Both ends of the interval; of numbers the unit stands at the second one alone."""
    found = figure.estimate
    assert found is not None
    if words.format is not None and figure.measured != "share":
        tell = words.amount if figure.measured == "amount" else words.value
        return tell(found.low), tell(found.high)
    if figure.measured == "share":
        ends = span(100 * found.low, 100 * found.high, "%", 3)
    else:
        ends = words.span(found.low, found.high, 3)
    low, _, high = ends.partition(" … ")
    return low, high


def verdict(figure: ReadFigure, words: ValueWords) -> str:
    """How wrong the naive reading is, by the estimate."""
    found, naive = figure.estimate, figure.naive
    if found is None:
        return "–"
    if isclose(naive, found.value, rel_tol=1e-9):
        return "the same, without its error"
    if found.low <= naive <= found.high:
        return "within the interval"
    off = float(naive - found.value)
    if figure.measured != "value" and min(found.value, naive) > 0.0:
        factor = naive / found.value
        times, larger = max(factor, 1.0 / factor), "large" if off > 0.0 else "small"
        if times >= WORTH_A_FACTOR:
            return f"{number(times, 2)} times too {larger}"
    return f"off by {points(off) if figure.measured == 'share' else words.off(off)}"
