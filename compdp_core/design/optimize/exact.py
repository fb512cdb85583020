"""The best parameters, exactly: one unknown is left, and its equation has one root.

At given ε the budget is used up, so ``κ`` is at its limit and only ``μ = m/2L`` is free. With
``a = κ α``, ``D = a μ + β`` and lengths in units of ``L``:

* outputs derived from the inputs (variance over the squared input width):
  ``V(μ) = (4 σ² a μ³ + q) D / (4 a² μ² (1 - μ)²) + w β / (a μ)`` with ``w`` = 0 at the centre
  input, 1/12 on average over a uniform input, 1/4 at the worst input;
* outputs fixed (variance over ``L²``):
  ``F(μ) = (4 σ² a μ³ + q) / D + e β / (a μ)`` with ``e = E[(C_p/L)²]``,
  over the ``μ`` at which the inputs fit, ``r(μ) = a μ (1 - μ) / D >= r*``.

In both, ``μ² dV/dμ`` up to a positive factor is an increasing function minus a constant wherever
it can be zero, so the sign of the derivative changes once and bisection on ``logit μ`` finds the
minimum to the last bit. For A1B1 the first is the generalised piecewise mechanism of local DP.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, get_args

from compdp_core import validation
from compdp_core.design.design import Design
from compdp_core.errors import ParameterError
from compdp_core.numerics import bracket
from compdp_core.parameters import EPSILON
from compdp_core.shapes import Pair, pair_named

Objective = Literal["center", "mean", "worst"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)

POSITION_WEIGHT: dict[str, float] = {"center": 0.0, "mean": 1.0 / 3.0, "worst": 1.0}
"""``E[(x / half-width)²]`` of an input: in the middle, uniform, at the end."""


def check_objective(objective: object) -> Objective:
    """The objective, or :class:`ParameterError`."""
    return validation.one_of("objective", objective, OBJECTIVES)


def optimize(
    epsilon: float,
    pair: Pair | str,
    objective: Objective = "center",
    *,
    fixed: tuple[float, float] | None = None,
    watch: Callable[[float], None] | None = None,
) -> Design:
    """The design of least variance at ε, for a pair or one of the paper's by its name.

    ``fixed`` = ``(c, w)`` asks for fixed outputs instead of derived ones: the inputs lie at
    ``c ± w`` of the output interval, in units of its half-width. The caller has checked that
    ``|c| + w <= largest_fraction(...)``. ``watch`` is told every ``μ`` that is looked at.

    >>> design = optimize(1.0, "A1B1")
    >>> round(design.relative_variance(), 4)
    0.9175

    Raises :class:`UnknownPairError`, and :class:`ParameterError`, also where the tail ratio of the
    base uses up ε.
    """
    epsilon = EPSILON.check(epsilon)
    pair = pair if isinstance(pair, Pair) else pair_named(pair, epsilon)
    weight = POSITION_WEIGHT[check_objective(objective)]
    kappa = height(epsilon, pair)
    slope = (
        _derived_slope(pair, kappa, weight)
        if fixed is None
        else _fixed_slope(pair, kappa, fixed[0] ** 2 + weight * fixed[1] ** 2)
    )
    if fixed is not None and weight == 1.0:
        slope = _fixed_slope(pair, kappa, (abs(fixed[0]) + fixed[1]) ** 2)
    low, high = -80.0, 80.0
    if fixed is not None:
        narrowest, widest = fitting_widths(pair, kappa, abs(fixed[0]) + fixed[1])
        # Outputs far wider than the inputs: the ends round to 0 and 1, which bounds nothing.
        low = max(low, _logit(narrowest)) if narrowest > 0.0 else low
        high = min(high, _logit(widest)) if widest < 1.0 else high
    return Design(epsilon, pair, _expit(_root(slope, low, high, watch)), kappa)


def height(epsilon: float, pair: Pair) -> float:
    """``κ`` at the limit ``τ e^ε - 1``; refused where the tail ratio leaves nothing."""
    kappa = pair.largest_height(epsilon)
    if not kappa > 0.0:
        raise ParameterError(
            "epsilon",
            epsilon,
            f"must be above -ln(tau) = {-math.log(pair.base.tau):.6g} for this base",
        )
    return kappa


def fitting_widths(pair: Pair, kappa: float, fraction: float) -> tuple[float, float]:
    """The ``μ`` with ``r(μ) >= fraction``: roots of ``a μ² - a (1 - r) μ + r β = 0``.

    At a fraction within rounding of the largest both are the one ``μ`` that reaches it.
    """
    b = pair.base.area / (kappa * pair.activation.area)
    half = 0.5 * (1.0 - fraction)
    root = math.sqrt(max(half * half - fraction * b, 0.0))
    upper = half + root
    return fraction * b / upper, upper


def largest_fraction(epsilon: float, pair: Pair) -> float:
    """``r_max``: the widest inputs over the outputs that ε allows (A1B1: ``tanh(ε/4)``).

    ``(1 - r)² = 4 r β/a`` solved for the smaller root, without cancellation.

    >>> from compdp_core.shapes import pair_named
    >>> round(largest_fraction(1.0, pair_named("A1B1", 1.0)) / math.tanh(0.25), 12)
    1.0
    """
    s = 2.0 * pair.base.area / (height(epsilon, pair) * pair.activation.area)
    # 1/((1 + s) + sqrt((1 + s)^2 - 1)), with the difference of squares multiplied out.
    return 1.0 / ((1.0 + s) + math.sqrt(s * (2.0 + s)))


def smallest_epsilon(pair: Pair, fraction: float) -> float:
    """The ε at which the largest input fraction is ``fraction`` (A1B1: ``4 atanh r``).

    ``κ = 4 r β / (α (1 - r)²)`` and ``ε = ln((1 + κ)/τ)``.

    >>> from compdp_core.shapes import pair_named
    >>> round(smallest_epsilon(pair_named("A1B1", 1.0), math.tanh(0.25)), 9)
    1.0
    """
    kappa = 4.0 * fraction * pair.base.area / (pair.activation.area * (1.0 - fraction) ** 2)
    return math.log1p(kappa) - math.log(pair.base.tau)


def _derived_slope(pair: Pair, kappa: float, weight: float) -> Callable[[float], float]:
    """Sign of dV/dμ at ``logit μ``, outputs derived."""
    a, variance = kappa * pair.activation.area, pair.activation.variance
    beta, q = pair.base.area, pair.base.second_moment

    def slope(logit: float) -> float:
        mu, rest = _expit(logit), _expit(-logit)
        shape = 4.0 * variance * a * mu**3
        total = a * mu + beta
        growth = 3.0 * shape / (shape + q) + a * mu / total - 2.0 + 2.0 * mu / rest
        value = (shape + q) * total / (4.0 * (a * mu * rest) ** 2)
        return value * growth - 0.25 * weight * beta / (a * mu)

    return slope


def _fixed_slope(pair: Pair, kappa: float, square: float) -> Callable[[float], float]:
    """Sign of dF/dμ at ``logit μ``, outputs fixed; ``square`` = E[(C_p/L)²]."""
    a, variance = kappa * pair.activation.area, pair.activation.variance
    beta, q = pair.base.area, pair.base.second_moment

    def slope(logit: float) -> float:
        mu = _expit(logit)
        growth = 8.0 * variance * a * mu**3 + 12.0 * variance * beta * mu * mu - q
        return a * growth * (mu / (a * mu + beta)) ** 2 - square * beta / a

    return slope


def _root(
    slope: Callable[[float], float], low: float, high: float, watch: Callable[[float], None] | None
) -> float:
    """Where an increasing sign changes, by bisection until the floats are neighbours."""
    if slope(low) >= 0.0:
        return low
    if slope(high) <= 0.0:
        return high

    def rises(logit: float) -> bool:
        if watch:
            watch(_expit(logit))
        return slope(logit) >= 0.0

    low, high = bracket(low, high, rises)
    return 0.5 * (low + high)


def _expit(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-logit))


def _logit(mu: float) -> float:
    return math.log(mu) - math.log1p(-mu)
