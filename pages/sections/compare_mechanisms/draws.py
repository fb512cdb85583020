"""Draws one by one, played in the browser, with the running mean and its standard error."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.experiments import running_mean
from compdp_core.mechanisms.baselines import Mechanism
from pages.charts.player import numbers_behind, player
from pages.inputs.entry import set_exact
from pages.inputs.mechanisms import mechanism_role
from pages.inputs.options import segments
from pages.sections.compare_mechanisms import settings as to
from pages.session.state import memo

LENGTHS = (50, 300, 3_000, 10_000)
LENGTH = f"{to.PAGE}.length"
FRAMES = 300
"""At most; of longer runs the later draws are shown in ever larger steps."""
MOST = 6
"""Lanes at most: more cannot be told apart in motion."""

_player = player("comparison_player", Path(__file__).with_name("draws.js"))


def draws(asked: to.ComparedSettings, made: dict[str, Mechanism]) -> None:
    shown = dict(list(made.items())[:MOST])
    length = segments("How many draws", {n: f"{n:,}" for n in LENGTHS}, LENGTH, LENGTHS[1])
    table, frames = memo(
        f"{to.PAGE}.draws", (asked, tuple(shown), length), lambda: _story(asked, shown, int(length))
    )
    _player(key="comparison-player", data=frames)
    if len(made) > MOST:
        st.caption(f"The first {MOST} of {len(made)} mechanisms; choose fewer to see the others.")
    st.caption(
        f"The same true value {asked.true_value} again and again, seed {asked.seed}. A "
        "simulation releases nothing. As releases, every draw would be one more spend of ε: "
        "averaging them is the attack that a budget stops."
    )
    with st.container(horizontal=True):
        following = (to.START.name, Decimal(asked.seed + 1))
        st.button("Draw again", icon=":material/casino:", on_click=set_exact, args=following)
        numbers_behind("draws", lambda: table, "Draws and their running mean", "draws")


def _story(
    asked: to.ComparedSettings, made: dict[str, Mechanism], length: int
) -> tuple[pd.DataFrame, dict[str, Any]]:
    table = running_mean(made, asked.value, draws=length, seed=asked.seed)
    at = shown_draws(length)
    kept = table[table.draw.isin(at)]
    return kept, frames_of(asked, table, at)


def shown_draws(length: int) -> list[int]:
    """Numbers of the draws that are shown: all, or the first ones and then in growing steps.

    >>> shown_draws(5), len(shown_draws(10_000)) <= FRAMES
    ([1, 2, 3, 4, 5], True)
    """
    if length <= FRAMES:
        return list(range(1, length + 1))
    # The first third one by one, the rest at equal ratios.
    single = FRAMES // 3
    later = np.geomspace(single + 1, length, FRAMES - single).round().astype(int)
    return [*range(1, single + 1), *sorted(set(later.tolist()))]


def frames_of(asked: to.ComparedSettings, table: pd.DataFrame, at: list[int]) -> dict[str, Any]:
    """What the player is given: plain lists, rounded to what a picture can show."""
    rows = []
    for name, part in table.groupby("mechanism", sort=False):
        role = mechanism_role(asked.names[str(name)])
        beyond = part.outside.cumsum()[part.draw.isin(at)]
        part = part[part.draw.isin(at)]
        rows.append(
            {
                "name": name,
                "colour": role.colour,
                "dash": role.dash,
                "released": _short(part.released),
                "outside": part.outside.tolist(),
                "count": beyond.tolist(),
                "mean": _short(part["mean"]),
                "error": _short(part.standard_error),
            }
        )
    ends = table.released.quantile([0.01, 0.99]).tolist()
    low, high = min(ends[0], asked.inputs[0]), max(ends[1], asked.inputs[1])
    margin = 0.03 * (high - low)
    return {
        "id": f"{hash((asked, tuple(at)))}",
        "title": "draws one by one",
        "about": f"Simulated draws for the true value {asked.true_value}, and their mean so "
        "far. The numbers are in the table below.",
        "frames": len(at),
        "draw": at,
        "draws": at[-1],
        "thinned": at[-1] > FRAMES,
        "unit": to.UNIT,
        "epsilon": asked.epsilon,
        "value": asked.value,
        "inputs": list(asked.inputs),
        "reach": [low - margin, high + margin],
        "heights": _heights(asked, table),
        "rows": rows,
    }


def _heights(asked: to.ComparedSettings, table: pd.DataFrame) -> list[float]:
    """Room for the means from the fifth draw on; the first few may leave the picture."""
    later = table[table.draw >= min(5, int(table.draw.max()))]
    error = later.standard_error.fillna(0.0)
    low = min(float((later["mean"] - error).min()), asked.value)
    high = max(float((later["mean"] + error).max()), asked.value)
    margin = 0.06 * (high - low) or 1.0
    return [low - margin, high + margin]


def _short(values: pd.Series) -> list[float | None]:
    return [float(f"{v:.5g}") if math.isfinite(v) else None for v in values.tolist()]
