"""What every format of values can do: read cells as numbers, and write numbers as cells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import MISSING, fields
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import CompdpError
from compdp_core.tables.number_parsing import Floats
from compdp_core.validation import floats

Texts = NDArray[np.bytes_]
"""Cells of a column, one element a row, trimmed and without quotes; empty where missing."""

Steps = NDArray[np.int64]


class UnwritableError(CompdpError):
    """Numbers lie beyond what a format can write. The text says what it can."""


class ValueFormat(ABC):
    """How the values of a column are written, and which whole number of its steps each one is.

    A format is public, declared in a plan before any cell is read: what cannot be read in it is
    missing. Subclasses are frozen dataclasses of texts, numbers and flags, so that settings,
    scripts and cards can name them.
    """

    name: ClassVar[str]
    """By which settings know it; unique."""
    kind: ClassVar[str]
    """The kind of column it is for: ``date``, ``time``, ``datetime``, ``duration``, or ``number``
    where what it reads is released as plain numbers."""

    @property
    @abstractmethod
    def unit(self) -> str:
        """What a step is: ``days``, ``minutes``, ``seconds``, ``milliseconds``; may be empty."""

    @property
    def step(self) -> float:
        """Length of a step in days for dates, in seconds for times; 1 for numbers."""
        return 1.0

    @property
    @abstractmethod
    def label(self) -> str:
        """The format in words, with an example that is no value of any table."""

    @property
    def letters(self) -> str:
        """Whatever a cell may hold beside digits, and a little more."""
        return str(getattr(self, "pattern", ""))

    @abstractmethod
    def read(self, cells: Texts, codec: str) -> Floats:
        """The number of steps of each cell; NaN for what is not written so."""

    @abstractmethod
    def write(self, values: Floats, codec: str) -> Texts:
        """Cells of finite numbers of steps, each a function of its number alone.

        Raises :class:`UnwritableError` for numbers beyond what the format can write.
        """

    def value(self, text: str) -> float:
        """One text as a number of steps, NaN where it is none: for bounds as they are typed."""
        cell = np.array([text.strip().encode("utf-8", "replace") or b" "])
        return float(self.read(cell, "utf-8")[0])

    def text(self, value: float) -> str:
        """One number of steps as it is written."""
        return bytes(self.write(np.array([value]), "utf-8")[0]).decode("utf-8")

    @property
    def call(self) -> str:
        """The call that makes it, without what is usual: for messages that say what to write."""
        said = [
            f"{each.name}={content!r}"
            for each in fields(self)  # type: ignore[arg-type]
            if (content := getattr(self, each.name)) != each.default or each.default is MISSING
        ]
        return f"{type(self).__name__}({', '.join(said)})"


def whole_steps(values: Floats, lowest: float, highest: float, told: str) -> Steps:
    """Finite numbers as whole ones; :class:`UnwritableError` that is ``told`` what can be."""
    rounded = np.rint(floats("values", values))
    if not bool(((rounded >= lowest) & (rounded <= highest)).all()):
        raise UnwritableError(told)
    return rounded.astype(np.int64)
