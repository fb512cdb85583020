"""What is known of a file that is no text, beyond the text of its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compdp_core.errors import TableError
from compdp_core.tables.errors import some
from compdp_core.tables.file_kinds import NAMES

MOST_CELLS = 20_000_000
"""Of the rectangle a sheet or file claims, before anything is made of it."""


@dataclass(frozen=True)
class Container:
    """What kind of file a table came in, and which of its tables it is."""

    kind: str
    """One of :data:`~compdp_core.tables.file_kinds.NAMES`."""
    table: str | None = None
    """The sheet, or the file in an archive."""
    types: tuple[str, ...] = ()
    """Of each column, where the file declares it: ``int``, ``float``, ``text``, ``bool``, ``date``,
    ``time``, ``datetime`` or ``duration``."""
    width: int | None = None
    """How many cells each line of the text has, where it was made here."""
    remarks: tuple[str, ...] = ()
    """What its owner should know of how it was opened, in sentences."""

    @property
    def typed(self) -> bool:
        """Whether a cell with quotes around it was a text in the file, whatever it looks like."""
        return self.kind not in ("text", "zip")

    @property
    def named(self) -> bool:
        """Whether the file itself says what its columns are called, so that no row does."""
        return bool(self.types) or self.kind in ("json", "jsonl")


PLAIN_TEXT = Container("text")


class SeveralTablesError(TableError):
    """The file holds several tables, or not the one that was asked for."""

    def __init__(self, kind: str, names: Sequence[str], asked: str | None = None) -> None:
        self.names = tuple(names)
        self.asked = asked
        listed = some([repr(name) for name in names], 20)
        if asked is None:
            text = f"This is {NAMES[kind]} with {len(names)} tables: {listed}."
        else:
            text = f"This is {NAMES[kind]} without a table {asked!r}; it has {listed}."
        super().__init__(f"{text} Say which one with table=…, as in table={names[0]!r}.")


class TooManyCellsError(TableError):
    """A table claims more cells than are opened."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        super().__init__(
            f"The table reaches over {rows:,} rows and {columns:,} columns, more than "
            f"{MOST_CELLS:,} cells. Delete what stands far away from the table, or save it as CSV "
            "and upload that."
        )


def check_extent(rows: int, columns: int) -> None:
    """Raises :class:`TooManyCellsError` for more cells than are opened."""
    if rows * columns > MOST_CELLS:
        raise TooManyCellsError(rows, columns)


def chosen(kind: str, names: Sequence[str], asked: str | None) -> str:
    """The table to open: the one asked for, or the only one."""
    if asked is None and len(names) == 1:
        return names[0]
    if asked is not None and asked in names:
        return asked
    raise SeveralTablesError(kind, names, asked)
