r"""Columns known again by their values, whatever their order and type, while an object lives.

A ledger knows a table by the text of all of its columns: the same numbers as another type, in
another order or beside a changed column are another table to it. Whoever releases again and again
from one object has to notice more. So of each released column this keeps digests

.. math:: \mathrm{BLAKE2b}_k(\text{values}), \quad \mathrm{BLAKE2b}_k(\text{sorted values})

under a random key ``k`` that is in memory alone: nobody can test a guess by them.

Other rows may have the same values by chance, as flags of few rows do. Of ``n`` cells drawn from
the shares that ``c_1, c_2, ...`` cells of each value have, that chance is ``prod (c_i/n)^c_i`` in
the same order and ``n!/prod c_i! prod (c_i/n)^c_i`` in any. Where it is below :data:`CHANCE` the
column alone is known again; else only where no column is new.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from compdp_core.accounting.identity import KEY_BYTES
from compdp_core.errors import CompdpError
from compdp_core.release.column_plan import ColumnPlan
from compdp_core.report.frames import as_listed
from compdp_core.tables.frame_kinds import is_polars
from compdp_core.tables.sources import in_memory
from compdp_core.validation import Array, floats

CHANCE = 1e-3
"""That other rows have the values of a column, from which on it tells nothing by itself."""


@dataclass(frozen=True)
class ColumnMarks:
    """What is remembered of the columns of one release."""

    whole: Counter[bytes]
    """Of each column, in any order."""
    telling: frozenset[bytes]
    """Of columns that other rows would hardly have, in their order and in any."""


@dataclass(eq=False, repr=False)
class KnownColumns:
    """The columns that were released, under a key of its own.

    >>> import pandas as pd
    >>> plans = {0: ColumnPlan(0, (0, 9), 1)}
    >>> known = KnownColumns()
    >>> known.add(known.marks(pd.DataFrame({"a": [1, 2, 4]}), plans))
    >>> [known.has(known.marks(pd.DataFrame({"a": a}), plans)) for a in ([4.0, 1, 2], [1, 2, 5])]
    [True, False]
    """

    _key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES))
    _releases: list[ColumnMarks] = field(default_factory=list)

    def has(self, marks: ColumnMarks) -> bool:
        """Whether a column that tells was released before, or all of them in one release."""
        return any(
            marks.whole <= each.whole or not marks.telling.isdisjoint(each.telling)
            for each in self._releases
        )

    def add(self, marks: ColumnMarks) -> None:
        """Remember what was released."""
        self._releases.append(marks)

    def marks(self, frame: Any, plans: Mapping[int, ColumnPlan]) -> ColumnMarks:
        """What a release of these columns of a pandas or Polars frame, by position, is known by."""
        whole, telling = Counter[bytes](), set[bytes]()
        for place, plan in plans.items():
            values = _values(frame, place, plan)
            in_order, sorted_ = self._digest(values), self._digest(_sorted(values))
            whole[sorted_] += 1
            as_ordered, in_any = chances(_counts(values))
            telling |= {in_order} if as_ordered < CHANCE else set()
            telling |= {sorted_} if in_any < CHANCE else set()
        return ColumnMarks(whole, frozenset(telling))

    def _digest(self, values: Array | list[str]) -> bytes:
        # A list of texts says where each ends, and begins as no array of floats does here.
        if isinstance(values, list):
            content = repr(values).encode("utf-8", "surrogatepass")
        else:
            content = b"floats" + values.tobytes()
        return hashlib.blake2b(
            content, key=self._key, person=b"compdp column", digest_size=16
        ).digest()


def chances(counts: Iterable[int]) -> tuple[float, float]:
    """How likely as many cells, drawn from these shares, are the same in order, and in any order.

    >>> [round(chance, 3) for chance in chances([2, 2])]
    [0.062, 0.375]
    """
    sizes, times = np.unique([*counts], return_counts=True)
    rows = int((sizes * times).sum())
    pairs = list(zip(sizes.tolist(), times.tolist(), strict=True))
    in_order = sum(often * size * math.log(size / rows) for size, often in pairs)
    orders = math.lgamma(rows + 1) - sum(often * math.lgamma(size + 1) for size, often in pairs)
    return math.exp(in_order), math.exp(min(0.0, in_order + orders))


def _values(frame: Any, place: int, plan: ColumnPlan) -> Array | list[str]:
    """Numbers as floats, NaN where one is missing; other cells as texts, ``""`` where missing."""
    column = frame.select(frame.columns[place]) if is_polars(frame) else frame.iloc[:, [place]]
    alone: Any = in_memory(column)
    if plan.reads_numbers:
        try:
            return _plain(floats("values", alone.iloc[:, 0], missing="keep"))
        except CompdpError:
            pass  # Refused by what reads it for its release, in better words.
    column = as_listed(alone, [replace(plan, position=0)]).iloc[:, 0]
    gaps = column.isna().tolist()
    cells = column.astype(object).tolist()
    # A column of dates has a time beside each as soon as one of them has.
    texts = [
        "" if gap else str(cell).removesuffix(" 00:00:00")
        for cell, gap in zip(cells, gaps, strict=True)
    ]
    try:
        return _plain(np.array([float(text) if text else math.nan for text in texts]))
    except ValueError:
        return texts


def _plain(values: Array) -> Array:
    """With one zero and one NaN, and what is beyond all numbers missing, as the plan reads it."""
    return np.where(np.isfinite(values), values + 0.0, math.nan)


def _sorted(values: Array | list[str]) -> Array | list[str]:
    return sorted(values) if isinstance(values, list) else np.sort(values)


def _counts(values: Array | list[str]) -> Iterable[int]:
    if isinstance(values, list):
        return Counter(values).values()
    counts: list[int] = np.unique(values, return_counts=True)[1].tolist()
    return counts
