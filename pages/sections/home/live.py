"""The first picture a visitor sees: move the true value and watch what may be released."""

from __future__ import annotations

import streamlit as st

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release.accuracy import odds_factor
from pages.charts.density import Scene, scene_chart
from pages.inputs.options import segments
from pages.session.fragments import fragment
from pages.session.state import edits
from pages.text.wording import number, span, together

INPUTS = (0.0, 100.0)
EPSILONS = {each: number(each) for each in (0.5, 1.0, 2.0, 4.0)}


@st.cache_resource(show_spinner=False, max_entries=len(EPSILONS))
def mechanism_at(epsilon: float) -> CompositeMechanism:
    """Fixed public settings, nothing of the user's: safe to share between sessions."""
    return CompositeMechanism(epsilon, INPUTS)


@fragment
def live_picture() -> None:
    controls, picture = st.columns([4, 8], gap="large", vertical_alignment="center")
    with controls:
        value = st.slider("True value, in points", 0, 100, step=1, **edits("home.value", 30))
        epsilon = segments(
            "ε: smaller means more noise and more privacy", EPSILONS, "home.epsilon", 2.0
        )
        mechanism = mechanism_at(epsilon)
        st.markdown(
            f"- Every release lies in **{together(span(*mechanism.outputs))}** points, always. "
            f"That is wider than the true values' {together(span(*INPUTS))}, and has to be.\n"
            f"- On average it is **{value}** points.\n"
            f"- Whatever comes out, it shifts the odds between any two true values by at most a "
            f"factor of **{number(odds_factor(epsilon))}**, which is e to the power ε."
        )
    with picture:
        scene_chart(
            "home",
            Scene.of(mechanism, float(value)),
            axis="released value (points)",
            unit="points",
            title="What one true value may turn into",
            domain=False,
        ).draw()
