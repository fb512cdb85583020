"""What is estimated: a value, how sure it is, and of whom it is said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compdp_core.errors import CompdpError

About = Literal["rows", "population"]
"""Of whom something is said: of the rows at hand alone, whose true values the noise hides, or of
the population that these rows are drawn from at random."""


class EstimateError(CompdpError):
    """Nothing can be said with these rows at this ε; the words say what would help."""


@dataclass(frozen=True)
class Estimate:
    """An estimate with its confidence interval, in the unit of the column."""

    value: float
    standard_error: float
    low: float
    high: float
    level: float
    """How often intervals made so hold what they are about."""
    n: int
    """Rows with a value that it is made of."""
    method: str
    """Formula and source in a line."""
    note: str
    """Of whom it is said, and what else limits it, in sentences."""
    about: About = "population"
    written: tuple[str, str, str] | None = None
    """Value and ends as the column writes its values, such as dates; None for plain numbers."""
