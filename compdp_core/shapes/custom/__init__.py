"""Shapes that a user makes: from a formula or from points.

Whatever was typed or drawn is first turned into a curve on one half of its domain, folded at the
middle and divided by its maximum. That curve *is* the shape: it is drawn, integrated, optimised and
laid on the lattice, so that symmetry and ``0 <= h <= 1`` hold by construction, whatever the formula
does between two floats.

That the curve is also what the user meant is looked at, not proved: it matches the formula to 1e-9
of its height in 2^14 places of the half domain, and to 1e-12 in those it was made of, but for the
rounding of the formula itself beside a vertical tangent. Where it does not, the shape is refused as
too spiky. A spike narrower than the gap between two of these places (1/32768 of the domain) may
therefore be left out of the curve without a word. Privacy and unbiasedness do not hang on it: a
certificate is made of the lattice that was laid on the curve, with or without the spike.
"""

from __future__ import annotations

from compdp_core.shapes.custom.folding import ShapeError as ShapeError
from compdp_core.shapes.custom.points import Points as Points
from compdp_core.shapes.custom.points import PointsError as PointsError
from compdp_core.shapes.custom.shapes import OwnActivation as OwnActivation
from compdp_core.shapes.custom.shapes import OwnBase as OwnBase
from compdp_core.shapes.custom.shapes import from_formula as from_formula
from compdp_core.shapes.custom.shapes import from_points as from_points
