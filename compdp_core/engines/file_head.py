"""The first rows of a file, read as a table: how all of it is laid out is taken from there."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from compdp_core.engines.blocks import LONGEST_RECORD
from compdp_core.engines.text_stream import TextStream
from compdp_core.errors import ParameterError, TableError
from compdp_core.tables import dialect, read
from compdp_core.tables.containers import json_rows
from compdp_core.tables.decoding import decode
from compdp_core.tables.errors import (
    EmptyFileError,
    NoRowsError,
    NotTextError,
    UnclosedQuoteError,
)
from compdp_core.tables.file_kinds import NAMES, is_zip, opened_kind
from compdp_core.tables.sources import ReadOptions
from compdp_core.tables.table import Table

HEAD_BYTES = 1 << 22
"""As many as show columns, units and formats."""
_LINE_ENDS = tuple(
    (mark, width)
    for end in (b"\n", b"\r")
    for mark, width in (
        (b"\0\0\0" + end, 4),
        (end + b"\0\0\0", 4),
        (b"\0" + end, 2),
        (end + b"\0", 2),
    )
)
_IN_MEMORY = "read it in memory, as in cdp.privatize(cdp.read_csv(path), plans)"


def file_path(name: str, path: object) -> Path:
    """The path of a file that can be read twice; :class:`ParameterError` where it is none."""
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise ParameterError(name, type(path), "must be the path of a file")
    said = os.fsdecode(path)
    if "\0" in said:
        raise ParameterError(name, said, "must be the path of a file")
    return Path(said)


def source_path(path: object) -> Path:
    """The path of a file that is there, and can be read twice."""
    source = file_path("source", path)
    try:
        found = os.stat(source)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ParameterError("source", str(source), f"must be a file ({reason})") from None
    if not stat.S_ISREG(found.st_mode):
        raise ParameterError(
            "source", str(source), "must be a file, which is read twice, and no folder or pipe"
        )
    return source


def read_head(source: Path, options: Mapping[str, Any], size: int = HEAD_BYTES) -> Table:
    """The table of the first ``size`` bytes, up to the end of a record, or of all if they are
    fewer; read with the keyword arguments of :func:`~compdp_core.tables.read`.

    Raises what ``read`` does, and :class:`NotTextError` for a file that is no CSV.
    """
    unknown = sorted(set(options) - set(ReadOptions.__annotations__))
    if unknown:
        raise ParameterError("reading", unknown[0], "must hold keyword arguments of read_csv")
    said = {name: value for name, value in options.items() if name not in ("limit", "table")}
    said.setdefault("name", source.name)
    with TextStream(source) as stream:
        packed, data = stream.packed, stream.read(size)
        _check_text(data)
        rest = stream.read(1)
        while rest:
            data += rest
            stop = _line_end(data)
            table = _read(data, stop, said) if stop else None
            if table is not None:
                return _as_packed(table, packed)
            if len(data) > LONGEST_RECORD:
                raise TableError(
                    f"The first {LONGEST_RECORD / 2**20:.0f} MiB of the file hold no whole row. "
                    "Check quotes and line ends."
                )
            rest = stream.read(len(data))
    return _as_packed(read(data, **said, limit=len(data) + 1), packed)


def _as_packed(table: Table, packed: bool) -> Table:
    return replace(table, format=replace(table.format, gzip=packed)) if packed else table


def _check_text(data: bytes) -> None:
    kind = "zip" if is_zip(data) else opened_kind(data) or json_rows.form_of(data)
    if kind is not None:
        named = NAMES.get(kind, "a file that is no CSV")
        raise NotTextError(named, f"Only CSV is released a block at a time: {_IN_MEMORY}.")


def _line_end(data: bytes) -> int:
    """Behind the last line end, 0 where there is none."""
    if b"\0" not in data:
        return max(data.rfind(b"\n"), data[:-1].rfind(b"\r")) + 1
    for mark, width in _LINE_ENDS:
        stop = len(data)
        while (at := data.rfind(mark, 0, stop)) >= 0:
            if at % width == 0:
                return at + width
            stop = at + len(mark) - 1
    return 0


def _read(data: bytes, stop: int, options: Mapping[str, Any]) -> Table | None:
    """The table of the lines that are no part of a quoted cell that goes on behind ``stop``; None
    where that is no row.
    """
    while stop:
        piece = data[:stop]
        try:
            return read(piece, **options, limit=stop)
        except UnclosedQuoteError as error:
            stop = _before_line(piece, error.line, options.get("encoding"))
        except (EmptyFileError, NoRowsError):
            return None
    return None


def _before_line(piece: bytes, line: int, encoding: str | None) -> int:
    decoded = decode(piece, encoding)
    end = dialect.skip(decoded.content, decoded.origin, line - 1)
    above = decoded.content[decoded.origin : end]
    return len(decoded.bom) + len(decoded.to_file(above)) if above else 0
