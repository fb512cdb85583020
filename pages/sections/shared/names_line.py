"""Which lines name the columns: what is in doubt, and a list of the first lines to choose from."""

from __future__ import annotations

import itertools
import re

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.dialect import sep_line
from compdp_core.tables.errors import short
from pages.sections.shared.ways_out import buttons, names_ways
from pages.session.state import one_of, recall
from pages.text.wording import literal

_MOST_LINES, _WIDTH, _READ = 30, 80, 1 << 16


def ask_about_names(table: Table) -> None:
    """What is in doubt holds the page until it is said; a list shows what was taken."""
    for notice, ways in names_ways(table):
        st.warning(literal(notice.text), icon=":material/rule:")
        buttons(ways, notice.code)
    if table.format.header and not table.container.named:  # else the file itself says it
        _lines(table)


def _lines(table: Table) -> None:
    lines = first_lines(table)
    said = recall("reading.skip_lines")
    places = list(range(len(lines)))
    if said is not None and said not in places:
        places.append(said)
    first = 1 + table.format.sep_line
    st.selectbox(
        "Which line holds the names?",
        format_func=lambda place: (
            f"line {place + first}: {lines[place] if place < len(lines) else ''}"
        ),
        placeholder=f"as found: line {table.format.skip_lines + first}",
        help="The lines above it are kept as they came, and are no rows.",
        **one_of("reading.skip_lines", None, places),
    )


def first_lines(table: Table) -> list[str]:
    """The first lines of the file, cut to what fits a list."""
    content, origin = table.decoded.content, table.decoded.origin
    declared = sep_line(content, origin)
    start = origin if declared is None else declared[1]
    text = content[start : start + _READ].decode(table.decoded.codec, "replace")
    lines = itertools.islice(re.split(r"\r\n|\r|\n", text), _MOST_LINES)
    return [short(" ".join(line.replace("\t", " · ").split()), _WIDTH) for line in lines]
