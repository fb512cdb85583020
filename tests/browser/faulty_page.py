"""A page of the app that fails in every place where a page can, with words that quote a cell."""

from __future__ import annotations

import streamlit as st

from pages.session import jobs
from pages.session.fragments import fragment
from pages.session.jobs import Job
from pages.shell.frame import framed

CELL = "Quokkavalue 4711"


def fail(job: object = None) -> None:
    """What a library raises that meets a cell it cannot read."""
    float(CELL)


@fragment
def part() -> None:
    if st.button("Fail in a part") or st.toggle("Fail in a part of the whole page"):
        fail()
    st.button("Fail in a callback of the part", on_click=fail)


def work(job: Job[None]) -> None:
    fail()


with framed("home", heading=False):
    part()
    jobs.collect("job", lambda found: None)
    jobs.progress("job")
    if st.button("Fail in a job"):
        jobs.start("job", work)
        st.rerun()
    st.button("Fail in a callback", on_click=fail)
    if st.button("Fail in the page"):
        fail()
    st.markdown("The rest of the page.")
