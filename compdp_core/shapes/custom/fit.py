"""The curve that stands for a function.

The function is cut where it jumps or bends, and each smooth stretch is replaced by its Chebyshev
interpolant once the coefficients have died away (edge search as in Pachón, Platte and Trefethen,
*Piecewise-smooth chebfuns*, IMA J. Numer. Anal. 30, 2010).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import chebyshev

from compdp_core.shapes.custom.curve import DUST, NODES, Curve
from compdp_core.validation import Array

Function = Callable[[Array], Array]

FINE = 2.0**-24
"""A piece this narrow (share of the curve's width) that no polynomial follows has a bend in it."""
FINEST = 2.0**-46
"""A piece this narrow is a straight line, beside a bend with a vertical tangent."""
NARROW = 2.0**-12
"""In a piece narrower than this, rounding that cutting does not lessen counts by its area."""
MOST_PIECES = 4096
MOST_BUSY = 128
"""Pieces of one width that are still unresolved: more means that cutting does not help."""
MOST_BENDS = 64
"""Jumps and bends."""

_TAIL, _BETWEEN = 1e-13, 1e-12
"""Largest last coefficients, and largest error between the nodes, over the size of the function."""

# cos(π k (2j + 1) / 2n), with the whole number reduced first: then it is right to the last bit.
_TURNS = np.outer(np.arange(NODES), 2 * np.arange(NODES) + 1) % (4 * NODES)
_COSINES = np.cos(np.pi / (2 * NODES) * np.minimum(_TURNS, 4 * NODES - _TURNS))
_NODES: Array = _COSINES[1]
_TRANSFORM = _COSINES * (2.0 / NODES)
_TRANSFORM[0] *= 0.5
_CHECKS = np.array([-0.9997, -0.93, -0.61, -0.17, 0.23, 0.57, 0.91, 0.9998])
_AT_CHECKS = chebyshev.chebvander(np.array([-1.0, *_CHECKS, 1.0]), NODES - 1)
_BESIDE = 2.0**-50
"""Places are checked this close to the ends of a piece (share of the curve's width): on the ends
themselves a jump may be."""
_AT_ENDS = np.stack([s ** (np.arange(NODES) + 1.0) * np.arange(NODES) ** 2.0 for s in (-1.0, 1.0)])
"""Derivatives at -1 and 1."""


class UnresolvedError(ArithmeticError):
    """Polynomials cannot follow the function at ``place``."""

    def __init__(self, place: float) -> None:
        self.place = place
        super().__init__(f"cannot be followed by polynomials near {place:.12g}")


@dataclass(frozen=True)
class Fit:
    """A curve and where the function it stands for jumps or bends."""

    curve: Curve
    bends: tuple[float, ...]

    @classmethod
    def of(cls, function: Function, end: float) -> Fit:
        """The curve of a function on ``[0, end]``, to about 1e-13 of its size.

        ``function`` takes and returns arrays and is finite. It is looked at in at least
        16 · 41 places; what is narrower than the gaps between them is not seen.

        Raises :class:`UnresolvedError`.
        """
        # Off any simple fraction, so that bends there are found like all others.
        cuts = np.concatenate([[0.0], (np.arange(1, 16) - 0.3819660112501051) / 15.0, [1.0]]) * end
        size = float(np.max(np.abs(function(_places(cuts[:-1], cuts[1:], 0.0)[0]))))
        if not size > 0.0:
            return cls(Curve((0.0, end), ((0.0,),)), ())
        bends: tuple[float, ...] = ()
        _, gaps = _resolve(function, cuts, size, FINE, 0.0)
        if gaps:
            bends = tuple(
                _bend(function, a, b, size) for a, b in _joined(gaps, end) if a > 0.0 and b < end
            )
            if len(bends) > MOST_BENDS:
                raise UnresolvedError(bends[MOST_BENDS])
            # Once more with the bends as edges: then what lies between them is smooth.
            cuts = np.unique(np.concatenate([cuts, bends]))
        pieces, gaps = _resolve(function, cuts, size, FINEST, NARROW)
        ordered = sorted([*pieces, *((a, b, _line(function, a, b, size)) for a, b in gaps)])
        edges = (0.0, *(b for _, b, _ in ordered))
        return cls(Curve(edges, tuple(c for _, _, c in ordered)), bends)


def _places(left: Array, right: Array, beside: float) -> tuple[Array, Array]:
    """Nodes and check places of each piece."""
    middle, half = 0.5 * (left + right)[:, None], 0.5 * (right - left)[:, None]
    ends = (left + beside)[:, None], (right - beside)[:, None]
    return middle + half * _NODES, np.hstack([ends[0], middle + half * _CHECKS, ends[1]])


def _resolve(
    function: Function, cuts: Array, size: float, narrowest: float, narrow: float
) -> tuple[list[tuple[float, float, tuple[float, ...]]], list[tuple[float, float]]]:
    """Cut until every piece is a polynomial; the pieces, and the gaps that never are.

    In pieces narrower than ``narrow`` rounding is let pass; both widths are shares of the curve's.
    """
    pieces: list[tuple[float, float, tuple[float, ...]]] = []
    gaps: list[tuple[float, float]] = []
    left, right = cuts[:-1], cuts[1:]
    before = np.full(left.size, np.inf)
    while left.size:
        beside = _BESIDE * cuts[-1]
        nodes, checks = _places(left, right, beside)
        coefficients = function(nodes) @ _TRANSFORM.T
        expected = coefficients @ _AT_CHECKS.T
        expected[:, [0, -1]] += (
            coefficients @ _AT_ENDS.T * [beside, -beside] * 2.0 / (right - left)[:, None]
        )
        errors = np.abs(expected - function(checks)).max(axis=1)
        tails = np.abs(coefficients[:, -4:]).max(axis=1)
        # Beside a vertical tangent the function itself is no better than the rounding of v.
        share = np.maximum(1.0, narrow * cuts[-1] / (right - left))
        # At its foot the value counts, not the area: there the pieces shrink to the last.
        foot = np.isin(left, cuts) | np.isin(right, cuts)
        allowed = size * np.where((errors >= 0.8 * before) & ~foot, share, 1.0)
        done = (tails <= _TAIL * allowed) & (errors <= _BETWEEN * allowed)
        for i in np.flatnonzero(done):
            used = np.flatnonzero(np.abs(coefficients[i]) > DUST * size)
            length = used[-1] + 1 if used.size else 1
            pieces.append(
                (float(left[i]), float(right[i]), tuple(coefficients[i, :length].tolist()))
            )
        gap = ~done & (right - left <= narrowest * cuts[-1])
        gaps += zip(left[gap].tolist(), right[gap].tolist(), strict=True)
        busy = ~done & ~gap
        if busy.sum() > MOST_BUSY or len(pieces) + len(gaps) > MOST_PIECES:
            raise UnresolvedError(float(left[np.argmax(np.where(done, 0.0, errors))]))
        a, b = left[busy], right[busy]
        middle = a + 0.4877 * (b - a)
        left, right = np.concatenate([a, middle]), np.concatenate([middle, b])
        before = np.concatenate([errors[busy], errors[busy]])
    return pieces, gaps


def _joined(gaps: list[tuple[float, float]], end: float) -> list[tuple[float, float]]:
    """Gaps around one bend, as one: near a vertical tangent rounding leaves several."""
    joined: list[tuple[float, float]] = []
    for a, b in sorted(gaps):
        if joined and a - joined[-1][1] <= 64.0 * FINE * end:
            joined[-1] = (joined[-1][0], b)
        else:
            joined.append((a, b))
    return joined


def _bend(function: Function, a: float, b: float, size: float) -> float:
    """Where in a gap the function jumps or bends, as near as rounding lets it be seen."""
    jump = _jump(function, a, b)
    before, after = function(np.array([np.nextafter(jump, a), jump]))
    if abs(after - before) > 1e-9 * size:
        return _shortest(jump, 2.0 * np.spacing(jump))
    x = np.linspace(a, b, 5)
    y = function(x)
    # Two slopes that differ by ``turn`` part by more than rounding at this distance.
    turn = abs((y[4] - y[3]) - (y[1] - y[0])) / (x[1] - x[0])
    blur = max(1e-14 * size / turn if turn > 0.0 else b - a, 4.0 * np.spacing(b))
    while x[4] - x[0] > blur:
        # Overlapping halves: a cusp just beside the middle lies well inside one of them.
        bent = np.abs(y[:3] - 2.0 * y[1:4] + y[2:])
        if bent.max() <= 1e-14 * size:
            break
        first = int(np.argmax(bent))
        x = np.linspace(x[first], x[first + 2], 5)
        y = function(x)
    return _shortest(float(x[2]), min(blur, 0.5 * (b - a)))


def _jump(function: Function, a: float, b: float) -> float:
    """The first float whose value is nearer to that at ``b`` than to that at ``a``."""
    low, high = function(np.array([a, b]))
    while np.nextafter(a, b) < b:
        middle = 0.5 * (a + b)
        value = function(np.array([middle]))[0]
        a, b = (middle, b) if abs(value - low) <= abs(value - high) else (a, middle)
    return b


def _shortest(x: float, blur: float) -> float:
    """The shortest decimal within ``blur`` of ``x``."""
    for digits in range(1, 17):
        if abs(round(x, digits) - x) <= blur:
            return round(x, digits)
    return x


def _line(function: Function, a: float, b: float, size: float) -> tuple[float, float]:
    """A gap of no width to speak of, as a straight line between its ends."""
    near = function(np.array([a, b]))
    inner = function(np.array([np.nextafter(a, b), np.nextafter(b, a)]))
    # A value that holds at one place only is no limit.
    left, right = np.where(np.abs(near - inner) <= 1e-3 * size, near, inner).tolist()
    return 0.5 * (left + right), 0.5 * (right - left)
