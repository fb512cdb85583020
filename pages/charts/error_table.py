"""The table of a comparison: bias, RE, MSE, AL and share outside, each with its standard error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from pages.charts import export
from pages.session.downloads import download
from pages.text.wording import number, percent, to_error

OF_AL = "AL: mean size of the error as a share of the true value. "
WHAT = (
    f"bias: mean error. RE: mean size of the error. MSE: mean squared error. {OF_AL}Raw: as drawn. "
    "Clamped: moved into the inputs afterwards, which costs no privacy and brings bias."
)


def figures_table(key: str, found: pd.DataFrame, unit: str, *, relative: bool = True) -> None:
    """``relative``: whether a share of the true value means something, as it does not of dates."""
    shown, said = in_words(found, unit), WHAT + _excluded(found)
    if not relative:
        found = found.drop(columns=[each for each in found if str(each).startswith("AL")])
        shown, said = shown.drop(columns="AL"), WHAT.replace(OF_AL, "")
    st.dataframe(shown, hide_index=True, alt=f"Errors of each mechanism, {key}")
    st.caption(said)
    download("CSV", lambda: export.as_csv(found), f"{key}.csv", type="tertiary")


def in_steps(found: pd.DataFrame, steps: float) -> pd.DataFrame:
    """The errors in a unit of so many steps of the values."""
    if steps == 1.0:
        return found
    powers = {"bias": 1, "RE": 1, "MSE": 2}
    scaled = {
        name: found[name] / steps**power
        for figure, power in powers.items()
        for name in (figure, f"{figure}_se")
    }
    return found.assign(**scaled)


def in_words(found: pd.DataFrame, unit: str) -> pd.DataFrame:
    """In plain words. Places of a scale have no ``unit``, and none is said then."""
    rows = found.to_dict("records")
    plain, squared = (f" ({unit})", f" ({unit}²)") if unit else ("", "")
    return pd.DataFrame(
        {
            "mechanism": found.mechanism,
            "released values": found.treatment,
            f"bias{plain}": [_of_row(row, "bias") for row in rows],
            f"RE{plain}": [_of_row(row, "RE") for row in rows],
            f"MSE{squared}": [_of_row(row, "MSE") for row in rows],
            "AL": [_of_row(row, "AL", as_share=True) for row in rows],
            "outside the inputs": [_of_row(row, "outside", as_share=True) for row in rows],
        }
    )


def _of_row(row: Mapping[Any, Any], figure: str, *, as_share: bool = False) -> str:
    return with_error(float(row[figure]), float(row[f"{figure}_se"]), as_share=as_share)


def with_error(value: float, error: float, *, as_share: bool = False) -> str:
    """A figure and its standard error, with as many digits as the error gives sense to.

    >>> with_error(12.3456, 0.123), with_error(0.25, 0.01, as_share=True)
    ('12.35 ± 0.12', '25 ± 1 %')
    """
    if math.isnan(value):
        return "undefined"
    if error == 0.0 or math.isnan(error):
        return percent(value) if as_share else number(value)
    scale, unit = (100.0, " %") if as_share else (1.0, "")
    return f"{to_error(scale * value, scale * error)} ± {number(scale * error, 2)}{unit}"


def _excluded(found: pd.DataFrame) -> str:
    left_out = int(found.AL_excluded.max())
    if not left_out:
        return ""
    return (
        f" AL is undefined where the true value is 0: {left_out:,} of "
        f"{int(found['values'].max()):,} true values are left out of it."
    )
