"""A true value that is made up, on a slider whose steps suit the range."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.intervals import Interval
from pages.session.state import edits


def made_up(label: str, ends: Interval, name: str, *, whole: bool) -> float:
    """The value that is set; another step is another slider."""
    low, width = ends.lower, ends.width
    step = 10.0 ** math.floor(math.log10(width / 50))
    if whole:
        step = max(1.0, step)
    middle = low + round(0.5 * width / step) * step
    value: float = st.slider(
        label,
        low,
        ends.upper,
        step=step,
        format=f"%.{max(0, -math.floor(math.log10(step)))}f",
        **edits(f"{name}.{low}.{ends.upper}.{step}", min(middle, ends.upper)),
    )
    return value
