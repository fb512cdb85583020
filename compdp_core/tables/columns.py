"""What is known about each column: its name, whether it holds numbers, and why not."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from compdp_core.tables.affix import Affix, Mixture, suggest
from compdp_core.tables.classify import MISSING, CellReading, Tallies, blocks, scan
from compdp_core.tables.column import Cell, Column
from compdp_core.tables.decimal_marks import Mark, Votes
from compdp_core.tables.errors import short
from compdp_core.tables.index import Index
from compdp_core.tables.joiners import joins
from compdp_core.tables.number_parsing import BLANK, INFINITE, NUMBER, TEXT, Floats
from compdp_core.tables.value_formats import ValueFormat, classes, limits

_ID_NAME = re.compile(
    r"(?<![a-z])(id|ids|uid|guid|nr|no|num|number|key|code|zip|plz|postcode|phone|tel|index|idx)"
    r"(?![a-z])|(?<=[a-z])I[Dd]\b"
)
_STEP = 1 << 17
_LONGEST_LABEL = 200


def labels(headers: Sequence[str], count: int, *, named: bool) -> list[str]:
    """Names to show: ``score (column 3)`` where the header is blank or not the only one.

    >>> labels(["id", "score", "score", ""], 4, named=True)
    ['id', 'score (column 2)', 'score (column 3)', '(column 4)']
    """
    if not named:
        return [f"column {i + 1}" for i in range(count)]
    shown = [_visible(headers[i]) if i < len(headers) else "" for i in range(count)]
    shown = [short(name, _LONGEST_LABEL) for name in shown]
    times = Counter(shown)
    result = []
    for i, name in enumerate(shown):
        label = name if name and times[name] == 1 else f"{name} (column {i + 1})".strip()
        # A header may itself read "score (column 3)".
        while label != name and label in times:
            label += "′"
        result.append(label)
    return result


def _visible(text: str) -> str:
    kept = [c for i, c in enumerate(text) if unicodedata.category(c) != "Cf" or joins(text, i)]
    spaced = (" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in kept)
    return " ".join("".join(spaced).split())


def profile(
    index: Index,
    reading: CellReading,
    names: Sequence[tuple[str, str]],
    positions: Sequence[int],
    affix: Affix | None = None,
    marks: Sequence[Mark] | None = None,
) -> tuple[Column, ...]:
    """Profile the columns at ``positions``; ``names`` are (header, label) of each of them.

    ``marks``: the decimal mark of each, that of the reading where left out.
    """
    marks = marks or [Mark(reading.decimal)] * len(positions)
    return tuple(column for column, _ in _profiles(index, reading, names, positions, affix, marks))


def _profiles(
    index: Index,
    reading: CellReading,
    names: Sequence[tuple[str, str]],
    positions: Sequence[int],
    affix: Affix | None,
    marks: Sequence[Mark],
) -> list[tuple[Column, list[str]]]:
    """The columns, each with some of the cells that are no numbers."""
    found: dict[int, tuple[Column, list[str]]] = {}
    for mark in dict.fromkeys(each.decimal for each in marks):
        at = [i for i, each in enumerate(marks) if each.decimal == mark]
        same = reading.with_decimal(mark)
        tallies = scan(index, np.array([positions[i] for i in at], dtype=np.intp), same, affix)
        for k, i in enumerate(at):
            column = _column(index, same, tallies, k, positions[i], names[i], affix)
            if marks[i].in_doubt:
                column = replace(column, doubt=_open(index, same, column))
            found[i] = column, tallies.samples[k]
    return [found[i] for i in range(len(positions))]


def profile_by_votes(
    index: Index,
    reading: CellReading,
    names: Sequence[tuple[str, str]],
    votes: Sequence[Votes],
    separator: str,
) -> tuple[Column, ...]:
    """Profile all columns, each with the decimal mark that its own cells speak for.

    ``votes``: those of a sample of the cells; where others are no numbers they are heard, too.
    """

    def mark(said: Votes) -> Mark:
        own = said.decided(separator) or Mark(reading.decimal)
        return Mark(reading.decimal, True) if own.in_doubt and sure else own

    sure = any(found and not found.in_doubt for found in (v.decided(separator) for v in votes))
    marks = [mark(said) for said in votes]
    found = _profiles(index, reading, names, range(len(names)), None, marks)
    columns = [column for column, _ in found]
    for i, (column, odd) in enumerate(found):
        if column.texts and (again := mark(votes[i].with_more(odd))) != marks[i]:
            (columns[i],) = profile(index, reading, names[i : i + 1], [i], marks=[again])
    return tuple(columns)


def _open(index: Index, reading: CellReading, column: Column) -> Cell | None:
    """The first number that fits either mark; None where another one fits one mark alone."""
    affix = column.stripped or (column.affix if isinstance(column.affix, Affix) else None)
    first: Cell | None = None
    for block in blocks(index, np.array([column.position]), reading, affix, exact=False):
        size, decimals = np.abs(block.numerals.value), block.numerals.decimals
        number = block.kinds == NUMBER
        three = (decimals == 3) & (size >= 1) & (size < 1000)
        if (number & (decimals > 0) & ~three).any():
            return None
        grouped = bool(affix and affix.thousands) & (size >= 1000)
        at = np.flatnonzero(number & (three | grouped))
        if first is None and len(at):
            first = _cell(index, reading, block.rows.start + int(at[0]), column.position)
    return first


def _cell(index: Index, reading: CellReading, row: int, position: int) -> Cell:
    return Cell(index.number(row), index.text(row, position).decode(reading.codec, "replace"))


def _column(
    index: Index,
    reading: CellReading,
    tallies: Tallies,
    i: int,
    position: int,
    name: tuple[str, str],
    affix: Affix | None,
) -> Column:
    counts = tallies.counts[:, i].tolist()
    spelled = {"": counts[BLANK]} | dict(
        zip(reading.spellings.texts, tallies.spellings[:, i].tolist(), strict=True)
    )
    offer = affix if affix else _offer(index, reading, tallies, i, position)
    # In a column of text, NA may be Namibia: nothing but a blank is sure to be missing.
    text = counts[TEXT] > 0 and counts[NUMBER] == 0 and not isinstance(offer, Affix)
    if text:
        spelled = {"": counts[BLANK]}

    def example(row: int) -> Cell | None:
        return None if row < 0 else _cell(index, reading, int(row), position)

    script, many = (tallies.zeros[i].most_common(1) or [(0, 0)])[0]
    return Column(
        position=position,
        header=name[0],
        label=name[1],
        rows=index.row_count,
        numbers=counts[NUMBER],
        missing=sum(spelled.values()),
        missing_spellings=tuple((s, count) for s, count in spelled.items() if count),
        non_finite=counts[INFINITE],
        non_finite_example=example(tallies.first[INFINITE, i]),
        texts=counts[TEXT] + (counts[MISSING] if text else 0),
        text_example=example(tallies.first[TEXT, i]),
        whole=bool(tallies.whole[i]) and counts[NUMBER] > 0,
        decimals=int(tallies.decimals[i]),
        constant=bool(tallies.smallest[i] == tallies.largest[i]) and tallies.too_long[i] < 0,
        identifier=_identifier(index, reading, tallies, i, position, name[1], affix),
        too_long=example(tallies.too_long[i]),
        affix=offer,
        stripped=affix,
        decimal=reading.decimal,
        rule=None if isinstance(offer, Affix) else _rule(tallies.samples[i], reading.decimal),
        digits=chr(script) if script and 2 * many > counts[NUMBER] else "0",
    )


def _offer(
    index: Index, reading: CellReading, tallies: Tallies, i: int, position: int
) -> Affix | Mixture | None:
    """The affix that the samples share, if taking it off makes every cell a number."""
    samples, plain = tallies.samples[i], bool(tallies.counts[NUMBER, i])
    found = suggest(samples, reading.decimal, plain=plain) if samples else None
    if not isinstance(found, Affix):
        return found
    rest = scan(index, np.array([position]), reading, found)
    if not rest.counts[TEXT, 0]:
        return found
    samples += rest.samples[0]
    again = suggest(samples, reading.decimal, plain=plain)
    return again if isinstance(again, Mixture) else None


def _rule(samples: list[str], decimal: str) -> ValueFormat | None:
    """The rule by which all these cells can be taken for numbers of that decimal mark."""
    found = limits.suggest(samples) or classes.suggest(samples)
    if found is None:
        return None
    own = replace(found, decimal=decimal)
    return own if all(np.isfinite(own.value(text)) for text in samples) else found


def _identifier(
    index: Index,
    reading: CellReading,
    tallies: Tallies,
    i: int,
    position: int,
    label: str,
    affix: Affix | None,
) -> str:
    counts = tallies.counts[:, i]
    if counts[TEXT] or not counts[NUMBER] or not tallies.whole[i] or tallies.decimals[i]:
        return ""
    if tallies.padded[i]:
        return "numbers with leading zeros"
    if tallies.too_long[i] >= 0:
        return "whole numbers of more than 15 digits"
    low, high = float(tallies.smallest[i]), float(tallies.largest[i])
    dated = low >= 1.9e7 and high < 2.2e13
    counter = low in (0, 1) and high - low + 1 == counts[NUMBER] >= (3 if position == 0 else 20)
    named = _ID_NAME.search(label) is not None or _ID_NAME.search(label.lower()) is not None
    if not (dated or counter or named):
        return ""
    # Half the memory where whole numbers are near each other; dates are looked at digit by digit.
    near = high - low < 2**32 and not dated
    numbers = np.empty(counts[NUMBER], dtype=np.uint32 if near else np.float64)
    filled = 0
    for block in blocks(index, np.array([position]), reading, affix, exact=False):
        found = block.numerals.value[block.kinds == NUMBER]
        numbers[filled : filled + len(found)] = found - low if near else found
        filled += len(found)
    parts = [numbers[i : i + _STEP + 1] for i in range(0, len(numbers), _STEP)]
    if dated and _all_dates(parts):
        return "dates written as numbers"
    if counter and all(bool((part[1:] > part[:-1]).all()) for part in parts):
        return "numbers that count the rows"
    if named and len(numbers) > 1:
        numbers.sort()
        if all(bool((part[1:] > part[:-1]).all()) for part in parts):
            return "every number is different and the name says so"
    return ""


def _all_dates(parts: list[Floats]) -> bool:
    """YYYYMMDD, alone or followed by hours and minutes, or by seconds too."""
    return any(all(_dates(part // behind) for part in parts) for behind in (1, 10**4, 10**6))


def _dates(days: Floats) -> bool:
    month, day = days // 100 % 100, days % 100
    fits = (days >= 19000101) & (days <= 21991231)
    fits &= (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    return bool(fits.all())
