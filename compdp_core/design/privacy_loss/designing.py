"""Designing to the exact privacy loss instead of the bound ``sup P / inf P``.

The height may then be larger: on B2 for every distance, as the peak cannot stand over the edge of
the domain, and on any base where neighbours are so close, or activations so wide, that no input
sees the peak of another where it has none itself.
"""

from __future__ import annotations

import math

import numpy as np

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import POSITION_WEIGHT, Objective, check_objective
from compdp_core.design.privacy_loss.floor import Floor
from compdp_core.design.privacy_loss.shifts import DISTANCE, ROUNDS, Shifts
from compdp_core.parameters import EPSILON, RELATIVE_WIDTH
from compdp_core.shapes import Pair
from compdp_core.validation import Array

SAFETY = 1e-9
"""Relative: by how much a height found numerically is lowered, far above its error."""


def tallest(epsilon: float, pair: Pair, mu: float, distance: float = 1.0) -> float:
    """The largest ``κ`` whose exact loss is at most ε.

    ``(g + κ h) <= e^ε (g + κ h')`` for all pairs, so ``κ = (e^ε - 1) / max (h - e^ε h')/g``. On B1
    with a concave ``h``: ``(e^ε - 1)/h(min(δ/m, ½))``. For A1 on B2: ``τ (e^ε - 1)``.

    >>> from compdp_core.shapes import pair_named
    >>> pair = pair_named("A1B2", 1.0, 0.9)
    >>> round(tallest(1.0, pair, 0.3) / (0.9 * math.expm1(1.0)), 6)
    1.0

    Raises :class:`ParameterError`.
    """
    mu = RELATIVE_WIDTH.check(mu)
    shifts = Shifts(pair, mu, DISTANCE.check(distance))
    return _tallest(EPSILON.check(epsilon), shifts, ROUNDS)


def _tallest(epsilon: float, shifts: Shifts, rounds: int) -> float:
    growth = math.expm1(epsilon)
    if shifts.closed_form:
        return growth / shifts.edge_of_activation[2]

    def slope(high: Array, low: Array, base: Array) -> Array:
        return (high - low - growth * low) / base

    return growth / shifts.largest(slope, rounds)[0] * (1.0 - SAFETY)


def design_to_exact(
    epsilon: float, pair: Pair, distance: float = 1.0, objective: Objective = "center"
) -> Design:
    """The design of least variance whose exact loss at ``distance`` is ε.

    Its ``sup P / inf P`` may exceed ``e^ε``. The tail ratio of B2 may be below ``e^-ε`` here.

    >>> from compdp_core.design.optimize import optimize
    >>> from compdp_core.design.privacy_loss import loss
    >>> from compdp_core.shapes import pair_named
    >>> pair = pair_named("A3B2", 1.0, 0.8)
    >>> exact, bound = design_to_exact(1.0, pair), optimize(1.0, pair)
    >>> round(loss(exact).epsilon, 6), exact.relative_variance() < bound.relative_variance()
    (1.0, True)

    Raises :class:`ParameterError`.
    """
    epsilon, distance = EPSILON.check(epsilon), DISTANCE.check(distance)
    weight = POSITION_WEIGHT[check_objective(objective)] / 4.0
    floor = Floor(pair.base)

    def design(logit: float, rounds: int) -> Design:
        mu = 1.0 / (1.0 + math.exp(-logit))
        return Design(
            epsilon, pair, mu, _tallest(epsilon, Shifts(pair, mu, distance, floor), rounds)
        )

    def value(logit: float, rounds: int) -> float:
        candidate = design(logit, rounds)
        return candidate.relative_variance() + weight * candidate.S2 / candidate.S1

    # The height depends on the width with bends, so that one minimum is not certain: first a grid
    # with rough heights, then steps to either side, halved where neither is better.
    step = 0.5
    best = float(min(np.arange(-20.0, 8.0, step), key=lambda logit: value(logit, 0)))
    least = value(best, ROUNDS)
    while step > 1e-7:
        sides = [(value(logit, ROUNDS), logit) for logit in (best - step, best + step)]
        if min(sides)[0] < least:
            least, best = min(sides)
        else:
            step *= 0.5
    return design(best, ROUNDS)
