"""Step 5: means of groups, and how far each is from one of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from compdp_core.estimates.summary.requests import Request, difference, means
from compdp_core.estimates.summary.rows import SummaryRow
from compdp_core.estimates.summary.sentences import texts
from pages.charts.group_means import GroupMean, group_chart
from pages.inputs.options import select
from pages.sections.read_release.answered import answered, show_answers
from pages.sections.read_release.asked import AGAINST, AVERAGED, GROUPED
from pages.sections.read_release.relations import CHOOSE
from pages.sections.read_release.subject import OpenRelease
from pages.sections.read_release.subjects import Place, Subjects, subjects
from pages.shell.panels import step
from pages.text.values import ValueWords

HINT = "Means of a released column in each group of another one, and their differences."


def groups_step(opened: OpenRelease) -> list[Request]:
    """What is asked, where it is complete."""
    with step(5, "Groups", HINT):
        found = subjects(opened.estimates.received)
        place, by = _chosen(found)
        if place is None or by is None:
            return []
        column, named = found.subject(place), found.names[by]
        asked = [means(column, named)]
        rows = answered(opened, asked, "means")
        if any(row.estimate is None for row in rows):
            show_answers(opened, rows, "Means of groups")
            return []
        names = [row.key for row in rows]
        _draw(opened, place, by, rows)
        hint = "Choose a group, to see differences"
        against = select("Compared with", dict(enumerate(names)), AGAINST, placeholder=hint)
        if against is None:
            show_answers(opened, rows, "Means of groups", _group)
            return asked
        first = names[against]
        others = [difference(column, named, (each, first)) for each in names if each != first]
        show_answers(
            opened, answered(opened, others, "differences"), "Differences of groups", _group
        )
        return asked + others


def _group(row: SummaryRow) -> str:
    """Which group a line is about, or which two."""
    return row.key or " less ".join(row.request.option("groups"))


def _chosen(found: Subjects) -> tuple[Place | None, int | None]:
    titles = {place: name for place, name in found.titles.items() if place[0] in found.released}
    left, right = st.columns(2, gap="medium")
    with left:
        averaged: Place | None = select("Mean of", titles, AVERAGED, placeholder=CHOOSE)
    other = {
        place: found.labels[place]
        for place in found.answers
        if averaged is None or place != averaged[0]
    }
    with right:
        by: int | None = select("In each group of", other, GROUPED, placeholder=CHOOSE)
    if not other:
        st.info("No other column of this file has few enough answers to make groups.")
    elif averaged is None or by is None:
        st.info("Choose what is averaged and by what, to go on.", icon=":material/arrow_upward:")
    return averaged, by


def _draw(opened: OpenRelease, place: Place, by: int, rows: Sequence[SummaryRow]) -> None:
    column, answer = place
    words, scale = (opened.words[column], 1.0) if answer is None else (ValueWords("%"), 100.0)
    drawn = [
        GroupMean(
            row.key,
            scale * row.estimate.value,
            scale * row.estimate.low,
            scale * row.estimate.high,
            row.estimate.n,
            scale * row.naive,
            f"{texts(row).value} ({texts(row).interval})",
        )
        for row in rows
        if row.estimate is not None
    ]
    found = subjects(opened.estimates.received)
    averaged = opened.axis(column) if answer is None else f"{found.titles[place]} (%)"
    axes = f"mean of {averaged}", found.labels[by]
    title = "Means of the groups, with their intervals"
    group_chart("group-means", drawn, opened.estimates.level, words, title, axes).draw()
