"""What the mechanisms of local differential privacy share: any two inputs are neighbours."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from compdp_core.mechanisms.baselines.base import Baseline
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class LocalBaseline(Baseline):
    """Unbiased and bounded, ε-DP between any two inputs, so that Δ is the inputs' width.

    A smaller sensitivity is accepted, since the guarantee covers it, and changes nothing: these
    mechanisms cannot make use of it. Formulas are for inputs mapped onto ``t in [-1, 1]``.
    """

    @property
    def half_width(self) -> float:
        """Half the width of the inputs: the unit of ``t``."""
        return 0.5 * self.interval.width

    @property
    @abstractmethod
    def reach(self) -> float:
        """Half-width of the outputs, in units of ``t``."""

    @property
    def outputs(self) -> tuple[float, float]:
        """Wider than the inputs and centred on them."""
        middle, half = self.interval.midpoint, self.reach * self.half_width
        return (middle - half, middle + half)

    def _bias(self, x: Array) -> Array:
        return np.zeros(x.shape)
