"""How a file is read, out of settings: keyword arguments of ``read``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from compdp_core.report.fields import (
    NamedValues,
    SettingsNotice,
    flag,
    one_of,
    text,
    texts,
    where,
    whole,
)
from compdp_core.tables.alignment import COMMENT_MARKS, OPTIONS, BlankLines, CommentRows, ShortRows
from compdp_core.tables.decoding import decode
from compdp_core.tables.dialect import ESCAPES, MOST_HEADER_ROWS, QUOTES, can_separate
from compdp_core.tables.records import MAX_COLUMNS

MOST_LINES = 10**9
MOST_SPELLINGS = 10_000
LONGEST_SPELLING = 10_000


def layout_from(data: object, notices: list[SettingsNotice]) -> dict[str, Any]:
    """Keyword arguments of ``read``: those that make sense, with a notice for each other."""
    if data is None:
        return {}
    entry = NamedValues({"reading": data}, "", notices)
    if not isinstance(data, dict):
        entry.say("reading", data, "how the file is laid out is looked for in it")
        return {}
    entry = NamedValues(data, "reading: ", notices)
    found = {}
    for name, parse in _PARSERS.items():
        instead = (
            "it is asked again" if name in OPTIONS.values() else "it is looked for in the file"
        )
        value = entry.get(name, None, parse, instead)
        if value is not None:
            found[name] = value
    return found


def _encoding(value: Any) -> str:
    words: str = text(100)(value)
    decode(b"", words)
    return words


def _or_column(*words: str) -> Callable[[Any], Any]:
    """One of the words, or the column, from 0, to join."""
    column = whole(0, MAX_COLUMNS - 1)
    return lambda value: value if value in words else column(value)


_PARSERS: dict[str, Callable[[Any], Any]] = {
    "encoding": _encoding,
    "separator": where(lambda value: isinstance(value, str) and can_separate(value)),
    "decimal": one_of((".", ",")),
    "quote": one_of(QUOTES),
    "escape": one_of(ESCAPES),
    "runs": flag,
    "header": flag,
    "header_rows": whole(1, MOST_HEADER_ROWS),
    "skip_lines": whole(0, MOST_LINES),
    "missing": texts(MOST_SPELLINGS, LONGEST_SPELLING),
    "table": text(LONGEST_SPELLING),
    "columns": whole(1, MAX_COLUMNS),
    "short_rows": one_of(get_args(ShortRows)),
    "long_rows": _or_column("leave out"),
    "trailing_cells": _or_column("keep", "leave out"),
    "comment_rows": one_of(get_args(CommentRows)),
    "comment_mark": one_of(COMMENT_MARKS),
    "blank_lines": one_of(get_args(BlankLines)),
}
