"""What each run cost and found, and why it stopped."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.furniture.faults import sentence
from pages.furniture.wording import number, percent
from pages.searching.runs import UNIT, Run
from pages.searching.words import gap


def table(chosen: Sequence[Run]) -> None:
    rows = pd.DataFrame([_row(run) for run in chosen]).set_index("run")
    with st.container(key="run-table"):
        st.table(rows)


def _row(run: Run) -> dict[str, str]:
    """One row, formatted; units stand in the heads."""
    trace = run.trace
    return {
        "run": run.title,
        "problem": run.setting,
        f"best variance ({UNIT})": number(run.best, 4),
        "above the optimum": gap(float(run.excess[-1])),
        "evaluations": f"{trace.evaluations:,}",
        "time (ms)": number(1e3 * trace.seconds, 2),
        "feasible": percent(float(run.feasible[-1])),
        "why it stopped": sentence(trace.stop),
    }
