"""Numbers beyond a limit of measurement: ``<5`` is some number below 5, ``>100`` one above 100."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from compdp_core.tables.spelled import plainly
from compdp_core.tables.value_formats.ruled import (
    NUMBER,
    RuledNumbers,
    decimal_of,
    number,
    stated,
)
from compdp_core.validation import one_of

_LIMIT = re.compile(rf"(?P<sign><=?|=<|≤|⩽|＜|>=?|=>|≥|⩾|＞) ?(?P<number>{NUMBER})")
_below = partial(stated, "below", words=("limit", "half"))
_above = partial(stated, "above", words=("limit",))


@dataclass(frozen=True)
class Limits(RuledNumbers):
    """Numbers, and limits taken for numbers: themselves, half of a lower one, or a stated number.

    >>> [Limits(below="half").value(text) for text in ("<5", "12", ">100", "abc")]
    [2.5, 12.0, 100.0, nan]
    """

    name: ClassVar[str] = "limits"

    below: str | float = field(default="limit", metadata={"read": _below})
    """What ``<5`` counts as: the ``limit``, ``half`` of it, or a number."""
    above: str | float = field(default="limit", metadata={"read": _above})
    """What ``>100`` counts as: the ``limit``, or a number."""
    decimal: str = "."

    def __post_init__(self) -> None:
        object.__setattr__(self, "below", _below(self.below))
        object.__setattr__(self, "above", _above(self.above))
        one_of("decimal", self.decimal, (".", ","))

    @property
    def label(self) -> str:
        """The rule in words."""
        low, high = self.text(self.ruled("<5")), self.text(self.ruled(">100"))
        half = ", half of the limit," if self.below == "half" else ""
        return f"numbers, where <5 counts as {low}{half} and >100 as {high}"

    def ruled(self, text: str) -> float:
        """The number that a limit counts as."""
        found = _LIMIT.fullmatch(text)
        if found is None:
            return float("nan")
        limit = number(found["number"], self.decimal)
        rule = self.above if set(found["sign"]) & set(">≥⩾＞") else self.below
        if limit != limit or isinstance(rule, float):
            return limit if limit != limit else float(rule)
        return limit / 2 if rule == "half" else limit


def suggest(texts: Iterable[str]) -> Limits | None:
    """The format of a column whose (filled) cells are all numbers and limits, or None.

    >>> suggest(["<5", "12", ">100", "8.5"])
    Limits(below='limit', above='limit', decimal='.')
    >>> suggest(["12", "8.5"]), suggest(["<5", "a"])
    (None, None)
    """
    plain = [" ".join(plainly(text).split()) for text in texts if text.strip()]
    found = [_LIMIT.fullmatch(text) for text in plain]
    if not any(found):
        return None
    bare = [limit["number"] if limit else text for limit, text in zip(found, plain, strict=True)]
    form = Limits(decimal=decimal_of(bare))
    return form if all(number(text, form.decimal) < float("inf") for text in bare) else None
