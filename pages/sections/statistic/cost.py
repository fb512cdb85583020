"""What all answers cost together, under the neighbours that were chosen."""

from __future__ import annotations

import streamlit as st

from compdp_core.accounting import decimal_text
from pages.sections.statistic.query import ReadyQuery
from pages.text.wording import count


def cost(ready: ReadyQuery) -> None:
    inquiry, epsilon = ready.asked.inquiry, decimal_text(ready.epsilon)
    if inquiry.grouping is None:
        return
    answers, together = len(inquiry.grouping.categories), decimal_text(ready.cost)
    if answers == 1:
        why = "There is one group, so its ε is all that is spent."
    elif inquiry.neighbours.n_is_public:
        why = (
            "Groups share no row (parallel composition), but a replaced row may leave one group "
            "and enter another: two answers change, so the cost is twice the ε of one, however "
            "many groups there are."
        )
    else:
        why = (
            "Groups share no row (parallel composition), and a row that is added or removed lies "
            "in one of them: one answer changes, so all of them cost the ε of one."
        )
    st.info(
        f"{count(answers, 'answer')} at ε = {epsilon} each cost **ε = {together}** together. {why}",
        icon=":material/call_split:",
    )
