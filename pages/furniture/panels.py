"""Panels with a fixed meaning: a step of a page, what is private, what may be published."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def step(number: int, title: str, hint: str = "") -> Iterator[None]:
    """One numbered step of a page, in a card of its own."""
    with st.container(border=True, key=f"step-{number}"):
        st.subheader(f"{number} · {title}", anchor=f"step-{number}")
        if hint:
            st.caption(hint)
        yield


@contextmanager
def private(key: str, title: str) -> Iterator[None]:
    """What only the owner of the data may see."""
    with st.container(key=f"private-{key}"):
        st.markdown(f":material/lock: **Private · {title}**  \nFor the owner of the data only.")
        yield


@contextmanager
def publishable(key: str, title: str) -> Iterator[None]:
    """What holds nothing but released values and public settings."""
    with st.container(key=f"public-{key}"):
        st.markdown(
            f":material/public: **Publishable · {title}**  \n"
            "Made of released values and public settings alone."
        )
        yield
