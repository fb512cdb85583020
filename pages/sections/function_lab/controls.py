"""Every parameter by slider and by exact entry; what does not apply is not shown."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial

import streamlit as st

from compdp_core.shapes import ACTIVATIONS
from pages.inputs import links
from pages.inputs.custom_shapes import own_activations, own_bases
from pages.inputs.entry import within
from pages.inputs.options import select
from pages.inputs.slider import with_slider
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.input_value import image_and_value
from pages.sections.function_lab.optimum import base_name, is_staircase
from pages.sections.function_lab.trial import Bench
from pages.session.state import edits
from pages.shell.panels import drawer
from pages.text.wording import number

BASES = {"B1": "constant", "B2": "quartic"}


def pair_controls() -> None:
    activations = {name: shape.title for name, shape in ACTIVATIONS.items()}
    activations[lab.STAIRCASE] = "staircase"
    activations |= {name: f"own, {shape.formula}" for name, shape in own_activations().items()}
    bases = BASES | {name: f"own, {shape.formula}" for name, shape in own_bases().items()}
    with st.container(key=f"row-{lab.PAGE}.pair"):
        left, right = st.columns(2)
    with left:
        _select("Activation", activations, lab.ACTIVATION.name)
    with right:
        if is_staircase():
            st.selectbox(
                "Base", ["B1: constant"], disabled=True, help="A staircase stands on B1 only."
            )
        else:
            _select("Base", bases, lab.BASE.name)


def parameter_controls(bench: Bench) -> None:
    _draw(lab.BUDGET)
    if is_staircase():
        _draw(lab.LEVELS)
        _draw(lab.TOP)
        _draw(lab.RATIO)
    else:
        _draw(lab.HEIGHT)
        _draw(lab.WIDTH)
        _draw(lab.LEVEL)
        if base_name() == "B2":
            _tail(bench)
    _draw(lab.PLACE)
    image_and_value(bench.result)


def more_controls() -> None:
    drawer(f"{lab.PAGE}.more", "Data units and neighbours", ":material/straighten:", _more)


def _more() -> None:
    below = st.container()
    with st.container(key=f"row-{lab.PAGE}.bounds"):
        places = st.columns(2)
    for place, mine, other, which, side in (
        (places[0], lab.LOWER, lab.UPPER, "Smallest", "below"),
        (places[1], lab.UPPER, lab.LOWER, "Largest", "above"),
    ):
        with place:
            check = partial(_crossed, side, other)
            links.field(mine, f"{which} true value", check=check, faults_in=below)
    if not is_staircase():
        _draw(lab.NEIGHBOURS)
        st.caption(
            "Neighbouring inputs may be closer than any two inputs. The exact privacy loss "
            "counts only those."
        )


def _select(label: str, words: dict[str, str], name: str) -> None:
    titles = {key: f"{key}: {what}" for key, what in words.items()}
    select(label, titles, name, next(iter(words)))


def _draw(control: lab.Control, also: Callable[[Decimal], str | None] = lambda value: None) -> None:
    check = within(control.parameter)
    with_slider(
        control.setting.name,
        control.label,
        control.ladder,
        default=control.setting.default,
        check=lambda value: check(value) or also(value),
        entry_label=f"{control.parameter.symbol} =",
        help=f"{control.parameter.meaning} Unit: {control.parameter.unit or 'none'}.",
    )


def _tail(bench: Bench) -> None:
    if not lab.value(lab.SPENDS_ALL):
        _draw(lab.TAIL)
    st.toggle(
        "τ follows from k, y and ε, as in the paper",
        help="The edge then has the height t = (y + k) e^−ε, which uses up all of ε.",
        **edits(lab.SPENDS_ALL.name, False),
    )
    if lab.value(lab.SPENDS_ALL) and bench.result is not None:
        st.caption(f"τ = {number(bench.result.design.tau, 6)}")


def _crossed(side: str, other: links.Setting, number: Decimal) -> str | None:
    end = lab.value(other)
    in_order = number < end if side == "below" else number > end
    return None if in_order else f"It must lie {side} the other end, {end}."
