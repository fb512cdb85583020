"""Errors of what is recovered, each figure on a line of its own, in those of one mechanism."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.estimates.recovery import FIGURES, Recovered, Recovery
from compdp_core.mechanisms.baselines import BASELINES
from pages.charts.chart import Chart
from pages.charts.theme import RELEASED, error_bars, note, points, upright
from pages.charts.ticks import log_axis
from pages.inputs.mechanisms import mechanism_role
from pages.sections.compare_mechanisms.recovery_words import (
    TWO,
    error_text,
    figure_name,
    ratio,
    reference,
)
from pages.text.wording import count

HALF = 0.32
"""Of the height of a line: mechanisms stand one below the other."""
EDGE = 0.42
"""Where the marks of a line end and its heading begins."""
SIZE, OWN_SIZE = 10, 14
MOST_DOWN = 0.75
"""Of an error, that its bar reaches down at most."""


def recovery_chart(found: Recovery, names: Mapping[str, str]) -> Chart:
    ours = reference(found, names)
    known = {
        each.figure: each for each in found.found if each.mechanism == ours and each.error > 0.0
    }
    lanes = {figure: place for place, figure in enumerate(reversed(FIGURES))}
    shown = {
        name: [r for r in found.found if r.mechanism == name and _drawn(r, known)] for name in names
    }
    shown = {name: every for name, every in shown.items() if every}
    data: list[dict[str, Any]] = []
    for lift, (name, every) in zip(_lifts(len(shown)), shown.items(), strict=True):
        heights = [lanes[each.figure] + lift for each in every]
        data.append(_points(name, names[name], every, heights, known))
    low = min(at - down for each in data for at, down in _reaches(each, "arrayminus"))
    high = max(at + up for each in data for at, up in _reaches(each, "array"))
    return Chart(
        "recovery",
        "What a receiver can recover",
        f"error ({ours} = 1, logarithmic)",
        "",
        data,
        {
            "hovermode": "closest",
            "xaxis": log_axis(min(low, 0.8) / 1.15, max(high, 1.25) * 1.15),
            "yaxis": {
                "range": [-0.6, len(FIGURES) - 0.3],
                "showticklabels": False,
                "showgrid": False,
                "zeroline": False,
            },
            "shapes": [_own_line(lane) for lane in lanes.values()],
            "annotations": [_heading(figure, lanes[figure], found, known) for figure in FIGURES],
        },
        _summary(found, ours),
        lambda: _numbers(found),
        height=200 + len(FIGURES) * max(70, 22 * len(shown)),
    )


def _own_line(lane: int) -> dict[str, Any]:
    """Where one own error is: beside the marks of a line, below its heading."""
    line = {"color": RELEASED.colour, "width": 1.5, "dash": "dot"}
    return upright(1.0, "x", line) | {"yref": "y", "y0": lane - EDGE, "y1": lane + EDGE}


def _lifts(many: int) -> Sequence[float]:
    """From the top down within a line, in its height."""
    return np.linspace(HALF, -HALF, many).tolist() if many > 1 else [0.0]


def _reaches(trace: Mapping[str, Any], side: str) -> Iterable[tuple[float, float]]:
    return zip(trace["x"], trace["error_x"][side], strict=True)


def _drawn(each: Recovered, known: Mapping[str, Recovered]) -> bool:
    return each.error > 0.0 and each.figure in known


def _points(
    name: str,
    key: str,
    every: list[Recovered],
    heights: list[float],
    known: Mapping[str, Recovered],
) -> dict[str, Any]:
    role = mechanism_role(key)
    times = [ratio(each, known[each.figure]) for each in every]
    own = key not in BASELINES
    reach = [TWO * error for _, error in times]
    # A logarithmic axis has no place for 0.
    down = [min(each, MOST_DOWN * at) for each, (at, _) in zip(reach, times, strict=True)]
    return points(
        [at for at, _ in times],
        heights,
        name,
        role.marker(OWN_SIZE if own else SIZE),
        error_x=error_bars(reach, role.colour, 1.5, width=4, arrayminus=down),
        customdata=[f"{error_text(each.figure, each.error)}, {each.estimator}" for each in every],
        hovertemplate=f"{name}<br>off by %{{customdata}}<extra></extra>",
    )


def _heading(
    figure: str, lane: int, found: Recovery, known: Mapping[str, Recovered]
) -> dict[str, Any]:
    at = f" (1 is {error_text(figure, known[figure].error)})" if figure in known else ""
    return note(
        f"<b>{figure_name(figure, found).capitalize()}</b>{at}", 0, "x domain", lane + EDGE, "y",
        xanchor="left",
    )  # fmt: skip


def _summary(found: Recovery, ours: str) -> str:
    words = [
        f"{figure_name(figure, found)}: "
        + ", ".join(f"{r.mechanism} {error_text(figure, r.error)}" for r in found.of(figure))
        for figure in FIGURES
    ]
    return (
        f"Errors of what is read from {count(found.rows, 'row')}, smallest first. "
        f"{'; '.join(words)}. The picture has them in errors of {ours}, whose own lie on the "
        "dotted upright line; bars reach two standard errors."
    )


def _numbers(found: Recovery) -> pd.DataFrame:
    """Shares as shares, all else in units, as the library gives it."""
    return pd.DataFrame([asdict(each) for each in found.found]).rename(
        columns={"error_se": "its standard error", "naive": "error if read as it stands"}
    )
