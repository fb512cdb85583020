"""The shapes that were kept: use one here, or take it away."""

from __future__ import annotations

import streamlit as st

from compdp_core.shapes.custom import OwnActivation
from pages.inputs.custom_shapes import OwnShape, drop_shape, keep_shape, own_shapes
from pages.inputs.links import put
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.optimum import is_staircase, jump
from pages.session.state import keep
from pages.text.wording import literal

CHANGED = f"{lab.PAGE}.own.changed"
"""Set where more must follow than the fragment that was clicked in."""


def kept_shapes() -> None:
    shapes = own_shapes()
    if not shapes:
        return
    st.markdown("**Kept**, and offered wherever a function pair is chosen:")
    for name, shape in shapes.items():
        with st.container(horizontal=True, vertical_alignment="center", key=f"kept-{name}"):
            st.markdown(f"**{name}** · {shape.title}: {literal(shape.formula)}", width="stretch")
            st.button("Use here", key=f"use-{name}", on_click=use, args=(shape,))
            st.button(
                "Remove", key=f"drop-{name}", icon=":material/delete:", on_click=_drop, args=(name,)
            )


def use(shape: OwnShape) -> None:
    """Callback: keep the shape, choose it above, and set the numbers that suit it."""
    keep_shape(shape)
    keep(CHANGED, True)
    if isinstance(shape, OwnActivation):
        put(lab.ACTIVATION.name, shape.name)
    else:
        put(lab.BASE.name, shape.name)
        if is_staircase():
            put(lab.ACTIVATION.name, lab.ACTIVATION.default)
    jump("center")


def _drop(name: str) -> None:
    drop_shape(name)
    keep(CHANGED, True)
    for setting in (lab.ACTIVATION, lab.BASE):
        if lab.value(setting) == name:
            put(setting.name, setting.default)
