"""A released file as a table, and which of its columns the card speaks of."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING, Any

from compdp_core.errors import TableError
from compdp_core.report.card import Card
from compdp_core.report.card_parts import Item
from compdp_core.report.card_reading import CardError
from compdp_core.report.frames import by_itself, listed_text
from compdp_core.tables import Table
from compdp_core.tables.containers.tables_with_types import name_for
from compdp_core.tables.frame_kinds import is_arrow, is_pandas, is_polars
from compdp_core.tables.sources import ReadOptions, as_table, in_memory, read_csv
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.text import count

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

_LINES = 4
"""Names and titles, at most."""
_SKIPPED: list[ReadOptions] = [
    {"header": has, "skip_lines": lines} for has in (True, False) for lines in range(_LINES)
]
_HEADS: list[ReadOptions] = [{}, {"header": True}, {"header": False}, *_SKIPPED]
_ROWS: tuple[ReadOptions, ...] = (
    {"comment_rows": "leave out"},
    {"comment_rows": "row"},
    {"blank_lines": "missing"},
    {"blank_lines": "skip"},
)
"""What can be read in more than one way, where the card tells which of them is right."""
_BY_PLACE = re.compile(r"(.*?) ?\(column ([0-9]{1,5})\)")
_GUARDED = "=+-@"


def opened(
    released: Table | pd.DataFrame | pl.DataFrame | pa.Table | str | os.PathLike[str] | bytes,
    card: Card,
    formats: dict[str, ValueFormat | None],
) -> tuple[Table, dict[str, int]]:
    """The table, and the places of the released columns by their names on the card."""
    data: Any = in_memory(released) if _is_frame(released) else released
    if is_pandas(data):
        places = _places(as_table(data.iloc[:1]), card)
        table = _of_frame(data, card, places, formats)
    elif isinstance(data, Table):
        table = data
    else:
        table = _of_file(data, card)
    places = _places(table, card)
    if not _has_rows(table, card):
        raise CardError(
            f"the card is that of another file: it speaks of {count(card.rows.count or 0, 'row')}, "
            f"and this one has {table.row_count:,}; take both from the same release"
        )
    return table, places


def _is_frame(data: object) -> bool:
    return is_pandas(data) or is_polars(data) or is_arrow(data)


def _of_file(data: Any, card: Card) -> Table:
    """The file, read so that columns and rows are those of the card, if it can be."""
    named = list[tuple[ReadOptions, Table]]()
    width = len(card.items) + len(card.unchanged_columns)
    wide: list[ReadOptions] = [{"header": has, "columns": width} for has in (True, False)]
    for head in (*_HEADS, *wide):
        table = _read(data, head)
        if table is None or not _has_all(table, card):
            continue
        if _has_rows(table, card):
            return table
        if all(table.row_count != each.row_count for _, each in named):
            named.append((head, table))
        if abs(table.row_count - (card.rows.count or 0)) > _LINES:
            break  # no line above the rows was taken for one, or the other way around
    for (head, _), rows in product(named, _ROWS):
        table = _read(data, {**head, **rows})
        if table is not None and _has_all(table, card) and _has_rows(table, card):
            return table
    return named[0][1] if named else read_csv(data)


def _read(data: Any, options: ReadOptions) -> Table | None:
    try:
        return read_csv(data, **options)
    except TableError:
        return None


def _has_all(table: Table, card: Card) -> bool:
    try:
        _places(table, card)
    except CardError:
        return False
    return True


def _has_rows(table: Table, card: Card) -> bool:
    """Whether it has the rows of the card; a sheet ends with the last row that has a value."""
    missing = (card.rows.count or 0) - table.row_count
    blank = table.container.kind in ("xlsx", "xls", "ods") and not card.unchanged_columns
    blank &= all(may_miss(item) for item in card.items)
    return missing == 0 or (blank and missing > 0)


def may_miss(item: Item) -> bool:
    """Whether cells of a released column may be missing."""
    return item.missing.policy == "keep" or item.sampled is not None


def _places(table: Table, card: Card) -> dict[str, int]:
    """Where the columns of the card are. Raises :class:`CardError` where one is not."""
    found = {item.name: _place(table, item.name, card) for item in card.items}
    if len({*found.values()}) < len(found):
        raise CardError("the card names a column twice: ask for the card as it was")
    return found


def _place(table: Table, name: str, card: Card) -> int:
    columns = table.columns
    at = [c.position for c in columns if name in (c.label, c.header)]
    if not at and name[:1] in tuple(_GUARDED):
        at = [c.position for c in columns if "'" + name in (c.label, c.header)]
    if not at:
        at = [p for p, c in enumerate(columns) if c.label == _made(name, p, table)]
    by_place = _BY_PLACE.fullmatch(name)
    if not at and by_place and len(columns) == len(card.items) + len(card.unchanged_columns):
        base, place = by_place[1], int(by_place[2]) - 1
        begins = tuple(filter(None, (base, _made(base, place, table)))) if base else ""
        at = [c.position for c in columns if c.position == place and c.header.startswith(begins)]
    if len(at) == 1:
        return at[0]
    if at:
        raise CardError(
            f"{len(at)} columns of the file are named {name}, and the card speaks of one: give "
            "them back the names that they were released with"
        )
    raise CardError(
        f"the card is that of another file, or a column was renamed: none is named {name} here; "
        "take file and card from the same release"
    )


def _made(name: str, place: int, table: Table) -> str | None:
    """What a file of Stata or SPSS calls a column of that name."""
    kind = table.container.kind
    if kind not in ("dta", "sav"):
        return None
    return name_for(name, place, kind)


def _of_frame(
    data: pd.DataFrame, card: Card, places: dict[str, int], formats: dict[str, ValueFormat | None]
) -> Table:
    asked = {places[name]: [form] for name, form in formats.items() if form is not None}
    frame = by_itself(data, asked)
    numeric = []
    for item in card.items:
        place = places[item.name]
        if item.kind == "category" and item.listed is not None:
            frame = _of_list(frame, place, item)
        elif item.written is None and frame.dtypes.iloc[place].kind in "iuf":
            numeric.append(place)
    return as_table(frame, numeric)


def _of_list(frame: pd.DataFrame, place: int, item: Item) -> pd.DataFrame:
    """Categories that are numbers, and became floats because some are missing, as their names."""
    import pandas as pd

    dtype = frame.dtypes.iloc[place]
    cells: Iterable[Any] = frame.iloc[:, place]
    kind = getattr(getattr(dtype, "categories", None), "dtype", dtype).kind
    if kind not in "fO" or item.listed is None:
        return frame
    names = {each.name for each in item.listed.categories}
    texts: Any = pd.Series([listed_text(cell, names) for cell in cells], frame.index, dtype=object)
    frame = frame.copy(deep=False)
    frame.isetitem(place, texts)
    return frame
