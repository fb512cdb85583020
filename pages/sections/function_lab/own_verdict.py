"""Why a shape is refused, or what its certificate proves."""

from __future__ import annotations

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes.custom import OwnActivation, ShapeError
from compdp_core.shapes.formula import FormulaError
from compdp_core.text import rounded_up
from pages.inputs.custom_shapes import OwnShape
from pages.session import faults
from pages.text.symbols import lettered
from pages.text.wording import brief, literal, number, span


def refused(error: CompdpError) -> None:
    """The reason and the way out, without the marks that only a fixed-width font aligns."""
    if isinstance(error, FormulaError):
        faults.tell(f"Formula, character {error.position + 1}: {error.reason}.")
    elif isinstance(error, ShapeError):
        faults.tell(f"The shape {lettered(error.reason)}: {error.remedy}.")
    else:
        faults.tell(faults.sentence(str(error)))


def proved(shape: OwnShape, mechanism: CompositeMechanism) -> None:
    """The four things that were asked, with their numbers."""
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
