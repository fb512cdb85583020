"""Range and sensitivity of the answer, worked out from public facts, with the reason."""

from __future__ import annotations

import streamlit as st

from pages.sections.statistic.query import Asked
from pages.text.wording import literal, number, percent, quantity, span


def worked_out(asked: Asked) -> None:
    plan, unit = asked.plan, asked.unit
    st.markdown(f"**The question:** {literal(asked.question)}")
    with st.container(key="tiles-worked-out"):
        left, middle, right = st.columns(3)
    left.metric(
        "The answer lies in",
        span(*plan.range.as_tuple(), unit),
        help="The range R of the question, from the bounds and the number of rows alone.",
        border=True,
        height="stretch",
    )
    middle.metric(
        "One row can change it by",
        quantity(float(plan.sensitivity), unit, 4),
        help="The sensitivity Δ: the most by which the exact answers of two neighbouring tables "
        "differ.",
        border=True,
        height="stretch",
    )
    share = float(plan.sensitivity) / plan.range.width
    right.metric(
        "Share of the whole range",
        percent(share),
        help="Below 100 %, a staircase around the true answer does far better than one step.",
        border=True,
        height="stretch",
    )
    with st.container(key="code-worked-out"):
        st.markdown(f"`{plan.formula.replace('`', '')}`: {literal(plan.reason)}.")
    if share < 1:
        st.caption(
            f"Δ is {number(share)} of the range R, so the noise may be a staircase: narrow, since "
            "it has to hide one row and not the whole range."
        )
    else:
        st.caption(
            "Δ equals R: one row can carry the answer from end to end, so the noise has to hide "
            "the whole range. A mean or a count of the same column is far more exact."
        )
