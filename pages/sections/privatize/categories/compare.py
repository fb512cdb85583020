"""Step 5 for answers: a simulated release beside the true shares, and what a count would say."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.tables import Table
from pages.sections.privatize.categories.shares import AnswerShares, show_shares
from pages.sections.privatize.receiver_beside import by_one_answer
from pages.sections.privatize.rehearsal import MOST_ROWS, SEED, draw_again, thinned, values_of
from pages.sections.shared.ready import ReadyRelease
from pages.session.state import memo, recall
from pages.text.wording import brief, percent


def answer_rehearsal(table: Table, ready: ReadyRelease, mechanism: RandomizedResponse) -> None:
    column, entry, seed = ready.focus, ready.entries[ready.at], recall(SEED, 1)
    assert column.categories is not None
    codes = values_of(table, column, entry.plan)
    if not codes.size:
        st.info("No cell of this column holds an answer of the list.", icon=":material/info:")
        return
    asked = (table, column, mechanism, seed)
    shown = thinned(codes, MOST_ROWS)

    def drawn() -> Any:
        return mechanism.simulate(shown, seed=seed)

    simulated = memo("privatize.rehearsal", asked, drawn)
    subject = AnswerShares(
        "compare",
        "Shares before and after",
        column.label,
        column.categories.names,
        mechanism,
        "simulated",
    )
    show_shares(subject, asked, lambda: (shown, simulated))
    same = float(np.mean(shown == simulated))
    st.caption(
        f"At ε = {brief(mechanism.epsilon)}; {percent(same, 2)} of the answers came out as they "
        f"were. Simulated with seed {seed}: nothing is released or spent. Mechanisms for numbers "
        "are not compared here: an answer has no distance from another one."
    )
    draw_again(len(codes), seed)
    st.markdown("**If all you need is a share**")
    by_one_answer(table, ready)
