"""What a refusal of the reader advises, to be done with one press."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from typing import Any

from compdp_core.errors import ParameterError, TableError
from compdp_core.tables import errors
from compdp_core.tables.dialect import SEPARATORS
from pages.sections.shared.alignment_questions import QUESTIONS, name_of
from pages.sections.shared.summary_rows import TYPED, VERDICT, RowsError
from pages.sections.shared.upload import AS_FOUND
from pages.sections.shared.ways_out import ESCAPED, LETTERS, NAMES, Way, buttons, encoded
from pages.session.state import recall


def offer(refusal: Exception) -> None:
    """Buttons for what the refusal says to do."""
    buttons(list(_ways(refusal)), "refused")


@singledispatch
def _ways(refusal: Exception) -> Iterator[Way]:
    yield from ()


@_ways.register(errors.EmptyFileError)
@_ways.register(errors.FileTooLargeError)
@_ways.register(errors.NotTextError)
def _another(refusal: TableError) -> Iterator[Way]:
    yield Way("Choose another file", {})


@_ways.register
def _no_rows(refusal: errors.NoRowsError) -> Iterator[Way]:
    if (recall("reading.header_rows") or 1) > 1:
        yield Way("One row holds the names", {"reading.header_rows": 1})
    if recall("reading.skip_lines"):
        yield Way("Skip no lines", {"reading.skip_lines": 0})
    if any(recall(name_of(kind)) is not None for kind in QUESTIONS):
        yield Way("Ask again what becomes of such rows", _unsaid())
    if refusal.header:
        yield Way("It has no header: the line is data", {"reading.header": False})
    yield Way("Choose another file", {})


@_ways.register
def _encoding(refusal: errors.EncodingError) -> Iterator[Way]:
    if recall("reading.encoding", AS_FOUND) != AS_FOUND:
        yield Way("Find the encoding", {"reading.encoding": AS_FOUND})
    yield from (encoded(name) for name in ("cp1252", "iso8859-1") if name != refusal.encoding)


@_ways.register
def _open_quote(refusal: errors.UnclosedQuoteError) -> Iterator[Way]:
    yield Way(LETTERS, {"reading.quote": ""})
    if recall("reading.escape", AS_FOUND) in ("", AS_FOUND):
        yield Way(ESCAPED, {"reading.escape": "\\"})
    else:
        yield Way("A backslash is a letter", {"reading.escape": AS_FOUND})
    if refusal.quote != '"':
        yield Way("Cells are quoted with double quotes", {"reading.quote": '"'})


@_ways.register
def _columns(refusal: errors.TooManyColumnsError) -> Iterator[Way]:
    said = recall("reading.separator", AS_FOUND)
    for mark in SEPARATORS:
        if mark != said:
            yield Way(f"Separated by {NAMES[mark]}", {"reading.separator": mark})


@_ways.register
def _parameter(refusal: ParameterError) -> Iterator[Way]:
    if refusal.name in {question.option for question in QUESTIONS.values()}:
        yield Way("Ask again what becomes of such rows", _unsaid())
    if refusal.name in ("separator", "quote", "escape"):
        names = ("separator", "quote", "escape")
        found = {f"reading.{name}": AS_FOUND for name in names}
        yield Way("Find how cells are separated and quoted", found)


@_ways.register
def _of_rows(refusal: RowsError) -> Iterator[Way]:
    yield Way("Leave no row out by its number", {TYPED: ""})


@_ways.register
def _nothing_left(refusal: TableError) -> Iterator[Way]:
    # Of all refusals of the reader without a kind of its own: every row is left out.
    if recall(TYPED) or recall(VERDICT) == "out":
        yield Way("Leave no row out", {TYPED: "", VERDICT: None})


def _unsaid() -> dict[str, Any]:
    return {name_of(kind): None for kind in QUESTIONS}
