"""Step 3: the error of the five queries against ε, for every mechanism."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.charts.chart import Chart
from pages.charts.theme import error_bars, scatter
from pages.charts.ticks import log_axis
from pages.inputs.mechanisms import mechanism_label, mechanism_role
from pages.inputs.options import segments, select, several
from pages.sections.paper.finished_run import FinishedRun, panel
from pages.sections.paper.settings import MEASURE, MEASURES, PAGE
from pages.session.fragments import fragment
from pages.shell.panels import step
from pages.text.wording import in_chart, number

SHOWN = ("A1B1", "A2B1", "A3B1", "A4B1", "laplace", "analytic_gaussian", "clamped_laplace")
PROTOCOLS = {"paper": "the paper's Δ", "exact": "public Δ"}


def errors_step(found: FinishedRun) -> None:
    with (
        step(3, "Error against ε", "Maximum, minimum, mean, variance and mode, as in the paper."),
        panel(found, "paper-errors"),
    ):
        _live(found)


@fragment
def _live(found: FinishedRun) -> None:
    table = found.reproduction["errors"]
    queries = list(dict.fromkeys(zip(table["query"], table["protocol"], strict=True)))
    if not queries:
        st.info("No query of this column has any noise under the paper's protocol.")
        return
    left, right = st.columns([4, 1])
    named = {i: f"{query}, {PROTOCOLS[how]}" for i, (query, how) in enumerate(queries)}
    about = (
        "The paper's Δ is read from the data, so it is private itself. A public Δ follows from "
        "public bounds."
    )
    with left:
        place = select("Query", named, f"{PAGE}.query", 0, help=about)
    about = "RE: mean absolute error. MSE: mean squared error."
    with right:
        measure = segments("Error", MEASURES, MEASURE, help=about)
    query, protocol = queries[place]
    rows = table[(table["query"] == query) & (table["protocol"] == protocol)]
    keys = list(dict.fromkeys(rows["key"]))
    titles = {key: mechanism_label(key) for key in keys}
    first = [key for key in keys if key in SHOWN]
    shown = several("Mechanisms", titles, f"{PAGE}.mechanisms", first)
    _skipped(found)
    if shown:
        _chart(rows[rows["key"].isin(shown)], query, measure).draw()


def _skipped(found: FinishedRun) -> None:
    """Queries without any noise under the paper's protocol: said, never dropped in silence."""
    queries = found.reproduction["queries"]
    silent = queries[queries["sensitivity"] == 0.0]
    if len(silent):
        names = ", ".join(silent["statistic"].unique())
        st.caption(
            f"Not drawn under the paper's protocol: {names}. There the sensitivity read from the "
            "data is 0, so that no noise would be added at all, and nobody be protected."
        )


def _chart(rows: pd.DataFrame, query: str, measure: str) -> Chart:
    data = [_line(rows[rows["key"] == key], str(key), measure) for key in rows["key"].unique()]
    smallest = rows[rows["epsilon"] == rows["epsilon"].max()]
    best = smallest.loc[smallest[measure].idxmin()]
    layout: dict[str, Any] = {
        "xaxis": {"type": "log", "tickvals": sorted(rows["epsilon"].unique())},
        "yaxis": log_axis(rows[measure].min() / 1.2, rows[measure].max() * 1.2),
        "hovermode": "closest",
    }
    unit = "squared unit of the column" if measure == "MSE" else "unit of the column"
    return Chart(
        "paper-errors",
        f"{measure} of {query}",
        "privacy budget ε",
        f"{measure} ({unit})",
        data,
        layout,
        f"{measure} against ε for {len(data)} mechanisms. At ε = {number(float(best['epsilon']))} "
        f"the smallest is {number(float(best[measure]))}, of {best['mechanism']}.",
        lambda: rows[["mechanism", "epsilon", "RE", "RE_se", "MSE", "MSE_se", "repetitions"]],
        height=460,
    )


def _line(rows: pd.DataFrame, key: str, measure: str) -> dict[str, Any]:
    role = mechanism_role(key)
    return scatter(
        rows["epsilon"].to_numpy(),
        rows[measure].to_numpy(),
        in_chart(mechanism_label(key)),
        mode="lines+markers",
        line=role.line(2),
        marker=role.marker(8),
        error_y=error_bars(np.asarray(rows[f"{measure}_se"]), role.colour, 1),
        hovertemplate="ε = %{x}<br>%{y:.4g}",
    )
