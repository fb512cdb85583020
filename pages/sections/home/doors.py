"""The three doors: a sample, the visitor's own table, the course."""

from __future__ import annotations

import streamlit as st

from pages.session.state import keep
from pages.shell.page_list import page

PRIVATIZE = "pages/privatize.py"


def doors() -> None:
    sample, own, understand = st.columns(3, gap="medium")
    with sample, st.container(border=True, key="door-sample", height="stretch"):
        st.header("Try a sample", anchor=False)
        st.markdown("An invented school survey: 600 pupils, six columns to protect.")
        if st.button("Open the sample", type="primary", icon=":material/play_arrow:"):
            keep("privatize.open_sample", True)
            st.switch_page(PRIVATIZE)
    with own, st.container(border=True, key="door-own", height="stretch"):
        st.header("Use your own table", anchor=False)
        st.markdown("A CSV file. It stays in this session's memory, on this machine.")
        if st.button("Upload a table", icon=":material/upload:"):
            st.switch_page(PRIVATIZE)
    with understand, st.container(border=True, key="door-understand", height="stretch"):
        st.header("Understand it", anchor=False)
        st.markdown("A short course: each step has one thing to try and one question.")
        if st.button("Open the course", key="understand", icon=":material/school:"):
            st.switch_page(page("learn").path)
