"""Which rows are no people: what looks like a total or a note, and what the owner says of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from compdp_core.errors import TableError
from compdp_core.tables import Table
from compdp_core.tables.summary_rows import NOTE, TOTAL
from pages.session.state import edits, one_of, recall
from pages.text.wording import count, literal

TYPED, VERDICT = "reading.left_out", "reading.suspects"
ANSWERS = ("out", "keep")
NAMES_IN_DOUBT = ("header_numbers", "more_names", "names_line")
"""Codes of notices: what names the columns leaves without noise, so that it is asked first."""
MOST_LISTED, _WIDTH = 12, 120
_RANGE = re.compile(r"(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?")


class RowsError(TableError):
    """What was typed does not name rows of the table."""


def suspects(table: Table) -> list[int]:
    """Rows, from 0, that look like a total or a note."""
    named = {row for n in table.notices if n.code in (TOTAL, NOTE) for row in n.rows}
    return sorted(row - 1 for row in named)


def left_out(table: Table) -> list[int]:
    """Rows, from 0, that the owner leaves out. Raises where what was typed names none."""
    rows = set(rows_of(recall(TYPED, ""), table.last_row))
    if recall(VERDICT) == "out":
        rows.update(suspects(table))
    return sorted(rows)


def undecided(table: Table) -> bool:
    """Whether rows do not line up or look like no people, and nothing has been said about them."""
    return bool(table.uneven) or names_are_in_doubt(table) or _unsaid(table)


def names_are_in_doubt(table: Table) -> bool:
    """Whether other lines may name the columns than those that were taken to, by themselves."""
    return any(notice.code in NAMES_IN_DOUBT for notice in table.notices)


def _unsaid(table: Table) -> bool:
    typed = set(rows_of(recall(TYPED, ""), table.last_row))
    return recall(VERDICT) is None and not typed.issuperset(suspects(table))


def rows_of(text: str, amount: int) -> list[int]:
    """Rows from 0 for numbers and ranges as people type them.

    >>> rows_of("3, 10-12", 20)
    [2, 9, 10, 11]
    """
    found: set[int] = set()
    for part in filter(None, re.split(r"[,;\s]+", re.sub(r"\s*[-–]\s*", "-", text.strip()))):
        typed = _RANGE.fullmatch(part)
        first = int(typed[1]) if typed else 0
        last = int(typed[2] or first) if typed else 0
        if not 1 <= first <= last <= amount:
            raise RowsError(
                f"{part!r} names no rows of this table. Its rows are 1 to {amount}; type numbers "
                "and ranges such as 3, 10-12."
            )
        found.update(range(first - 1, last))
    return sorted(found)


def ask_about(table: Table) -> None:
    rows = suspects(table)
    if not rows:
        return
    for notice in table.notices:
        if notice.code in (TOTAL, NOTE):
            st.warning(literal(notice.text), icon=":material/functions:")
    list_lines([(row + 1, table.line(row + 1)) for row in rows[:MOST_LISTED]], len(rows))
    st.radio(
        "This row is" if len(rows) == 1 else "These rows are",
        format_func=lambda answer: _answer(answer, len(rows)),
        horizontal=True,
        **one_of(VERDICT, None, ANSWERS),
    )
    if _unsaid(table):
        st.info("Say what becomes of it to go on." if len(rows) == 1 else
                "Say what becomes of them to go on.", icon=":material/arrow_upward:")  # fmt: skip


def _answer(answer: str, amount: int) -> str:
    if answer == "out":
        return "no person: leave it out" if amount == 1 else "no people: leave them out"
    return "a person like the others: keep it" if amount == 1 else "people like the others: keep"


def list_lines(lines: Sequence[tuple[int, str]], amount: int) -> None:
    """The text of rows beside their numbers in the file: the first of them, and how many more."""
    listed = []
    for number, text in lines[:MOST_LISTED]:
        line = " ".join(text.replace("\t", " · ").split())
        shown = line if len(line) <= _WIDTH else line[: _WIDTH - 1] + "…"
        listed.append(f"- row {number}: {literal(shown)}")
    if amount > len(listed):
        listed.append(f"- and {count(amount - len(listed), 'more row')}")
    st.markdown("\n".join(listed))


def entry() -> None:
    st.text_input(
        "Rows to leave out",
        placeholder="none; such as 3, 10-12",
        help="Totals, notes, test entries. Rows are counted from the first one below the header. "
        "They are not privatized, not counted and not in the download.",
        **edits(TYPED, ""),
    )


def said(table: Table) -> None:
    rows = [row + 1 for row in table.left_out]
    if not rows:
        return
    shown = ", ".join(map(str, rows[:10])) + (", …" if len(rows) > 10 else "")
    named = f"row {shown}" if len(rows) == 1 else f"rows {shown}"
    st.success(
        f"{count(len(rows), 'row')} left out ({named}): not privatized, not counted, and not in "
        "the download. All other rows keep their numbers.",
        icon=":material/playlist_remove:",
    )
