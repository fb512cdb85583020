"""Mean, spread and quantiles of several columns as one table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from compdp_core.describe import QUANTILES, Description
from pages.furniture.histogram_chart import Series
from pages.furniture.wording import number, percent


def described(series: Sequence[Series], outputs: tuple[float, float], unit: str) -> pd.DataFrame:
    """One row a column, formatted; the unit stands in the heads."""
    rows = []
    for each in series:
        values = np.asarray(each.values)
        said = Description.of(values)
        outside = float(np.mean((values < outputs[0]) | (values > outputs[1])))
        rows.append(
            {
                "column": each.name,
                "rows": f"{said.count:,}",
                f"mean ({unit})": number(said.mean, 4),
                f"spread ({unit})": number(said.spread, 4),
                **{
                    f"{percent(q)} below ({unit})": number(value, 4)
                    for q, value in zip(QUANTILES, said.quantiles, strict=True)
                },
                "outside the output bounds": percent(outside),
            }
        )
    return pd.DataFrame(rows)
