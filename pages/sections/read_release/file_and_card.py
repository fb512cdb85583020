"""Step 1: a released file and its card, and what the card says in a line."""

from __future__ import annotations

import streamlit as st

from compdp_core.report.card_reading import is_card
from pages.sections.read_release import checks
from pages.sections.read_release.example import ABOUT
from pages.sections.read_release.source import (
    CARD,
    FILE,
    at_hand,
    let_go,
    part,
    take_example,
    take_last,
    take_upload,
    uploader,
)
from pages.sections.read_release.subject import OpenRelease
from pages.sections.shared.kept_release import kept_releases
from pages.session import faults
from pages.shell.panels import step
from pages.text.wording import STAYS, literal

LABELS = {
    FILE: "The released file: CSV, Excel, OpenDocument, Parquet, JSON lines, Stata or SPSS",
    CARD: "Its privacy card as data: the file whose name ends in _card.json",
}

SIZES: dict[str, int | None] = {FILE: None, CARD: 64}
"""Megabytes of each at most, where it is not what the server allows."""


def file_step() -> OpenRelease | None:
    """Ask for both until they are there and fit."""
    hint = "All that a receiver has. What is read from it costs no privacy, however often."
    with step(1, "File and card", hint):
        if part(FILE) is None and part(CARD) is None:
            _choose()
            return None
        found = _opened()
        if found is None:
            _ask_for(FILE, CARD)
            st.button("Start again", icon=":material/restart_alt:", on_click=let_go)
            return None
        name, other = st.columns([4, 1], vertical_alignment="center")
        file = part(FILE)
        assert file is not None
        what = " · an example" if found.example else ""
        name.markdown(f":material/description: **{literal(file.name)}** with its card{what}")
        other.button("Another", icon=":material/swap_horiz:", on_click=let_go, width="stretch")
        if found.example:
            st.info(ABOUT, icon=":material/school:")
        checks.card_line(found)
        return found


def _choose() -> None:
    own, ready = st.columns([3, 2], gap="large")
    with own:
        _ask_for(FILE, CARD)
    with ready:
        if kept_releases():
            st.markdown("**Released in this session**")
            st.button(
                "Read the last release",
                icon=":material/history:",
                on_click=take_last,
                width="stretch",
                help="The file and the card that Privatize offers, as a receiver would open them.",
            )
        st.markdown("**Or without a file**")
        st.button(
            "Try it on an example",
            icon=":material/school:",
            on_click=take_example,
            width="stretch",
            help=ABOUT,
        )
    st.caption(STAYS)


def _ask_for(*names: str) -> None:
    for name in names:
        there = part(name)
        if there is not None and st.session_state.get(uploader(name)) is None:  # of a visit before
            st.markdown(f":material/description: **{literal(there.name)}**")
        st.file_uploader(
            LABELS[name],
            key=uploader(name),
            max_upload_size=SIZES[name],
            on_change=take_upload,
            args=(name,),
        )


def _opened() -> OpenRelease | None:
    """The release; where it is refused, another file or card may be handed in."""
    file = part(FILE)
    if file is not None and is_card(file.data):
        faults.tell("This is the card. Hand it in below, and the released file in the field above.")
        return None
    if file is None or part(CARD) is None:
        missing = "the file" if file is None else "the card"
        st.info(f"Now {missing} that belongs to it.", icon=":material/arrow_downward:")
        return None
    with st.spinner("Reading file and card …", show_time=True):
        return faults.attempt(at_hand)
