"""Points that a user draws, joined by straight lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.errors import CompdpError, shown
from compdp_core.validation import Array, floats, real

MOST_POINTS = 1000
CLOSEST = 1e-6
"""Places nearer to each other than this, but not equal, are a slip and not a slope."""


class PointsError(CompdpError):
    """Points that do not make a line. ``index`` is the offending point, counted from 0."""

    def __init__(self, reason: str, index: int | None = None) -> None:
        self.reason = reason
        self.index = index
        where = "points" if index is None else f"points, number {index + 1}:"
        super().__init__(f"{where} {reason}")


@dataclass(frozen=True)
class Points:
    """Heights at places from left to right; two heights at one place are a jump there.

    >>> Points((0.0, 0.5, 1.0), (0.0, 2.0, 0.0))(0.25)
    array(1.)

    Raises :class:`PointsError`.
    """

    places: tuple[float, ...]
    heights: tuple[float, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.places) <= MOST_POINTS:
            raise PointsError(f"must be from 2 to {MOST_POINTS}, got {len(self.places)}")
        for i in range(1, len(self.places)):
            step = self.places[i] - self.places[i - 1]
            if not (step == 0.0 or step >= CLOSEST):
                raise PointsError(
                    f"v = {self.places[i]!r} after {self.places[i - 1]!r}: order them from left to "
                    f"right, at the same place or at least {CLOSEST:g} apart",
                    i,
                )
            if i > 1 and self.places[i] == self.places[i - 2]:
                raise PointsError(f"v = {self.places[i]!r} has three heights: two make a jump", i)
        for i, j in ((0, 1), (-1, -2)):
            if self.places[i] == self.places[j]:
                raise PointsError("an end of the domain has one height, not two", abs(i))

    @classmethod
    def of(cls, points: Any) -> Points:
        """From a sequence of pairs ``(v, height)`` of finite numbers."""
        places, heights = [], []
        try:
            # One more than allowed is enough to be refused, however many there are.
            pairs = [tuple(p) for p, _ in zip(points, range(MOST_POINTS + 1), strict=False)]
        except TypeError as error:
            raise PointsError("must be pairs (v, height)") from error
        for i, pair in enumerate(pairs):
            numbers = [real(x) for x in pair]
            if len(numbers) != 2 or numbers[0] is None or numbers[1] is None:
                raise PointsError(f"must be two finite numbers (v, height), got {shown(pair)}", i)
            places.append(numbers[0])
            heights.append(numbers[1])
        return cls(tuple(places), tuple(heights))

    @property
    def text(self) -> str:
        """The points, for a report.

        >>> Points((0.0, 1.0), (2.0, 2.0)).text
        'points (0, 2) (1, 2)'
        """
        pairs = zip(self.places, self.heights, strict=True)
        return " ".join(["points", *(f"({_short(v)}, {_short(h)})" for v, h in pairs)])

    def __call__(self, v: Any) -> Array:
        """Height of the line at each ``v``."""
        return np.asarray(np.interp(floats("v", v), self.places, self.heights))

    def require_ends(self, lower: float, upper: float) -> None:
        """Refuse points that do not reach from one end of the domain to the other."""
        for index, end in ((0, lower), (len(self.places) - 1, upper)):
            if self.places[index] != end:
                raise PointsError(
                    f"v = {self.places[index]!r} must be {end:g}: the points reach from "
                    f"{lower:g} to {upper:g}",
                    index,
                )

    def joined(self, mirrored: Callable[[float], float]) -> Points:
        """The points and their mirror images, from half of a domain to all of it."""
        places = [mirrored(v) for v in self.places[::-1]]
        heights = list(self.heights[::-1])
        if places[-1] == self.places[0]:  # a base: the mirror image lies to the left
            return Points((*places[:-1], *self.places), (*heights[:-1], *self.heights))
        return Points((*self.places, *places[1:]), (*self.heights, *heights[1:]))


def _short(number: float) -> str:
    return repr(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
