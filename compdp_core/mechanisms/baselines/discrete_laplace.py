"""The discrete Laplace (two-sided geometric) mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from compdp_core.mechanisms.baselines.discrete import DiscreteBaseline
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class DiscreteLaplace(DiscreteBaseline):
    """``Pr[N = n] = (1 - α)/(1 + α) α^|n|`` with ``α = e^-s``, ``s = ε/steps``: ε-DP.

    Ghosh, Roughgarden, Sundararajan, *Universally Utility-Maximizing Privacy Mechanisms*, STOC
    2009; so named by Canonne, Kamath, Steinke, *The Discrete Gaussian for Differential Privacy*,
    NeurIPS 2020. Variance ``2α/(1 - α)²`` squared grid steps.

    >>> mechanism = DiscreteLaplace(1.0, (0, 100), sensitivity=1)
    >>> mechanism.spacing, float(mechanism.pmf(30, value=30)), mechanism.variance(30)
    (1.0, 0.4621, 1.8413)
    """

    name = "Discrete Laplace"
    reference = "Ghosh, Roughgarden, Sundararajan, STOC 2009"

    @property
    def decay(self) -> float:
        """``s = -ln α``, per grid step."""
        return self.epsilon / self.steps

    @property
    def noise_variance(self) -> float:
        """``2α/(1 - α)² = 1/(2 sinh²(s/2))``."""
        return 0.5 / math.sinh(0.5 * self.decay) ** 2

    def mass(self, n: Array) -> Array:
        """``tanh(s/2) α^|n|``."""
        return math.tanh(0.5 * self.decay) * np.exp(-self.decay * np.abs(n))

    def upper_tail(self, n: Array) -> Array:
        """``α^n/(1 + α)`` for ``n > 0``, else ``1 - α^(1-n)/(1 + α)``."""
        positive = n > 0.0
        one_sided = np.exp(-self.decay * np.where(positive, n, 1.0 - n))
        tail = one_sided / (1.0 + math.exp(-self.decay))
        return np.where(positive, tail, 1.0 - tail)

    def draw_noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        """Difference of two geometric draws, each the whole part of an exponential one."""
        first = np.floor(rng.standard_exponential(shape) / self.decay)
        return np.asarray(first - np.floor(rng.standard_exponential(shape) / self.decay))
