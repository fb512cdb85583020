"""Step 4: the accuracy loss of a count, at the sizes of the paper's three tables."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.charts.chart import Chart
from pages.inputs.mechanisms import mechanism_label, mechanism_role
from pages.inputs.options import segments, select
from pages.sections.paper.finished_run import FinishedRun, panel
from pages.sections.paper.settings import PAGE
from pages.session.fragments import fragment
from pages.session.state import edits
from pages.shell.panels import step
from pages.text.wording import brief, in_chart, percent

PROTOCOLS = {"paper": "as in the paper: any two counts", "exact": "one row apart"}
COLUMNS = [
    "mechanism", "lower_whisker", "lower_quartile", "median", "upper_quartile", "upper_whisker",
    "outliers", "mean", "mean_se",
]  # fmt: skip
SHOWN = ("A1B1", "A2B1", "A3B1", "A4B1", "laplace", "analytic_gaussian")


def losses_step(found: FinishedRun) -> None:
    with (
        step(4, "Accuracy loss of a count", "|(r − r′)/r| of a counting query: 0 is exact."),
        panel(found, "paper-losses"),
    ):
        _live(found)


@fragment
def _live(found: FinishedRun) -> None:
    table = found.reproduction["accuracy_loss"]
    sizes = list(dict.fromkeys(zip(table["dataset"], table["n"], strict=True)))
    budgets = sorted(table["epsilon"].unique().tolist())
    left, middle = st.columns(2)
    named = {i: f"{dataset}, {n:,} rows" for i, (dataset, n) in enumerate(sizes)}
    with left:
        place = select("Table", named, f"{PAGE}.size", 0)
    epsilon = middle.select_slider("ε", budgets, **edits(f"{PAGE}.loss_epsilon", budgets[0]))
    dataset, n = sizes[place]
    rows = table[(table["dataset"] == dataset) & (table["n"] == n) & (table["epsilon"] == epsilon)]
    protocols = list(dict.fromkeys(rows["protocol"]))
    protocol = segments(
        "Neighbours", {key: PROTOCOLS[key] for key in protocols}, f"{PAGE}.protocol", protocols[0]
    )
    rows = rows[(rows["protocol"] == protocol) & rows["key"].isin(SHOWN)]
    _chart(rows, f"{dataset}, {n:,} rows, ε = {brief(epsilon)}").draw()


def _chart(rows: pd.DataFrame, title: str) -> Chart:
    data = [_box(row) for _, row in rows.iterrows()]
    best = rows.iloc[int(rows["median"].to_numpy().argmin())]
    return Chart(
        "paper-losses",
        f"Accuracy loss: {title}",
        "mechanism",
        "accuracy loss (no unit)",
        data,
        {"yaxis": {"rangemode": "tozero"}, "showlegend": False},
        f"One box a mechanism. The smallest median, {percent(float(best['median']))}, is that of "
        f"{best['mechanism']}.",
        lambda: rows[COLUMNS],
        height=420,
    )


def _box(row: Any) -> dict[str, Any]:
    role = mechanism_role(str(row["key"]))
    name = in_chart(mechanism_label(str(row["key"])))
    return {
        "type": "box",
        "name": name,
        "x": [name],
        "lowerfence": [row["lower_whisker"]],
        "q1": [row["lower_quartile"]],
        "median": [row["median"]],
        "q3": [row["upper_quartile"]],
        "upperfence": [row["upper_whisker"]],
        "line": {"color": role.colour},
    }
