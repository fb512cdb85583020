"""Public bounds of dates, times and durations, typed as the column has them or as ISO 8601."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import NamedTuple

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.intervals import Interval
from compdp_core.tables import Table
from compdp_core.tables.value_formats import ValueFormat
from pages.inputs.links import put
from pages.sections.privatize.written_values import in_words, step_of
from pages.sections.shared.setup import setting
from pages.session import faults
from pages.session.state import edits, keep, recall, widget_key

DAY = 86_400
EXAMPLES = {
    "date": ("2024-01-01", "2024-12-31"),
    "time": ("07:00", "19:30"),
    "datetime": ("2024-01-01T00:00", "2024-12-31T23:59"),
    "duration": ("0:45", "6:00"),
}


class WrittenBounds(NamedTuple):
    inputs: Interval | None
    """In steps of the format; None while one is missing or wrong."""
    source: str


def ask_bounds(table: Table, position: int, called: str, form: ValueFormat) -> WrittenBounds:
    """Ask for both ends, and where they come from."""
    named = partial(setting, table.fingerprint, position)
    ends: list[float | None] = []
    places, below = st.columns(2), st.container()
    names = zip(("lower", "upper"), ("Earliest", "Latest"), EXAMPLES[form.kind], strict=True)
    for place, (name, which, example) in zip(places, names, strict=True):
        most = ("Shortest" if name == "lower" else "Longest") if form.kind == "duration" else which
        with place:
            text = st.text_input(
                f"{most} value anyone may expect, {called}",
                max_chars=60,
                placeholder=f"such as {_example(example, form)}",
                **edits(named(f"{name}.{form.kind}"), ""),
            )
        with below:
            ends.append(_step(text, form))
    source = st.text_input(
        f"Where these bounds come from, {called} (public, optional)",
        max_chars=200,
        placeholder="such as: the time of the study, the opening hours",
        **edits(named("source"), ""),
    )
    inputs = None
    with below:
        if None not in ends:
            inputs = _between(ends[0] or 0.0, ends[1] or 0.0, form)
        if inputs is not None:
            st.caption(_said(inputs, form))
    if form.kind == "time":
        _keep_within_the_day(named, called, form)
    return WrittenBounds(inputs, source.strip())


def _example(iso: str, form: ValueFormat) -> str:
    value = step_of(iso, form)
    try:
        return iso if value is None else form.text(value)
    except CompdpError:
        return iso


def _step(text: str, form: ValueFormat) -> float | None:
    if not text.strip():
        return None
    found = step_of(text, form)
    if found is None:
        faults.tell(
            f"“{text.strip()}” cannot be read as {form.label}. Type it so, or as ISO 8601 has it: "
            f"{EXAMPLES[form.kind][0]}."
        )
    return found


def _between(lower: float, upper: float, form: ValueFormat) -> Interval | None:
    if lower >= upper:
        faults.tell(
            f"The first must come before the second: {in_words(lower, form)} does not come before "
            f"{in_words(upper, form)}. Change one of them."
        )
        return None
    return faults.attempt(lambda: Interval.checked("bounds", (lower, upper)))


def _said(inputs: Interval, form: ValueFormat) -> str:
    low, high = (in_words(end, form) for end in inputs.as_tuple())
    return f"From {low} to {high}, in steps of one {form.unit.removesuffix('s')}."


def _keep_within_the_day(named: partial[str], called: str, form: ValueFormat) -> None:
    """A switch over the hard output bounds of step 3: it shows on where they are the day's."""
    last = Decimal(round(DAY / form.step) - 1)
    day = (Decimal(0), last)
    ends = (recall(named("out.lower")), recall(named("out.upper")))
    name = named("within_day")
    keep(name, bool(recall(named("hard"), False)) and ends == day)
    how = edits(name, False)

    def changed() -> None:
        if how["key"] == widget_key(name):
            on = bool(st.session_state[how["key"]])
            keep(name, on)
            put(named("hard"), on)
            for end, bound in zip(("out.lower", "out.upper"), day, strict=True):
                put(named(end), bound if on else None)

    st.toggle(
        f"Keep released times within the day, {called}",
        help="Sets hard output bounds, from midnight to midnight. The bounds above must leave "
        "room for noise on both sides; step 3 says where there is too little.",
        **how | {"on_change": changed},
    )
