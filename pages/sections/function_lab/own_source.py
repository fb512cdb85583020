"""What an own shape is made from: a formula, or points in a table that the keyboard works."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from compdp_core.shapes.custom.folding import Kind
from compdp_core.shapes.formula import ALLOWED, LONGEST
from pages.inputs.links import put
from pages.sections.function_lab.settings import PAGE
from pages.session.state import edits, keep, recall, renew, widget_key

Points = list[tuple[float, float]]

FORMULAS: dict[Kind, dict[str, str]] = {
    "activation": {
        "Bell": "exp(-20*(v-0.5)^2)",
        "Dome": "1 - (2*v-1)^4",
        "Trapezoid": "min(1, 3*v, 3*(1-v))",
        "Two humps": "sin(2*pi*v)^2",
    },
    "base": {
        "Cosine": "1 + cos(pi*v)/4",
        "Bell": "exp(-v^2/4)",
        "Valley": "1 + v^2/4",
        "Tent": "1 - abs(v)/4",
    },
}
POINTS: dict[Kind, Points] = {
    "activation": [(0.0, 0.2), (0.3, 1.0), (0.7, 1.0), (1.0, 0.2)],
    "base": [(-1.0, 0.8), (0.0, 1.0), (1.0, 0.8)],
}
DOMAIN: dict[Kind, str] = {"activation": "from 0 to 1", "base": "from −1 to 1"}


def formula(kind: Kind) -> str:
    name = f"{PAGE}.own.formula.{kind}"
    first = next(iter(FORMULAS[kind].values()))
    st.text_input(
        f"Formula in v, {DOMAIN[kind]}",
        max_chars=LONGEST,
        help=f"Allowed are {ALLOWED}. Its scale does not matter.",
        **edits(name, first),
    )
    with st.container(horizontal=True, gap="xsmall"):
        for label, text in FORMULAS[kind].items():
            st.button(label, key=f"{name}.{label}", on_click=put, args=(name, text))
    return str(recall(name, first))


def points(kind: Kind) -> list[tuple[Any, Any]]:
    name = f"{PAGE}.own.points.{kind}"
    table = f"{name}.table"
    key = widget_key(table)
    if key not in st.session_state:
        keep(f"{name}.start", recall(name, POINTS[kind]))
    st.caption(
        f"Place v {DOMAIN[kind]}, from left to right, and the height there. Two rows with the same "
        "v are a jump. Arrow keys move, Enter edits, the last row adds a point."
    )
    edited = st.data_editor(
        pd.DataFrame(recall(f"{name}.start"), columns=["v", "height"]),
        key=key,
        num_rows="dynamic",
        hide_index=True,
        column_config={
            "v": st.column_config.NumberColumn("place v", required=True),
            "height": st.column_config.NumberColumn("height", required=True),
        },
        height="auto",
        alt="Points of the shape: place and height",
    )
    rows = [(v, h) for v, h in edited.itertuples(index=False) if not (pd.isna(v) or pd.isna(h))]
    keep(name, rows)
    st.button(
        "Start again from the example",
        icon=":material/restart_alt:",
        key=f"{name}.again",
        on_click=_again,
        args=(name, table, kind),
    )
    return rows


def _again(name: str, table: str, kind: Kind) -> None:
    keep(name, POINTS[kind])
    renew(table)
