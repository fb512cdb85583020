"""The input in three measures: as a share of its limit, in the domain, in data units."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import floor, log10

import streamlit as st

from pages.inputs.entry import exact, fill, set_exact, within
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.trial import Result
from pages.session.state import recall

DIGITS = 7


def image_and_value(result: Result | None) -> None:
    with st.container(key=f"row-{lab.PAGE}.place"):
        left, right = st.columns(2)
    below = st.container()
    with left:
        _linked(
            "c_p",
            "C_p (domain unit)",
            result,
            lambda r: r.position * r.design.C,
            lambda r, c_p: _short(c_p),
            lambda r, c_p: c_p / r.design.C,
            below,
        )
    with right:
        _linked(
            "value",
            "True value (data unit)",
            result,
            lambda r: r.inputs.midpoint + 0.5 * r.position * r.inputs.width,
            lambda r, value: _short(round(value, DIGITS - floor(log10(r.inputs.width))), 15),
            lambda r, value: 2.0 * (value - r.inputs.midpoint) / r.inputs.width,
            below,
        )


def _linked(
    key: str,
    label: str,
    result: Result | None,
    shown: Callable[[Result], float],
    digits: Callable[[Result, float], Decimal],
    position: Callable[[Result, float], float],
    below: st.delta_generator.DeltaGenerator,
) -> None:
    name = f"{lab.PAGE}.{key}"
    if result is not None:
        value = digits(result, shown(result))
        if recall(name) != value:
            fill(name, value)

    def place(value: Decimal) -> Decimal:
        assert result is not None
        return _short(position(result, float(value)), 15)

    def move(value: Decimal | None) -> None:
        if value is not None and result is not None:
            set_exact(lab.PLACE.setting.name, place(value))

    check = within(lab.POSITION)
    exact(
        name,
        label,
        check=lambda value: None if result is None else check(place(value)),
        then=move,
        disabled=result is None,
        faults_in=below,
    )


def _short(value: float, digits: int = DIGITS) -> Decimal:
    return Decimal(f"{value:.{digits}g}") + 0
