"""Rows of a pandas frame by the names of its columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd


def rows(frame: pd.DataFrame) -> Iterator[Any]:
    """Each row in turn. What a cell holds is its column's affair, which pandas' types do not know:
    there every cell may be anything, a point in time, say, that has no absolute value.
    """
    return iter(frame.itertuples())
