"""The one interface that the composite mechanism and every baseline share.

Positions are in data units. A true value outside the input interval is clamped into it first,
as every mechanism here does; its bias then includes the distance it was moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

from numpy.typing import NDArray

from compdp_core.intervals import Bounds
from compdp_core.validation import Array

if TYPE_CHECKING:
    import pandas as pd

Values: TypeAlias = Union[Sequence[Any], NDArray[Any], "pd.Series[Any]"]  # read at run time, too
"""Many numbers, of any shape."""


def one_or_all(result: Array) -> float | Array:
    """A float for a single number, an array otherwise."""
    return float(result) if result.ndim == 0 else result


class Mechanism(Protocol):
    """A randomised answer to one bounded numeric value.

    ``value`` is a true value or an array of them. The results are floats for a single number and
    arrays of the same shape otherwise.
    """

    @property
    def name(self) -> str:
        """What to call it in a table or legend."""

    @property
    def reference(self) -> str:
        """Where it was published."""

    @property
    def epsilon(self) -> float:
        """Declared privacy budget ε."""

    @property
    def delta(self) -> float:
        """Declared δ; 0 for pure differential privacy."""

    @property
    def inputs(self) -> tuple[float, float]:
        """``[a, b]``: where the true value can lie."""

    @property
    def sensitivity(self) -> float:
        """``Δ``: the most the true value changes between neighbours, at most ``b - a``."""

    @property
    def outputs(self) -> tuple[float, float]:
        """The smallest closed interval that holds every output; its ends may be infinite."""

    @property
    def is_discrete(self) -> bool:
        """Whether all the probability lies on single points."""

    def bias(self, value: float | Values) -> Any:
        """``E[M(x)] - x``."""

    def variance(self, value: float | Values) -> Any:
        """``Var[M(x)]``, squared data units."""

    def probability_outside(self, interval: Bounds, value: Any = None) -> Any:
        """Chance of an output outside the closed ``interval``; without a value, the largest."""

    def simulate(self, values: float | Values, *, seed: int) -> Array:
        """One reproducible draw for each value. Never a release."""

    def pdf(self, x: float | Values, *, value: float) -> Array:
        """Density at outputs ``x`` for a true value; point masses are not part of it."""
