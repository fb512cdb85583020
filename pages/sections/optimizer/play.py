"""Step 4: one run played back in the browser, frame by frame, without asking the server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.player import numbers_behind, player
from pages.inputs.options import select
from pages.sections.optimizer.explanations import DOES, above, stopped, why
from pages.sections.optimizer.frames import frames
from pages.sections.optimizer.runs import UNIT, Run
from pages.sections.optimizer.settings import PAGE
from pages.sections.optimizer.stored_runs import PLAYING, runs
from pages.session.fragments import fragment
from pages.session.state import memo
from pages.shell.panels import step
from pages.text.wording import literal

_SCALES = """<label>Lengths in
  <select data-set="scale">
    <option value="delta">input widths Δ</option>
    <option value="domain">domain units</option>
  </select>
</label>"""
_player = player("search_player", Path(__file__).with_name("pictures.js"), _SCALES)


def play_step() -> None:
    with step(4, "Play one search", "What it looked at, and the density of its best point so far."):
        _live()


@fragment
def _live() -> None:
    by_number = {run.number: run for run in runs()}
    if not by_number:
        st.info("No runs yet: choose algorithms in step 2 and search.", icon=":material/search:")
        return
    titles = {mark: f"{run.title}, {run.setting}" for mark, run in by_number.items()}
    run = by_number[select("Run to play", titles, PLAYING, max(titles))]
    st.markdown(f"{DOES[run.plan.algorithm]} **Why it stopped:** {literal(why(run))}")
    _player(key="search-player", data=payload(run))
    numbers_behind(
        "player", lambda: as_table(run), f"Frames of run {run.title}", f"search-{run.number}"
    )


def payload(run: Run) -> dict[str, Any]:
    content = memo(f"{PAGE}.frames", run, lambda: frames(run))
    ends = [*content["curves"][-1:], content["optimum"]]
    return {
        **content,
        "id": f"{run.number} {run.trace.seconds}",
        "number": run.number,
        "title": f"run {run.title}",
        "frames": len(run.trace),
        "about": f"Run {run.title}, {run.setting}: ends at {above(run)}.",
        "colour": run.role.colour,
        "points": run.points,
        "stop": stopped(run),
        "reach": {
            "delta": 1.4 * max(each["half"] for each in ends),
            "domain": 1.4 * max(each["half"] * each["unit"] for each in ends),
        },
        "peak": {
            "delta": _height(content["curves"], ends, lambda each: max(each["density"])),
            "domain": _height(
                content["curves"], ends, lambda each: max(each["density"]) / each["unit"]
            ),
        },
    }


def _height(curves: Sequence[Any], ends: Sequence[Any], peak: Callable[[Any], float]) -> float:
    """Room for every curve, but for no more than three times the height of what was found.

    Where that is far from the optimum, the optimum leaves the picture: else it were all one saw.
    """
    last = peak(ends[0])
    return 1.15 * min(max(map(peak, [*curves, *ends])), 3.0 * last)


def as_table(run: Run) -> pd.DataFrame:
    trace = run.trace
    return pd.DataFrame(
        {
            "point": run.looks,
            "k (1/domain unit)": trace.k,
            "m (domain unit)": trace.m,
            "y (1/domain unit)": trace.y,
            f"variance ({UNIT})": np.where(trace.feasible, trace.variance, np.nan),
            "feasible": trace.feasible,
            f"least so far ({UNIT})": np.where(np.isfinite(trace.best), trace.best, np.nan),
            "best k (1/domain unit)": run.path[0],
            "best m (domain unit)": run.path[1],
            "best y (1/domain unit)": run.path[2],
        }
    )
