"""A user's function, checked and folded at the middle of its domain into a curve of maximum 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from compdp_core.errors import CompdpError
from compdp_core.shapes.custom.curve import Curve
from compdp_core.shapes.custom.fit import Fit, UnresolvedError
from compdp_core.shapes.custom.points import Points
from compdp_core.shapes.formula import Formula
from compdp_core.validation import Array

Kind = Literal["activation", "base"]
Source = Formula | Points

LOPSIDED = 1e-9
"""Largest difference between mirrored places, as a share of the maximum, taken for rounding."""
LOOKS = 2**14
"""Places in the half domain at which formula and curve are compared: of a spike narrower than the
gap between two of them nothing is known."""
SIZES = (1e-200, 1e200)
"""Maxima that can be divided by without loss."""

_ROUNDING = 1e-11
_TOO_SPIKY = "make it smoother or wider, or draw it with points"


class ShapeError(CompdpError):
    """A function that cannot serve as a shape.

    ``source`` is its text, ``reason`` what is wrong, ``remedy`` the way out, ``place`` the ``v``
    at which it is wrong (None where it is wrong as a whole).
    """

    def __init__(self, source: str, reason: str, remedy: str, place: float | None = None) -> None:
        self.source = source
        self.reason = reason
        self.remedy = remedy
        self.place = place
        super().__init__(f"shape {source!r} {reason}: {remedy}")


@dataclass(frozen=True)
class Half:
    """The half ``[0, end]`` of a domain that fixes a symmetric function, and its mirror."""

    kind: Kind
    end: float
    mirror: str
    """The mirror image of v, in words."""
    even: str
    """An expression that is the same on both sides."""

    def mirrored(self, v: Any) -> Any:
        """The place opposite ``v``."""
        return 1.0 - v if self.kind == "activation" else -v


HALVES: dict[str, Half] = {
    "activation": Half("activation", 0.5, "1 - v", "abs(2*v - 1)"),
    "base": Half("base", 1.0, "-v", "abs(v)"),
}


@dataclass(frozen=True)
class Folded:
    """A function on half of its domain; where it is lopsided, the mean of both sides."""

    source: Source
    half: Half
    lopsided: bool = False

    def sides(self, v: Array) -> tuple[Array, Array]:
        """Values at ``v`` and opposite. Raises :class:`FormulaError` where one is not finite."""
        places = v, np.asarray(self.half.mirrored(v))
        values = tuple(self.source(x) for x in places)
        for x, y in zip(places, values, strict=True):
            lost = ~np.isfinite(y)
            if np.any(lost) and isinstance(self.source, Formula):
                raise self.source.fault(float(x[lost].flat[0]))
        return values[0], values[1]

    def __call__(self, v: Array) -> Array:
        # Of two equal sides the near one: 1 - v has lost the digits of a small v.
        left, right = self.sides(v)
        return 0.5 * left + 0.5 * right if self.lopsided else left


def fitted(source: Source, half: Half, symmetrise: bool) -> Fit:
    """The curve of a function on its half domain, divided by its maximum.

    Raises :class:`FormulaError`, :class:`ShapeError`.
    """
    cells = _cells(source, half)
    folded, size = _seen(Folded(source, half), cells, symmetrise)
    try:
        if isinstance(source, Points):
            fit = _lines(folded, cells)
        else:
            fit = Fit.of(folded, half.end)
        lowest, place = fit.curve.lowest
        if not lowest >= -_ROUNDING * size:
            raise ShapeError(
                source.text,
                f"is negative: {lowest:.6g} at v = {place:.6g}",
                "a probability cannot be; take max(0, ...) or add a constant",
                place,
            )
        highest, place = fit.curve.highest
        if not highest >= 0.999 * size:  # something was seen that the curve has missed
            raise UnresolvedError(place)
        if isinstance(source, Formula):
            _require_match(folded, fit.curve, highest)
    except UnresolvedError as error:
        raise ShapeError(
            source.text,
            f"changes too quickly or too often near v = {error.place:.6g} to be represented",
            _TOO_SPIKY,
            error.place,
        ) from None
    return Fit(fit.curve.scaled(1.0 / highest), fit.bends)


def _cells(source: Source, half: Half) -> Array:
    """Ends of the cells in which a function is first looked at."""
    if isinstance(source, Formula):
        return np.linspace(0.0, half.end, 513)
    places, mirrored = np.array(source.places), half.mirrored(np.array(source.places))
    near = np.unique(np.r_[0.0, places[(places >= 0.0) & (places <= half.end)], half.end])
    # 1 - 0.9 is not quite 0.1: a mirrored place that rounding has moved is the same place.
    distance = np.abs(mirrored[:, None] - near).min(axis=1)
    other = (mirrored > 0.0) & (mirrored < half.end) & (distance > 1e-12)
    return np.unique(np.r_[near, mirrored[other]])


def _seen(folded: Folded, cells: Array, symmetrise: bool) -> tuple[Folded, float]:
    """The largest size seen; refuses what is lopsided, zero or out of all proportion."""
    source = folded.source
    # The ends are where formulas lose their values. A value that holds there alone, such as that
    # of step(-v) at 0, says nothing about the shape: so all else is asked off simple fractions.
    folded.sides(np.array([0.0, folded.half.end]))
    width = np.diff(cells)
    v = np.concatenate([cells[:-1] + 0.3819660113 * width, cells[1:] - 0.29 * width])
    left, right = folded.sides(v)
    largest = float(max(np.abs(left).max(), np.abs(right).max()))
    if largest > 0.0 and not SIZES[0] <= largest <= SIZES[1]:
        raise ShapeError(
            source.text,
            f"reaches {largest:.3g}",
            f"divide it by a number so that its maximum lies from {SIZES[0]:g} to {SIZES[1]:g}",
        )
    lopsided = bool(np.abs(left - right).max() > LOPSIDED * largest)
    if lopsided and not symmetrise:
        raise _lopsided(folded, v, left, right)
    folded = Folded(source, folded.half, lopsided)
    size = float(np.abs(folded(v)).max())
    if not size > LOPSIDED * largest:
        raise ShapeError(source.text, "is zero everywhere", "a shape has a height somewhere")
    return folded, size


def _lopsided(folded: Folded, v: Array, left: Array, right: Array) -> ShapeError:
    """The refusal of two sides, at the place where they differ most."""
    half, worst = folded.half, int(np.argmax(np.abs(left - right)))
    place = float(v[worst])
    return ShapeError(
        folded.source.text,
        f"is not symmetric: {left[worst]:.6g} at v = {place:.6g}, but {right[worst]:.6g} at "
        f"{half.mirror} = {half.mirrored(place):.6g}",
        f"write it in terms of {half.even}, or symmetrise it (the mean of both sides)",
        place,
    )


def _lines(folded: Folded, cells: Array) -> Fit:
    """Straight lines between the places, exactly."""
    width = np.diff(cells)
    near, far = folded(cells[:-1] + 0.25 * width), folded(cells[:-1] + 0.75 * width)
    middle, rise = 0.5 * (near + far), far - near
    curve = Curve(tuple(cells.tolist()), tuple(zip(middle.tolist(), rise.tolist(), strict=True)))
    slope = 2.0 * rise / width
    # At a place on a straight line nothing jumps or bends.
    scale = max(float(np.abs(middle).max()), 1e-300)
    jump = np.abs((middle + rise)[:-1] - (middle - rise)[1:]) > 1e-12 * scale
    bend = np.abs(np.diff(slope)) > 1e-9 * max(float(np.abs(slope).max()), scale)
    return Fit(curve, tuple(cells[1:-1][jump | bend].tolist()))


def _require_match(folded: Folded, curve: Curve, highest: float) -> None:
    """Look at formula and curve in many places that no simple fraction falls on."""
    ends = np.linspace(0.0, folded.half.end, LOOKS + 1)
    v = ends[:-1] + 0.37 * np.diff(ends)
    left, right = folded.sides(v)
    if not folded.lopsided and not np.abs(left - right).max() <= LOPSIDED * highest:
        raise _lopsided(folded, v, left, right)
    error = np.abs(curve.value(v) - (0.5 * left + 0.5 * right))
    if not error.max() <= LOPSIDED * highest:
        raise UnresolvedError(float(v[np.argmax(error)]))
