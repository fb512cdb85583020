"""Patterns of dates and clocks as parts, read from and written into many cells at once.

A pattern is one of ``strftime``: ``%Y`` (four digits), ``%y`` (two), ``%m``, ``%d``, ``%B`` and
``%b`` (names of months, in full or short), ``%H``, ``%I`` (with ``%p``), ``%M``, ``%S``, ``%f``
(a fraction of six digits, ``%3f`` of three, behind its mark). ``%-d`` is written without a zero in
front, ``%^b`` in capitals, ``%P`` is am or pm and ``%.P`` a.m. or p.m.; ``%%`` is a percent sign.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.tables.number_parsing import Mask
from compdp_core.tables.value_formats.base import Steps, Texts
from compdp_core.tables.value_formats.marks import Cursor, Marks
from compdp_core.tables.value_formats.months import names_of, spellings

LONGEST_PATTERN = 60
LEAD_DIGITS = 15
"""Digits of a part that is as large as it likes, at most."""

_PART = re.compile(r"%([-^.1-9]?)([A-Za-z%])|([^%]+)")
_FLAGS = {"-": "mdHIMS", "^": "Bb", ".": "P", **dict.fromkeys("123456789", "f")}
_DIGITS = "YymdHIMS"
_HALVES = {"p": ("AM", "PM"), "P": ("am", "pm"), ".P": ("a.m.", "p.m.")}
_HALF_SPELLINGS = (("am", "AM", "a.m.", "A.M.", "Am"), ("pm", "PM", "p.m.", "P.M.", "Pm"))

Fields = Mapping[str, Steps]
"""Numbers by the letter of their part; ``y`` as ``Y``, ``B`` and ``b`` as ``m``, ``I`` as ``H``."""

_SAME = {"B": "m", "b": "m", "y": "Y", "P": "p", "I": "H"}


@dataclass(frozen=True)
class Part:
    """A part of a pattern: a letter of ``strftime``, or a text between."""

    letter: str
    flag: str = ""
    text: str = ""
    """Of a fraction the mark in front of it."""
    close: bool = False
    """Whether digits of another part stand right beside it, so that it has to be in full."""

    @property
    def field(self) -> str:
        """The letter of the number it holds."""
        return _SAME.get(self.letter, self.letter)

    @property
    def places(self) -> int:
        """Digits of a fraction."""
        return int(self.flag or 6)


@lru_cache(maxsize=256)
def parts_of(pattern: object, letters: str) -> tuple[Part, ...]:
    """The parts of a pattern of these letters; :class:`ParameterError` where it makes no sense."""
    if not isinstance(pattern, str) or not 0 < len(pattern) <= LONGEST_PATTERN:
        raise _refusal(pattern, f"must be a text of at most {LONGEST_PATTERN} characters")
    found, end = list[Part](), 0
    for match in _PART.finditer(pattern):
        if match.start() != end:
            break
        end = match.end()
        flag, letter, text = match[1] or "", match[2] or "", match[3] or ""
        if letter == "%":
            letter, text = "", "%"
        elif letter and (letter not in letters or letter not in _FLAGS.get(flag, letter)):
            raise _refusal(pattern, f"must be made of %{', %'.join(letters)} and texts between")
        if letter == "f":
            text = _take_mark(found, pattern)
        if not letter and found and not found[-1].letter:
            text = found.pop().text + text
        found.append(Part(letter, flag, text))
    if end != len(pattern):
        raise _refusal(pattern, "must have a letter behind each %")
    _check(pattern, found)
    return tuple(
        Part(part.letter, part.flag, part.text, _is_close(found, i)) for i, part in enumerate(found)
    )


def _take_mark(found: list[Part], pattern: str) -> str:
    """The decimal mark in front of a fraction, taken off the text that ends with it."""
    text = found[-1].text if found else ""
    if not text.endswith((".", ",")):
        raise _refusal(pattern, "must have a decimal mark in front of %f, as in %S.%3f")
    found.pop()
    if text[:-1]:
        found.append(Part("", "", text[:-1]))
    if not found or found[-1].letter != "S":
        raise _refusal(pattern, "must have %f behind the seconds, as in %S.%3f")
    return text[-1]


def _check(pattern: str, parts: list[Part]) -> None:
    fields = [part.field for part in parts if part.letter]
    if not fields or len(set(fields)) < len(fields):
        raise _refusal(pattern, "must have every part once")
    text = "".join(part.text for part in parts)
    if not text.isprintable() or pattern[0] in "=+@-#\"' " or pattern[-1] == " ":
        raise _refusal(pattern, "must not begin with = + - @ #, a quote or a space")


def _is_close(parts: list[Part], place: int) -> bool:
    def digits(at: int, end: int) -> bool:
        if not 0 <= at < len(parts):
            return False
        part = parts[at]
        return part.letter in _DIGITS if part.letter else part.text[end].isdecimal()

    letter = parts[place].letter or "%"
    if letter == "f":  # its mark is in front
        return digits(place + 1, 0)
    return letter in _DIGITS and (digits(place - 1, -1) or digits(place + 1, 0))


def _refusal(pattern: object, requirement: str) -> ParameterError:
    return ParameterError("pattern", pattern, requirement)


def read_parts(
    parts: tuple[Part, ...], cells: Texts, codec: str, language: str = "en", lead: str = ""
) -> tuple[dict[str, Steps], Mask, Mask]:
    """The numbers of cells by field, which cells are written so, and which have a minus in front.

    ``lead``: the field that is as large as it likes and has a sign.
    """
    cursor = Cursor(cells)
    found: dict[str, Steps] = {}
    minus = cursor.sign() if lead else np.zeros(len(cells), dtype=np.bool_)
    for part in parts:
        letter = part.letter
        if not letter:
            cursor.text(next(iter(encoded({part.text}, codec)), b"\0"))
            if [*found] == ["d"] == [lead]:  # days below 0, and what is added to them
                cursor.skip(ord("+"))
        elif letter in "Bb":
            names = names_of(letter, language)
            found["m"] = cursor.word([encoded(spellings(name), codec) for name in names]) + 1
        elif letter in "pP":
            found["p"] = cursor.word([encoded(set(each), codec) for each in _HALF_SPELLINGS])
        elif letter == "f":
            found["f"] = cursor.fraction(ord(part.text), min(part.places, 3))
        elif part.field == lead:
            found[lead] = cursor.digits(1, LEAD_DIGITS)
        elif letter == "Y":
            found["Y"] = cursor.digits(4, 4)
        else:
            full = part.close or letter in "yMS"
            found[part.field] = cursor.digits(2 if full else 1, 2)
    return found, cursor.ended(), minus


def write_parts(
    parts: tuple[Part, ...],
    fields: Fields,
    codec: str,
    language: str = "en",
    lead: str = "",
    minus: Mask | None = None,
) -> Texts:
    """Cells of these numbers. ``lead`` as in :func:`read_parts`; ``minus``: which have a sign."""
    marks = Marks(len(next(iter(fields.values()))))
    if minus is not None and minus.any():
        marks.text(b"-", minus)
    for part in parts:
        letter = part.letter
        if not letter:
            marks.text(part.text.encode(codec))
            if minus is not None and lead == "d" and part is parts[1]:
                marks.text(b"+", minus)
        elif letter in "Bb":
            names = names_of(letter, language, capitals=part.flag == "^")
            marks.word(fields["m"] - 1, [name.encode(codec) for name in names])
        elif letter in "pP":
            halves = _HALVES[part.flag + letter]
            marks.word(fields["p"], [half.encode(codec) for half in halves])
        elif letter == "f":
            shown = min(part.places, 3)
            marks.text(part.text.encode())
            marks.number(fields["f"], shown, shown)
            marks.text(b"0" * (part.places - shown))
        elif part.field == lead:
            marks.number(fields[lead], 1 if part.flag == "-" else 2, LEAD_DIGITS + 4)
        elif letter == "Y":
            marks.number(fields["Y"], 4, 4)
        else:
            marks.number(fields[part.field] % 100, 1 if part.flag == "-" else 2, 2)
    return marks.cells()


def encoded(texts: set[str], codec: str) -> set[bytes]:
    """The bytes of texts; none of one that the encoding does not hold."""
    found = set()
    for text in texts:
        try:
            found.add(text.encode(codec))
        except UnicodeEncodeError:
            continue
    return found
