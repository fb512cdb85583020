"""One design: the numbers that fix a composite density, in both parametrisations.

Dimensionless (``μ = m/2L``, ``κ = k/y``, ``τ = t/y``) and as the paper writes it (``k, m, y, t, L``
in domain units). The scale is free; here the peak ``k + y`` fixes it, 1 unless said otherwise,
which is the paper's own cap (Zhang et al., IEEE S&P 2024, Appendix A).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from compdp_core.errors import ParameterError
from compdp_core.parameters import (
    ACTIVATION_HEIGHT,
    ACTIVATION_WIDTH,
    BASE_HEIGHT,
    EPSILON,
    RELATIVE_WIDTH,
    positive,
)
from compdp_core.shapes import Activation, Base, Constant, Pair, Quartic

_KAPPA, _PEAK = positive("kappa"), positive("peak")


@dataclass(frozen=True)
class Design:
    """Parameters of one composite density ``P = H + G`` on ``[-L, L]``.

    ``H(x) = k h((x - s)/m)`` on ``[s, s + m]`` and ``G(x) = y g(x/L)``.
    """

    epsilon: float
    """Declared privacy budget ε."""
    pair: Pair
    mu: float
    """Relative width of the activation, ``m / 2L``."""
    kappa: float
    """Height of the activation over the height of the base, ``k / y``."""
    peak: float = 1.0
    """``k + y``, which fixes the scale of the domain (1/domain unit)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        object.__setattr__(self, "mu", RELATIVE_WIDTH.check(self.mu))
        _KAPPA.check(self.kappa)
        _PEAK.check(self.peak)

    @classmethod
    def from_parameters(
        cls, epsilon: float, activation: Activation, base: str | Base, k: float, m: float, y: float
    ) -> Design:
        """The design of the paper's ``(k, m, y)`` at ε on base ``"B1"``, ``"B2"`` or any other.

        For ``"B2"`` by name the edge height is ``t = (y + k) e^-ε`` (the paper's definition), so
        ``τ = (1 + κ) e^-ε``. ``L`` follows from mass 1: ``L = (1 - k α m) / (2 β y)``.

        Raises :class:`ParameterError` where ``S₁ = k α m >= 1`` or ``t >= y``.
        """
        epsilon = EPSILON.check(epsilon)
        k, m, y = ACTIVATION_HEIGHT.check(k), ACTIVATION_WIDTH.check(m), BASE_HEIGHT.check(y)
        kappa = k / y
        shape: Base = base if isinstance(base, Base) else Constant()
        if base == "B2":
            tau = (1.0 + kappa) * math.exp(-epsilon)
            if not tau < 1.0:
                raise ParameterError(
                    "k", k, f"must be below y (e^epsilon - 1) = {y * math.expm1(epsilon):.6g} on B2"
                )
            shape = Quartic(tau)
        s1 = k * activation.area * m
        if not s1 < 1.0:
            raise ParameterError(
                "m", m, f"must be below 1/(k alpha) = {m / s1:.6g}, so that S1 < 1"
            )
        half_width = (1.0 - s1) / (2.0 * shape.area * y)
        if not m < 2.0 * half_width:
            raise ParameterError(
                "m", m, f"must be below the domain's width 2L = {2 * half_width:.6g}"
            )
        return cls(epsilon, Pair(activation, shape), m / (2.0 * half_width), kappa, k + y)

    @property
    def tau(self) -> float:
        """Tail ratio ``τ = t/y``; 1 for B1."""
        return self.pair.base.tau

    @property
    def _activation_weight(self) -> float:
        return self.kappa * self.pair.activation.area * self.mu

    @property
    def _total_weight(self) -> float:
        """``κ α μ + β``: the mass of the density over ``2 y L``."""
        return self._activation_weight + self.pair.base.area

    @property
    def S1(self) -> float:
        """Mass of the activation, ``κ α μ / (κ α μ + β)``."""
        return self._activation_weight / self._total_weight

    @property
    def S2(self) -> float:
        """Mass of the base, ``1 - S₁`` without cancellation."""
        return self.pair.base.area / self._total_weight

    @property
    def L(self) -> float:
        """Half-width of the domain (domain units)."""
        return (1.0 + self.kappa) / (2.0 * self._total_weight * self.peak)

    @property
    def k(self) -> float:
        """Height of the activation (1/domain unit)."""
        return self.peak * self.kappa / (1.0 + self.kappa)

    @property
    def y(self) -> float:
        """Greatest height of the base, which B1 and B2 have in the middle (1/domain unit)."""
        return self.peak / (1.0 + self.kappa)

    @property
    def m(self) -> float:
        """Width of the activation (domain units)."""
        return 2.0 * self.mu * self.L

    @property
    def t(self) -> float:
        """Least height of the base, which B2 has at the edge (1/domain unit); ``y`` for B1."""
        return self.tau * self.y

    @property
    def input_fraction(self) -> float:
        """``r = C/L = S₁ (1 - μ)``: widest unbiased input interval over the output interval."""
        return self.S1 * (1.0 - self.mu)

    @property
    def C(self) -> float:
        """Half-width of the valid inputs in the domain: ``|C_p| <= C`` (domain units)."""
        return self.input_fraction * self.L

    def rounded(self, digits: int = 6) -> tuple[Decimal, Decimal, Decimal]:
        """``(k, m, y)`` right to so many significant digits, to be typed again.

        ``y`` is rounded up, ``k`` and ``m`` down, so that neither ``k/y``, ``k + y`` nor the width
        grows: a constraint that the design meets is met by the rounded numbers too.

        >>> from compdp_core.design.optimize import optimize
        >>> from compdp_core.shapes import pair_named
        >>> k, m, y = optimize(1.0, pair_named("A1B1", 1.0)).rounded()
        >>> k, y
        (Decimal('0.63212'), Decimal('0.36788'))
        """
        # Where k is small beside y, what y is rounded by is taken from k.
        step = _step(min(self.k, self.y), digits)
        y = Decimal(self.y).quantize(step, rounding=ROUND_CEILING)
        k = min(Decimal(self.peak) - y, Decimal(self.kappa) * y)
        return _floor(k, digits), _floor(Decimal(self.m), digits), y.normalize()

    def centre(self, c_p: float) -> float:
        """Centre of the activation for the mapped input: ``c = C_p / S₁`` (domain units)."""
        return c_p / self.S1

    def variance(self, c_p: float = 0.0) -> float:
        """``Var = S₁ m² σ² + 2 y q L³ + C_p² (1/S₁ - 1)`` (domain units squared)."""
        shape = self.pair.activation.variance * (2.0 * self.mu) ** 2 * self.S1
        base = self.pair.base.second_moment / self._total_weight
        position = c_p * c_p * self.S2 / self.S1
        return (shape + base) * self.L**2 + position

    def relative_variance(self, position: float = 0.0) -> float:
        """Variance over the squared width of the widest input interval.

        ``position`` is the input's place in that interval, from -1 (lower end) to 1 (upper end).
        With ``Δ = R`` this is the variance in units of Δ².
        """
        return self.variance(position * self.C) / (2.0 * self.C) ** 2

    @property
    def h1(self) -> float:
        """``H₁ = S₂ / S₁`` (Zhang et al., Definition of H1 Rate): smaller is better."""
        return self.pair.base.area / self._activation_weight

    @property
    def declared_ratio(self) -> float:
        """``sup P / inf P = (y + k)/t``: at most ``e^ε`` for a design that spends ε."""
        return (1.0 + self.kappa) / self.tau


def _step(value: float | Decimal, digits: int) -> Decimal:
    """The place of the last of so many digits."""
    return Decimal(1).scaleb(Decimal(value).adjusted() - digits + 1)


def _floor(value: Decimal, digits: int) -> Decimal:
    return value.quantize(_step(value, digits), rounding=ROUND_FLOOR).normalize()
