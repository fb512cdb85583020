"""Tables from where a user of the library has them: a path, bytes or a frame."""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from compdp_core.errors import CompdpError, ParameterError, TableError
from compdp_core.tables.errors import short, some
from compdp_core.tables.frame_kinds import is_arrow, is_pandas, is_polars, refused
from compdp_core.tables.frames_as_pandas import of_arrow, of_polars
from compdp_core.tables.number_parsing import Floats
from compdp_core.tables.reading import fingerprint_of, read
from compdp_core.tables.table import Table
from compdp_core.validation import floats, real

if TYPE_CHECKING:
    from typing import TypeAlias, Unpack

    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from compdp_core.tables.alignment import (
        BlankLines,
        CommentRows,
        LongRows,
        ShortRows,
        TrailingCells,
    )

    Data: TypeAlias = Table | pd.DataFrame | pl.DataFrame | pa.Table
    """What columns can be taken from."""

_MOST_NAMED = 20


class ReadOptions(TypedDict, total=False):
    """What :func:`~compdp_core.tables.read` can be told, in its words."""

    name: str
    table: str | None
    encoding: str | None
    separator: str | None
    decimal: str | None
    quote: str
    escape: str
    runs: bool | None
    header: bool | None
    header_rows: int | None
    skip_lines: int | None
    missing: Iterable[str]
    columns: int | None
    short_rows: ShortRows | None
    long_rows: LongRows | None
    trailing_cells: TrailingCells | None
    comment_rows: CommentRows | None
    comment_mark: str | None
    blank_lines: BlankLines | None
    limit: int


def read_csv(
    source: str | os.PathLike[str] | bytes | bytearray | memoryview,
    **options: Unpack[ReadOptions],
) -> Table:
    r"""The table of a file: of its path, or of its bytes.

    CSV, packed with gzip or not, Excel, OpenDocument, Parquet, Arrow, JSON lines, Stata, SPSS, or a
    zip archive of one of these; ``table`` says which sheet, or which file of an archive.

    ``options`` are those of :func:`~compdp_core.tables.read`; what is not said is detected, and
    ``table.format``, ``table.notices`` and ``table.uneven`` say what was found.

    >>> table = read_csv(b"name;score\nAda;52,5\nBen;61,25\n")
    >>> table.row_count, [column.label for column in table.columns]
    (2, ['name', 'score'])

    Raises :class:`~compdp_core.errors.TableError` with what to do, :class:`OSError` for a path.
    """
    if isinstance(source, str | os.PathLike):
        said = os.fsdecode(source)
        if len(said.splitlines()) > 1:  # The text of a table, which no error may quote.
            what = "must be the path of a file, or bytes: text as text.encode()"
            raise ParameterError("source", "text of several lines", what)
        if not said or "\0" in said:
            raise ParameterError("source", source, "must be the path of a file, or its bytes")
        path = Path(said)
        options.setdefault("name", path.name)
        source = path.read_bytes()
    elif not isinstance(source, bytes | bytearray | memoryview):
        raise ParameterError("source", type(source).__name__, "must be a path, or bytes")
    return read(source, **options)


def position(data: Data, column: Hashable) -> int:
    r"""The place of a column, from 0: of its label, else of its place, as where labels repeat.

    >>> position(read_csv(b"a,b,b\n1,2,3\n"), "a"), position(read_csv(b"a,b,b\n1,2,3\n"), 2)
    (0, 2)

    Raises :class:`ParameterError` for a label that no column or more than one has.
    """
    check_label("column", column)
    labels: list[tuple[Hashable, ...]]
    if isinstance(data, Table):
        labels = [(each.label, each.header) for each in data.columns]
    else:
        labels = [(label,) for label in _labels(data)]
    # A set compares what has one hash: to compare with pandas' NA says neither yes nor no.
    found = [place for place, names in enumerate(labels) if column in {*names}]
    if len(found) == 1:
        return found[0]
    if found:
        places = " or ".join(map(str, found))
        raise ParameterError("column", column, f"must be a position, {places}: labels repeat")
    if isinstance(column, int) and not isinstance(column, bool) and 0 <= column < len(labels):
        return column
    named = some([names[0] for names in labels], _MOST_NAMED)
    raise ParameterError("column", column, f"must be a label or position of {named}")


def _labels(data: pd.DataFrame | pl.DataFrame | pa.Table) -> Iterable[Hashable]:
    if is_polars(data):
        return data.columns
    if is_arrow(data):
        names: list[str] = data.column_names
        return names
    if not is_pandas(data):
        raise refused(data)
    _check_frame(data)
    return data.columns


