"""As what the cells of a column are read: numbers, limits, dates, times of day or durations."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.value_formats import Classes, Limits, ValueFormat
from pages.inputs.links import Setting, put
from pages.inputs.options import select
from pages.sections.shared.formats import ask_format, ask_rule, format_setting, rule_settings
from pages.sections.shared.proposed import TITLES, WRITTEN, Holds, held, likeliest, proposed
from pages.sections.shared.setup import setting
from pages.sections.statistic.settings import value
from pages.session.state import keep, recall
from pages.text.wording import in_label

READINGS = {kind: title for kind, title in TITLES.items() if kind in ("number", "limits", *WRITTEN)}
"""What has values that can be added up or put in order."""


class ReadAs(NamedTuple):
    format: ValueFormat | None
    """None for numbers."""
    open: bool
    """Whether something is left to say of it."""

    @property
    def written(self) -> ValueFormat | None:
        """The format of dates, times and durations."""
        form = self.format
        return None if form is None or form.kind == "number" else form


def read_as(table: Table, position: int) -> ReadAs:
    """What the owner says: numbers, unless Privatize has been told otherwise in this session."""
    named = partial(setting, table.fingerprint, position)
    called = in_label(table.columns[position].label, f"column {position + 1}")
    kind: Holds = select(
        f"Read as, {called}",
        READINGS,
        named("read_as"),
        _said_on_privatize(table, position),
        help="It is public, and your word: as something else, other cells count as missing.",
    )
    if kind == "number":
        _tell_of_others(table, position)
        return ReadAs(None, open=False)
    if kind == "limits":
        form = ask_rule(table, position, called)
    else:
        form = ask_format(table, position, called, kind)
    return ReadAs(form, open=form is None)


def _said_on_privatize(table: Table, position: int) -> Holds:
    """What the owner confirmed there, or gave bounds for."""
    named = partial(setting, table.fingerprint, position)
    bounded = (kind for kind in WRITTEN if recall(named(f"lower.{kind}")))
    kind: Holds | None = recall(named("kind")) or next(bounded, None)
    return kind if kind is not None and kind in READINGS else "number"


def _tell_of_others(table: Table, position: int) -> None:
    """What cells that look like no numbers look like, for their owner."""
    likely = likeliest(proposed(table, position))
    if likely is not None and (kind := held(likely)) in READINGS and kind != "number":
        st.caption(
            f":material/help: The cells look like this: {READINGS[kind].lower()}. Choose it above "
            "to have them read so."
        )


def put_reading(table: Table, position: int, form: ValueFormat | None) -> None:
    """Make this how its cells are read, as a link or a file has it."""
    named = partial(setting, table.fingerprint, position)
    if isinstance(form, Limits | Classes):
        for name, said in rule_settings(form).items():
            put(named(name), said)
        put(named("read_as"), "limits")
    elif form is not None:
        put(format_setting(table, position, form.kind), form)
        put(named("read_as"), form.kind)
    else:
        put(named("read_as"), "number")


def follow(said: Setting, table: Table, position: int) -> None:
    """Hand on to the column what a link or a file has said of it since the last look."""
    if value(said) != recall(f"{said.name}.mirror"):
        put_reading(table, position, value(said))


def hand_on(said: Setting, table: Table, position: int, form: ValueFormat | None) -> None:
    """Make it what a file says, here and of the column: nothing is left to follow."""
    put_reading(table, position, form)
    mirror(said, form)


def mirror(said: Setting, form: ValueFormat | None) -> None:
    """Keep how the column is read where links and files find it."""
    keep(said.name, form)
    keep(f"{said.name}.mirror", form)
