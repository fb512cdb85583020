"""Cells as the array code wants them: one padded block and the places in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compdp_core.tables.number_parsing import PAD, Bytes, Places


def padded(cells: Sequence[str | bytes]) -> tuple[Bytes, Places, Places]:
    typed = [c.encode() if isinstance(c, str) else c for c in cells]
    lengths = np.array([len(c) for c in typed], dtype=np.intp)
    starts = np.cumsum(lengths + 1) - lengths - 1 + PAD
    block = np.frombuffer(bytes(PAD) + b"\n".join(typed) + bytes(PAD), dtype=np.uint8)
    return block, starts, starts + lengths
