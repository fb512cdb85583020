"""Step 4: two columns together, or one from several others."""

from __future__ import annotations

import streamlit as st

from compdp_core.estimates.summary.requests import Request, correlation, regression
from pages.inputs.options import segments, select, several
from pages.sections.read_release.answered import answered, show_answers
from pages.sections.read_release.asked import (
    FIRST,
    MOST_PREDICTORS,
    OUTCOME,
    PREDICTORS,
    SECOND,
    WAY,
    WAYS,
)
from pages.sections.read_release.subject import OpenRelease
from pages.sections.read_release.subjects import Subjects, subjects
from pages.shell.panels import step

CHOOSE = "Choose a column"
HINT = (
    "Noise hides how columns go together: read as it stands, every relation looks too weak. The "
    "card says how much of it is noise."
)


def relations_step(opened: OpenRelease) -> list[Request]:
    """What is asked, where it is complete."""
    with step(4, "Columns together", HINT):
        found = subjects(opened.estimates.received)
        way = segments("Ask", WAYS, WAY)
        request = _correlation(found) if way == "correlation" else _regression(found)
        if request is None:
            return []
        show_answers(opened, answered(opened, [request], "relation"), "Columns together")
        return [request]


def _correlation(found: Subjects) -> Request | None:
    left, right = st.columns(2, gap="medium")
    with left:
        first = select("One column", found.titles, FIRST, placeholder=CHOOSE)
    with right:
        second = select("Another column", found.beside(first), SECOND, placeholder=CHOOSE)
    if first is None or second is None:
        st.info("Choose two columns, to go on.", icon=":material/arrow_upward:")
        return None
    return correlation(found.subject(first), found.subject(second))


def _regression(found: Subjects) -> Request | None:
    left, right = st.columns(2, gap="medium")
    with left:
        outcome = select("Outcome", found.titles, OUTCOME, placeholder=CHOOSE)
    with right:
        on = several(
            "From these columns",
            found.beside(outcome),
            PREDICTORS,
            placeholder="Choose one or more",
            max_selections=MOST_PREDICTORS,
        )
    st.caption(
        "An answer counts as 1 in rows that have it and as 0 in all others, so its "
        "figure is by how much those rows differ."
    )
    if outcome is None or not on:
        st.info("Choose an outcome and what it is to be told from.", icon=":material/arrow_upward:")
        return None
    return regression(found.subject(outcome), [found.subject(each) for each in on])
