"""The distribution of the true values of a released column, by maximum likelihood."""

from __future__ import annotations

from dataclasses import dataclass

from compdp_core.estimates.estimate import Estimate
from compdp_core.estimates.received import ReceivedColumn
from compdp_core.validation import Array


@dataclass(frozen=True, eq=False)
class Distribution:
    """Estimated shares of true values in bins, or of single values."""

    edges: Array
    """Of the bins, shape (k + 1,); for whole numbers and scales each value stands in the middle of
    its bin."""
    shares: Array
    """In the bins, 1 in sum."""
    low: Array
    """Lower end of the pointwise band of the shares at the level."""
    high: Array
    level: float
    n: int
    told: bool
    """Whether these rows at this ε carry enough for a picture; see ``note``."""
    method: str
    note: str


def quantile(column: ReceivedColumn, probability: float, level: float) -> Estimate:
    """The quantile."""
    raise NotImplementedError


def distribution(column: ReceivedColumn, level: float) -> Distribution:
    """The distribution."""
    raise NotImplementedError
