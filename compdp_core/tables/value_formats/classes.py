"""Classes of numbers, some with an open end: ``10-19``, ``5 to 9``, ``65+``, ``under 5``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from compdp_core.tables.spelled import plainly
from compdp_core.tables.units import is_unit
from compdp_core.tables.value_formats.ruled import (
    NUMBER,
    RuledNumbers,
    decimal_of,
    number,
    stated,
)
from compdp_core.validation import one_of

_TO = r"-|–|—|‒|‐|‑|\.\.+|…|~|～|〜|to|through|until|bis|à|a|al|do|tot|till|до|至"
_BELOW = (
    r"<=?|=<|≤|under|below|less than|fewer than|younger than|up to|at most|"
    r"unter|bis|bis zu|weniger als|höchstens|moins de|jusqu'à|menos de|hasta|meno di|fino a"
)
_ABOVE = (
    r">=?|=>|≥|over|above|more than|older than|at least|from|"
    r"über|ab|mehr als|mindestens|plus de|à partir de|más de|desde|più di|oltre"
)
_LESS = (
    r"or less|or fewer|or under|or younger|or below|and under|and younger|and below|and less|"
    r"und weniger|und jünger|oder weniger|oder jünger|et moins|ou moins|y menos|o menos|e meno"
)
_MORE = (
    r"\+|plus|or more|or over|or older|or above|and over|and older|and above|and more|and up|"
    r"und mehr|und älter|oder mehr|oder älter|et plus|ou plus|y más|o más|e più|o più"
)
_UNIT = r"(?: ?(?P<unit>[^\W\d]+\.?|[$€£¥₹%]))?"
_FIRST, _SECOND = rf"(?P<low>{NUMBER})", rf"(?P<high>{NUMBER})"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_FIRST}(?: (?P<unit1>[^\W\d]+))? ?(?:{_TO}) ?{_SECOND}{_UNIT}",
        rf"(?:between|zwischen|entre|from|von|de|between the ages of) {_FIRST} "
        rf"(?:and|und|et|y|to|bis|à|a) {_SECOND}{_UNIT}",
        rf"[\[\](]{_FIRST} ?[,;] ?{_SECOND}[\])\[]",
        rf"[\[\](]{_FIRST} ?[,;] ?\+?(?:inf|infinity|∞)[\])\[]",
        rf"[\[\](]-(?:inf|infinity|∞) ?[,;] ?{_SECOND}[\])\[]",
        rf"(?:{_BELOW}) ?{_SECOND}{_UNIT}",
        rf"(?:{_ABOVE}) ?{_FIRST}{_UNIT}",
        rf"{_SECOND}{_UNIT} (?:{_LESS})",
        rf"{_FIRST}{_UNIT} ?(?:{_MORE})(?: (?P<unit2>[^\W\d]+))?",
    )
)
_end = partial(stated, words=("limit",))


@dataclass(frozen=True)
class Classes(RuledNumbers):
    """Classes taken for their middle; one with an open end for its limit or a stated number.

    >>> [Classes(above=80).value(text) for text in ("10-19", "under 5", "65+", "7", "7a")]
    [14.5, 5.0, 80.0, 7.0, nan]
    """

    name: ClassVar[str] = "classes"

    below: str | float = field(default="limit", metadata={"read": partial(_end, "below")})
    """What ``under 5`` counts as: the ``limit``, or a number."""
    above: str | float = field(default="limit", metadata={"read": partial(_end, "above")})
    """What ``65+`` counts as: the ``limit``, or a number."""
    decimal: str = "."

    def __post_init__(self) -> None:
        object.__setattr__(self, "below", _end("below", self.below))
        object.__setattr__(self, "above", _end("above", self.above))
        one_of("decimal", self.decimal, (".", ","))

    @property
    def label(self) -> str:
        """The rule in words."""
        middle, low, high = (self.text(self.ruled(t)) for t in ("10-19", "under 5", "65+"))
        return (
            f"classes, where 10-19 counts as {middle}, its middle, under 5 as {low} and 65+ as "
            f"{high}"
        )

    def ruled(self, text: str) -> float:
        """The number that a class counts as."""
        ends = _ends(text)
        if ends is None:
            return float("nan")
        low, high = (number(end, self.decimal) if end else None for end in ends)
        if low is None:
            return _of(self.below, high)
        if high is None:
            return _of(self.above, low)
        return (low + high) / 2 if low < high else float("nan")


def suggest(texts: Iterable[str]) -> Classes | None:
    """The format of a column whose (filled) cells are all classes and numbers, or None.

    >>> suggest(["under 5", "5 to 9", "10-19", "65+"])
    Classes(below='limit', above='limit', decimal='.')
    >>> suggest(["3", "5"]), suggest(["3-1", "2-2"]), suggest(["<5", "12"])
    (None, None, None)
    """
    plain = {" ".join(plainly(text).split()) for text in texts if text.strip()}
    found = {text: _ends(text) for text in plain}
    if not any(ends and not text.startswith(("<", ">", "≤", "≥")) for text, ends in found.items()):
        return None
    bare = [end for text, ends in found.items() for end in ends or (text,) if end]
    form = Classes(decimal=decimal_of(bare, grouped=True))
    return form if all(abs(form.value(text)) < float("inf") for text in plain) else None


def _of(rule: str | float, limit: float | None) -> float:
    """What an open class counts as; NaN where its limit is no number."""
    if limit is None or limit != limit:
        return float("nan")
    return limit if isinstance(rule, str) else float(rule)


def _ends(text: str) -> tuple[str, str] | None:
    """Lower and upper end of a class as they are written, empty where open."""
    for form in _FORMS:
        if (found := form.fullmatch(text)) is not None:
            said = found.groupdict()
            units = [said[key] for key in ("unit", "unit1", "unit2") if said.get(key)]
            if all(map(is_unit, units)):
                return said.get("low") or "", said.get("high") or ""
    return None
