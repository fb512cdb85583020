"""One pass over the cells of some columns: what kinds there are, and the numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from compdp_core.tables import affix as affixes
from compdp_core.tables.affix import Affix
from compdp_core.tables.index import Index, trimmed
from compdp_core.tables.missing import Spellings, spellings_of
from compdp_core.tables.number_parsing import (
    BLANK,
    INFINITE,
    LARGEST_WHOLE,
    NUMBER,
    TEXT,
    Bytes,
    Floats,
    Mask,
    Numerals,
    Places,
    parse,
)
from compdp_core.tables.spelled import respelled

MISSING = 4
"""One more kind of cell: a missing spelling."""

_BLOCK_CELLS = 1 << 16
_SAMPLE = 60


@dataclass(frozen=True)
class CellReading:
    """How cells are understood."""

    decimal: str
    codec: str
    spellings: Spellings

    def with_decimal(self, mark: str) -> CellReading:
        """The same with this decimal mark."""
        if mark == self.decimal:
            return self
        return CellReading(
            mark, self.codec, spellings_of(tuple(self.spellings.texts), self.codec, mark)
        )


@dataclass(frozen=True)
class Block:
    """Cells of some rows, one column behind the other."""

    rows: range
    numerals: Numerals
    kinds: Bytes
    spellings: Places
    """Number of the missing spelling, -1 for the others."""


@dataclass(frozen=True, eq=False)
class Tallies:
    """Counts of each column, shape (columns,) unless said otherwise."""

    counts: Places
    """Cells of each kind, shape (5, columns)."""
    spellings: Places
    """Cells of each missing spelling, shape (spellings, columns)."""
    first: Places
    """First row (from 0) with a cell of each kind, shape (5, columns); -1 if there is none."""
    decimals: Places
    whole: Mask
    """All numbers are whole."""
    smallest: Floats
    largest: Floats
    padded: Places
    """Cells such as 007."""
    too_long: Places
    """First row with a whole number beyond 2^53, or -1."""
    samples: list[list[str]]
    """Some of the cells that are text."""
    zeros: list[Counter[int]]
    """How many cells have digits of another script, by its zero."""


def scan(
    index: Index, columns: Places, reading: CellReading, affix: Affix | None = None
) -> Tallies:
    """Look at every cell of the given columns."""
    many = len(columns)
    result = Tallies(
        counts=np.zeros((5, many), dtype=np.intp),
        spellings=np.zeros((len(reading.spellings.texts), many), dtype=np.intp),
        first=np.full((5, many), -1),
        decimals=np.zeros(many, dtype=np.intp),
        whole=np.ones(many, dtype=np.bool_),
        smallest=np.full(many, np.nan),
        largest=np.full(many, np.nan),
        padded=np.zeros(many, dtype=np.intp),
        too_long=np.full(many, -1),
        samples=[[] for _ in range(many)],
        zeros=[Counter() for _ in range(many)],
    )
    for block in blocks(index, columns, reading, affix, exact=False):
        _add(result, block, many)
        _add_samples(result, block, index, columns, reading.codec)
    return result


def blocks(
    index: Index, columns: Places, reading: CellReading, affix: Affix | None, *, exact: bool
) -> Iterator[Block]:
    """The cells of the given columns, some rows at a time."""
    for begin, end in index.steps(_BLOCK_CELLS, len(columns)):
        block, shift = index.block(begin, end)
        starts, stops = (places.ravel() + shift for places in index.bounds(begin, end, columns))
        starts, stops = trimmed(block, *index.unquote(block, starts, stops))
        numerals, kinds, spellings = classify(block, starts, stops, reading, affix, exact=exact)
        yield Block(range(begin, end), numerals, kinds, spellings)


def classify(
    block: Bytes,
    starts: Places,
    stops: Places,
    reading: CellReading,
    affix: Affix | None = None,
    *,
    exact: bool = False,
) -> tuple[Numerals, Bytes, Places]:
    """Kind, number and missing spelling of trimmed cells."""
    numerals = _numerals(block, starts, stops, reading, affix, exact)
    kinds = numerals.kind.copy()
    spellings = np.full(len(starts), -1, dtype=np.intp)
    if reading.spellings.numeric:
        at = np.flatnonzero(kinds != BLANK)
    else:
        at = np.flatnonzero((kinds == TEXT) | (kinds == INFINITE))
    if len(at):
        spellings[at] = reading.spellings.find(block, starts[at], stops[at])
        kinds[spellings >= 0] = MISSING
        _respell(block, starts, stops, reading, affix, exact, numerals, kinds, spellings)
    return numerals, kinds, spellings


def _numerals(
    block: Bytes,
    starts: Places,
    stops: Places,
    reading: CellReading,
    affix: Affix | None,
    exact: bool,
) -> Numerals:
    if affix is None:
        return parse(block, starts, stops, reading.decimal, exact=exact)
    bare, begin, end, negative, fine = affixes.strip(
        block, starts, stops, affix, reading.decimal, reading.codec
    )
    numerals = parse(bare, begin, end, reading.decimal, exact=exact)
    np.negative(numerals.value, out=numerals.value, where=negative)
    # What is left of "inf" or of a blank cell behind a symbol is no number.
    wrong = ~fine | ((numerals.kind == BLANK) & (starts < stops))
    numerals.kind[wrong] = TEXT
    numerals.kind[starts >= stops] = BLANK
    return numerals


def _respell(
    block: Bytes, starts: Places, stops: Places, reading: CellReading, affix: Affix | None,
    exact: bool, numerals: Numerals, kinds: Bytes, spellings: Places,
) -> None:  # fmt: skip
    """What is text only by its spelling, such as digits of another script, in place."""
    at = np.flatnonzero(kinds == TEXT)
    around = (affix.prefix, affix.suffix) if affix else ()
    plain = respelled(block, starts, stops, at, reading.codec, around) if len(at) else None
    if plain is None:
        return
    found = _numerals(plain.block, plain.starts, plain.stops, reading, affix, exact)
    for name in ("kind", "value", "decimals", "integer", "padded"):
        getattr(numerals, name)[plain.at] = getattr(found, name)
    number = found.kind == NUMBER
    numerals.zeros.update(zip(plain.at[number].tolist(), plain.zeros[number].tolist(), strict=True))
    kinds[plain.at] = found.kind
    spellings[plain.at] = reading.spellings.find(plain.block, plain.starts, plain.stops)
    kinds[spellings >= 0] = MISSING


def _add(result: Tallies, block: Block, many: int) -> None:
    kinds = block.kinds.reshape(many, -1)
    for kind in (TEXT, NUMBER, INFINITE, BLANK, MISSING):
        here = kinds == kind
        added = np.count_nonzero(here, axis=1)
        new = (added > 0) & (result.first[kind] < 0)
        if new.any():
            result.first[kind][new] = np.argmax(here[new], axis=1) + block.rows.start
        result.counts[kind] += added
    if result.counts[MISSING].any():
        at = np.flatnonzero(block.spellings >= 0)
        flat = block.spellings[at] * many + at // len(block.rows)
        result.spellings.ravel()[:] += np.bincount(flat, minlength=result.spellings.size)
    for cell, zero in block.numerals.zeros.items():
        result.zeros[cell // len(block.rows)][zero] += 1
    number = kinds == NUMBER
    if not number.any():
        return
    value = np.where(number, block.numerals.value.reshape(many, -1), np.nan)
    decimals = np.where(number, block.numerals.decimals.reshape(many, -1), 0)
    result.decimals[:] = np.maximum(result.decimals, decimals.max(axis=1))
    result.whole[:] &= ((value == np.floor(value)) | ~number).all(axis=1)
    result.smallest[:] = np.fmin(result.smallest, np.fmin.reduce(value, axis=1))
    result.largest[:] = np.fmax(result.largest, np.fmax.reduce(value, axis=1))
    result.padded[:] += (block.numerals.padded.reshape(many, -1) & number).sum(axis=1)
    long = block.numerals.integer.reshape(many, -1) & (np.abs(value) > LARGEST_WHOLE)
    new = long.any(axis=1) & (result.too_long < 0)
    if new.any():
        result.too_long[new] = np.argmax(long[new], axis=1) + block.rows.start


def _add_samples(result: Tallies, block: Block, index: Index, columns: Places, codec: str) -> None:
    texts = block.kinds.reshape(len(columns), -1) == TEXT
    for i in np.flatnonzero(texts.any(axis=1)):
        sample = result.samples[i]
        if len(sample) == _SAMPLE:
            continue
        for row in np.flatnonzero(texts[i])[: _SAMPLE - len(sample)]:
            cell = index.text(block.rows.start + int(row), int(columns[i]))
            sample.append(cell.decode(codec, "replace").strip())
