"""What matters to you: the mechanisms in the order in which they serve a goal, and why."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from compdp_core.experiments import GOALS, rank
from compdp_core.experiments.ranking import rounding
from compdp_core.mechanisms.baselines import Mechanism
from pages.sections.compare_mechanisms import settings as to
from pages.sections.shared.figures import records
from pages.session.state import memo, picks
from pages.shell.panels import drawer
from pages.text.wording import literal, number, percent


def goals(asked: to.ComparedSettings, made: dict[str, Mechanism]) -> None:
    goal = st.pills(
        "What matters to you",
        list(GOALS),
        format_func=str.capitalize,
        required=True,
        label_visibility="collapsed",
        **picks(to.GOAL.name, to.GOAL.default, allowed=GOALS),
    )
    ranked = memo(f"{to.PAGE}.ranked", (asked, tuple(made), goal), lambda: rank(made, goal))
    first = ranked.iloc[0]
    meets = "serves this best" if first.meets else "comes closest, though it does not meet it"
    st.markdown(
        f":material/trophy: **{literal(first.mechanism)}** {meets}. Asked for: {GOALS[goal]}."
    )
    st.markdown("\n".join(_line(row) for row in ranked.itertuples()))
    drawer(
        f"{to.PAGE}.ranking",
        "Figures behind the ranking",
        ":material/table_chart:",
        lambda: records(_table(ranked, asked.inputs), f"Mechanisms ranked for: {goal}"),
    )


def _line(row: Any) -> str:
    mark = ":material/check: meets it" if row.meets else ":material/close: does not meet it"
    return f"{row.rank}. **{literal(row.mechanism)}** ({mark}): {literal(row.why)}."


def _table(ranked: pd.DataFrame, inputs: tuple[float, float]) -> pd.DataFrame:
    none = [rounding(inputs, error) for error in ranked.worst_error]
    return pd.DataFrame(
        {
            "rank": ranked["rank"],
            "mechanism": ranked.mechanism,
            "meets it": ["✓ yes" if each else "✗ no" for each in ranked.meets],
            f"bias up to ({to.UNIT})": [
                number(bias if bias > least else 0.0)
                for bias, least in zip(ranked.bias, none, strict=True)
            ],
            f"error in the middle ({to.UNIT})": ranked.centre_error.map(number),
            f"error at the worst input ({to.UNIT})": ranked.worst_error.map(number),
            "outside the inputs, up to": [percent(each) for each in ranked.outside],
        }
    )
