"""Faulty copies of the release: each lets one thing about a private cell out. All must be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np

from compdp_core.release import ReleasedColumn, TableRelease
from compdp_core.report import Card, card_of_table, column_item
from compdp_core.tables import (
    Affix,
    CellTexts,
    Numbers,
    Table,
    dialect,
    format_cells,
    repair,
    writing,
)
from compdp_core.tables.index import Index
from compdp_core.tables.number_parsing import Mask, Places
from compdp_core.tables.patch import Edits
from pages.sections.privatize import files as page

Change = Callable[[bytes, bytes], bytes]
"""From the old cell, with its quotes and spaces, and the new one to what is written instead."""
_replace = writing._replace


def _cells(change: Callable[[Table, int], Change]) -> AbstractContextManager[Any]:
    """New cells that owe something to the old ones."""

    def replaced(
        table: Table, column: int, texts: CellTexts, start: int, stop: int, new: Mask
    ) -> Edits:
        edits = _replace(table, column, texts, start, stop, new)
        content, made = table.index.content, change(table, column)
        ends = np.cumsum(edits.lengths)
        flat = edits.flat.tobytes()
        places = zip(edits.starts, edits.stops, ends - edits.lengths, ends, strict=True)
        changed = [made(content[a:b], flat[c:d]) for a, b, c, d in places]
        lengths = np.array([len(text) for text in changed], dtype=np.intp)
        joined = np.frombuffer(b"".join(changed), dtype=np.uint8)
        return Edits(edits.starts, edits.stops, joined, lengths)

    return patch.object(writing, "_replace", replaced)


def _keeping(change: Change) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: _cells(lambda table, column: change)


def detects_decimal_mark() -> AbstractContextManager[Any]:
    """The mark is found anew among the cells of the column."""

    def change(table: Table, column: int) -> Change:
        mark, _ = dialect.find_decimal(table.texts(column), table.format.separator)
        other = b"," if mark == "." else b"."
        return lambda old, new: new.replace(other, mark.encode())

    return _cells(change)


def writes_missing_as_spelled() -> AbstractContextManager[Any]:
    def cells(column: ReleasedColumn, decimal: str, codec: str = "utf-8") -> CellTexts:
        mark = column.plan.decimal or decimal
        return format_cells(column.values, column.composite.decimals, mark, None, codec)

    return patch.object(ReleasedColumn, "cells", cells)


def keeps_length_of_rows() -> AbstractContextManager[Any]:
    """A short row stays short around its filled cell, whatever was said of it."""

    def completed(index: Index, rows: Places, columns: int, separator: bytes) -> Edits:
        ends = index.row_ends(rows)
        return Edits.repeated(ends, ends, b"")

    return patch.object(repair, "_completed", completed)


def refuses_by_cells() -> AbstractContextManager[Any]:
    """A column is numeric where all of its cells are, and refused where they are not."""

    def readings(
        table: Table, column: int, strip: Affix | None = None, decimal: str | None = None
    ) -> Numbers:
        return table.numbers(column, strip)

    return patch.object(Table, "readings", readings)


@contextmanager
def tells_on_the_card() -> Iterator[None]:
    """The card has how many values were missing, under fill, too."""
    made = card_of_table

    def card(release: TableRelease, *rest: Any, title: str = "", **more: Any) -> Card:
        missing = sum(column.missing for column in release.columns)
        return made(release, *rest, title=f"{title} {missing}", **more)

    with patch.object(page, "card_of_table", card):
        yield


def tells_how_many_are_on_no_list() -> AbstractContextManager[Any]:
    """The source of a list on the card says how many cells it does not have."""
    made = column_item.item_of

    def item(column: ReleasedColumn, *rest: Any) -> Any:
        found = made(column, *rest)
        if found.listed is None:
            return found
        told = f"{column.missing} were on no list"
        return replace(found, listed=replace(found.listed, source=told))

    return patch("compdp_core.report.table_card.item_of", item)


def keeps_what_it_cannot_read() -> AbstractContextManager[Any]:
    """A cell that is no date stays as it came, though it was filled and privatised."""

    def cells(table: Table, column: int) -> Change:
        def change(old: bytes, new: bytes) -> bytes:
            dated = new[:4].isdigit() and new.count(b"-") == 2
            return old if dated and old.strip(b' "')[:1].isalpha() else new

        return change

    return _cells(cells)


TWINS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "keeps quotes": _keeping(
        lambda old, new: b'"' + new.strip(b'"') + b'"' if old.startswith(b'"') else new
    ),
    "keeps length of rows": keeps_length_of_rows,
    "keeps sign style": _keeping(
        lambda old, new: b"+" + new if old.strip(b' "')[:1] == b"+" and new[:1].isdigit() else new
    ),
    "detects decimal mark": detects_decimal_mark,
    "writes missing as spelled": writes_missing_as_spelled,
    "keeps spaces": _keeping(
        lambda old, new: b" " + new if old[:1] == b" " and new[:1] != b'"' else new
    ),
    "keeps thousands": _keeping(
        lambda old, new: new[:-3] + b"'" + new[-3:] if b"'" in old and len(new) > 5 else new
    ),
    "refuses by cells": refuses_by_cells,
    "keeps the spelling of an answer": _keeping(
        lambda old, new: old if old.strip(b' "').lower() == new.strip(b'"') != b"" else new
    ),
    "keeps answers that are on no list": _keeping(
        lambda old, new: old if new == b"other" and old.strip(b' "') not in (b"a", b"b") else new
    ),
    "keeps what it cannot read": keeps_what_it_cannot_read,
    "tells how many are on no list": tells_how_many_are_on_no_list,
    "tells on the card": tells_on_the_card,
}
