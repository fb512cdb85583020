"""The discrete Gaussian mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from compdp_core.errors import CompdpError
from compdp_core.mechanisms.baselines.base import DELTA
from compdp_core.mechanisms.baselines.discrete import DiscreteBaseline
from compdp_core.mechanisms.baselines.gaussian import gaussian_delta
from compdp_core.mechanisms.baselines.search import MARGIN, bisect, first_true, smallest_scale
from compdp_core.mechanisms.baselines.whole_gaussian import WholeGaussian
from compdp_core.validation import Array

# At least 44 % of proposals are accepted at every σ: 400 rounds leave a draw with chance 1e-100.
_ROUNDS = 400


@dataclass(frozen=True, init=False)
class DiscreteGaussian(DiscreteBaseline):
    """``Pr[N = n] ∝ exp(-n²/2σ²)`` with the smallest σ that is (ε, δ)-DP.

    Canonne, Kamath, Steinke, *The Discrete Gaussian for Differential Privacy*, NeurIPS 2020:
    with ``D`` the sensitivity in grid steps, the smallest δ is (Theorem 7)
    ``Pr[N > εσ²/D - D/2] - e^ε Pr[N > εσ²/D + D/2]``; draws by their Algorithm 3.

    >>> mechanism = DiscreteGaussian(1.0, (0, 100), sensitivity=1, delta=1e-6)
    >>> mechanism.spacing, mechanism.variance(30) < 25.0
    (1.0, True)
    >>> mechanism.true_delta <= mechanism.delta
    True
    """

    name = "Discrete Gaussian"
    reference = "Canonne, Kamath, Steinke, NeurIPS 2020"

    sigma: float
    """Parameter σ of the noise, grid steps; nearly its standard deviation unless small."""

    def __init__(
        self,
        epsilon: float,
        inputs: Any,
        *,
        delta: float,
        sensitivity: float | None = None,
        spacing: float | None = None,
    ) -> None:
        super().__init__(epsilon, inputs, sensitivity=sensitivity, spacing=spacing)
        self._set("delta", DELTA.check(delta))
        self._set("sigma", smallest_sigma(self.epsilon, self.delta, self.steps))

    @property
    def true_delta(self) -> float:
        """The smallest δ for which this σ is (ε, δ)-DP."""
        return WholeGaussian(self.sigma).delta(self.epsilon, self.steps)

    @property
    def noise_variance(self) -> float:
        """``Var[N]``, below ``σ²``; see :attr:`WholeGaussian.variance`."""
        return WholeGaussian(self.sigma).variance

    def mass(self, n: Array) -> Array:
        """``exp(-n²/2σ²)`` over its sum."""
        return WholeGaussian(self.sigma).mass(n)

    def upper_tail(self, n: Array) -> Array:
        """``Pr[N >= n]``."""
        return WholeGaussian(self.sigma).upper_tail(n)

    def draw_noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        """Algorithm 3 of Canonne, Kamath and Steinke, on all draws at once.

        A discrete Laplace proposal ``Y`` of scale ``t = ⌊σ⌋ + 1`` is accepted with probability
        ``exp(-(|Y| - σ²/t)²/2σ²)``.
        """
        scale = np.floor(self.sigma) + 1.0
        noise = np.empty(shape)
        flat = noise.reshape(-1)
        waiting = np.arange(flat.size)
        for _ in range(_ROUNDS):
            if not waiting.size:
                return noise
            first, second = (
                np.floor(rng.standard_exponential(waiting.size) * scale) for _ in range(2)
            )
            proposal = first - second
            gap = (np.abs(proposal) - self.sigma**2 / scale) / self.sigma
            accepted = rng.uniform(size=waiting.size) < np.exp(-0.5 * gap**2)
            flat[waiting[accepted]] = proposal[accepted]
            waiting = waiting[~accepted]
        raise CompdpError(f"no draw after {_ROUNDS} rounds at sigma {self.sigma!r}")


@lru_cache(maxsize=256)
def smallest_sigma(epsilon: float, delta: float, steps: int) -> float:
    """The smallest σ with ``WholeGaussian(σ).delta(epsilon, steps) <= delta``.

    δ is no monotone function of σ: while the privacy loss of a whole number ``n`` exceeds ε, its
    mass counts, and may grow with σ until the loss falls to ε, at ``σ_n² = (n + D/2) D/ε``. From
    one σ_n to the next δ falls, and in between it rises first, if it rises at all. So the first
    private σ_n is searched, and then the stretch before it.

    >>> smallest_sigma(20.0, 1e-6, 1)
    0.15811
    """
    # The loss is computed to a relative 1e-10 or better.
    target = delta * (1.0 - MARGIN)

    def loss(sigma: float) -> float:
        return WholeGaussian(sigma).delta(epsilon, steps)

    def knot(n: int) -> float:
        return math.sqrt((n + 0.5 * steps) * steps / epsilon)

    lowest = 1 - (steps + 1) // 2
    # The continuous noise of the same δ is close by.
    unit = smallest_scale(lambda sigma: gaussian_delta(epsilon, sigma), delta)
    guess = math.floor(steps * (epsilon * unit**2 - 0.5))
    n = first_true(lambda n: loss(knot(n)) <= target, lowest, guess)
    return bisect(loss, target, knot(n - 1) if n > lowest else 0.0, knot(n))
