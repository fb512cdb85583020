"""How the cells of a column are declared to be read, and what is read so, once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from compdp_core.tables import Numbers, Table
from compdp_core.tables.affix import Affix
from compdp_core.tables.categories import Categories
from compdp_core.tables.value_formats import ValueFormat
from pages.sections.shared.setup import setting
from pages.session.state import memo
from pages.text.values import ValueWords
from pages.text.wording import span


@dataclass(frozen=True)
class Declared:
    """What the owner says of the cells of a column."""

    strip: Affix | None = None
    decimal: str | None = None
    format: ValueFormat | None = None
    categories: Categories | None = None

    def read(self, table: Table, position: int) -> Numbers:
        """Its values: numbers, steps of the format or places in the list."""

        def values() -> Numbers:
            if self.categories is not None:
                return table.codes(position, self.categories)
            if self.format is not None:
                return table.values(position, self.format)
            return table.readings(position, self.strip, self.decimal)

        return memo(setting(table.fingerprint, position, "declared"), (self, table), values)

    @property
    def is_written(self) -> bool:
        """Whether its values are dates, times or durations."""
        return self.format is not None and self.format.kind != "number"

    def off(self, difference: float, unit: str) -> str:
        """A difference of two values with its sign: of dates, so many days."""
        return ValueWords(unit, self.format if self.is_written else None).off(difference)

    def span(self, low: float, high: float, unit: str) -> str:
        """Two values with all their digits, as the column has them."""
        if self.format is not None and self.is_written:
            return f"{self.format.text(low)} … {self.format.text(high)}"
        return span(low, high, unit, digits=15)


def answers_in(table: Table, position: int) -> Counter[str]:
    """The texts that occur, blank cells apart, the most frequent first: private."""

    def counted() -> Counter[str]:
        found: Counter[str] = Counter()
        for _, cells in table.cells(position):
            texts, amounts = np.unique(cells, return_counts=True)
            for text, amount in zip(texts.tolist(), amounts.tolist(), strict=True):
                found[text.decode(table.reading.codec, "replace")] += amount
        del found[""]
        return Counter(dict(found.most_common()))

    return memo(setting(table.fingerprint, position, "answers"), table, counted)
