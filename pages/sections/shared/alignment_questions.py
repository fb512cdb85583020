"""What is asked about rows that do not line up, by their kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.tables.alignment import Kind

JOINABLE: tuple[Kind, ...] = ("long", "trailing")
"""Kinds whose cells may belong to one of the columns."""


@dataclass(frozen=True)
class RowsQuestion:
    option: str
    """The argument of the reader that answers it."""
    said: str
    """What these rows are, behind "1 row" or "3 rows"."""
    answers: dict[Any, str]


QUESTIONS: dict[Kind, RowsQuestion] = {
    "short": RowsQuestion(
        "short_rows",
        "with fewer cells than the table has columns",
        {
            "complete": "Complete: the cells lacking at the end count as missing",
            "leave out": "Leave out: no people",
        },
    ),
    "long": RowsQuestion(
        "long_rows",
        "with more cells than the table has columns, as a separator in a cell without quotes makes",
        {"leave out": "Leave out"},
    ),
    "trailing": RowsQuestion(
        "trailing_cells",
        "with empty cells too many at the end",
        {"keep": "The last separator is one too many: nothing is lost", "leave out": "Leave out"},
    ),
    "comment": RowsQuestion(
        "comment_rows",
        "with a # in front, as comments have",
        {
            "keep": "Comments: no people, and the file keeps them word for word, but for those "
            "that look like a row: they are left out",
            "leave out": "Comments: leave them out of the file",
            "row": "Rows like the others",
        },
    ),
    "blank": RowsQuestion(
        "blank_lines",
        "with nothing in it, between the values",
        {"skip": "No people: not counted", "missing": "People without a value: counted as missing"},
    ),
}


def name_of(kind: Kind) -> str:
    return f"reading.{QUESTIONS[kind].option}"


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
