"""The input in three measures: as a share of its limit, in the domain, in data units."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from math import floor, log10

import streamlit as st

from pages.inputs.entry import exact, fill, set_exact, within
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.trial import Result
from pages.session.framework import DeltaGenerator
from pages.session.state import recall

DIGITS = 7


def image_and_value(result: Result | None) -> None:
    with st.container(key=f"row-{lab.PAGE}.place"):
        left, right = st.columns(2)
    below = st.container()
    image = value = None
    half, middle, digits = 1.0, 0.0, 15
    if result is not None:
        half, middle = result.inputs.width / 2, result.inputs.midpoint
        digits = DIGITS - floor(log10(result.inputs.width))
        image = _short(result.position * result.design.C)
        value = _short(round(middle + half * result.position, digits), 15)
    with left:
        limit = 1.0 if result is None else result.design.C
        _linked("c_p", "C_p (domain unit)", image, lambda c_p: c_p / limit, below)
    with right:
        _linked("value", "True value (data unit)", value, lambda v: (v - middle) / half, below)


def _linked(
    key: str,
    label: str,
    now: Decimal | None,
    position: Callable[[float], float],
    below: DeltaGenerator,
) -> None:
    """An entry that shows the number of now, and moves the position; off while there is none."""
    name = f"{lab.PAGE}.{key}"
    if now is not None and recall(name) != now:
        fill(name, now)

    def place(value: Decimal) -> Decimal:
        return _short(position(float(value)), 15)

    def move(value: Decimal | None) -> None:
        if value is not None and now is not None:
            set_exact(lab.PLACE.setting.name, place(value))

    check = within(lab.POSITION)
    exact(
        name,
        label,
        check=lambda value: None if now is None else check(place(value)),
        then=move,
        disabled=now is None,
        faults_in=below,
    )


def _short(value: float, digits: int = DIGITS) -> Decimal:
    return Decimal(f"{value:.{digits}g}") + 0
