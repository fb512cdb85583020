"""Samples come with public bounds; the button fills them in."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import streamlit as st

from compdp_core.tables import Table
from pages.inputs.entry import set_exact
from pages.sections.shared.setup import setting
from pages.sections.shared.upload import current


def offer_sample_bounds(table: Table, positions: Sequence[int]) -> None:
    upload = current()
    if upload is None or upload.sample is None:
        return
    bounds = upload.sample.bounds
    known = {p: bounds[h] for p in positions if (h := table.columns[p].header) in bounds}
    if known:
        st.button(
            "Fill in the sample's public bounds",
            icon=":material/edit_note:",
            help="They come from the unit, the instrument or the definition, not from the table.",
            on_click=_fill,
            args=(table.fingerprint, known),
        )


def _fill(file: str, known: dict[int, tuple[int, int]]) -> None:
    for position, (lower, upper) in known.items():
        set_exact(setting(file, position, "lower"), Decimal(lower))
        set_exact(setting(file, position, "upper"), Decimal(upper))
