"""From what a user asks for to a design on an output interval."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import Objective, check_objective, optimize
from compdp_core.design.optimize.feasibility import fitted, fitted_staircase, inputs_in_outputs
from compdp_core.design.optimize.staircase import optimize_staircase
from compdp_core.errors import BoundsError, ParameterError, UnknownPairError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice import (
    AS_DESIGNED,
    Lattice,
    LatticeTarget,
    LeastVariance,
    fit,
    fit_as_designed,
    fit_staircase,
    lowered,
    spacing_exponent,
)
from compdp_core.parameters import EPSILON, positive
from compdp_core.shapes import PAIR_NAMES, Constant, Pair, Staircase, pair_named
from compdp_core.validation import is_one_of

STAIRCASE = "A4B1"
"""The pair for a sensitivity below the width of the inputs."""

RECTANGLE = "A1B1"
"""The pair where any two inputs are neighbours: the least variance on a constant base."""

ALL_PAIRS = (*PAIR_NAMES, STAIRCASE)

_BELOW_LAPLACE = 2.0 * (1.0 - 2e-4)
"""Laplace's variance in units of ``(Δ/ε)²``, less what the lattice may add: fewer steps would spare
room beyond the inputs, but nobody should get more noise than Laplace's for it."""


@dataclass(frozen=True)
class Blueprint:
    """A design, the inputs it serves and the outputs it fills (data units)."""

    design: Design
    inputs: Interval
    outputs: Interval
    sensitivity: float
    hard: bool
    """Whether the outputs are hard bounds; derived from the inputs otherwise."""
    wish: LatticeTarget = AS_DESIGNED
    """What a staircase's lattice is to be best at."""

    def lattice(self, spacing: object = None) -> Lattice:
        """The integer version, on multiples of ``spacing`` (a power of ten)."""
        exponent = None if spacing is None else spacing_exponent(spacing)
        given = (self.design, self.inputs, self.outputs)
        if not self.is_staircase:
            return fit(
                *given,
                hard=self.hard,
                sensitivity=self.sensitivity,
                exponent=exponent,
                objective=self.wish.objective,
            )
        return fit_staircase(
            *given,
            hard=self.hard,
            sensitivity=self.sensitivity,
            exponent=exponent,
            wish=self.wish,
        )

    def affordable(self) -> Blueprint:
        """With the activation lowered, and the outputs widened, to what the ε allows."""
        if self.is_staircase or self.hard:
            return self
        design = lowered(self.design, self.inputs, self.outputs, self.sensitivity)
        if design is self.design:
            return self
        return replace(self, design=design, outputs=derived_outputs(self.inputs, design))

    def earlier_lattice(self, spacing: float) -> Lattice:
        """What versions before 0.2 made by default where that was their spacing."""
        if self.is_staircase or self.hard:
            return self.lattice(spacing)
        given = (self.design, self.inputs, self.outputs)
        return fit_as_designed(*given, spacing_exponent(spacing), self.sensitivity)

    @property
    def least_variance(self) -> LeastVariance:
        """What the continuous design reaches."""
        return LeastVariance(self.design, self.inputs, self.outputs, self.wish.objective)

    @property
    def is_staircase(self) -> bool:
        """Whether the design is a staircase that goes down by ``e^ε`` once in every sensitivity.

        Of wider levels or less height it is a shape like any other.

        Raises :class:`ParameterError` where it is too high for narrower levels than that.
        """
        design, shape = self.design, self.design.pair.activation
        if not isinstance(shape, Staircase) or design.pair.base != Constant():
            return False
        level = design.mu / shape.reach * design.S1 * 0.5 * self.outputs.width
        # Far from zero the outputs, and so the levels, are rounded to what floats there are.
        near = 1e-9 + 8.0 * math.ulp(max(map(abs, self.outputs.as_tuple()))) / self.outputs.width
        high = design.kappa > math.expm1(design.epsilon) * (1.0 + 1e-9)
        if high and self.sensitivity > level * (1.0 + near):
            raise ParameterError(
                "sensitivity", self.sensitivity, f"must be at most {level:.6g}, the levels' width"
            )
        return (
            math.isclose(level, self.sensitivity, rel_tol=near)
            and math.isclose(design.kappa, shape.height_ratio, rel_tol=1e-9)
            and shape.epsilon == design.epsilon
        )