def in_memory(data: Data) -> Table | pd.DataFrame:
    """A table or a pandas frame as it is, any other frame as the pandas frame of its cells.

    Raises :class:`ParameterError` for what is none of them, with the way to what is.
    """
    if isinstance(data, Table) or is_pandas(data):
        return data
    if is_polars(data):
        return of_polars(data)
    if is_arrow(data):
        return of_arrow(data)
    raise refused(data)


def check_label(name: str, label: object) -> None:
    """Raise :class:`ParameterError` for what no column can be named by, such as an array."""
    try:
        hash(label)
    except TypeError:
        raise ParameterError(name, type(label), "must be the label or position of one") from None


def as_table(
    data: Data,
    numeric: Collection[int] = (),
    compared: Collection[int | str] = (),
    *,
    given_as: Table | pd.DataFrame | None = None,
) -> Table:
    """The table itself, or that of a frame's cells, its index left out.

    ``numeric``: the positions of columns that are read as numbers; whatever type of numbers such a
    column of a frame has, each is the nearest double, and what pandas calls missing is.
    ``compared``: positions or labels of columns of which each cell may be a number, by itself.
    Texts are those of the frame's CSV, whatever is read as numbers beside. ``given_as``: the frame
    of which ``data`` has some cells written as a plan reads them; a ledger knows the table by it,
    so that another plan is no other table.

    Raises :class:`ParameterError` for a numeric column that holds something else than numbers, and
    :class:`~compdp_core.errors.TableError` for a frame without rows or columns or one that no CSV
    holds.
    """
    data = in_memory(data)
    if isinstance(data, Table):
        return data
    _check_frame(data)
    table = _read(data, _csv(data))
    if given_as is not None and not isinstance(given_as, Table) and given_as is not data:
        table = replace(table, fingerprint=fingerprint_of(_text(given_as)))
    given = {}
    for column in table.columns:
        place = column.position
        if _is_plain(data.iloc[:, place]):
            continue
        if place in numeric:
            given[place] = _numbers(data, place)
        elif place in compared or column.label in compared:
            given[place] = _each(data.iloc[:, place], table.readings(place).values)
    return replace(table, given=given)


def _check_frame(data: pd.DataFrame) -> None:
    if data.columns.nlevels > 1:
        raise TableError(
            "The columns of the frame have several levels of labels. Join them first, as in "
            "frame.columns = frame.columns.map('_'.join)."
        )
    if data.empty:
        raise TableError("The frame has no rows or no columns. Hand in one that has both.")


def _is_plain(column: pd.Series[float]) -> bool:
    """Whether every number is written so that the same double is read."""
    kind, size = column.dtype.kind, getattr(column.dtype, "itemsize", 0)
    # Beyond 2^53 a text of digits is no number: it is more likely one that names somebody.
    return (kind in "iu" and size < 8) or (kind == "f" and size == 8)


def _numbers(frame: pd.DataFrame, place: int) -> Floats:
    try:
        return floats("values", frame.iloc[:, place], missing="keep")
    except CompdpError:
        raise ParameterError(
            f"column {short(str(frame.columns[place]))}",
            frame.dtypes.iloc[place],
            "must hold numbers: turn it into such first, as pandas.to_numeric(column, "
            "errors='coerce') does, or cast(Float64, strict=False) of Polars, with what is no "
            "number missing",
        ) from None


def _each(column: Iterable[object], read: Floats) -> Floats:
    """Each cell that is a number or a flag as :func:`_numbers` has it; a text as it is ``read``."""
    cells = (float(cell) if isinstance(cell, bool | np.bool_) else cell for cell in column)
    found = zip(cells, read.tolist(), strict=True)
    given = [text if isinstance(cell, str) else real(cell) for cell, text in found]
    return np.array(given, dtype=np.float64)


def _csv(frame: pd.DataFrame) -> bytes:
    try:
        return _text(frame, "strict")
    except UnicodeEncodeError:
        raise TableError("The frame holds text that no file can hold: halves of letters.") from None


def _text(frame: pd.DataFrame, errors: str = "surrogatepass") -> bytes:
    return frame.to_csv(index=False, lineterminator="\n").encode("utf-8", errors)


def _read(frame: pd.DataFrame, content: bytes) -> Table:
    rows, count = frame.shape
    table = read(
        content,
        encoding="utf-8",
        separator=",",
        decimal=".",
        header=True,
        skip_lines=0,
        columns=count,
        comment_rows="row",
        blank_lines="missing" if count == 1 else None,
        limit=len(content),
    )
    if table.row_count != rows or table.uneven:
        raise TableError(
            "The frame cannot be written as a CSV file that reads the same: take line ends out of "
            "its texts and labels."
        )
    return table
