"""The affine map between data units and the domain (Zhang et al., IEEE S&P 2024, Section IV)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.intervals import Interval
from compdp_core.validation import floats


@dataclass(frozen=True)
class Mapping:
    """The output interval ``[l, u]`` onto the domain ``[-L, L]``, and back.

    >>> Mapping(Interval(0, 100), 2.0).to_domain(75.0).item()
    1.0
    """

    outputs: Interval
    """The output interval in data units."""
    half_width: float
    """``L`` (domain units)."""

    @property
    def scale(self) -> float:
        """Domain units per data unit, ``2L / (u - l)``."""
        return 2.0 * self.half_width / self.outputs.width

    def to_domain(self, values: Any) -> NDArray[np.float64]:
        """Data units to domain units."""
        return (floats("values", values) - self.outputs.midpoint) * self.scale

    def to_data(self, positions: Any) -> NDArray[np.float64]:
        """Domain units to data units."""
        return floats("positions", positions) / self.scale + self.outputs.midpoint
