"""Dates as whole numbers of days since 1970-01-01."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import ClassVar

import numpy as np

from compdp_core.tables.number_parsing import Floats
from compdp_core.tables.value_formats.base import Texts, ValueFormat

_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True)
class DateFormat(ValueFormat):
    """Dates in one format, as days since 1970-01-01.

    >>> DateFormat().value("1970-01-11"), DateFormat().text(10)
    (10.0, '1970-01-11')
    """

    name: ClassVar[str] = "date"
    kind: ClassVar[str] = "date"

    pattern: str = "%Y-%m-%d"
    """As ``strftime`` has it."""

    @property
    def unit(self) -> str:
        """Of a step."""
        return "days"

    @property
    def label(self) -> str:
        """In words."""
        return f"dates as {self.text(18993)}"

    def read(self, cells: Texts, codec: str) -> Floats:
        """Days since 1970-01-01."""
        return np.array([self._one(cell.decode(codec, "replace")) for cell in cells.tolist()])

    def write(self, values: Floats, codec: str) -> Texts:
        """The dates of these days."""
        days = (_EPOCH + timedelta(days=int(value)) for value in values.tolist())
        return np.array([day.isoformat().encode(codec) for day in days], dtype=np.bytes_)

    def _one(self, text: str) -> float:
        try:
            return float((date.fromisoformat(text) - _EPOCH).days)
        except ValueError:
            return float("nan")
