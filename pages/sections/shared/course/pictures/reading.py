"""A released column as it stands, and what its card lets one estimate from it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from pages.charts.chart import Chart
from pages.charts.theme import GREY, RELEASED, TRUE, bars, lines, upright
from pages.sections.shared.course.examples.noise import INPUTS, UNIT
from pages.sections.shared.course.examples.reading import BARS, Array, ReadRelease, edges, read
from pages.sections.shared.course.pictures import marks
from pages.text.wording import count, percent

WIDTH = (INPUTS[1] - INPUTS[0]) / BARS
COARSE = 2
"""Bars between the bounds that one of the released column is as wide as."""
AS_IT_STANDS, ESTIMATED = "released", "estimated from it"


def as_it_stands(epsilon: str, rows: int) -> Chart:
    now = read(epsilon, rows)
    wide = COARSE * WIDTH
    first, last = (
        wide * side(end / wide)
        for side, end in ((math.floor, now.released.min()), (math.ceil, now.released.max()))
    )
    stops = np.arange(min(first, INPUTS[0]), max(last, INPUTS[1]) + 0.5 * wide, wide)
    seen, true = (100 * _shares(values, stops) for values in (now.released, now.true))
    within = float(np.mean((now.released >= INPUTS[0]) & (now.released <= INPUTS[1])))
    edge = {"color": GREY, "width": 1.5, "dash": "dot"}
    data: list[dict[str, Any]] = [
        bars(
            0.5 * (stops[1:] + stops[:-1]), seen, AS_IT_STANDS, RELEASED.bar(), width=wide,
            hovertemplate="%{y:.3g} %",
        ),
        _outline(stops, true, "true"),
        lines([None], [None], "bounds of the true results", edge),
    ]  # fmt: skip
    return Chart(
        "reading-released",
        "The released column as it stands",
        f"result ({UNIT})",
        "share of pupils (%)",
        data,
        {"bargap": 0, "shapes": [upright(end, "x", edge) for end in INPUTS]},
        f"Of {count(rows, 'released result')} at ε = {epsilon} only {percent(within)} lie between "
        "the bounds of the true ones. The two humps of the true results are not to be seen in it.",
        lambda: _numbers(stops, {"released": seen, "true": true}),
        height=400,
    )


def read_rightly(epsilon: str, rows: int) -> Chart:
    now = read(epsilon, rows)
    true, found = 100 * _shares(now.true, edges()), 100 * now.shares
    data: list[dict[str, Any]] = [
        marks.area(
            np.repeat(edges(), 2), np.r_[0.0, np.repeat(found, 2), 0.0], ESTIMATED,
            RELEASED.colour, 0.3, RELEASED.line(),
        ),
        _outline(edges(), true, "true"),
    ]  # fmt: skip
    return Chart(
        "reading-estimated",
        "What can be estimated from it",
        f"result ({UNIT})",
        "share of pupils (%)",
        data,
        {"yaxis": {"range": [0, 1.25 * max(16.0, float(found.max()))]}},
        f"Estimated shares of {BARS} bars between the bounds, by maximum likelihood, against the "
        f"true ones: {percent(_off(now))} of the pupils stand in a wrong bar.",
        lambda: _numbers(edges(), {"estimated": found, "true": true}),
        height=400,
    )


def _off(now: ReadRelease) -> float:
    return 0.5 * float(np.abs(now.shares - _shares(now.true, edges())).sum())


def _shares(values: Array, stops: Array) -> Array:
    found: Array = np.histogram(values, stops)[0] / values.size
    return found


def _outline(stops: Array, heights: Array, name: str) -> dict[str, Any]:
    return lines(
        np.repeat(stops, 2),
        np.r_[0.0, np.repeat(heights, 2), 0.0],
        name,
        TRUE.line(2),
        hoverinfo="skip",
    )


def _numbers(stops: Array, heights: dict[str, Array]) -> pd.DataFrame:
    ends = {f"from ({UNIT})": stops[:-1], f"to ({UNIT})": stops[1:]}
    return pd.DataFrame(ends | {f"{name} (%)": each for name, each in heights.items()})
