"""Shapes that a user makes: from a formula or from points.

Whatever was typed or drawn is first turned into a curve on one half of its domain, folded at the
middle and divided by its maximum. That curve *is* the shape: it is drawn, integrated, optimised and
laid on the lattice, so that symmetry and ``0 <= h <= 1`` hold by construction, whatever the formula
does between two floats.

That the curve is also what the user meant is shown in two ways. It matches the formula to 1e-12 of
its height wherever it was looked at, but for the rounding of the formula itself beside a vertical
tangent. And interval arithmetic proves that the formula, where it has a value, varies by at most
1/64 of the height within each of many cells, in each of which it was looked at, except in cells
with a total area below 1e-9. So no spike hides between two looks. What cannot be proved is refused:
the test errs on the side of refusing. Privacy does not hang on it, as a certificate is made of the
lattice that was laid on the curve.
"""

from __future__ import annotations

from compdp_core.shapes.custom.folding import ShapeError
from compdp_core.shapes.custom.points import Points, PointsError
from compdp_core.shapes.custom.shapes import OwnActivation, OwnBase, from_formula, from_points

__all__ = [
    "OwnActivation",
    "OwnBase",
    "Points",
    "PointsError",
    "ShapeError",
    "from_formula",
    "from_points",
]
