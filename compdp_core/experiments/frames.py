"""Tidy tables: one row an observation, one column a variable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def frame(rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """A data frame of rows with equal keys. pandas is loaded here, on first use."""
    import pandas as pd

    return pd.DataFrame(list(rows))


def stacked(parts: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """A data frame of parts with equal columns, in order; a single value fills its column."""
    import pandas as pd

    return pd.concat([pd.DataFrame(), *map(pd.DataFrame, parts)], ignore_index=True)
