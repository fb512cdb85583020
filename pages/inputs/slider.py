"""Sliders: joined with an exact entry, where each follows the other, and over a range of values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Decimal

import numpy as np
import streamlit as st

from compdp_core.intervals import Interval
from compdp_core.parameters import EPSILON
from pages.inputs.entry import exact, fill, within
from pages.session.state import browser_name, edits, keep, recall, renew, widget_key
from pages.text.typed_numbers import plain

BUDGETS = (
    Decimal("0.05"),
    *(Decimal(n) / 10 for n in range(1, 51)),
    *(Decimal(n) / 2 for n in range(11, 21)),
)
"""Rungs of a slider over ε."""


def with_slider(
    name: str,
    label: str,
    ladder: Sequence[Decimal],
    *,
    default: Decimal,
    check: Callable[[Decimal], str | None],
    entry_label: str,
    help: str | None = None,
) -> Decimal:
    """A slider over the ladder beside an exact entry; each follows the other."""
    if recall(name) is None:
        keep(name, default)
    slider = widget_key(f"{name}.slider")

    def from_slider() -> None:
        if slider == widget_key(f"{name}.slider"):
            fill(name, st.session_state[slider])

    def from_entry(_: Decimal | None) -> None:
        renew(f"{name}.slider")

    with st.container(key=f"row-{browser_name(name)}"):
        left, right = st.columns([3, 1], vertical_alignment="bottom")
    below = st.container()
    with right:
        value = exact(name, entry_label, check=check, then=from_entry, faults_in=below)
    with left:
        st.select_slider(
            label,
            ladder,
            nearest(ladder, recall(name)),
            key=slider,
            on_change=from_slider,
            help=help,
            format_func=plain,
        )
    return default if value is None else value


def nearest(ladder: Sequence[Decimal], value: Decimal) -> Decimal:
    """The rung closest to the value.

    >>> nearest([Decimal(1), Decimal(2), Decimal(5)], Decimal("3.4"))
    Decimal('2')
    """
    return min(ladder, key=lambda rung: abs(rung - value))


def epsilon_slider(
    name: str, label: str, ladder: Sequence[Decimal], default: Decimal, help: str | None = None
) -> Decimal:
    check = within(EPSILON)
    return with_slider(
        name, label, ladder, default=default, check=check, entry_label="ε, exactly", help=help
    )


STOPS = 200
"""Of a slider over dates or times, at most."""


def made_up_in_words(label: str, ends: Interval, name: str, told: Callable[[float], str]) -> float:
    """The same over whole steps of a format, each told in its words."""
    many = min(STOPS, int(ends.width) + 1)
    stops: list[float] = np.unique(np.rint(np.linspace(*ends.as_tuple(), many))).tolist()
    how = edits(f"{name}.{ends.lower}.{ends.upper}", stops[len(stops) // 2], allowed=stops)
    value: float = st.select_slider(label, stops, format_func=told, **how)
    return value


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
