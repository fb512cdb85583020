"""The Laplace mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.mechanisms.baselines.additive import AdditiveBaseline
from compdp_core.mechanisms.baselines.system_noise import Progress, release_laplace
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class Laplace(AdditiveBaseline):
    """``M(x) = x + Lap(Δ/ε)``: ε-DP, unbiased, unbounded, variance ``2 (Δ/ε)²``.

    Dwork, McSherry, Nissim, Smith, *Calibrating Noise to Sensitivity in Private Data Analysis*,
    TCC 2006.

    >>> mechanism = Laplace(0.5, (0, 100), sensitivity=1)
    >>> mechanism.scale, mechanism.variance(30.0)
    (2.0, 8.0)
    >>> mechanism.probability_outside((28, 32), 30.0)
    0.36788
    """

    name = "Laplace"
    reference = "Dwork, McSherry, Nissim, Smith, TCC 2006"

    @property
    def scale(self) -> float:
        """``Δ/ε``, data units."""
        return self.sensitivity / self.epsilon

    @property
    def noise_variance(self) -> float:
        """``2 (Δ/ε)²``."""
        return 2.0 * self.scale**2

    def density(self, z: Array) -> Array:
        """``exp(-|z|/s) / 2s``."""
        return np.exp(-np.abs(z) / self.scale) / (2.0 * self.scale)

    def survival(self, z: Array) -> Array:
        """``exp(-z/s)/2`` above 0, ``1 - exp(z/s)/2`` below."""
        half = 0.5 * np.exp(-np.abs(z) / self.scale)
        return np.where(z >= 0.0, half, 1.0 - half)

    def draw_noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        return rng.laplace(0.0, self.scale, shape)

    def release(self, values: Any, *, progress: Progress | None = None) -> Array:
        """One private answer for each value, with noise drawn by OpenDP from the system.

        OpenDP draws tens of thousands of values a second; ``progress(done, total)`` is called
        after every chunk. Values are clamped into the inputs.
        """
        return release_laplace(
            self._clamped("values", values), self.sensitivity, self.epsilon, progress
        )
