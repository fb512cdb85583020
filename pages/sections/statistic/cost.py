"""What the answers of all groups cost together, and why."""

from __future__ import annotations

import streamlit as st

from pages.sections.statistic.query import ReadyQuery
from pages.text.wording import budget, count


def cost(ready: ReadyQuery) -> None:
    inquiry, epsilon = ready.asked.inquiry, budget(ready.epsilon)
    if inquiry.grouping is None:
        return
    answers, together = len(inquiry.grouping.categories), budget(ready.cost)
    if answers == 1:
        why = "There is one group, so its ε is all that is spent."
    elif ready.asked.several:
        why = _of_persons(inquiry.groups, answers, replaced=inquiry.neighbours.n_is_public)
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
        f"{count(answers, 'answer')} at {epsilon} each cost **{together}** together. {why}",
        icon=":material/call_split:",
    )


def _of_persons(groups: int, answers: int, *, replaced: bool) -> str:
    changed = 2 * groups if replaced else groups
    read = f"One person is read in {count(min(groups, answers), 'group')} at most"
    if changed >= answers:
        return f"{read}, so any of the answers may change."
    if replaced:
        return (
            f"{read}. A replaced person may leave as many and enter as many others, so up to "
            f"{changed} answers change, however many groups there are."
        )
    return f"{read}, so no more answers change where a person is added or removed."
