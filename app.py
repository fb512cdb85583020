"""The front door. Run with `streamlit run app.py`."""

from __future__ import annotations

import streamlit as st

from pages.furniture.catalogue import page
from pages.furniture.frame import framed
from pages.home.doors import doors
from pages.home.live import live_picture

with framed("home", heading=False):
    with st.container(key="promise"):
        st.title(page("home").lead, anchor=False)
    live_picture()
    doors()
