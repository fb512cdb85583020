"""The exact privacy loss of a design, where it is reached, and how it varies with the output.

``ε* = max over |c - c'| <= δ, x of ln P_c(x)/P_c'(x)``, ``δ = ρ 2(L - m/2)`` in domain units for
inputs at most ``ρ = Δ/R`` of the input width apart. On B1 with a concave ``h`` the worst output is
at the edge of one activation: ``ε* = ln(1 + κ h(min(δ/m, ½)))``. The same holds for a staircase
whose steps all have the ratio ``e^ε``, base included: its loss is ε times the number of steps in
one shift. Everything else is found numerically (:mod:`compdp_core.design.privacy_loss.shifts`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.design.privacy_loss.shifts import DISTANCE, Shifts
from compdp_core.shapes import Staircase
from compdp_core.validation import Array, floats


@dataclass(frozen=True)
class PrivacyLoss:
    """The largest log-ratio of densities, and where it is reached (or approached, at a jump)."""

    epsilon: float
    """Exact privacy loss."""
    declared: float
    """The bound that it never exceeds, ``ln(sup P / inf P)``."""
    output: float
    """The output (domain units)."""
    likelier: float
    """The mapped input under which that output is likelier …"""
    other: float
    """… and the one under which it is less likely."""
    closed_form: bool


def loss(design: Design, distance: float = 1.0) -> PrivacyLoss:
    """Exact privacy loss for inputs at most ``distance`` times the input width apart.

    >>> from compdp_core.design.optimize import optimize
    >>> from compdp_core.shapes import pair_named
    >>> design = optimize(1.0, pair_named("A2B1", 1.0))
    >>> round(loss(design).epsilon, 9), round(loss(design, 0.1).epsilon, 4)
    (1.0, 0.5216)

    Raises :class:`ParameterError` for a distance outside ``(0, 1]``.
    """
    shifts = Shifts(design.pair, design.mu, DISTANCE.check(distance))
    if not (shifts.closed_form or _even_steps(design)):
        return numeric_loss(design, distance)
    u, v, height = shifts.edge_of_activation
    return _found(design, shifts, u, v, math.log1p(design.kappa * height), closed_form=True)


def numeric_loss(design: Design, distance: float = 1.0) -> PrivacyLoss:
    """The same by a search over pairs of inputs and outputs, for every shape."""
    shifts = Shifts(design.pair, design.mu, DISTANCE.check(distance))

    def ratio(high: Array, low: Array, base: Array) -> Array:
        # Where it is lower the ratio matters no more, and could be all but 0: its logarithm is not.
        above = np.maximum(high - low, 0.0)
        return np.log1p(design.kappa * above / (base + design.kappa * low))

    value, u, v = shifts.largest(ratio)
    return _found(design, shifts, u, v, value, closed_form=False)


def _even_steps(design: Design) -> bool:
    stairs, base = design.pair.activation, design.pair.base
    return (
        isinstance(stairs, Staircase)
        and base.tau == 1.0
        and math.isclose(design.kappa, stairs.height_ratio, rel_tol=1e-12)
    )


def _found(
    design: Design, shifts: Shifts, u: float, v: float, value: float, *, closed_form: bool
) -> PrivacyLoss:
    """Translate ``u`` and ``u'`` into an output and two inputs."""
    x = shifts.floor.lowest_place(*shifts.outputs(u, v))
    if v < 0.0:
        # Outside the other activation the distance does not matter; the full one reads best.
        far = u - shifts.reach
        farther = shifts.floor.lowest_place(*shifts.outputs(u, far))
        if shifts.floor.lowest(farther, farther) <= shifts.floor.lowest(x, x):
            x, v = farther, far
    x *= design.L

    def mapped(place: float) -> float:
        c_p = design.S1 * (x - design.m * (place - 0.5))
        return min(max(c_p, -design.C), design.C)

    declared = math.log(design.declared_ratio)
    return PrivacyLoss(value, declared, x, mapped(u), mapped(v), closed_form)


def log_ratio(design: Design, c_p: float, other: float, outputs: Any) -> Array:
    """``ln P_c(x)/P_c'(x)`` of two mapped inputs at outputs ``x`` in ``[-L, L]``.

    Raises :class:`ParameterError` for an input outside ``[-C, C]``.
    """
    density = Density(design)
    ratio: Array = np.log(density.pdf(outputs, c_p)) - np.log(density.pdf(outputs, other))
    return ratio


def loss_curve(design: Design, outputs: Any, distance: float = 1.0) -> Array:
    """At each output in ``[-L, L]``, the largest log-ratio of any two inputs at ``distance``.

    Its maximum over all outputs is :func:`loss`. The inputs are those of a grid, the worst ones
    included where it is known where they are.
    """
    shifts = Shifts(design.pair, design.mu, DISTANCE.check(distance))
    x = floats("outputs", outputs) / design.L
    return shifts.curve(np.clip(x, -1.0, 1.0), design.kappa)
