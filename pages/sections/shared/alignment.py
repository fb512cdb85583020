"""Rows that do not line up with the columns: named, and asked about before anything is planned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.tables import Table, Uneven, read
from compdp_core.tables.alignment import KINDS, Kind
from pages.inputs.links import put
from pages.sections.shared.summary_rows import MOST_LISTED, list_lines, names_are_numbers
from pages.sections.shared.upload import LARGEST, current, reading
from pages.session.state import memo, one_of, recall
from pages.text.wording import count, literal

JOINABLE: tuple[Kind, ...] = ("long", "trailing")
"""Kinds whose cells may belong to one of the columns."""
_MOST_PLACES = 10


@dataclass(frozen=True)
class _Question:
    """What is asked about the rows of one kind."""

    option: str
    """The argument of the reader that answers it."""
    said: str
    """What these rows are, behind "1 row" or "3 rows"."""
    answers: dict[Any, str]


QUESTIONS: dict[Kind, _Question] = {
    "short": _Question(
        "short_rows",
        "with fewer cells than the table has columns",
        {
            "complete": "Complete: the cells lacking at the end count as missing",
            "leave out": "Leave out: no people",
        },
    ),
    "long": _Question(
        "long_rows",
        "with more cells than the table has columns, as a separator in a cell without quotes makes",
        {"leave out": "Leave out"},
    ),
    "trailing": _Question(
        "trailing_cells",
        "with empty cells too many at the end",
        {"keep": "The last separator is one too many: nothing is lost", "leave out": "Leave out"},
    ),
    "comment": _Question(
        "comment_rows",
        "with a # in front, as comments have",
        {
            "keep": "Comments: no people, and the file keeps them word for word, but for those "
            "that look like a row: they are left out",
            "leave out": "Comments: leave them out of the file",
            "row": "Rows like the others",
        },
    ),
    "blank": _Question(
        "blank_lines",
        "with nothing in it, between the values",
        {"skip": "No people: not counted", "missing": "People without a value: counted as missing"},
    ),
}


def ask_about_header(table: Table) -> None:
    """Whether the first row holds the names, where a number among them leaves a doubt."""
    if not names_are_numbers(table):
        return
    (notice,) = (each for each in table.notices if each.code == "header_numbers")
    st.warning(literal(notice.text), icon=":material/rule:")
    with st.container(horizontal=True):
        for label, has in (("It holds the names", True), ("It is a row like the others", False)):
            st.button(label, on_click=put, args=("reading.header", has), key=f"header-{has}")


def name_of(kind: Kind) -> str:
    """Under which the answer is kept."""
    return f"reading.{QUESTIONS[kind].option}"


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
    found: dict[Kind, _Seen] = memo("privatize.table.uneven", key, look)
    return found


def joined_nowhere(refusal: CompdpError) -> str:
    """What to say where the column that was to be joined is none as the file is read now."""
    if not isinstance(refusal, ParameterError) or refusal.name not in (
        QUESTIONS[kind].option for kind in JOINABLE
    ):
        return ""
    return (
        "The column that extra cells were to be joined to is not there as the file is read now: "
        "say again below what becomes of these rows, or read the file in another way."
    )


def _ask(table: Table | None, kind: Kind, seen: _Seen | None) -> None:
    question = QUESTIONS[kind]
    noun = "line" if kind == "blank" else "row"
    if seen is None:
        label = f"What becomes of every {noun} {question.said}"
    else:
        label = f"{count(seen.uneven.count, noun)} {question.said}"
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
        st.radio(
            label, format_func=question.answers.__getitem__, label_visibility=shown,
            **one_of(name_of(kind), None, question.answers),
        )  # fmt: skip
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


def _long_answer(table: Table | None, question: _Question) -> Callable[[Any], str]:
    def text(answer: Any) -> str:
        if answer in question.answers:
            return question.answers[answer]
        labels = [] if table is None else [column.label for column in table.columns]
        label = labels[answer] if answer < len(labels) else f"column {answer + 1}"
        return f"The extra cells belong to {label}: join them there"

    return text
