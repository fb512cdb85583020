"""Public bounds of dates, times and durations, typed as the column has them or as ISO 8601."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.intervals import Interval
from compdp_core.tables import Table
from compdp_core.tables.value_formats import ValueFormat
from pages.sections.shared.setup import setting
from pages.sections.shared.written_values import in_words, step_of
from pages.session import faults
from pages.session.state import edits

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


def ask_bounds(
    table: Table, position: int, called: str, form: ValueFormat, of: str = ""
) -> WrittenBounds:
    """Ask for both ends, and where they come from; with a word for what they bound where that is
    not the values of the column.
    """

    def named(name: str) -> str:
        return setting(table.fingerprint, position, of + name)

    ends: list[float | None] = []
    places, below = st.columns(2), st.container()
    names = zip(("lower", "upper"), ("Earliest", "Latest"), EXAMPLES[form.kind], strict=True)
    for place, (name, which, example) in zip(places, names, strict=True):
        most = ("Shortest" if name == "lower" else "Longest") if form.kind == "duration" else which
        with place:
            text = st.text_input(
                f"{most} value anyone may expect, {called}",
                max_chars=60,
                placeholder=f"such as {example_in(form, example)}",
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
    return WrittenBounds(inputs, source.strip())


def example_in(form: ValueFormat, iso: str) -> str:
    """A value of ISO 8601 as the column writes it, where it can."""
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
