"""How a file is read: what was found, in words, and a control to change each of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.containers.base import PLAIN_TEXT
from compdp_core.tables.dialect import MOST_HEADER_ROWS, RARE_SEPARATORS, SEPARATORS, Format
from pages.sections.shared import missing
from pages.sections.shared import summary_rows as left_out
from pages.sections.shared.upload import AS_FOUND
from pages.sections.shared.ways_out import NAMES
from pages.session.framework import DeltaGenerator
from pages.session.state import edits, one_of, recall
from pages.text.wording import count, literal

ENCODINGS = (
    "utf-8", "cp1252", "iso8859-1", "iso8859-15", "utf-16", "cp1250", "cp1251", "mac-roman",
    "shift_jis", "gb18030", "big5", "euc_kr",
)  # fmt: skip
QUOTES = {'"': 'double quotes "', "'": "single quotes '", "": "none: quotes are letters"}
ESCAPES = {"": "is a letter", "\\": "makes the next mark a letter"}


def understood(form: Format) -> str:
    """What was found, in one line; what was not given is marked as found."""
    parts = [
        form.encoding.upper() + (" with mark" if form.bom else ""),
        f"separated by {NAMES.get(form.separator, form.separator)}",
        f"decimal {NAMES[form.decimal]}",
        "header row" if form.header else "no header row",
    ]
    if form.header_rows > 1:
        parts[-1] = f"{form.header_rows} header rows"
    if form.quote == "'":
        parts.append("single quotes")
    if form.escape:
        parts.append("backslashes in front of marks")
    if form.skip_lines:
        parts.append(f"{count(form.skip_lines, 'line')} skipped")
    return literal(" · ".join(parts))


def reading_options(table: Table | None) -> None:
    """The controls. Without a table (it was refused) they start from what was said before."""
    form = table.format if table else None
    names = _names(form) if form else {}

    def found(option: str) -> str | None:
        return names.get(option)

    container = table.container if table else PLAIN_TEXT
    with st.expander("Change how the file is read", icon=":material/tune:", expanded=not table):
        first, second, third = st.columns(3)
        if not container.typed:
            with first:
                _choice("encoding", "Encoding", ENCODINGS, str.upper, found("encoding"))
                quotes = QUOTES.__getitem__
                _choice("quote", "Cells are quoted with", tuple(QUOTES), quotes, found("quote"))
            with second:
                marks = (*SEPARATORS, *RARE_SEPARATORS)
                _choice("separator", "Separator", marks, NAMES.__getitem__, found("separator"))
            with third:
                escapes = ESCAPES.__getitem__
                _choice("escape", "A backslash", tuple(ESCAPES), escapes, found("escape"))
        with first if container.typed else second:
            _choice("decimal", "Decimal mark", (".", ","), NAMES.__getitem__, found("decimal"))
        if not container.named:  # else the file itself names its columns
            with third:
                _choice("header", "First row", (True, False), _header, found("header"))
            _rows_above(form, second, third)
        left_out.entry()
        missing.spellings(table)


def _rows_above(form: Format | None, names: DeltaGenerator, lines: DeltaGenerator) -> None:
    """How many rows name the columns, and how many lines stand above them."""
    if recall("reading.header", AS_FOUND) is not False:
        names.number_input(
            "Header rows",
            min_value=1,
            max_value=MOST_HEADER_ROWS,
            step=1,
            placeholder=f"found: {1 if form is None else form.header_rows}",
            help="Rows that name the columns, one below the other, as with units.",
            **edits("reading.header_rows", None),
        )
    if form is None or not form.header:  # else a list of the first lines is below
        lines.number_input(
            "Lines to skip above the table",
            min_value=0,
            max_value=10_000,
            step=1,
            placeholder="found: 0" if form is None else f"found: {form.skip_lines}",
            **edits("reading.skip_lines", None),
        )


def _names(form: Format) -> dict[str, str]:
    return {
        "encoding": form.encoding.upper(),
        "separator": NAMES.get(form.separator, form.separator),
        "decimal": NAMES[form.decimal],
        "header": _header(form.header),
        "quote": QUOTES[form.quote],
        "escape": ESCAPES[form.escape],
    }


def _choice(
    option: str, label: str, values: tuple[Any, ...], name: Callable[[Any], str], found: str | None
) -> None:
    """A select box with "as found" as its first entry."""
    as_found = f"as found: {found}" if found else "as found"
    # Not None: a select box draws that as if nothing were chosen.
    st.selectbox(
        label,
        format_func=lambda value: as_found if value == AS_FOUND else name(value),
        **one_of(f"reading.{option}", AS_FOUND, (AS_FOUND, *values)),
    )


def _header(has: bool) -> str:
    return "holds the names" if has else "is data"
