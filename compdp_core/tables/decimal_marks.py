"""Which decimal mark the numbers of a column have: each column votes for itself, with its units."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compdp_core.tables.affix import PREFIX, SPACES, SUFFIX
from compdp_core.tables.spelled import plainly

_LONGEST = 60
_NUMBER = re.compile(
    rf"\(?[+-]?(?:{PREFIX})?[{SPACES}]*[+-]?(?P<core>[\d.,](?:[\d.,'’{SPACES}]*\d)?)"
    rf"(?P<power>[eE][+-]?\d{{1,3}})?[{SPACES}]*(?:{SUFFIX})?-?\)?"
)
_SPLIT = re.compile(rf"['’{SPACES}]")
# Groups of three, or as in India of two in front of the last; never begun by a zero.
_GROUPED = {
    mark: re.compile(rf"[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})+"
                     rf"|[1-9]\d?(?:{re.escape(mark)}\d\d)+{re.escape(mark)}\d{{3}}")
    for mark in ".,"
}  # fmt: skip
_LIST = re.compile(r"\d{1,2}(?:,\d{1,2})+")


@dataclass(frozen=True)
class Mark:
    """A decimal mark, and whether the cells leave open which one it is."""

    decimal: str
    in_doubt: bool = False


class Votes:
    """What cells say about the decimal mark of their column."""

    def __init__(self, cells: Iterable[str] = ()) -> None:
        self._sure: Counter[str] = Counter()
        self._groups: Counter[str] = Counter()
        self._lists = 0
        """Cells that may be lists of codes: 1,3 in place of 1.3."""
        self._long_lists = False
        for cell in cells:
            if ("," in cell or "." in cell or not cell.isascii()) and len(cell) <= _LONGEST:
                self._count(plainly(cell.strip()))

    def with_more(self, cells: Iterable[str]) -> Votes:
        """The votes of these cells, too."""
        more, both = Votes(cells), Votes()
        both._sure, both._groups = self._sure + more._sure, self._groups + more._groups
        both._lists = self._lists + more._lists
        both._long_lists = self._long_lists or more._long_lists
        return both

    def decided(self, separator: str) -> Mark | None:
        """The mark; None where no cell has any."""
        comma, point = self._sure[","], self._sure["."]
        if (separator == "," and self._lists == comma) or self._long_lists:
            comma -= self._lists
        if comma or point:
            return Mark("," if comma > point else ".", bool(comma and point))
        if not self._groups:
            return None
        commas, points = self._groups[","], self._groups["."]
        mark = "," if commas and separator == ";" and not points else "."
        return Mark(mark, bool(commas or separator != ","))

    def _count(self, cell: str) -> None:
        found = _NUMBER.fullmatch(cell)
        if found is None:
            return
        core = _SPLIT.sub("", found["core"])
        marks = set(core) & set(".,")
        if len(marks) == 2:
            mark = core[max(core.rfind("."), core.rfind(","))]
            other = "." if mark == "," else ","
            whole, _, rest = core.rpartition(mark)
            if _GROUPED[other].fullmatch(whole) and rest.isdigit():
                self._sure[mark] += 1
        elif marks:
            self._count_one(core, marks.pop(), parted=core != found["core"] or bool(found["power"]))

    def _count_one(self, core: str, mark: str, *, parted: bool) -> None:
        """Of numbers with one kind of mark; ``parted``: it parts no thousands."""
        times = core.count(mark)
        if times == 1 and core[-1] != mark:
            if _GROUPED[mark].fullmatch(core) and not parted:
                self._groups[mark] += 1
                return
            self._sure[mark] += 1
            self._lists += _is_list(core) and not parted
        elif _GROUPED[mark].fullmatch(core):
            self._sure["." if mark == "," else ","] += 1
        elif _LIST.fullmatch(core):
            self._long_lists = True


def _is_list(core: str) -> bool:
    """Two codes in rising order."""
    if not _LIST.fullmatch(core):
        return False
    first, second = core.split(",")
    return int(first) < int(second) and not (first[0] == "0" or second[0] == "0")


def find_decimal(cells: Iterable[str], separator: str) -> tuple[str, bool]:
    """The decimal mark of the numbers among these cells, and whether they leave no doubt.

    ``1,234`` alone may be a thousand or a decimal: a decimal in a table cut at semicolons.

    >>> find_decimal(["52,5", "1.234,5"], ";")
    (',', True)
    >>> find_decimal(["12,500 kg", "0,875 kg"], ";"), find_decimal(["12,500 kg", "8,250 kg"], ";")
    ((',', True), (',', False))
    >>> find_decimal(["1,2", "3", "2,3"], ",")
    ('.', True)
    """
    mark = Votes(cells).decided(separator) or Mark(".")
    return mark.decimal, not mark.in_doubt


def both_readings(text: str) -> dict[str, str] | None:
    """What a number with one kind of mark is with a decimal point and with a decimal comma; None
    where it can be read in one way alone.

    >>> both_readings("12,500 kg"), both_readings("1.250"), both_readings("0,875")
    ({'point': '12500', 'comma': '12.500'}, {'point': '1.250', 'comma': '1250'}, None)
    """
    found = _NUMBER.fullmatch(plainly(text.strip()))
    core = found["core"] if found else ""
    for mark in (".", ","):
        if core.count(mark) == 1 and _GROUPED[mark].fullmatch(core):
            grouped, marked = core.replace(mark, ""), core.replace(mark, ".")
            return {
                "point": marked if mark == "." else grouped,
                "comma": grouped if mark == "." else marked,
            }
    return None


def mark_of_file(marks: Sequence[Mark | None]) -> str:
    """The mark of most columns that are sure of theirs, for those that show none."""
    for doubtful in (False, True):
        votes = Counter(each.decimal for each in marks if each and each.in_doubt is doubtful)
        if votes:
            return "," if votes[","] > votes["."] else "."
    return "."
