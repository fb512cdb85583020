"""A box that is closed at first and costs nothing until it is opened."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.session.state import keep, recall


def drawer(name: str, label: str, icon: str, content: Callable[[], None]) -> None:
    """The content is worked out and sent only while the box is open: a slider elsewhere on the
    page stays quick. Whether it is open outlasts a visit to another page."""
    box = st.expander(
        label,
        icon=icon,
        key=name,
        on_change="rerun",
        expanded=recall(is_open(name), False),
    )
    keep(is_open(name), bool(box.open))
    if box.open:
        with box:
            content()


def is_open(name: str) -> str:
    """Name under which it is kept whether the box is open."""
    return f"{name}.open"