def blueprint(
    epsilon: object,
    inputs: Any,
    *,
    pair: str | Pair | None = None,
    sensitivity: object = None,
    outputs: Any = None,
    objective: Objective = "center",
    tail_ratio: float | None = None,
    steps: int | None = None,
    margin: float | None = None,
) -> Blueprint:
    """The best design for what is asked; see :class:`~compdp_core.CompositeMechanism`.

    Raises subclasses of :class:`~compdp_core.errors.CompdpError` that name the argument.
    """
    budget = EPSILON.check(epsilon)
    interval = Interval.checked("inputs", inputs)
    check_objective(objective)
    distance = check_sensitivity(sensitivity, interval)
    if pair is None:
        pair = STAIRCASE if distance < interval.width else RECTANGLE
    check_pair(pair)
    staircase = pair == STAIRCASE
    foreign = {"tail_ratio": tail_ratio} if staircase else {"steps": steps, "margin": margin}
    for name, value in foreign.items():
        if value is not None:
            raise ParameterError(name, value, f"does not belong to pair {pair!r}; leave it out")
    bounds = _hard_bounds(interval, outputs, distance, margin)
    wish = LatticeTarget(objective, steps)
    if staircase:
        if bounds is not None:
            design = fitted_staircase(budget, distance, objective, interval, bounds, steps)
        else:
            ceiling = _BELOW_LAPLACE / budget**2
            wish = LatticeTarget(objective, steps, ceiling * distance * distance)
            ratio = distance / interval.width
            design = optimize_staircase(budget, ratio, objective, steps=steps, ceiling=ceiling)
    else:
        shape = pair if isinstance(pair, Pair) else pair_named(pair, budget, tail_ratio)
        if bounds is not None:
            design = fitted(budget, shape, objective, interval, bounds)
        else:
            design = optimize(budget, shape, objective)
    return Blueprint(
        design,
        interval,
        derived_outputs(interval, design) if bounds is None else bounds,
        distance,
        hard=bounds is not None,
        wish=wish,
    )


def check_pair(pair: object) -> None:
    """Raise :class:`UnknownPairError` for what is neither a pair nor the name of one."""
    if not isinstance(pair, Pair) and not is_one_of(pair, ALL_PAIRS):
        raise UnknownPairError(pair, ALL_PAIRS)


def derived_outputs(inputs: Interval, design: Design) -> Interval:
    """The outputs that the inputs need: the same middle, wider by ``1 / input_fraction``."""
    half = 0.5 * inputs.width / design.input_fraction
    # Far from zero the margin can be less than floats tell apart; the lattice finds its own.
    lower = min(inputs.midpoint - half, math.nextafter(inputs.lower, -math.inf))
    upper = max(inputs.midpoint + half, math.nextafter(inputs.upper, math.inf))
    if not math.isfinite(upper - lower):
        raise BoundsError(
            "inputs",
            *inputs.as_tuple(),
            "need outputs that floating point cannot hold: rescale the values by a public constant",
        )
    return Interval(lower, upper)


def check_sensitivity(sensitivity: object, inputs: Interval) -> float:
    """Δ within ``(0, b - a]``; the whole width where None is given."""
    if sensitivity is None:
        return inputs.width
    return positive("sensitivity", upper=inputs.width).check(sensitivity)


def _hard_bounds(
    interval: Interval, outputs: Any, distance: float, margin: float | None
) -> Interval | None:
    if margin is not None:
        if outputs is not None:
            raise ParameterError("margin", margin, "and outputs exclude each other; give one")
        outputs = _with_margin(interval, distance, margin)
    if outputs is None:
        return None
    bounds = Interval.checked("outputs", outputs)
    inputs_in_outputs(interval, bounds)
    return bounds


def _with_margin(inputs: Interval, sensitivity: float, margin: object) -> tuple[float, float]:
    """Outputs that reach ``margin`` sensitivities beyond the inputs on both sides."""
    reach = sensitivity * positive("margin").check(margin)
    return (inputs.lower - reach, inputs.upper + reach)
