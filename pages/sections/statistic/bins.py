"""Bins of a column between public edges, typed as the column writes its values."""

from __future__ import annotations

import streamlit as st

from compdp_core.errors import ParameterError
from compdp_core.statistics import Grouping
from compdp_core.tables import Table
from pages.sections.shared.formats import with_decimal
from pages.sections.shared.written_bounds import EXAMPLES, example_in
from pages.sections.shared.written_values import step_of
from pages.sections.statistic import settings as said
from pages.sections.statistic.reading import ReadAs, follow, mirror, read_as
from pages.session.state import edits
from pages.text.typed_numbers import parsed

NUMBERS = ReadAs(None, open=False)


def read_of_bins(table: Table, position: int, read: int | None) -> ReadAs:
    """How the cells of the column are read; not asked of the one that the question reads."""
    if position == read:
        found = ReadAs(said.value(said.FORMAT), open=False)
    else:
        follow(said.EDGES_FORMAT, table, position)
        found = read_as(table, position)
    mirror(said.EDGES_FORMAT, found.format)
    return found


def edges(reading: ReadAs) -> tuple[str, ...]:
    form = reading.written
    examples = "0\n18\n65\n120"
    if form is not None:
        examples = "\n".join(example_in(form, each) for each in EXAMPLES[form.kind])
    text = st.text_area(
        "Edges of the bins, one a line",
        height=190,
        max_chars=4000,
        placeholder=examples,
        **edits(said.EDGES.name, said.EDGES.default),
    )
    return lines(text)


def lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def binned_by(table: Table, position: int, typed: tuple[str, ...], reading: ReadAs) -> Grouping:
    """Raises :class:`ParameterError` for a text that is no edge."""
    column, form = table.columns[position], reading.written
    found = []
    for text in typed:
        edge = parsed(text) if form is None else step_of(text, form)
        if edge is None:
            kind = "numbers" if form is None else f"{form.label}, or as ISO 8601 has it"
            raise ParameterError("edges", text, f"must be {kind}, one a line")
        found.append(float(edge))
    decimal = column.decimal or table.format.decimal
    return Grouping(
        column.label, edges=tuple(found), format=with_decimal(reading.format, str(decimal))
    )
