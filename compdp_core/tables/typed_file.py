"""A written table as a file of another kind: what was released, and the cells beside it."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping
from dataclasses import replace

from compdp_core.tables.containers.typed import FileColumn, untouched
from compdp_core.tables.containers.writing import file_of
from compdp_core.tables.reading import read
from compdp_core.tables.table import Table


def typed_file(
    kind: str,
    table: Table,
    written: bytes,
    released: Mapping[int, FileColumn],
    omit: Collection[int] = (),
) -> bytes:
    """A file of a kind, of the text that ``write`` made of ``table``.

    ``released``: the columns that were replaced, by position. All others are read from the text.
    """
    again = read(written, **table.format.options, limit=max(1, len(written)))
    source = table.container
    columns = [
        replace(released[column.position], name=column.header.strip() or column.label)
        if column.position in released
        else untouched(again, column.position, source.kind, source.types)
        for column in again.columns
        if column.position not in omit
    ]
    return file_of(kind, columns, _titles(again), named=again.format.header)


def _titles(table: Table) -> list[list[str]]:
    """The lines above the names."""
    lines = table.format.skip_lines
    if not lines:
        return []
    content, codec = table.index.content[table.decoded.origin :], table.reading.codec
    top = content[: int(table.index.row_starts(0, 1)[0])].decode(codec, "replace")
    wanted = "".join(top.splitlines(keepends=True)[table.format.sep_line :][:lines])
    return list(csv.reader(io.StringIO(wanted, newline=""), delimiter=table.format.separator))
