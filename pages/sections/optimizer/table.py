"""What each run cost and found, and why it stopped."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.sections.optimizer.explanations import gap, stopped
from pages.sections.optimizer.runs import UNIT, Run
from pages.session.faults import sentence
from pages.text.wording import number, percent

WIDTHS = (170, 130, 90, 80, 290, 130, 110, 130)
"""Pixels; what matters most is in sight without scrolling."""


def table(chosen: Sequence[Run]) -> None:
    rows = pd.DataFrame([_row(run) for run in chosen])
    st.dataframe(
        rows,
        hide_index=True,
        alt="Runs with their distance to the exact optimum, evaluations, time and stop reason",
        column_config={
            name: st.column_config.TextColumn(width=width, pinned=name == "run")
            for name, width in zip(rows.columns, WIDTHS, strict=True)
        },
    )


def _row(run: Run) -> dict[str, str]:
    """One row, formatted; units stand in the heads."""
    trace = run.trace
    return {
        "run": run.title,
        "above the optimum": gap(float(run.excess[-1])),
        "evaluations": f"{trace.evaluations:,}",
        "time (ms)": number(1e3 * trace.seconds, 2),
        "why it stopped": sentence(stopped(run)),
        f"best variance ({UNIT})": number(run.best, 4),
        "feasible points": percent(float(run.feasible[-1])),
        "problem": run.setting,
    }
