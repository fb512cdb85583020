"""The frame around every page: title, menu, style sheet, and the one place errors surface."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from pages.charts.theme import follow_the_system
from pages.session import faults, fragments
from pages.session.focus import keep_focus
from pages.session.ledger import spent_line
from pages.session.state import note_page
from pages.shell import upkeep
from pages.shell.page_list import Page, groups, page
from pages.shell.reconnect import lifeline
from pages.shell.upkeep import never_on_disk

LOOK = Path(__file__).with_name("look.css")
# A picture of our own: the browser fetches named icons of the page tab from an outside host.
MARK = Path(__file__).with_name("mark.png")


@contextmanager
def framed(key: str, *, heading: bool = True) -> Iterator[Page]:
    """Draw the frame of the page with that key; the body runs inside and may refuse.

    There is no `st.navigation`: with it, a page's own link on a fresh server either skips the
    front door or opens a "Page not found" dialog. Every page calls this instead.
    """
    row = page(key)
    never_on_disk()
    fragments.guard()
    upkeep.begin()
    st.set_page_config(page_title=f"{row.title} · CompDP", page_icon=MARK, layout="wide")
    st.html(LOOK)
    note_page(key)
    keep_focus()
    lifeline()
    follow_the_system()
    _menu()
    if heading:
        st.title(row.title, anchor=False)
        st.markdown(row.lead)
    fragments.tell()
    with faults.shown():
        yield row


def _menu() -> None:
    st.logo(MARK, size="large")
    with st.sidebar:
        st.markdown("**CompDP**  \nBounded, unbiased privacy")
        for section, rows in groups().items():
            st.caption(section)
            for row in rows:
                st.page_link(row.path, label=row.title, icon=row.icon, width="stretch")
        spent_line()
