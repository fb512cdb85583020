"""The shapes themselves: own activations and own bases."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypedDict, Unpack, overload

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.shapes.custom.curve import Curve
from compdp_core.shapes.custom.fit import Fit
from compdp_core.shapes.custom.folding import HALVES, Half, Kind, ShapeError, Source, fitted
from compdp_core.shapes.custom.points import Points
from compdp_core.shapes.formula import Formula
from compdp_core.shapes.kinds import Activation, Base
from compdp_core.validation import Array, flag

LEAST_AREA = 0.01
"""An activation's mean height over its maximum: narrower ones fall between lattice points."""
LEAST_TAIL = 1e-6
"""A base's minimum over its maximum: below it ε could not be smaller than 13.8."""

_NAME = re.compile(r"(?![AB][0-9])[A-Za-z][A-Za-z0-9_]{0,11}")


class Options(TypedDict, total=False):
    """What can be said of an own shape; what is left out or None has a default."""

    symmetrise: bool
    """Take the mean of the function and its mirror image."""
    name: str | None
    title: str | None


@dataclass(frozen=True)
class OwnShape:
    """What own activations and own bases share: the curve on one half of the domain."""

    source: Source
    symmetrise: bool = False
    name: str = ""
    title: str = ""
    formula: str = field(init=False, compare=False)
    fit: Fit = field(init=False, repr=False, compare=False)
    kind: ClassVar[Kind]

    def __post_init__(self) -> None:
        _check_labels(self.name, self.title)
        flag("symmetrise", self.symmetrise)
        object.__setattr__(self, "formula", self.source.text)
        object.__setattr__(self, "fit", fitted(self.source, HALVES[self.kind], self.symmetrise))

    @property
    def recipe(self) -> str:
        """The Python call, from :mod:`compdp_core.shapes`, that makes this shape again."""
        labels = f"symmetrise={self.symmetrise!r}, name={self.name!r}, title={self.title!r}"
        if isinstance(self.source, Formula):
            return f"from_formula({self.source.text!r}, {self.kind!r}, {labels})"
        points = list(zip(self.source.places, self.source.heights, strict=True))
        return f"from_points({points!r}, {self.kind!r}, {labels})"


@dataclass(frozen=True)
class OwnActivation(OwnShape, Activation):
    """An activation from a formula or from points, symmetric about ½ and scaled to maximum 1."""

    name: str = "F1"
    title: str = "own activation"
    kind = "activation"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.area >= LEAST_AREA:
            raise ShapeError(
                self.formula,
                f"is too narrow: its mean height is {self.area:.3g} of its maximum",
                f"widen it until that is at least {LEAST_AREA:g}",
                self.fit.curve.highest[1],
            )

    @property
    def area(self) -> float:
        return 2.0 * self.fit.curve.total

    @property
    def variance(self) -> float:
        return self.fit.curve.second_moment(0.5) / self.fit.curve.total

    @property
    def concave(self) -> bool:
        # Decided for points, where slopes are exact; not claimed for a formula.
        return isinstance(self.source, Points) and _is_concave(self.fit.curve)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        bends = self.fit.bends
        middle = (0.5,) if _bends_at(self.fit.curve, -1) else ()
        return tuple(sorted({0.0, *bends, *middle, *(1.0 - x for x in bends), 1.0}))

    def _height(self, v: Array) -> Array:
        return np.clip(self.fit.curve.value(np.minimum(v, 1.0 - v)), 0.0, 1.0)

    def _integral(self, v: Array) -> Array:
        half = self.fit.curve.integral(np.minimum(v, 1.0 - v))
        return np.where(v <= 0.5, half, self.area - half)


@dataclass(frozen=True)
class OwnBase(OwnShape, Base):
    """A base from a formula or from points, even, above zero and scaled to maximum 1."""

    name: str = "G1"
    title: str = "own base"
    kind = "base"

    def __post_init__(self) -> None:
        super().__post_init__()
        lowest, place = self.fit.curve.lowest
        if not lowest >= LEAST_TAIL:
            raise ShapeError(
                self.formula,
                f"comes too close to zero for a base: {max(lowest, 0.0):.3g} of its maximum "
                f"at v = {place:.6g}",
                f"add a constant, so that every output stays at least {LEAST_TAIL:g} as likely "
                "as any other",
                place,
            )

    @property
    def tau(self) -> float:
        return min(self.fit.curve.lowest[0], 1.0)

    @property
    def area(self) -> float:
        return self.fit.curve.total

    @property
    def second_moment(self) -> float:
        return self.fit.curve.second_moment(0.0)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        bends = self.fit.bends
        middle = (0.0,) if _bends_at(self.fit.curve, 0) else ()
        return tuple(sorted({-1.0, *(-x for x in bends), *middle, *bends, 1.0}))

    def _height(self, v: Array) -> Array:
        return np.clip(self.fit.curve.value(v), self.tau, 1.0)

    def _integral(self, v: Array) -> Array:
        return self.fit.curve.integral(v)


