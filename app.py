"""The front door. Run with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from pages.sections.home.live import doors, live_picture
from pages.shell.frame import framed
from pages.shell.page_list import page

with framed("home", heading=False):
    with st.container(key="promise"):
        st.title(page("home").lead, anchor=False)
    live_picture()
    doors()
