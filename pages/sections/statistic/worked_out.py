"""The question in words, where its answer lies, and how far one row or person can move it."""

from __future__ import annotations

import streamlit as st

from pages.sections.shared.figures import figure_row, figures
from pages.sections.statistic.persons import advice
from pages.sections.statistic.query import Asked
from pages.text.wording import literal, number, percent


def worked_out(asked: Asked) -> None:
    plan, words = asked.plan, asked.words
    st.markdown(f"**The question:** {literal(asked.question)}")
    share = float(plan.sensitivity) / plan.range.width
    figures(
        figure_row(3, "tiles-worked-out"),
        (
            "The answer lies in",
            literal(words.span(*plan.range.as_tuple())),
            "The range R of the question, from the bounds and the number of rows alone.",
        ),
        (
            f"One {asked.one} can change it by",
            literal(words.amount(float(plan.sensitivity), 4)),
            "The sensitivity Δ: the most by which the exact answers of two neighbouring tables "
            "differ.",
        ),
        (
            "Share of the whole range",
            percent(share),
            "Below 100 %, a staircase around the true answer does far better than one step.",
        ),
    )
    with st.container(key="code-worked-out"):
        st.markdown(f"`{plan.formula.replace('`', '')}`: {literal(plan.reason)}.")
        if words.steps:
            st.caption(f"In the formula {words.steps}.")
    if share < 1:
        st.caption(
            f"Δ is {number(share)} of the range R, so the noise may be a staircase: narrow, since "
            f"it has to hide one {asked.one} and not the whole range."
        )
    else:
        st.caption(
            f"Δ equals R: one {asked.one} can carry the answer from end to end, so the noise has "
            "to hide the whole range. A mean or a count of the same column is far more exact."
        )
    if asked.several:
        advice(asked)
