"""Columns that would give privatised ones away: totals, averages, copies, other units.

A relation between columns is looked for in some rows and confirmed in all that are complete, in
whole numbers of the last decimal place. It is named only where chance is no explanation: were a
column unrelated to the others, each order of its values would be as likely as any other, and at
most ``2^-BITS`` of these orders fit the relation. Ten thousand relations tried on unrelated data
give a false alarm less than once in a hundred million tables.

Owner only: that a relation holds is a fact about the data.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from compdp_core.errors import TableError
from compdp_core.tables.affix import Affix
from compdp_core.tables.classify import blocks
from compdp_core.tables.column import Column
from compdp_core.tables.number_parsing import NUMBER, Floats
from compdp_core.tables.table import Table

Whole = npt.NDArray[np.int64]
Kind = Literal["sum", "average", "linear"]

BITS = 40
_ROWS = 400
_ENOUGH = 20_000
_MOST_COLUMNS = 60
_LARGEST = 2**50
_SMALL = 2**30


@dataclass(frozen=True)
class DerivedColumn:
    """``target`` is the sum or average of ``parts``, or follows a straight line of one part."""

    kind: Kind
    target: int
    parts: tuple[int, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """All columns concerned, by position."""
        return (self.target, *self.parts)


def find_derived(
    table: Table, private: Collection[int], omitted: Collection[int] = ()
) -> list[DerivedColumn]:
    r"""Relations that join a privatised column to one that stays as it is.

    ``private`` are positions of the columns to be privatised, ``omitted`` of those that will not be
    in the file and so give nothing away. Sums of two columns and of columns side by side, their
    averages, and straight lines are found; rows with a missing cell in one of the columns
    concerned are passed over.

    >>> from compdp_core.tables.reading import read
    >>> rows = "".join(f"{i % 7},{i * i % 31},{i % 7 + i * i % 31}\n" for i in range(40))
    >>> find_derived(read(f"a,b,total\n{rows}".encode()), {0})
    [DerivedColumn(kind='sum', target=2, parts=(0, 1))]
    """
    present = [column for column in table.columns if column.position not in omitted]
    columns = _readable(present, private)
    places, sample = _sample(table, columns)
    if not places:
        return []
    scale = max(table.columns[place].decimals for place in places)
    full: dict[int, Floats] = {}
    found: list[DerivedColumn] = []
    for candidate in _candidates(table, places, sample, scale):
        concerned = set(candidate.columns)
        joins = concerned & set(private) and concerned - set(private)
        known = any(set(each.columns) == concerned for each in found)
        if joins and not known and _confirmed(table, candidate, full):
            found.append(candidate)
    return found


def _readable(columns: Sequence[Column], private: Collection[int]) -> list[Column]:
    """Columns of numbers that are no line counter: the privatised ones first to be kept."""
    numeric = [c for c in columns if (c.usable or isinstance(c.affix, Affix)) and not c.constant]
    kept = sorted(numeric, key=lambda c: c.position not in private)[:_MOST_COLUMNS]
    return sorted(kept, key=lambda c: c.position)


def _strip(column: Column) -> Affix | None:
    offered = column.affix if isinstance(column.affix, Affix) else None
    return column.stripped or offered


def _sample(table: Table, columns: Sequence[Column]) -> tuple[list[int], Floats]:
    """Positions and numbers of some rows, shape (columns, rows); NaN for what is none."""
    firsts: dict[int, Floats] = {}
    alike: dict[tuple[Affix | None, str], list[int]] = {}
    for column in columns:
        alike.setdefault((_strip(column), column.decimal), []).append(column.position)
    for (strip, mark), at in alike.items():
        reading = table.reading.with_decimal(mark)
        block = next(blocks(table.index, np.array(at), reading, strip, exact=True), None)
        if block is not None:
            value = np.where(block.kinds == NUMBER, block.numerals.value, np.nan)
            firsts.update(zip(at, value.reshape(len(at), -1), strict=True))
    places = sorted(firsts)
    if len(places) < 2:
        return [], np.empty((0, 0))
    height = min(len(firsts[place]) for place in places)
    rows = np.unique(np.linspace(0, height - 1, _ROWS).astype(np.intp))
    return places, np.array([firsts[place][rows] for place in places])


def _wholes(values: Floats, decimals: int, scale: int) -> Whole | None:
    """The values in units of ``10^-scale``, exactly; None where that cannot be said of all."""
    if scale > 15:
        return None
    if not np.all(np.abs(values) < _LARGEST / 10.0**scale):
        return None
    own = np.rint(values * 10.0**decimals)
    # One correctly rounded division: equal only if the cell is this many units of its last place.
    if not np.array_equal(own / 10.0**decimals, values):
        return None
    return own.astype(np.int64) * np.int64(10 ** (scale - decimals))


def _candidates(
    table: Table, places: Sequence[int], sample: Floats, scale: int
) -> Iterator[DerivedColumn]:
    """What holds in the sample."""
    for i, first in enumerate(places):
        for j, second in enumerate(places[:i]):
            both = ~np.isnan(sample[i]) & ~np.isnan(sample[j])
            # Within the rows of a sample: only to look no further, so without exact numbers.
            if np.count_nonzero(both) > 2 and _together(sample[j][both], sample[i][both]):
                yield DerivedColumn("linear", first, (second,))
    complete = sample[:, ~np.isnan(sample).any(axis=0)]
    read = {
        place: _wholes(complete[i], table.columns[place].decimals, scale)
        for i, place in enumerate(places)
    }
    wholes = {place: values for place, values in read.items() if values is not None}
    if complete.shape[1] > 2:
        yield from _pairs(wholes)
        for target in wholes:
            unit = 10 ** (scale - table.columns[target].decimals)
            yield from _runs(wholes, target, unit)


def _together(a: Floats, b: Floats) -> bool:
    """Whether two columns rise and fall almost along a straight line."""
    # As shares of the largest, so that squares of huge numbers stay finite. Columns that do not
    # vary, or less than floats can tell, have no correlation: NaN, and that is no.
    with np.errstate(all="ignore"):
        a, b = (values / np.abs(values).max() for values in (a, b))
        return abs(float(np.corrcoef(a, b)[0, 1])) > 0.999


def _pairs(wholes: dict[int, Whole]) -> Iterator[DerivedColumn]:
    by_values = {values.tobytes(): place for place, values in wholes.items()}
    for target, total in wholes.items():
        for part, values in wholes.items():
            other = by_values.get((total - values).tobytes())
            if other is not None and len({target, part, other}) == 3 and part < other:
                yield DerivedColumn("sum", target, (part, other))


def _runs(wholes: dict[int, Whole], target: int, unit: int) -> Iterator[DerivedColumn]:
    """Columns side by side, the target passed over, whose sum or average it is."""
    places = [place for place in wholes if place != target]
    if not places:
        return
    total = wholes[target]
    sums = np.vstack([np.zeros_like(total), np.cumsum([wholes[p] for p in places], axis=0)])
    for begin in range(len(places) - 1):
        lengths = np.arange(2, len(places) - begin + 1)[:, None]
        run = sums[begin + 2 :] - sums[begin]
        equal = (run == total).all(axis=1)
        mean = (2 * np.abs(run - lengths * total) <= lengths * unit).all(axis=1)
        for at in np.flatnonzero(equal | mean):
            parts = tuple(places[begin : begin + 2 + int(at)])
            yield DerivedColumn("sum" if equal[at] else "average", target, parts)


def _confirmed(table: Table, found: DerivedColumn, full: dict[int, Floats]) -> bool:
    """Whether it holds in every complete row, and not by chance."""
    try:
        for place in found.columns:
            if place not in full:
                full[place] = table.numbers(place, _strip(table.columns[place])).values
    except TableError:
        return False
    rows = ~np.logical_or.reduce([np.isnan(full[place]) for place in found.columns])
    decimals = [table.columns[place].decimals for place in found.columns]
    read = [
        _wholes(full[place][rows], own, max(decimals))
        for place, own in zip(found.columns, decimals, strict=True)
    ]
    wholes = [values for values in read if values is not None]
    if not rows.any() or len(wholes) < len(read):
        return False
    total, parts = wholes[0], wholes[1:]
    unit = 10 ** (max(decimals) - decimals[0])
    if found.kind == "linear":
        back = 10 ** (max(decimals) - decimals[1])
        return _line(parts[0], total, unit) or _line(total, parts[0], back)
    run = np.sum(parts, axis=0)
    if found.kind == "sum":
        return bool(np.array_equal(run, total)) and _orders(total) >= BITS
    near = 2 * np.abs(run - len(parts) * total) <= len(parts) * unit
    return bool(near.all()) and _orders_about(total, unit) >= BITS


def _line(x: Whole, y: Whole, unit: int) -> bool:
    """Whether ``y = p x + q``, exactly or rounded to the last place of ``y``."""
    low, high = int(np.argmin(x)), int(np.argmax(x))
    run, rise = int(x[high] - x[low]), int(y[high] - y[low])
    if not run or not rise:
        return False
    left, right = y - y[low], x - x[low]
    if max(int(np.abs(left).max()), int(np.abs(right).max()), run, abs(rise)) >= _SMALL:
        left, right = left.astype(object), right.astype(object)
    if bool(np.all(left * run == right * rise)):
        return _orders(y) >= BITS
    p, q = np.polyfit(right.astype(float), left.astype(float), 1)
    off = np.abs(left.astype(float) - (p * right.astype(float) + q))
    return bool(np.all(off <= unit)) and _orders_about(y, unit) >= BITS


def _orders(values: Whole) -> float:
    """Binary logarithm of the number of orders in which some of these values can stand.

    What holds in all rows holds in these, so fewer rows are as good a reason, and a quicker one.
    """
    values = values[:: max(1, len(values) // _ENOUGH)]
    counts = np.unique(values, return_counts=True)[1]
    ways = math.lgamma(len(values) + 1) - sum(math.lgamma(int(c) + 1) for c in counts)
    return ways / math.log(2)


def _orders_about(values: Whole, unit: int) -> float:
    """The same where each may be off by a unit: bins of four units, two of them for each row."""
    spread = values[:: max(1, len(values) // _ENOUGH)]
    return _orders(spread // (4 * unit)) - len(spread)
