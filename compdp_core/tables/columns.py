"""What is known about each column: its name, whether it holds numbers, and why not."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

import numpy as np

from compdp_core.tables.affix import Affix, Mixture, suggest
from compdp_core.tables.classify import MISSING, Reading, Tallies, blocks, scan
from compdp_core.tables.column import Cell, Column
from compdp_core.tables.errors import short
from compdp_core.tables.index import Index
from compdp_core.tables.joiners import joins
from compdp_core.tables.number_parsing import BLANK, INFINITE, NUMBER, TEXT, Floats

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
    reading: Reading,
    names: Sequence[tuple[str, str]],
    positions: Sequence[int],
    affix: Affix | None = None,
) -> tuple[Column, ...]:
    """Profile the columns at ``positions``; ``names`` are (header, label) of each of them."""
    places = np.array(positions, dtype=np.intp)
    tallies = scan(index, places, reading, affix)
    return tuple(
        _column(index, reading, tallies, i, position, name, affix)
        for i, (position, name) in enumerate(zip(positions, names, strict=True))
    )


def _column(
    index: Index,
    reading: Reading,
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
        if row < 0:
            return None
        return Cell(
            index.number(int(row)), index.text(int(row), position).decode(reading.codec, "replace")
        )

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
    )


def _offer(
    index: Index, reading: Reading, tallies: Tallies, i: int, position: int
) -> Affix | Mixture | None:
    """The affix that the samples share, if taking it off makes every cell a number."""
    samples, plain = tallies.samples[i], bool(tallies.counts[NUMBER, i])
    found = suggest(samples, reading.decimal, plain=plain) if samples else None
    if not isinstance(found, Affix):
        return found
    rest = scan(index, np.array([position]), reading, found)
    if not rest.counts[TEXT, 0]:
        return found
    again = suggest(samples + rest.samples[0], reading.decimal, plain=plain)
    return again if isinstance(again, Mixture) else None


def _identifier(
    index: Index,
    reading: Reading,
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
