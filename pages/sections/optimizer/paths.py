"""The path of k, m and y, and how many of the points looked at were feasible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.charts.chart import Chart
from pages.charts.theme import lines, note
from pages.charts.ticks import log_axis
from pages.sections.optimizer.runs import Run
from pages.text.wording import number, percent

ROWS = (
    ("k (1/domain unit)", "height of the activation"),
    ("m (domain unit)", "width of the activation"),
    ("y (1/domain unit)", "height of the base"),
    ("feasible (%)", "points so far that meet every constraint"),
)
GAP = 0.07


def paths(chosen: Sequence[Run], spent: Sequence[Any], across: str, *, log_x: bool) -> Chart:
    """Four rows over one axis; `spent` is what each run had spent at each of its rows."""
    data = [
        _line(run, x, row) for run, x in zip(chosen, spent, strict=True) for row in range(len(ROWS))
    ]
    layout: dict[str, Any] = {"hovermode": "closest", "annotations": []}
    end = max(float(x[-1]) for x in spent)
    height = (1 - GAP * (len(ROWS) - 1)) / len(ROWS)
    for row, (title, words) in enumerate(ROWS):
        mark = "" if row == 0 else str(row + 1)
        top = 1 - row * (height + GAP)
        layout[f"xaxis{mark}"] = {
            **(log_axis(0.9, 1.1 * max(end, 2.0)) if log_x else {"rangemode": "tozero"}),
            "anchor": f"y{mark}",
            "matches": None if row == 0 else "x",
            "showticklabels": row == len(ROWS) - 1,
        }
        layout[f"yaxis{mark}"] = {
            "domain": [max(top - height, 0), top],
            "anchor": f"x{mark}",
            "rangemode": "tozero",
            "nticks": 4,
            "title": {"text": title},
        }
        layout["annotations"].append(
            note(words, 0, f"x{mark} domain", 1, f"y{mark} domain", xanchor="left")
        )
    return Chart(
        "paths",
        "The best k, m and y so far",
        across,
        "",
        data,
        layout,
        " ".join(_said(run) for run in chosen),
        lambda: pd.concat([_numbers(run) for run in chosen], ignore_index=True),
        height=640,
    )


def _line(run: Run, x: Any, row: int) -> dict[str, Any]:
    end = "" if row == 0 else str(row + 1)
    y = 100.0 * run.feasible if row == 3 else run.path[row]
    known = np.isfinite(y)
    return lines(
        x[known],
        y[known],
        run.title,
        run.role.line(2) | {"shape": "hv"},
        legendgroup=run.title,
        showlegend=row == 0,
        xaxis=f"x{end}",
        yaxis=f"y{end}",
        hovertemplate="%{x:,.0f}: %{y:.3g}",
    )


def _said(run: Run) -> str:
    k, m, y = (number(float(each[-1])) for each in run.path)
    return (
        f"Run {run.title} ends at k = {k}, m = {m}, y = {y}; "
        f"{percent(float(run.feasible[-1]))} of its points were feasible."
    )


def _numbers(run: Run) -> pd.DataFrame:
    columns = {title: run.path[row] for row, (title, _) in enumerate(ROWS[:3])}
    return pd.DataFrame(
        {
            "run": run.title,
            "points looked at": run.looks,
            **columns,
            "feasible (%)": 100.0 * run.feasible,
        }
    )
