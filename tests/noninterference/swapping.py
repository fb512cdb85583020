"""The private cells of a file that is at hand, replaced by others: for files nobody drew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from compdp_core.errors import CompdpError
from compdp_core.release import ColumnPlan, Missing, Plan
from compdp_core.tables import Affix, Column, Table, read, write
from tests.noninterference.cells import SPELLED, UNFIT
from tests.noninterference.leaving import leaving, released

FOLDER = Path(os.environ.get("FIELD_CASES") or Path(__file__).parents[3] / "shared" / "cases")
"""Where files of people lie, if at all: the variable says it, or they lie beside the project."""
SAID: dict[str, Any] = {
    "short_rows": "complete",
    "long_rows": "leave out",
    "comment_rows": "leave out",
    "blank_lines": "skip",
}
"""What becomes of rows that do not line up."""


def opened(data: bytes) -> Table:
    """The table, with something said of rows that do not line up if there are any."""
    table = read(data)
    return read(data, **SAID) if table.uneven else table


def numeric(table: Table) -> Iterator[tuple[Column, Affix | None]]:
    """Columns that the page would offer, with what is to be read past."""
    for column in table.columns:
        affix = column.affix if isinstance(column.affix, Affix) else None
        if column.usable or affix is not None:
            yield column, affix


def refusals(table: Table) -> dict[str, str]:
    """Columns that are not offered, and why."""
    offered = {column.position for column, _ in numeric(table)}
    return {c.label: c.refusal for c in table.columns if c.position not in offered}


@dataclass(frozen=True)
class Swap:
    """A file, one of its columns, and other cells for it."""

    data: bytes
    table: Table
    position: int
    affix: Affix | None
    missing: Missing

    @property
    def plan(self) -> Plan:
        column = ColumnPlan(
            self.position, (0, 100), 1, "A1B1", missing=self.missing, strip=self.affix
        )
        return Plan((column,))

    def other(self, seed: int) -> Table:
        """The table with other private cells; under keep and drop the same rows are missing."""
        rng = Random(seed)
        gone = self.table.readings(self.position, self.affix).missing.tolist()
        texts = [self._cell(rng, missing) for missing in gone]
        data = write(self.table, {self.position: texts}, guard_formulas=False).data
        return self._read(data)

    def _read(self, data: bytes) -> Table:
        """A file in the same layout, read like the first one."""
        first = self.table.format
        found = read(data, **first.options | {"columns": len(self.table.columns)})
        # The other cells stand in a text, and are to be those of a file of the same kind.
        form = replace(found.format, table=first.table)
        return replace(found, format=form, container=self.table.container)

    def _cell(self, rng: Random, missing: bool) -> str:
        form = self.table.format
        if self.missing == "fill":
            missing = rng.random() < 0.4
        if missing:
            return rng.choice((*SPELLED, *UNFIT, "x"))
        text = rng.choice(("", "+", "-")) + str(rng.randrange(1, 2000))
        text += rng.choice(("", form.decimal + "5", form.decimal + "125"))
        if form.decimal == form.separator and not form.quote:
            text = text.partition(form.decimal)[0]
        return rng.choice((text, f" {text} "))

    def told_apart(self, seed: int = 1) -> list[str]:
        """What leaves and is not the same for both tables."""
        outcomes = [self._leaves(table) for table in (self._read(self.data), self.other(seed))]
        one, two = outcomes
        return [name for name in sorted(one.keys() | two.keys()) if one.get(name) != two.get(name)]

    def _leaves(self, table: Table) -> dict[str, bytes]:
        try:
            return leaving(released(table, self.plan))
        except CompdpError as refusal:
            return {f"refused: {type(refusal).__name__}": str(refusal).encode()}
