"""A shape of the user's own: typed or drawn, checked at once, offered everywhere once certified."""

from __future__ import annotations

from typing import Any

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes.custom import OwnActivation, from_formula, from_points
from compdp_core.shapes.custom.folding import Kind
from pages.inputs.custom_shapes import OwnShape, free_name
from pages.inputs.options import segments
from pages.sections.function_lab import own_source
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.certify import certified, proved, refused
from pages.sections.function_lab.optimum import activation, pair
from pages.sections.function_lab.own_chart import shape_chart
from pages.sections.function_lab.own_kept import CHANGED, kept_shapes, use
from pages.sections.function_lab.shape_links import LETTER
from pages.session.faults import attempted
from pages.session.fragments import fragment
from pages.session.state import edits, keep, memo, recall
from pages.shell.panels import drawer

NAME = f"{lab.PAGE}.own"
KINDS: dict[Kind, str] = {"activation": "Activation", "base": "Base"}
WAYS = {"formula": "Type a formula", "points": "Draw points"}


def own_shape() -> None:
    drawer(NAME, "Make a shape of your own", ":material/draw:", _workshop)


@fragment
def _workshop() -> None:
    if recall(CHANGED, False):
        keep(CHANGED, False)
        st.rerun()
    left, right = st.columns(2, gap="large")
    with left:
        kind, source, mirrored, name = _asked()
        made = _shape(kind, source, mirrored, name)
    shape = None if isinstance(made, CompdpError) else made
    proof = None if shape is None else _proof(shape)
    with right:
        picture = shape_chart(kind, shape, source)
        if picture is not None:
            picture.draw()
        for answer in (made, proof):
            if isinstance(answer, CompdpError):
                refused(answer)
        if shape is not None and isinstance(proof, CompositeMechanism):
            proved(shape, proof)
            st.button(
                f"Keep {shape.name}, for this page and the others",
                type="primary",
                icon=":material/add_circle:",
                on_click=use,
                args=(shape,),
                width="stretch",
            )
    kept_shapes()


def _asked() -> tuple[Kind, Any, bool, str]:
    with st.container(horizontal=True):
        kind: Kind = segments(
            "What it is",
            KINDS,
            f"{NAME}.kind",
            "activation",
            help="The activation follows the input, the base is the same for every input.",
        )
        way = segments("Made how", WAYS, f"{NAME}.way", "formula")
    source = own_source.formula(kind) if way == "formula" else own_source.points(kind)
    mirrored = st.toggle(
        "Make it symmetric: the mean of both sides", **edits(f"{NAME}.mirrored", False)
    )
    free = free_name(LETTER[kind])
    name = st.text_input(
        "Name",
        placeholder=free,
        max_chars=12,
        help="A letter, then letters or digits. One that you have kept already is replaced.",
        **edits(f"{NAME}.name.{kind}", ""),
    )
    return kind, source, mirrored, name.strip() or free


def _shape(kind: Kind, source: Any, mirrored: bool, name: str) -> OwnShape | CompdpError:
    make = from_formula if isinstance(source, str) else from_points
    return memo(
        f"{NAME}.made",
        (kind, source, mirrored, name),
        lambda: attempted(lambda: make(source, kind, symmetrise=mirrored, name=name)),
    )


def _proof(shape: OwnShape) -> CompositeMechanism | CompdpError:
    """The certificate at the ε, the bounds and the partner that are set above."""
    epsilon = float(lab.BUDGET.value)
    inputs = (float(lab.value(lab.LOWER)), float(lab.value(lab.UPPER)))
    partner: Any = activation()
    if isinstance(shape, OwnActivation):
        partner = attempted(lambda: pair(epsilon).base)
        if isinstance(partner, CompdpError):
            return partner
        with_partner = {"base": partner}
    else:
        with_partner = {"activation": partner}
    return memo(
        f"{NAME}.proof",
        (shape, epsilon, inputs, partner),
        lambda: attempted(lambda: certified(shape, epsilon, inputs=inputs, **with_partner)),
    )
