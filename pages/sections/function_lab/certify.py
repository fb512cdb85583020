"""The proof that a shape keeps a budget, made of the very lattice that would be drawn from."""

from __future__ import annotations

import math

from compdp_core.design.optimize import Objective, optimize
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import ACTIVATIONS, Activation, Base, Constant, Pair
from compdp_core.shapes.custom import OwnActivation
from pages.inputs.custom_shapes import OwnShape

INPUTS = (0.0, 100.0)


def pair_with(
    shape: OwnShape, activation: Activation | None = None, base: Base | None = None
) -> Pair:
    """The shape with a partner: the given one, or the simplest."""
    if isinstance(shape, OwnActivation):
        return Pair(shape, base or Constant())
    return Pair(activation or ACTIVATIONS["A1"], shape)


def enough(shape: OwnShape) -> float:
    """A budget of which the base alone does not use up all."""
    return 1.0 if isinstance(shape, OwnActivation) else 1.0 - math.log(shape.tau)


def certified(
    shape: OwnShape,
    epsilon: float,
    *,
    activation: Activation | None = None,
    base: Base | None = None,
    inputs: tuple[float, float] = INPUTS,
    objective: Objective = "center",
) -> CompositeMechanism:
    """The mechanism of the shape's best design, with its certificate.

    Raises :class:`~compdp_core.errors.CompdpError` where there is none, or where it proves too
    little.
    """
    design = optimize(epsilon, pair_with(shape, activation, base), objective)
    mechanism = CompositeMechanism.from_design(design, inputs)
    mechanism.certificate.require()
    return mechanism
