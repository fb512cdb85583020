"""Symbols around numbers, such as ``$1,234.50``, ``12 %`` or ``172 cm``: seen, offered, taken off.

Nothing is taken off by itself: the profile of a column offers its one common affix, and the user
says yes. Two units in one column are refused, because taking them off would mix metres with
centimetres.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from compdp_core.tables.number_parsing import PAD, Bytes, Mask, Places
from compdp_core.tables.spelled import plainly
from compdp_core.tables.units import CURRENCIES, is_power, is_unit
from compdp_core.validation import flag, text

_GROUP_MARKS = {".": ",'’ \u00a0\u202f\u2009", ",": ".'’ \u00a0\u202f\u2009"}
SPACES = " \t\u00a0\u202f\u2009"
PREFIX = rf"(?:[A-Z]{{1,3}}\$|[$€£¥₹₽₩₺₫฿¢]|{CURRENCIES.replace(' ', '|')}|Rs\.?|kr\.?|Fr\.?)"
SUFFIX = r"(?:[%‰°$€£¥₹₽₩₺₫฿¢µμΩ\"']|[^\W\d_])(?:[^\s\d,;:()]|[²³23](?!\d)){0,7}"


_MOST_UNITS = 6


@dataclass(frozen=True)
class Affix:
    """What surrounds the numbers of a column, in the spelling of its cells."""

    prefix: str = ""
    suffix: str = ""
    thousands: str = ""
    """Mark between groups of three digits."""
    parentheses: bool = False
    """(35.00) means -35."""
    minus_behind: bool = False
    """35.00- means -35."""

    def __post_init__(self) -> None:
        for name in ("prefix", "suffix", "thousands"):
            text(name, getattr(self, name))
        flag("parentheses", self.parentheses)
        flag("minus_behind", self.minus_behind)

    def __str__(self) -> str:
        parts = []
        if self.prefix:
            parts.append(f"the symbol {self.prefix} in front")
        if self.suffix:
            parts.append(f"the symbol or unit {self.suffix} behind")
        if self.thousands:
            mark = self.thousands if self.thousands.strip() else "space"
            parts.append(f"the thousands mark {mark}")
        if self.parentheses:
            parts.append("parentheses for negative numbers")
        if self.minus_behind:
            parts.append("the minus sign behind negative numbers")
        return " and ".join(parts)


@dataclass(frozen=True)
class Mixture:
    """Two affixes that cannot be meant by one: ``one`` and ``other`` are cells as examples."""

    one: str = field(repr=False)
    other: str = field(repr=False)


def suggest(cells: Sequence[str], decimal: str, *, plain: bool = False) -> Affix | Mixture | None:
    """The one affix of these (trimmed, not plainly numeric) cells, or why there is none.

    Letters that are no known unit count as one only where every cell carries them: ``plain`` says
    that there are plain numbers, too. Otherwise the cells are text, as the classes 7a and 8b are.

    >>> print(suggest(["$1,234.50", "$987.00"], "."))
    the symbol $ in front and the thousands mark ,
    >>> suggest(["172 cm", "1.68 m"], ".")
    Mixture()
    >>> suggest(["7a", "8b"], "."), suggest(["7a"], ".", plain=True)
    (None, None)
    """
    found = _around(cells, decimal)
    if found is None:
        return None
    symbols, marks, parentheses, behind = found
    suffixes = {suffix for _, suffix in symbols if suffix}
    if len(symbols) > 1 and not all(is_unit(s) or is_power(s) for s in suffixes):
        return None
    if plain and not all(map(is_unit, suffixes)):
        return None
    for examples in (list(symbols.values()), list(marks.values())):
        if len(examples) > _MOST_UNITS:
            return None
        if len(examples) > 1:
            return Mixture(examples[0], examples[1])
    prefix, suffix = next(iter(symbols), ("", ""))
    affix = Affix(prefix, suffix, next(iter(marks), ""), parentheses, behind)
    return None if affix == Affix() else affix


def _around(
    cells: Sequence[str], decimal: str
) -> tuple[dict[tuple[str, str], str], dict[str, str], bool, bool] | None:
    """Prefixes with suffixes and thousands marks, each with the first cell that has it, and
    whether there are parentheses, or a minus behind; None if a cell is no number with something
    around it.
    """
    pattern = _pattern(decimal)
    symbols: dict[tuple[str, str], str] = {}
    marks: dict[str, str] = {}
    parentheses = behind = False
    for cell in map(plainly, cells):
        found = pattern.fullmatch(cell)
        if found is None or bool(found["open"]) != bool(found["close"]):
            return None
        if bool(found["open"]) + bool(found["sign"] or found["inner"]) + bool(found["behind"]) > 1:
            return None
        behind |= bool(found["behind"])
        parentheses |= bool(found["open"])
        if found["prefix"] or found["suffix"]:
            symbols.setdefault((found["prefix"] or "", found["suffix"] or ""), cell)
        if mark := found["thousands"] or (found["indian"] if decimal == "." else ""):
            marks.setdefault(mark, cell)
        elif found["indian"]:
            return None
    return symbols, marks, parentheses, behind


def _pattern(decimal: str) -> re.Pattern[str]:
    mark = re.escape(decimal)
    groups = "[" + re.escape(_GROUP_MARKS[decimal]) + "]"
    return re.compile(
        rf"(?P<open>\()?(?P<sign>[+-])?(?P<prefix>{PREFIX})?[{SPACES}]*(?P<inner>[+-])?"
        rf"(?:(?=[1-9])(?:\d{{1,3}}(?P<thousands>{groups})\d{{3}}(?:(?P=thousands)\d{{3}})*"
        rf"|\d{{1,2}}(?P<indian>,)(?:\d\d,)+\d{{3}})(?:{mark}\d*)?"
        rf"|\d+(?:{mark}\d*)?|{mark}\d+)(?P<behind>-)?"
        rf"[{SPACES}]*(?P<suffix>{SUFFIX})?(?P<close>\))?"
    )


def strip(
    block: Bytes, starts: Places, stops: Places, affix: Affix, decimal: str, codec: str
) -> tuple[Bytes, Places, Places, Mask, Mask]:
    """Take the affix off all cells at once.

    Returns a padded block with its starts and stops, which cells are negative, and which cells may
    be numbers now (no second sign, thousands in groups of three); ``numerals.parse`` of the result
    decides. Cells without the affix stay as they are.
    """
    begin, end = starts.copy(), stops.copy()
    encoded = {space: space.encode(codec, "ignore") for space in SPACES}
    spaces = [typed for typed in encoded.values() if typed]

    def first(byte: str) -> Mask:
        found: Mask = (block[begin] == ord(byte)) & (begin < end)
        return found

    closed = np.zeros(len(begin), dtype=np.bool_)
    if affix.parentheses:
        closed = first("(") & (block[end - 1] == ord(")")) & (end - begin > 2)
        begin += closed
        end -= closed
    minus = first("-")
    signed = minus | first("+")
    begin += signed
    fine = ~(closed & signed)
    if affix.prefix:
        begin += _starts_with(block, begin, end, _typed(affix.prefix, codec))
        begin += _spaces(block, begin, end, spaces, behind=False)
        again = first("-")
        twice = again | first("+")
        begin += twice
        fine &= ~(twice & (signed | closed))
        minus |= again
    if affix.suffix:
        end -= _ends_with(block, begin, end, _typed(affix.suffix, codec))
        end -= _spaces(block, begin, end, spaces, behind=True)
    if affix.minus_behind:
        again = (block[end - 1] == ord("-")) & (end - begin > 1)
        fine &= ~(again & (signed | closed | minus))
        end -= again
        minus |= again
    lead = block[begin]
    fine &= ((lead - np.uint8(48)) < 10) | (lead == ord(decimal))
    fine &= begin < end
    if mark := _typed(affix.thousands, codec):
        block, begin, end, grouped = _ungroup(block, begin, end, mark, ord(decimal))
        fine &= grouped
    return block, begin, end, minus | closed, fine


def _typed(symbol: str, codec: str) -> bytes:
    """The bytes of a symbol; none where the encoding does not have it, so that no cell does."""
    try:
        return symbol.encode(codec)
    except UnicodeEncodeError:
        return b""


def _starts_with(block: Bytes, begin: Places, end: Places, typed: bytes) -> Places:
    same = end - begin >= len(typed)
    for i, byte in enumerate(typed):
        same &= block[np.where(same, begin + i, 0)] == byte
    return same * len(typed)


def _ends_with(block: Bytes, begin: Places, end: Places, typed: bytes) -> Places:
    return _starts_with(block, np.maximum(end - len(typed), begin), end, typed)


def _spaces(
    block: Bytes, begin: Places, end: Places, spaces: list[bytes], *, behind: bool
) -> Places:
    """How many bytes of spaces the cells begin with, or end with, four spaces at most."""
    found = np.zeros_like(begin)
    for _ in range(4):
        first, last = (begin, end - found) if behind else (begin + found, end)
        look = _ends_with if behind else _starts_with
        more = np.maximum.reduce([look(block, first, last, space) for space in spaces])
        if not more.any():
            break
        found += more
    return found


def _ungroup(
    block: Bytes, begin: Places, end: Places, mark: bytes, decimal: int
) -> tuple[Bytes, Places, Places, Mask]:
    """Delete the thousands marks of each cell, after checking that they part groups of three."""
    width = len(mark)
    found = block[: len(block) - width + 1] == mark[0]
    for i, byte in enumerate(mark[1:], 1):
        found &= block[i : len(block) - width + 1 + i] == byte
    # Only marks inside the cells count: the block holds the other columns, too.
    inside = np.zeros(len(block) + 1, dtype=np.int32)
    np.add.at(inside, begin, 1)
    np.add.at(inside, np.maximum(end, begin), -1)
    at = np.flatnonzero(found & (np.cumsum(inside)[: len(found)] > 0))
    order = np.argsort(begin, kind="stable")
    owner = order[np.searchsorted(begin[order], at, side="right") - 1]
    first = np.append(True, owner[1:] != owner[:-1])[: len(at)]
    last = np.append(owner[1:] != owner[:-1], True)[: len(at)]
    marks = np.flatnonzero(block == decimal)
    position = np.searchsorted(marks, begin)
    point = np.append(marks, len(block))[position]
    whole_end = np.minimum(point, end)
    before = at - np.where(first, begin[owner], np.roll(at, 1) + width)
    after = np.where(last, whole_end[owner], np.roll(at, -1)) - (at + width)
    # Groups of three, or as in India of two in front of the last; a zero begins no number of them.
    lone = first & last
    leads = np.where(first, block[begin[owner]] != ord("0"), True) & (before > 0)
    three = leads & (after == 3) & np.where(first, before <= 3, before == 3)
    two = leads & (before <= 2) & np.where(first, True, before == 2) & ~lone
    two &= (after == np.where(last, 3, 2)) & (mark == b",") & (decimal == ord("."))
    fine, western = (np.ones(len(begin), dtype=np.bool_) for _ in range(2))
    western[owner[~three]] = False
    fine[owner[~two]] = False
    fine |= western
    keep = np.ones(len(block), dtype=np.bool_)
    for i in range(width):
        keep[at + i] = False
    moved = np.concatenate([[0], np.cumsum(keep)])
    squeezed = np.concatenate([block[keep], np.zeros(PAD, dtype=np.uint8)])
    return squeezed, moved[begin], moved[end], fine
