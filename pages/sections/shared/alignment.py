"""Rows that do not line up with the columns: named, and asked about before anything is planned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from compdp_core.tables import Table, Uneven, read
from compdp_core.tables.alignment import KINDS, Kind
from pages.inputs.options import radio
from pages.sections.shared.alignment_questions import JOINABLE, QUESTIONS, RowsQuestion, name_of
from pages.sections.shared.summary_rows import MOST_LISTED, list_lines
from pages.sections.shared.upload import LARGEST, current, reading
from pages.session.state import keep, memo, one_of, recall
from pages.text.wording import count

_MOST_PLACES = 10


@dataclass(frozen=True)
class _Seen:
    """Rows of one kind as the file has them, whatever was said about them since."""

    uneven: Uneven
    lines: dict[int, str]
    """The text of the first of them, by their numbers in the file."""


def ask_about_uneven(table: Table | None) -> None:
    """One question for each kind of rows that are in the file, or about which something was said.

    Without a table (it was refused) what was said can still be taken back.
    """
    if table is not None and table.uneven:
        st.warning(
            "Some rows do not line up with the columns, so that true values may stand where no "
            "noise goes. Nothing is released before it is said what becomes of them.",
            icon=":material/rule:",
        )
    seen = {} if table is None else _seen(table)
    if table is not None and "comment" in seen:
        # What is said of comments holds whatever is in the file, so the mark is said with it.
        keep("reading.comment_mark", seen["comment"].uneven.mark)
    for kind in KINDS:
        if kind in seen or recall(name_of(kind)) is not None:
            _ask(table, kind, seen.get(kind))
    if any(_read_as_row(kind) for kind in seen):
        st.caption(
            "See that each of these rows reads as it should. Where one does not, correct the file, "
            "or leave that row out by its number under “Change how the file is read”."
        )
    if table is not None and table.uneven:
        st.info("Say what becomes of these rows to go on.", icon=":material/arrow_upward:")


def _seen(table: Table) -> dict[Kind, _Seen]:
    """What the file has of each kind: read again without what was said, unless it was seen."""
    said = {question.option for question in QUESTIONS.values()}
    options = {name: value for name, value in reading().items() if name not in said}
    upload = current()
    assert upload is not None

    def look() -> dict[Kind, _Seen]:
        raw = table
        if set(reading()) & said:
            raw = read(upload.data, name=upload.name, limit=LARGEST, **options)
        return {
            each.kind: _Seen(each, {row: raw.line(row) for row in each.rows[:MOST_LISTED]})
            for each in raw.uneven
        }

    key = (table.fingerprint, repr(sorted(options.items())))
    return memo("privatize.table.uneven", key, look)


def _ask(table: Table | None, kind: Kind, seen: _Seen | None) -> None:
    question = QUESTIONS[kind]
    noun = "line" if kind == "blank" else "row"
    if seen is None:
        label = f"What becomes of every {noun} {question.said}"
    else:
        said = question.said.replace("#", seen.uneven.mark)
        label = f"{count(seen.uneven.count, noun)} {said}"
    if table is None or seen is None:
        _answer(table, kind, label, "visible")
        return
    st.markdown(f"**{label}**")
    if kind == "blank":
        st.markdown(_places(seen.uneven))
    else:
        as_row = _read_as_row(kind)
        lines = [(row, _now(table, row, line) if as_row else line)
                 for row, line in seen.lines.items()]  # fmt: skip
        list_lines(lines, seen.uneven.count)
    _answer(table, kind, label, "collapsed")


def _read_as_row(kind: Kind) -> bool:
    """Whether it was said that rows of this kind are rows, and which cells they have."""
    return kind in ("short", *JOINABLE) and recall(name_of(kind)) not in (None, "leave out")


def _now(table: Table, row: int, line: str) -> str:
    """The line as the file has it, and the cells that it is read as."""
    cells = table.row(row)
    return f"{line} → {' | '.join(cells)}" if cells else line


def _places(found: Uneven) -> str:
    shown = ", ".join(map(str, found.rows[:_MOST_PLACES]))
    return f"Behind row {shown}{', …' if found.count > _MOST_PLACES else ''}."


def _answer(
    table: Table | None, kind: Kind, label: str, shown: Literal["visible", "collapsed"]
) -> None:
    question = QUESTIONS[kind]
    if kind not in JOINABLE:
        radio(label, question.answers, name_of(kind), None, label_visibility=shown)  # fmt: skip
        return
    places = [] if table is None else [column.position for column in table.columns]
    if isinstance(recall(name_of(kind)), int) and recall(name_of(kind)) not in places:
        places.append(recall(name_of(kind)))
    st.selectbox(
        label,
        format_func=_long_answer(table, question),
        placeholder="Choose what becomes of them",
        label_visibility=shown,
        **one_of(name_of(kind), None, (*question.answers, *places)),
    )


def _long_answer(table: Table | None, question: RowsQuestion) -> Callable[[Any], str]:
    def text(answer: Any) -> str:
        if answer in question.answers:
            return question.answers[answer]
        labels = [] if table is None else [column.label for column in table.columns]
        label = labels[answer] if answer < len(labels) else f"column {answer + 1}"
        return f"The extra cells belong to {label}: join them there"

    return text
