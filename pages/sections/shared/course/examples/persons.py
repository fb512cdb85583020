"""Somebody with several rows: what all of them together give away, each with noise of its own."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from compdp_core.accounting import exact
from compdp_core.numerics import not_above
from compdp_core.release.accuracy import Meaning, best_guess
from pages.sections.shared.course.examples.noise import composite

MOST = 10
"""Rows of one pupil at most."""
LOW, HIGH = 30.0, 70.0
"""What an attacker wants to tell apart: all results of one pupil are this, or all are that."""
WAYS = {"row": "ε for each row", "person": "ε for the pupil, shared out"}
_EQUAL = 1e-9
"""Probabilities that differ by less are equal but for rounding."""


@dataclass(frozen=True)
class Shown:
    """What so many noisy results of one pupil give away."""

    rows: int
    of_a_row: Fraction
    """ε of each row."""
    of_a_person: Fraction
    """ε of all rows of the pupil."""
    error: float
    """Typical error of one result (points)."""
    guess: float
    """How often the best guess between low and high is right, after a look at all rows."""

    @property
    def promise(self) -> float:
        """What no guess can pass, whatever the two possibilities are."""
        return best_guess(self.of_a_person)


def shown(way: str, epsilon: str, rows: int) -> Shown:
    """``way``: whose ε it is, one of :data:`WAYS`."""
    asked = exact(epsilon)
    each = asked if way == "row" else asked / rows
    noise = composite(not_above(each))
    return Shown(rows, each, rows * each, Meaning(noise).typical_error, _guess(each, rows))


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=256)
def _guess(each: Fraction, rows: int) -> float:
    """Chance that the likelier possibility is the true one.

    An output speaks for low, for high or for neither, each time by the factor e^ε (by less at the
    four edges, single points of the lattice). So what counts is how many more speak for one than
    for the other: a walk of so many steps.
    """
    lattice = composite(not_above(each)).lattice
    low, high = lattice.pmf(LOW), lattice.pmf(HIGH)
    right, wrong = (float(low[more > 1 + _EQUAL].sum()) for more in (low / high, high / low))
    step = np.array([wrong, 1.0 - right - wrong, right])
    ahead = np.ones(1)
    for _ in range(rows):
        ahead = np.convolve(ahead, step)
    return float(ahead[rows + 1 :].sum() + ahead[rows] / 2)
