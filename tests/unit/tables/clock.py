"""Times of day as minutes, for tests of what is done with any format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from compdp_core.tables.number_parsing import Floats
from compdp_core.tables.value_formats import Texts, ValueFormat


@dataclass(frozen=True)
class Clock(ValueFormat):
    """``14:05``; beyond the day hours go on, and below it a minus stands in front."""

    name: ClassVar[str] = "clock of tests"
    kind: ClassVar[str] = "time"

    @property
    def unit(self) -> str:
        return "minutes"

    @property
    def step(self) -> float:
        return 60.0

    @property
    def label(self) -> str:
        return "times as 14:05"

    def read(self, cells: Texts, codec: str) -> Floats:
        return np.array([self._one(cell.decode(codec)) for cell in cells.tolist()])

    def write(self, values: Floats, codec: str) -> Texts:
        return np.array([self._said(round(each)).encode(codec) for each in values.tolist()])

    def _one(self, text: str) -> float:
        hours, colon, minutes = text.partition(":")
        good = colon and hours.isdecimal() and minutes.isdecimal()
        return 60.0 * int(hours) + int(minutes) if good else float("nan")

    def _said(self, minutes: int) -> str:
        hours, rest = divmod(abs(minutes), 60)
        return f"{'-' if minutes < 0 else ''}{hours:02}:{rest:02}"
