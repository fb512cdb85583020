"""Which column the paper's queries are asked of, beside the paper's own."""

from __future__ import annotations

from decimal import Decimal
from functools import cache

import streamlit as st

from compdp_core.experiments import BoundedColumn
from compdp_core.intervals import Interval
from compdp_core.tables import Table, read
from pages.inputs.entry import between, exact
from pages.inputs.options import select
from pages.sections.paper.settings import PAGE
from pages.sections.shared.samples import sample_named
from pages.sections.shared.setup import setting
from pages.sections.shared.summary_rows import undecided
from pages.sections.shared.upload import current, table, whole_table
from pages.session import faults
from pages.session.state import memo

SAMPLE, SAMPLE_COLUMN = "running_watch.csv", "duration (min)"


def column(choice: str) -> BoundedColumn | None:
    """The column of that choice; None for the paper's own queries, or while one is not set."""
    if choice == "sample":
        return _of_the_sample()
    return _of_the_table() if choice == "table" else None


@cache
def _of_the_sample() -> BoundedColumn:
    sample = sample_named(SAMPLE)
    assert sample is not None
    found = read(sample.read(), name=sample.file)
    position = next(c.position for c in found.columns if c.label == SAMPLE_COLUMN)
    numbers = found.numbers(position)
    lower, upper = sample.bounds[SAMPLE_COLUMN]
    return BoundedColumn.of(SAMPLE_COLUMN, numbers.values[~numbers.missing], (lower, upper))


def _of_the_table() -> BoundedColumn | None:
    found = table()
    if found is None:
        about = "No table yet: upload one on the page Privatize, then come back."
        _go_to_privatize(about, ":material/upload:")
        return None
    whole = whole_table()
    if whole is not None and undecided(whole):
        about = (
            "Some rows of the table at hand do not line up, or look like totals or notes. Say on "
            "the page Privatize what becomes of them, then come back."
        )
        _go_to_privatize(about, ":material/functions:")
        return None
    usable = {c.position: c.label for c in found.columns if c.usable}
    if not usable:
        faults.tell("This table has no numeric column. The page Privatize says why, per column.")
        return None
    upload = current()
    st.caption(f"From the table at hand{'' if upload is None else ', as read on Privatize'}.")
    name, first = f"{PAGE}.column.{found.fingerprint}", next(iter(usable))
    position = select("Column", usable, name, first)
    bounds = _bounds(found, position)
    if bounds is None:
        return None
    numbers = memo(f"{PAGE}.numbers", (found.identity, position), lambda: found.numbers(position))
    values = numbers.values[~numbers.missing]
    return faults.attempt(lambda: BoundedColumn.of(usable[position], values, bounds))


def _go_to_privatize(about: str, icon: str) -> None:
    st.info(about, icon=icon)
    st.page_link("pages/privatize.py", label="Go to Privatize", icon=":material/shield_lock:")


def _bounds(found: Table, position: int) -> Interval | None:
    """Public bounds: the same that were set for the column elsewhere."""
    low, high = st.columns(2)
    with low:
        lower = exact(setting(found.fingerprint, position, "lower"), "Lower bound", optional=True)
    with high:
        upper = exact(setting(found.fingerprint, position, "upper"), "Upper bound", optional=True)
    if not isinstance(lower, Decimal) or not isinstance(upper, Decimal):
        st.info(
            "Set both bounds from what anyone may know, not from the table.",
            icon=":material/arrow_upward:",
        )
        return None
    return between(lower, upper)


def is_private(choice: str) -> bool:
    """Whether the tables of a run hold true answers about someone's data."""
    return choice == "table"
