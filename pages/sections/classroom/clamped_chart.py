"""The mean of a simulated class beside what two kinds of noise say of it."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compdp_core.survey.clamped import ClampedMean, InventedClass, class_noise
from compdp_core.survey.means import FEWEST, numeric
from compdp_core.survey.question import Question
from pages.charts.theme import GREY, LAPLACE, RELEASED, TRUE, Role, scatter, upright
from pages.sections.classroom.large_chart import EDGE, LETTERS, LargeChart
from pages.text.values import ValueWords
from pages.text.wording import count, number


def clamped_chart(
    question: Question, invented: InventedClass, found: ClampedMean, size: int
) -> LargeChart:
    """One point a line, on the axis of the answers; that of composite noise with its interval."""
    words, ends = ValueWords(question.unit), numeric(question).inputs
    rows: tuple[tuple[str, float, Role], ...] = (
        ("true mean", found.true, TRUE),
        ("composite noise", found.composite, RELEASED),
        ("clamped noise", found.clamped, LAPLACE),
        ("clamped, of very many", found.expected, LAPLACE),
    )
    data = [
        scatter(
            [value], [place], name, mode="markers", marker=role.marker(22), hoverinfo="skip",
            showlegend=False,
        )
        for place, (name, value, role) in enumerate(rows)
    ]  # fmt: skip
    if size >= FEWEST:
        reach = class_noise(question, invented).half_width(size)
        data[1]["error_x"] = {"type": "data", "array": [reach], "thickness": 4, "width": 12}
    values = [value for _, value, _ in rows]
    labels = [f"{name}: {number(value)}" for name, value, _ in rows]
    table = {"mean": [name for name, _, _ in rows], words.named("value"): values}
    return LargeChart(
        "wall-clamped",
        f"A simulated class of {count(size, 'answer')}",
        words.named("mean"),
        "",
        data,
        _layout(labels, values, ends),
        f"Simulated, of nobody’s answers. {'; '.join(labels)} {question.unit}".rstrip() + ".",
        lambda: pd.DataFrame(table),
        height=420,
    )


def _layout(labels: list[str], values: list[float], ends: tuple[float, float]) -> dict[str, Any]:
    low, high = min(ends[0], *values), max(ends[1], *values)
    margin = 0.03 * (high - low)
    line: dict[str, Any] = {"color": TRUE.colour, "width": 2, "dash": "dash"}
    off = {"color": GREY, "width": 2, "dash": "dot"}
    return {
        "hovermode": False,
        "xaxis": {"range": [low - margin, high + margin]},
        "yaxis": {
            "range": [len(labels) - 0.6, -0.8],
            "showticklabels": False,
            "showgrid": False,
            "zeroline": False,
        },
        # Above their marks, which leaves a phone all its width.
        "annotations": [
            {
                "text": label,
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
                "align": "left",
                "y": place,
                "yshift": 26,
                "showarrow": False,
                "font": {"size": LETTERS},
            }
            for place, label in enumerate(labels)
        ],
        "shapes": [
            upright(values[0], "x", line),
            upright(values[-1], "x", off),
            *(upright(end, "x", EDGE) for end in ends),
        ],
    }