@overload
def from_formula(
    text: str, kind: Literal["activation"] = "activation", **options: Unpack[Options]
) -> OwnActivation: ...
@overload
def from_formula(text: str, kind: Literal["base"], **options: Unpack[Options]) -> OwnBase: ...
def from_formula(
    text: str, kind: Kind = "activation", **options: Unpack[Options]
) -> OwnActivation | OwnBase:
    """The shape of a formula in ``v``: on ``[0, 1]`` for an activation, ``[-1, 1]`` for a base.

    What may be written is listed in :mod:`compdp_core.shapes.formula`. Its scale does not matter.
    ``options`` are ``symmetrise`` (take the mean of the function and its mirror image), ``name``
    and ``title``.

    >>> bell = from_formula("1 - abs(2*v - 1)^3")
    >>> round(bell.area, 12), bell.height(0.5)
    (0.75, array(1.))
    >>> from_formula("1 + cos(pi*v)/2", "base").tau
    0.333333333333

    Raises :class:`~compdp_core.shapes.formula.FormulaError` for what cannot be read or has no
    finite value, :class:`ShapeError` for what is not symmetric, negative, zero or too spiky.
    """
    return _own(Formula(text), kind, options)


@overload
def from_points(
    points: Any, kind: Literal["activation"] = "activation", **options: Unpack[Options]
) -> OwnActivation: ...
@overload
def from_points(points: Any, kind: Literal["base"], **options: Unpack[Options]) -> OwnBase: ...
def from_points(
    points: Any, kind: Kind = "activation", **options: Unpack[Options]
) -> OwnActivation | OwnBase:
    """The shape that joins points ``(v, height)`` by straight lines; two at one ``v`` are a jump.

    The points cover the domain, or, with ``symmetrise``, its half ``[0, ½]`` or ``[0, 1]`` alone.
    ``options`` are those of :func:`from_formula`.

    >>> from_points([(0, 0), (0.5, 2), (1, 0)]).variance * 24
    1.0

    Raises :class:`~compdp_core.shapes.custom.points.PointsError`, :class:`ShapeError`.
    """
    half = _half(kind)
    drawn = Points.of(points)
    if options.get("symmetrise") and (drawn.places[0], drawn.places[-1]) == (0.0, half.end):
        drawn = drawn.joined(half.mirrored)
    lower = half.mirrored(half.end) if kind == "base" else 0.0
    drawn.require_ends(lower, 1.0)
    return _own(drawn, kind, options)


def _own(source: Source, kind: Kind, options: Options) -> OwnActivation | OwnBase:
    made = OwnActivation if _half(kind).kind == "activation" else OwnBase
    return made(source, **{k: v for k, v in options.items() if v is not None})  # type: ignore[arg-type]


def _half(kind: object) -> Half:
    if isinstance(kind, str) and kind in HALVES:
        return HALVES[kind]
    raise ParameterError("kind", kind, f"must be one of {', '.join(HALVES)}")


def _check_labels(name: object, title: object) -> None:
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise ParameterError(
            "name",
            name,
            "must be a letter and up to 11 more letters or digits, and not like A1 or B1",
        )
    if not (isinstance(title, str) and title.isprintable() and 1 <= len(title) <= 80):
        raise ParameterError("title", title, "must be one line of 1 to 80 characters")


def _bends_at(curve: Curve, end: Literal[0, -1]) -> bool:
    """Whether folding there leaves a bend: a slope above the noise of differentiation."""
    return abs(curve.slope(end)) > 1e-6


def _is_concave(curve: Curve) -> bool:
    """Whether straight pieces, mirrored at the right end, fall ever more steeply."""
    middle, rise = (np.array(c) for c in zip(*curve.coefficients, strict=True))
    slopes = 2.0 * rise / np.diff(curve.edges)
    meets = np.abs((middle + rise)[:-1] - (middle - rise)[1:]) <= 1e-12
    falls = np.diff(slopes) <= 1e-9 * max(1.0, float(np.abs(slopes).max()))
    return bool(np.all(meets) and np.all(falls) and slopes[-1] >= 0.0)
