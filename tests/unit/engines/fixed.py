"""A source that says one word again and again, and a file released whole and in blocks with it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from compdp_core.engines.own import write_released
from compdp_core.engines.preparing import prepare
from compdp_core.randomness import Words
from compdp_core.release import ColumnPlan, Plan
from compdp_core.release.columns import release
from compdp_core.tables import read

WORD = 0x9E3779B97F4A7C15


class SameWord:
    """What is drawn from it is a function of the value alone, in whatever order it is drawn."""

    def words(self, count: int) -> Words:
        return np.full(count, WORD, dtype=np.uint64)


def whole(
    data: bytes,
    plans: Mapping[int, ColumnPlan],
    reading: Mapping[str, Any] | None = None,
    *,
    omit: tuple[int, ...] = (),
    answered: int | None = None,
    guard_formulas: bool = True,
) -> bytes:
    """The released file as it is made in memory."""
    table = read(data, **(reading or {}))
    placed = tuple(plan.placed(table, place) for place, plan in plans.items())
    made = release(table, Plan(placed, None, answered), source=SameWord())
    return made.csv(omit=omit, guard_formulas=guard_formulas)


def in_blocks(
    path: Path,
    data: bytes,
    plans: Mapping[int, ColumnPlan],
    reading: Mapping[str, Any] | None = None,
    *,
    head_bytes: int = 1 << 22,
    block_bytes: int = 1,
    processes: int = 1,
    **asked: Any,
) -> bytes:
    """The released file as the own engine writes it, a few bytes at a time."""
    path.write_bytes(data)
    prepared = prepare(
        path,
        plans,
        reading=reading,
        head_bytes=head_bytes,
        block_bytes=block_bytes,
        processes=processes,
        **asked,
    )
    out = io.BytesIO()
    rows = write_released(prepared, out, lambda share: None, SameWord)
    assert 0 < rows <= prepared.row_count
    return out.getvalue()
