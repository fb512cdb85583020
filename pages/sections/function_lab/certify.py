"""The proof that a shape keeps a budget, by the very lattice that would be drawn from, in words."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.design.optimize import Objective, optimize
from compdp_core.errors import CompdpError
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import ACTIVATIONS, Activation, Base, Constant, Pair
from compdp_core.shapes.custom import OwnActivation, ShapeError
from compdp_core.shapes.formula import FormulaError
from compdp_core.text import rounded_up
from pages.inputs.custom_shapes import OwnShape
from pages.session import faults
from pages.text.wording import brief, lettered, literal, number, span

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


def refused(error: CompdpError) -> None:
    """The reason and the way out, without the marks that only a fixed-width font aligns."""
    if isinstance(error, FormulaError):
        faults.tell(f"Formula, character {error.position + 1}: {error.reason}.")
    elif isinstance(error, ShapeError):
        faults.tell(f"The shape {lettered(error.reason)}: {error.remedy}.")
    else:
        faults.tell(faults.sentence(str(error)))


def proved(shape: OwnShape, mechanism: CompositeMechanism) -> None:
    certificate = mechanism.certificate
    if isinstance(shape, OwnActivation):
        even = "h(v) = h(1 − v)"
        low = number(float(shape.height(shape.breakpoints).min()))
        sign = f"**Nowhere negative**: the least height seen is {low} of the largest."
    else:
        even = "g(v) = g(−v)"
        sign = f"**Positive everywhere**: the tail ratio is τ = {number(shape.tau, 4)}."
    rows = [
        f"**Symmetric**: {even}, to the last bit.",
        sign,
        f"**Unbiased**: by at most {rounded_up(certificate.worst_bias, 3)} data units, "
        f"for inputs in {span(*mechanism.inputs)}.",
        f"**Private**: pair {literal(mechanism.pair)} at ε = {brief(mechanism.epsilon)}; the "
        f"certificate proves ε ≤ {rounded_up(certificate.epsilon, 7)} over "
        f"{certificate.points:,} outputs.",
    ]
    st.success("Certified", icon=":material/verified:")
    st.markdown("  \n".join(f"✓ {row}" for row in rows))
    moments = (
        f"area α = {number(shape.area, 5)}, variance σ² = {number(shape.variance, 5)}"
        if isinstance(shape, OwnActivation)
        else f"area β = {number(shape.area, 5)}, second moment q = {number(shape.second_moment, 5)}"
    )
    st.caption(f"Of the scaled shape: {moments}.")
