"""A few numbers that one looks at first, side by side, and short tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages.session.framework import DeltaGenerator

Figure = tuple[str, str, str | None]
"""Label, value and help."""


def figures(places: Sequence[DeltaGenerator], *shown: Figure) -> None:
    for place, (label, value, help) in zip(places, shown, strict=True):
        place.metric(label, value, help=help, border=True, height="stretch")


def figure_row(amount: int, key: str = "tiles") -> Sequence[DeltaGenerator]:
    with st.container(key=key):
        return st.columns(amount)


def records(rows: pd.DataFrame | Sequence[Mapping[str, Any]] | Mapping[str, Any], alt: str) -> None:
    """A table by its rows or by its columns."""
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt=alt)
