"""Faulty copies of the release: each lets one thing about a private cell out. All must be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np

from compdp_core.release import ReleasedColumn, TableRelease
from compdp_core.report import Card, card_of_table
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

    def replace(
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

    return patch.object(writing, "_replace", replace)


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
    "tells on the card": tells_on_the_card,
}
