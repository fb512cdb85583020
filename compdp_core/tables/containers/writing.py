"""Tables as files of other kinds than text, made of columns with types.

A file is a function of names, columns and kind alone: no date, no user and nothing of the file that
was uploaded is in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Literal, get_args

from compdp_core.tables.containers.archives import packed
from compdp_core.tables.containers.base import Container
from compdp_core.tables.containers.typed import FileColumn
from compdp_core.validation import one_of

FileKind = Literal[
    "csv", "same", "xlsx", "ods", "parquet", "arrow", "jsonl", "json", "dta", "sav", "zip"
]
"""``same`` is the kind that was uploaded, or the nearest that is written."""

_SAME: dict[str, FileKind] = {"text": "csv", "xls": "xlsx"}
_WRITERS = {
    "xlsx": "sheets",
    "ods": "sheets",
    "parquet": "tables_with_types",
    "arrow": "tables_with_types",
    "dta": "tables_with_types",
    "sav": "tables_with_types",
}
NOT_KEPT: dict[str, str] = {
    "xlsx": "Values of this one sheet: formats, formulas, notes and other sheets are not in it.",
    "ods": "Values of this one sheet: formats, formulas, notes and other sheets are not in it.",
    "dta": "Labels of values are texts, and names are made such as Stata takes.",
    "sav": "Labels of values are texts, and names are made such as SPSS takes.",
}
"""What a file of a kind has not of the one that was uploaded, in a sentence."""


def file_kind(kind: object, container: Container) -> FileKind:
    """The kind that is written, which may be asked for as ``same``."""
    asked: FileKind = one_of("kind", kind, get_args(FileKind))
    if asked != "same":
        return asked
    found: FileKind = one_of("kind", _SAME.get(container.kind, container.kind), get_args(FileKind))
    return found


def file_of(
    kind: str,
    columns: Sequence[FileColumn],
    above: Sequence[Sequence[str]] = (),
    *,
    named: bool = True,
) -> bytes:
    """The bytes of a file. Spreadsheets have title lines ``above`` the names, and need no names."""
    if kind in ("jsonl", "json"):
        return _json(kind, columns)
    write: Callable[..., bytes] = getattr(
        import_module(f"compdp_core.tables.containers.{_WRITERS[kind]}"), kind
    )
    if _WRITERS[kind] != "sheets":
        return write(columns)
    names = [[column.name for column in columns]] if named else []
    return write(columns, [*above, *names])


def archive_of(content: bytes) -> bytes:
    """A zip archive with one CSV file."""
    return packed({"table.csv": content})


def _json(kind: str, columns: Sequence[FileColumn]) -> bytes:
    names = unique([column.name for column in columns])
    values = [_plain(column) for column in columns]
    rows = [
        json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False)
        for row in zip(*values, strict=True)
    ]
    text = "\n".join([*rows, ""]) if kind == "jsonl" else "[" + ",\n".join(rows) + "]\n"
    return text.encode("utf-8", "replace")


def _plain(column: FileColumn) -> list[Any]:
    """Values as JSON has them: what is neither number nor flag is a text."""
    known = (int, float, bool, type(None))
    return [
        value if isinstance(value, known) else text
        for value, text in zip(column.values, column.texts, strict=True)
    ]


def unique(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that came before.

    >>> unique(["a", "b", "a"])
    ['a', 'b', 'a_2']
    """
    taken: set[str] = set()
    found = []
    for name in names:
        new, number = name, 2
        while new in taken:
            new, number = f"{name}_{number}", number + 1
        taken.add(new)
        found.append(new)
    return found
