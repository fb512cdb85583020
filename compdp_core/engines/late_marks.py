"""Numbers with the other decimal mark, further down than the head: found before any is lost.

A head of whole numbers shows no decimal mark, so they are read with the usual one. Where cells
below have the other one, all of them would count as missing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from compdp_core.errors import TableError
from compdp_core.release.plan import Plan
from compdp_core.tables.affix import Affix
from compdp_core.tables.decimal_marks import Votes
from compdp_core.tables.number_parsing import Mask
from compdp_core.tables.parts import Layout
from compdp_core.tables.table import Table


class LateMarkError(TableError):
    """Cells below the head are numbers with the decimal mark that nothing spoke for there."""

    def __init__(self, label: str, mark: str, row: int, count: int) -> None:
        self.label = label
        self.row = row
        self.count = count
        other = "." if mark == "," else ","
        super().__init__(
            f"Column {label}: the first rows show no decimal mark, and further down, first in row "
            f"{row}, cells are numbers with {other!r} alone. Say decimal={other!r} where the file "
            f"is read and in the plan of the column, or decimal={mark!r}: then they count as "
            "missing."
        )


@dataclass(frozen=True)
class LateMarks:
    """Of some rows, by place among the columns that are looked at: cells that only the other mark
    makes numbers, and the first row with one, counted from 1.
    """

    found: tuple[tuple[int, int, int], ...] = ()
    """Place, count and first row."""

    def then(self, more: LateMarks, rows: int) -> LateMarks:
        """Of these and those below them, where ``rows`` are above.

        >>> LateMarks(((0, 2, 5),)).then(LateMarks(((0, 1, 1), (1, 3, 2))), 10).found
        ((0, 3, 5), (1, 3, 12))
        """
        if not more.found:
            return self
        joined = {place: (count, row) for place, count, row in self.found}
        for place, count, row in more.found:
            above, first = joined.get(place, (0, rows + row))
            joined[place] = above + count, first
        return LateMarks(tuple((place, *joined[place]) for place in sorted(joined)))


@dataclass(frozen=True)
class _Open:
    """A column whose numbers show no decimal mark so far, and how they are read."""

    position: int
    label: str
    strip: Affix | None
    decimal: str
    lists: bool = False
    """Whether cells of the head, too, are numbers with the other mark, and were found to be lists
    of codes, as 1,3 is."""

    @property
    def other(self) -> str:
        return "." if self.decimal == "," else ","

    def late(self, table: Table) -> Mask:
        """Which cells the other mark alone makes numbers."""
        found = self._read_by(table, self.other) & ~self._read_by(table, self.decimal)
        if self.lists:
            rows = np.flatnonzero(found)
            found[rows] = [_is_no_list(table.cell(row, self.position)) for row in rows.tolist()]
        return found

    def known(self, head: Table) -> _Open | None:
        """The same with what the head tells; None where cells there have this mark alone."""
        own = self._read_by(head, self.decimal) & ~self._read_by(head, self.other)
        if own.any() and head.columns[self.position].doubt is None:
            return None
        return replace(self, lists=bool(self.late(head).any()))

    def _read_by(self, table: Table, mark: str) -> Mask:
        return ~table.readings(self.position, self.strip, mark).missing


def _is_no_list(cell: str) -> bool:
    return Votes([cell]).decided(",") is not None


@dataclass(frozen=True, eq=False)
class OpenMarks:
    """The columns of numbers of which the head leaves the decimal mark open."""

    layout: Layout
    columns: tuple[_Open, ...] = ()

    @classmethod
    def of(cls, layout: Layout, plan: Plan, said: Collection[int]) -> OpenMarks:
        """``said``: positions of the columns whose mark the caller chose."""
        head = layout.head
        asked = [
            _Open(each.position, head.columns[each.position].label, each.strip, each.decimal or ".")
            for each in plan.columns
            if each.reads_numbers and each.position not in said
        ]
        known = (each.known(head) for each in asked)
        return cls(layout, tuple(each for each in known if each is not None))

    @cached_property
    def _others(self) -> dict[str, frozenset[int]]:
        """By mark the columns that would have it."""
        marks = {each.other for each in self.columns}
        return {
            mark: frozenset(each.position for each in self.columns if each.other == mark)
            for mark in marks
        }

    def within(self, content: bytes, *, plain: bool, table: Callable[[], Table]) -> LateMarks:
        """What a part says. ``plain``: none of its cells is in quotes, and all rows are of a
        length. ``table``: of its rows, only asked for where it may say something.
        """
        if not any(self._may_hold(content, mark, plain=plain) for mark in self._others):
            return LateMarks()
        rows, found = table(), []
        for place, each in enumerate(self.columns):
            late = np.flatnonzero(each.late(rows))
            if len(late):
                found.append((place, len(late), rows.index.number(int(late[0]))))
        return LateMarks(tuple(found))

    def _may_hold(self, content: bytes, mark: str, *, plain: bool) -> bool:
        """Whether the mark is in cells of the columns; where rows are not plain, in any cell."""
        separator = self.layout.head.format.separator
        if mark.encode() not in content or (plain and mark == separator):
            return False
        if not plain:
            return True
        data = np.frombuffer(content, dtype=np.uint8)
        at = np.flatnonzero(data == ord(mark))
        ends = np.flatnonzero((data == ord(separator)) | (data == ord("\n")))
        columns = np.searchsorted(ends, at) % len(self.layout.head.columns)
        return bool(np.isin(columns, list(self._others[mark])).any())

    def check(self, found: LateMarks) -> None:
        """Raises :class:`LateMarkError` where cells have the other mark."""
        for place, count, row in found.found:
            column = self.columns[place]
            raise LateMarkError(column.label, column.decimal, row, count)
