"""A privatised table as a file of a kind that knows types."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import compress

from compdp_core.tables.containers.typed import FileColumn, untouched
from compdp_core.tables.containers.writing import file_of
from compdp_core.tables.number_parsing import Mask
from compdp_core.tables.table import Table


def typed_file(
    kind: str,
    table: Table,
    released: Mapping[int, FileColumn],
    rows: Mask | None = None,
    omit: Collection[int] = (),
) -> bytes:
    """The file. ``released``: the columns in place of those of the table, of the ``rows`` alone."""
    columns = []
    for about in table.columns:
        place = about.position
        if place in released:
            name = about.header.strip() or about.label
            columns.append(replace(released[place], name=name))
        elif place not in omit:
            stays = untouched(table, place)
            values = stays.values if rows is None else list(compress(stays.values, rows.tolist()))
            columns.append(replace(stays, values=values))
    return file_of(kind, columns, _titles(table), named=table.format.header)


def _titles(table: Table) -> list[list[str]]:
    """The lines above the names."""
    lines = table.format.skip_lines
    if not lines:
        return []
    content, codec = table.index.content[table.decoded.origin :], table.reading.codec
    top = content[: int(table.index.row_starts(0, 1)[0])].decode(codec, "replace")
    wanted = "".join(top.splitlines(keepends=True)[table.format.sep_line :][:lines])
    return list(csv.reader(io.StringIO(wanted, newline=""), delimiter=table.format.separator))
