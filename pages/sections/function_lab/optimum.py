"""The function pair that the controls name, and its exact optimum, put into the controls."""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from compdp_core.design.design import Design
from compdp_core.design.optimize import Objective, optimize
from compdp_core.design.optimize.staircase import optimize_staircase
from compdp_core.errors import CompdpError
from compdp_core.shapes import ACTIVATIONS, Activation, Base, Pair, Quartic, Staircase, base_named
from pages.inputs.custom_shapes import own_activations, own_bases
from pages.inputs.entry import set_exact
from pages.sections.function_lab import settings as lab
from pages.session import faults
from pages.session.state import keep, recall


def is_staircase() -> bool:
    return bool(lab.value(lab.ACTIVATION) == lab.STAIRCASE)


def activation() -> Activation:
    """The activation as set, but for the staircase."""
    name = lab.value(lab.ACTIVATION)
    return own_activations().get(name) or ACTIVATIONS.get(name) or ACTIVATIONS["A1"]


def base_name() -> str:
    """B1, B2, or the name of a base of the user's."""
    name = str(lab.value(lab.BASE))
    return name if name in ("B2", *own_bases()) and not is_staircase() else "B1"


def base() -> str | Base:
    """What the library takes: by name where the edge of B2 follows from k, y and ε."""
    name = base_name()
    if name == "B2" and not lab.value(lab.SPENDS_ALL):
        return Quartic(float(lab.TAIL.value))
    return own_bases().get(name, name)


def pair(epsilon: float) -> Pair:
    """The pair to optimise; where the tail ratio follows, at the usual one."""
    chosen = base()
    shape = base_named(chosen, epsilon) if isinstance(chosen, str) else chosen
    return Pair(activation(), shape)


OBJECTIVES: dict[Objective, str] = {"center": "Center", "mean": "Mean", "worst": "Worst"}
_MEANS = {
    "center": "Least variance at the middle input, as in the paper",
    "mean": "Least variance on average over all inputs",
    "worst": "Least variance at the worst input, an end of the interval",
}
_FAULT = f"{lab.PAGE}.optimum.fault"


def jump_buttons() -> None:
    st.caption(
        "Jump to the optimum: the least variance at the center, on average or at the worst input."
    )
    with st.container(key=f"row-{lab.PAGE}.jump"):
        places = st.columns(3)
    for place, (objective, label) in zip(places, OBJECTIVES.items(), strict=True):
        place.button(
            label,
            help=_MEANS[objective],
            key=f"{lab.PAGE}.jump.{objective}",
            on_click=jump,
            args=(objective,),
            width="stretch",
        )
    if recall(_FAULT):
        faults.tell(recall(_FAULT))


def best(objective: Objective = "center") -> Design:
    """The optimum of the pair as set, at the ε as set.

    Raises :class:`~compdp_core.errors.CompdpError` where there is none.
    """
    epsilon = float(lab.BUDGET.value)
    if is_staircase():
        return optimize_staircase(epsilon, float(lab.RATIO.value), objective)
    return optimize(epsilon, pair(epsilon), objective)


def jump(objective: Objective) -> None:
    try:
        design = best(objective)
    except CompdpError as refusal:
        keep(_FAULT, faults.sentence(str(refusal)))
        return
    keep(_FAULT, None)
    shape = design.pair.activation
    if isinstance(shape, Staircase):
        set_exact(lab.LEVELS.setting.name, Decimal(shape.steps))
        set_exact(lab.TOP.setting.name, Decimal(f"{shape.gamma:.6g}"))
        return
    for control, number in zip((lab.HEIGHT, lab.WIDTH, lab.LEVEL), design.rounded(), strict=True):
        set_exact(control.setting.name, number)
