"""What a notice of the reader advises, to be done with one press."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.dialect import Format
from compdp_core.tables.notices import Notice
from pages.inputs.links import put
from pages.sections.shared.summary_rows import TYPED
from pages.sections.shared.upload import let_go
from pages.session.state import keep, recall, renew

NAMES = {
    ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", ".": "point", " ": "space",
    "~": "tilde", "^": "caret", ":": "colon", "\x1f": "unit separator",
}  # fmt: skip
_ENCODINGS = {"utf-8": "UTF-8", "cp1252": "Windows text (CP1252)", "iso8859-1": "ISO8859-1",
              "cp1250": "Central European (CP1250)", "cp1251": "Cyrillic (CP1251)"}  # fmt: skip
LETTERS = "Read quotes as ordinary characters"
ESCAPED = "A backslash in front of a quote makes it a letter"


@dataclass(frozen=True)
class Way:
    label: str
    said: Mapping[str, Any]
    """Settings by their names, as they are once it is pressed; none lets go of the table."""


def buttons(ways: Sequence[Way], key: str) -> None:
    if ways:
        with st.container(horizontal=True, key=f"ways-{key}"):
            for place, way in enumerate(ways):
                label, name = way.label, f"way-{key}-{place}"
                st.button(label, key=name, on_click=_take, args=(dict(way.said),))


def _take(said: Mapping[str, Any]) -> None:
    if not said:
        let_go()
    for name, value in said.items():
        if value is None:
            keep(name, None)
            renew(name)
        else:
            put(name, value)


def of_notice(notice: Notice, form: Format) -> list[Way]:
    """The next steps that the text of the notice names, if the page can take any."""
    if notice.code == "empty_rows":
        whole = len(notice.rows) == notice.count
        return [_without(notice.rows)] if whole else []
    other = "." if form.decimal == "," else ","
    ways = {
        "encoding": [encoded(name) for name in _ENCODINGS if name != form.encoding],
        "damaged_characters": [encoded(n) for n in ("cp1252", "utf-8") if n != form.encoding],
        "title_lines": [Way("Skip no lines", {"reading.skip_lines": 0})],
        "no_header": [Way("The first row holds the names", {"reading.header": True})],
        "decimal": [Way(f"Read with a decimal {NAMES[other]}", {"reading.decimal": other})],
        "cell_over_lines": [Way(LETTERS, {"reading.quote": ""})],
        "single_quotes": [Way("Read single quotes as quotes", {"reading.quote": "'"})],
        "escapes": [Way(ESCAPED, {"reading.escape": "\\"})],
    }
    return ways.get(notice.code, [])


def _without(rows: Sequence[int]) -> Way:
    typed = ", ".join(filter(None, [recall(TYPED, ""), *map(str, rows)]))
    return Way("Leave this row out" if len(rows) == 1 else "Leave these rows out", {TYPED: typed})


def encoded(name: str) -> Way:
    return Way(f"Read as {_ENCODINGS[name]}", {"reading.encoding": name})


def names_ways(table: Table) -> list[tuple[Notice, list[Way]]]:
    """Doubts about which lines name the columns, each with all its answers."""
    found = []
    for notice in table.notices:
        if notice.code == "header_numbers":
            holds = Way("It holds the names", {"reading.header": True})
            found.append((notice, [holds, Way("It is a row like the others",
                                              {"reading.header": False})]))  # fmt: skip
        elif notice.code == "more_names":
            many = notice.count
            all_of = "Both are" if many == 2 else f"All {many} are"
            more = Way(f"{all_of} header rows", {"reading.header_rows": many})
            one = "It is a row" if many == 2 else "They are rows"
            like = Way(f"{one} like the others", {"reading.header_rows": 1})
            found.append((notice, [more, like]))
        elif notice.code == "names_line":
            above = table.format.sep_line + 1
            lines = (notice.count, table.format.skip_lines)
            ways = [Way(f"Line {line + above} holds the names", {"reading.skip_lines": line})
                    for line in lines]  # fmt: skip
            found.append((notice, ways))
    return found
