"""The bars of one question on the wall of a class that takes the course."""

from __future__ import annotations

from typing import Any

import pandas as pd

from pages.charts.bars import answer_layout
from pages.charts.chart import Chart
from pages.charts.theme import BASE, RELEASED, level_bars
from pages.rooms.course import CourseQuestion, CourseSession
from pages.sections.classroom.large_chart import LargeChart

LETTERS = "ABCDEFGH"
"""Of the options; a question has at most so many."""
RIGHT, OTHER, UNKNOWN = "right", "not right", "chosen by"


def bars_of_options(session: CourseSession, asked: CourseQuestion, shown: bool) -> Chart:
    """How many chose each option at first; the right one is marked where it is `shown`."""
    counts = session.counts(asked.key)
    answered = sum(counts)
    places = list(range(len(counts)))
    roles = (
        ((RIGHT, RELEASED, [asked.right]), (OTHER, BASE, [n for n in places if n != asked.right]))
        if shown
        else ((UNKNOWN, RELEASED, places),)
    )
    data = [
        level_bars(
            [counts[place] for place in those], those, name, role.bar(),
            [f" {counts[place]}" for place in those],
            width=0.7, hoverinfo="skip",
        )
        for name, role, those in roles
    ]  # fmt: skip
    table: dict[str, Any] = {"option": asked.options, "first answers": counts}
    if shown:
        table["right"] = ["yes" if place == asked.right else "no" for place in places]
    labels = [f"{LETTERS[n]} ✓" if shown and n == asked.right else LETTERS[n] for n in places]
    return LargeChart(
        "course-wall",
        f"{answered} of {session.students} answered",
        "first answers",
        "",
        data,
        _layout(labels, counts),
        _summary(asked, counts, shown),
        lambda: pd.DataFrame(table),
        height=160 + 75 * len(labels),
    )


def _layout(labels: list[str], counts: tuple[int, ...]) -> dict[str, Any]:
    layout = answer_layout(labels, 1.25 * max(*counts, 4))
    layout["xaxis"] |= {"dtick": max(1, max(counts) // 5), "tickformat": "d"}
    return {**layout, "showlegend": False}


def _summary(asked: CourseQuestion, counts: tuple[int, ...], shown: bool) -> str:
    told = (f"{LETTERS[place]}: {number}" for place, number in enumerate(counts))
    right = f" Right is {LETTERS[asked.right]}." if shown else ""
    return f"How many chose each option at first. {', '.join(told)}.{right}"
