"""Numbers of which some are written as more than a number, and taken for one by a stated rule."""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.parameters import Parameter
from compdp_core.tables.number_parsing import LARGEST_WHOLE, PAD, Floats, parse
from compdp_core.tables.spelled import plainly
from compdp_core.tables.value_formats.base import Texts, ValueFormat

NUMBER = r"[+-]?[$€£¥₹]?(?:\d+(?:[.,'’\u00a0\u202f]\d+)*|[.,]\d+)"
"""A number as it stands in a rule, with marks that :func:`number` makes sense of."""

_GROUPS = {
    mark: re.compile(rf"\d{{1,3}}(?:([{others}])\d{{3}})(?:\1\d{{3}})*(?:{re.escape(mark)}\d+)?")
    for mark, others in ((".", ",'’\u00a0\u202f"), (",", ".'’\u00a0\u202f"))
}


class RuledNumbers(ValueFormat):
    """Plain numbers, and other texts that a rule takes for numbers."""

    kind: ClassVar[str] = "number"
    decimal: str
    """Decimal mark of the cells."""

    @property
    def unit(self) -> str:
        """None: they are plain numbers."""
        return ""

    @abstractmethod
    def ruled(self, text: str) -> float:
        """The number that a text without a plain number stands for; NaN for none."""

    def read(self, cells: Texts, codec: str) -> Floats:
        """Plain numbers as they are, other texts by the rule."""
        found = plain_numbers(cells, self.decimal)
        rest = np.flatnonzero(np.isnan(found) & (cells != b""))
        texts, owners = np.unique(cells[rest], return_inverse=True)
        values = [self._one(cell.decode(codec, "replace")) for cell in texts.tolist()]
        found[rest] = np.array(values, dtype=np.float64)[owners]
        return found

    def write(self, values: Floats, codec: str) -> Texts:
        """Plain numbers."""
        texts = (np.format_float_positional(v, trim="-") for v in values.tolist())
        return np.array(
            [text.replace(".", self.decimal).encode(codec) for text in texts], dtype=np.bytes_
        )

    def _one(self, text: str) -> float:
        plain = " ".join(plainly(text).split())
        whole = number(plain, self.decimal)
        return whole if whole == whole else self.ruled(plain)


def plain_numbers(cells: Texts, decimal: str) -> Floats:
    """The numbers among the cells; NaN for what is none, or loses digits."""
    width = cells.dtype.itemsize
    letters = cells.copy().view(np.uint8)
    padding = np.zeros(PAD, dtype=np.uint8)
    starts = PAD + width * np.arange(len(cells))
    stops = starts + np.strings.str_len(cells)
    found = parse(np.concatenate([padding, letters, padding]), starts, stops, decimal)
    lost = found.integer & (np.abs(found.value) > LARGEST_WHOLE)
    return np.where(lost, np.nan, found.value)


def number(text: str, decimal: str) -> float:
    """One number, with thousands marks or a currency sign; NaN where it is none.

    >>> number("1,250.5", "."), number("€12,5", ","), number("1,2", ".")
    (1250.5, 12.5, nan)
    """
    bare = re.sub("[$€£¥₹]", "", text, count=1).strip()
    sign, digits = ("-", bare[1:]) if bare[:1] == "-" else ("", bare.removeprefix("+"))
    if (groups := _GROUPS[decimal].fullmatch(digits)) and digits[0] != "0":
        digits = digits.replace(groups[1], "")
    if not re.fullmatch(rf"\d+(?:{re.escape(decimal)}\d*)?|{re.escape(decimal)}\d+", digits):
        return float("nan")
    value = float(sign + digits.replace(decimal, "."))
    return value if abs(value) <= LARGEST_WHOLE else float("nan")


def decimal_of(numbers: list[str], *, grouped: bool = False) -> str:
    """The decimal mark that these numbers show; a point where they show none.

    ``grouped``: where both fit, marks in front of three digits part thousands.

    >>> decimal_of(["0,5", "12"]), decimal_of(["1,000", "20"]), decimal_of(["0.1"])
    (',', '.', '.')
    """
    point, comma = (
        (
            sum(number(text, mark) == number(text, mark) for text in numbers),
            grouped and sum(bool(_GROUPS[mark].fullmatch(text)) for text in numbers),
        )
        for mark in (".", ",")
    )
    return "," if comma > point else "."


def stated(name: str, given: Any, words: tuple[str, ...]) -> Any:
    """One of the words, or a finite number."""
    if isinstance(given, str):
        if given not in words:
            raise ParameterError(
                name, given, f"must be {' or '.join(map(repr, words))} or a number"
            )
        return given
    return Parameter(name, lower=-1e15, upper=1e15).check(given)
