"""Columns on common bins. Binned here: the browser never sees single values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.intervals import Interval
from compdp_core.statistics.describe import Bins
from pages.charts.chart import Chart
from pages.charts.theme import OUTSIDE, RELEASED, TRUE, Role, lines, note, scatter, tint, upright
from pages.charts.time_ticks import in_time, time_axis
from pages.text.values import ValueWords
from pages.text.wording import in_chart, percent

AROUND = 1 / 3
"""How far beyond the output bounds the picture reaches, in their width: then bins end at them."""
GAP = 0.36
"""Share of the height that goes into the spaces between the rows."""
OUT = "out of the output bounds"


@dataclass(frozen=True)
class Series:
    name: str
    values: Any
    role: Role

    def outside(self, bounds: tuple[float, float]) -> float:
        return float(np.mean(self.beyond(bounds)))

    def beyond(self, bounds: tuple[float, float]) -> Any:
        values = np.asarray(self.values)
        return (values < bounds[0]) | (values > bounds[1])


def histogram_chart(
    key: str,
    before: Series,
    after: Sequence[Series],
    *,
    inputs: tuple[float, float],
    outputs: tuple[float, float],
    whole: bool,
    axis: str,
    unit: str,
    title: str,
    words: ValueWords | None = None,
) -> Chart:
    """Bars for the true column, and over them in a row of its own each column made from it.

    Values are said in these words, or as numbers of the unit.
    """
    words = words or ValueWords(unit)
    margin = AROUND * (outputs[1] - outputs[0])
    shown = Interval(outputs[0] - margin, outputs[1] + margin)
    bins = Bins.around(shown, [Interval(*inputs), Interval(*outputs)], whole=whole)
    counts = {each.name: bins.counts(each.values) for each in (before, *after)}
    beyond = {
        each.name: bins.counts(np.asarray(each.values)[each.beyond(outputs)]) for each in after
    }
    marks = time_axis(words, shown.lower, shown.upper)
    first = next((each.name for each in after if beyond[each.name].any()), None)
    data: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"bargap": 0, "barmode": "overlay", "shapes": [], "annotations": []}
    # Three lines of the first heading below the title.
    layout["margin"] = {"t": 92}
    for row, each in enumerate(after):
        end = "" if row == 0 else str(row + 1)
        place = {"xaxis": f"x{end}", "yaxis": f"y{end}"}
        counted = counts[before.name]
        data.append(_bars(bins, before.name, counted, before.role, legend=row == 0) | place)
        out = beyond[each.name]
        data.append(_steps(bins, each, counts[each.name] - out) | place)
        if out.any():
            # Hatched, and in a hue of its own.
            bars = _bars(bins, OUT, out, OUTSIDE, f" {OUT}", legend=each.name == first)
            data.append(bars | place)
        layout |= _row(row, len(after), end, shown, marks)
        layout["annotations"].append(_heading(each, outputs, shown, end))
        for edges, _, line in _bounds(inputs, outputs):
            layout["shapes"] += [upright(edge, f"x{end}", line) for edge in edges]
    for edges, name, line in _bounds(inputs, outputs):
        # A line of a shape has no place in the legend: an empty one stands for it.
        data.append(lines([None], [None], f"{name} {words.span(*edges, bare=True)}", line))
    summary = "; ".join(_said(each, outputs, words) for each in (before, *after))
    lower, upper = (words.listed(edges.tolist()) for edges in (bins.edges[:-1], bins.edges[1:]))
    table = {words.named("from"): lower, words.named("to"): upper, **counts}
    return Chart(
        key,
        title,
        axis,
        "rows",
        in_time(data, words),
        layout,
        f"{summary}.",
        lambda: pd.DataFrame(table),
        height=240 + 195 * len(after),
    )


def _row(row: int, rows: int, end: str, shown: Interval, marks: dict[str, Any]) -> dict[str, Any]:
    """The axes of one row; the picture is divided evenly from top to bottom."""
    height = (1 - GAP * (rows - 1) / rows) / rows
    top = 1 - row * (height + GAP / rows)
    return {
        f"xaxis{end}": {
            "range": [shown.lower, shown.upper],
            "anchor": f"y{end}",
            "showticklabels": row == rows - 1,
            **marks,
        },
        f"yaxis{end}": {
            "domain": [max(top - height, 0), top],
            "anchor": f"x{end}",
            # Rows are counted: 50,000, not 0.5 × 10⁵.
            "tickformat": ",~f",
        },
    }


def _heading(
    series: Series, outputs: tuple[float, float], shown: Interval, end: str
) -> dict[str, Any]:
    further = series.outside(shown.as_tuple())
    more = f",<br>{percent(further)} not shown" if further else ""
    outside = percent(series.outside(outputs))
    # In short lines, which fit a phone.
    text = f"<b>{in_chart(series.name)}</b><br>{outside} out of output bounds{more}"
    return note(text, 0, f"x{end} domain", 1.02, f"y{end} domain", xanchor="left", align="left")


def _bars(
    bins: Bins, name: str, heights: Any, role: Role, hover: str = "", *, legend: bool
) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": bins.middles,
        "y": heights,
        "width": bins.widths,
        "name": name,
        "marker": role.bar(),
        "hovertemplate": f"%{{y:,}}{hover}",
        "showlegend": legend,
    }


def _steps(bins: Bins, series: Series, heights: Any) -> dict[str, Any]:
    return scatter(
        np.repeat(bins.edges, 2),
        np.r_[0, np.repeat(heights, 2), 0],
        series.name,
        line=series.role.line(2),
        fill="tozeroy",
        fillcolor=tint(series.role.colour, 0.25),
        hovertemplate="%{y:,}",
    )


def _bounds(
    inputs: tuple[float, float], outputs: tuple[float, float]
) -> list[tuple[tuple[float, float], str, dict[str, Any]]]:
    return [
        (inputs, "your bounds", {"color": TRUE.colour, "width": 1.5, "dash": "dot"}),
        (outputs, "output bounds", {"color": RELEASED.colour, "width": 1.5, "dash": "dash"}),
    ]


def _said(series: Series, outputs: tuple[float, float], words: ValueWords) -> str:
    values = np.asarray(series.values)
    return (
        f"{series.name}: mean {_mean(values.mean(), words)}, spread "
        f"{words.amount(values.std())}, {percent(series.outside(outputs))} outside the output "
        "bounds"
    )


def _mean(value: float, words: ValueWords) -> str:
    return words.amount(value) if words.format is None else words.value(value)
