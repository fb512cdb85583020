"""The first picture that a visitor sees, and the doors: a sample, a table, the course, a class."""

from __future__ import annotations

import streamlit as st

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release.accuracy import odds_factor
from pages.charts.density import Scene, scene_chart
from pages.inputs.options import segments
from pages.session.fragments import fragment
from pages.session.state import edits, keep
from pages.shell.page_list import page
from pages.text.wording import STAYS, number, span, together

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
            unit="points",
            title="What one true value may turn into",
            domain=False,
        ).draw()


PRIVATIZE = "pages/privatize.py"


def doors() -> None:
    sample, own = st.columns(2, gap="medium")
    understand, ask = st.columns(2, gap="medium")
    with sample, st.container(border=True, key="door-sample", height="stretch"):
        st.header("Try a sample", anchor=False)
        st.markdown("An invented school survey: 600 pupils, six columns to protect.")
        if st.button("Open the sample", type="primary", icon=":material/play_arrow:"):
            keep("privatize.open_sample", True)
            st.switch_page(PRIVATIZE)
    with own, st.container(border=True, key="door-own", height="stretch"):
        st.header("Use your own table", anchor=False)
        st.markdown(STAYS)
        if st.button("Upload a table", icon=":material/upload:"):
            st.switch_page(PRIVATIZE)
    with understand, st.container(border=True, key="door-understand", height="stretch"):
        st.header("Understand it", anchor=False)
        st.markdown("A short course: each step has one thing to try and one question.")
        if st.button("Open the course", key="understand", icon=":material/school:"):
            st.switch_page(page("learn").path)
    with ask, st.container(border=True, key="door-ask", height="stretch"):
        st.header("Ask your class", anchor=False)
        st.markdown("Every phone adds its own noise, and the mean on the wall comes out right.")
        if st.button("Set up a room", icon=":material/co_present:"):
            st.switch_page(page("classroom").path)
