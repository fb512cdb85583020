"""A page of the framework that shows all hostile words the way the app shows words of its users.

With ``?raw`` they are shown without that care: what the tests look for has to be found there.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.charts.chart import Chart
from pages.charts.theme import scatter
from pages.session import faults
from pages.shell.frame import LOOK
from pages.text.wording import in_chart, literal
from tests.browser.hostile import HOSTILE

st.html(LOOK)
if "raw" in st.query_params:
    for words in HOSTILE:
        st.markdown(words)
        st.html(words)
else:
    for place, words in enumerate(HOSTILE):
        with st.container(key=f"word-{place}"):
            st.markdown(f"**{literal(words)}**")
            st.caption(literal(words))
            faults.tell(words)
            st.metric(f"of {literal(words)}", f"1 {literal(words)}")
            st.selectbox("Choose", [words], key=f"choice-{place}")
            st.text(words)
        if place % 10 == 0:
            some = HOSTILE[place : place + 10]
            names = [in_chart(each) for each in some]
            data = [scatter([1, 2], [i, 2], name) for i, name in enumerate(names)]
            axes = {"yaxis": {"tickvals": list(range(10)), "ticktext": names}}
            Chart(
                f"chart-{place}", some[0], some[1], some[2], data, axes, words, pd.DataFrame
            ).draw()
st.markdown("That is all.")
