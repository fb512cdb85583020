"""``compdp inspect``: how a file is laid out and what its columns hold, without a cell of it."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from compdp_core.commands.given import path_of
from compdp_core.commands.output import aligned, safe, say
from compdp_core.engines.file_head import read_head
from compdp_core.tables import Table
from compdp_core.tables.column import Column
from compdp_core.tables.column_kinds import proposals
from compdp_core.tables.errors import NotTextError
from compdp_core.tables.sources import read_csv
from compdp_core.text import count

HELP = "say how a file is laid out and what its columns hold"
DESCRIPTION = """\
Say how a file is laid out, and of each column its name, what it seems to hold and how many cells
are missing. Of a large CSV file the first rows are looked at. Cells are shown with --show only.
"""
EXAMPLES = """\
examples:
  compdp inspect patients.csv
  compdp inspect patients.csv --show 3

private: with --show the output has cells of the file in it. Without, it has names of columns and
counts: that a column has missing cells, and how many, is told by them.
"""
WHOLE = 2**26
"""Bytes of a file that is looked at from end to end."""
_FORMATS = {"\t": "tab", " ": "spaces"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be said."""
    parser.add_argument("source", type=Path, metavar="IN", help="the file to look at")
    parser.add_argument(
        "--show", type=int, default=0, metavar="ROWS", nargs="?", const=5,
        help="also show the first rows (5), and remarks, which quote cells: private",
    )  # fmt: skip


def run(asked: argparse.Namespace) -> int:
    """Look and say."""
    source = path_of("the input", asked.source)
    table, whole = _table(source)
    form, rows = table.format, count(table.row_count, "row")
    say(f"{source}: {rows if whole else f'looked at the first {rows}'}")
    separator = _FORMATS.get(form.separator, form.separator)
    if table.container.kind == "text":
        say(
            f"encoding {form.encoding}, separator {safe(separator)}, decimal mark {form.decimal}, "
            f"{'names in the first line' if form.header else 'no line of names'}"
        )
    else:
        say(f"a file of kind {table.container.kind}")
    columns = [_row(table, column) for column in table.columns]
    say(aligned([("", "column", "holds", "missing"), *columns]))
    if table.uneven:
        say("rows do not line up with the columns: say how to read them on the page Privatize")
    if asked.show:
        for notice in table.notices:
            say(f"remark: {safe(notice.text)}")
        say(aligned(_first(table, asked.show)))
    elif table.notices:
        say(f"{count(len(table.notices), 'remark')}, which may quote cells: --show tells them")
    return 0


def _table(source: Path) -> tuple[Table, bool]:
    if source.stat().st_size <= WHOLE:
        return read_csv(source), True
    try:
        return read_head(source, {}), False
    except NotTextError:
        return read_csv(source), True


def _row(table: Table, column: Column) -> tuple[str, str, str, str]:
    found = proposals(table, column.position)
    kind = found[0].kind if found else "none"
    said = {"none": "text", "number": "numbers", "whole": "whole numbers", "duration": "durations"}
    holds = said.get(kind, f"a {kind}" if kind in ("category", "scale") else f"{kind}s")
    if column.identifier:
        holds += ", looks like an ID"
    missing = _missing(table, column) if kind in ("category", "scale") else column.missing
    return f"#{column.position + 1}", column.label, holds, f"{missing:,}"


def _missing(table: Table, column: Column) -> int:
    """Cells that count as missing where a list of categories does not name their text."""
    found = table.cells(column.position)
    return sum(int(np.count_nonzero(cells == b"")) for _, cells in found)


def _first(table: Table, rows: int) -> list[tuple[str, ...]]:
    cells = [table.texts(column.position)[:rows] for column in table.columns]
    names = tuple(column.label for column in table.columns)
    return [names, *((*row,) for row in zip(*cells, strict=True))]
