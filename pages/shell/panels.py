"""Panels with a fixed meaning: a step of a page, what is private, what may be published."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

import streamlit as st

from pages.session.framework import DeltaGenerator
from pages.session.state import keep, recall, told
from pages.shell.closed_box import drawer

Mark = Literal["done", "now", "later"]
_MARKS: dict[Mark, str] = {"done": "✓", "now": "●", "later": "○"}
_DRAWN = "page.steps"


@contextmanager
def step(number: int, title: str, hint: str = "") -> Iterator[None]:
    """One numbered step of a page, in a card of its own."""
    keep(_DRAWN, (*recall(_DRAWN, ()), number))
    with st.container(border=True, key=f"step-{number}"):
        st.header(f"{number} · {title}", anchor=f"step-{number}")
        if hint:
            st.caption(hint)
        yield


def explores() -> None:
    """What a page says that has no data."""
    st.caption(
        ":material/science: Everything here is simulated or computed from public settings. No data "
        "is used, nothing is released, no privacy is spent."
    )


def step_bar() -> DeltaGenerator:
    """A place above the steps, to be filled by `show_steps` when they are known."""
    keep(_DRAWN, ())
    return st.container(key="stepbar")


def show_steps(bar: DeltaGenerator, steps: Sequence[tuple[str, Mark]]) -> None:
    """Where one is on a long page, and a way to each step of it that is there by now."""
    drawn = recall(_DRAWN, ())
    links = [
        f"[{_MARKS[mark]} {title}](#step-{number})"
        if number in drawn
        else f"{_MARKS[mark]} {title}"
        for number, (title, mark) in enumerate(steps, start=1)
    ]
    # A space that may break: an em space would indent the next line of a phone.
    bar.markdown("&nbsp;&nbsp; ".join(links))


def fold(name: str, passed: bool, label: str, content: Callable[[], None]) -> None:
    """What a step shows; once the step is passed, in a box that is closed until it is asked for."""
    if passed:
        drawer(name, label, ":material/visibility:", content)
    else:
        content()


@contextmanager
def private(key: str, title: str) -> Iterator[None]:
    """What only the owner of the data may see."""
    with st.container(key=f"private-{told(key)}"):
        st.markdown(f":material/lock: **Private, for the owner only** · {title}")
        yield


@contextmanager
def publishable(key: str, title: str) -> Iterator[None]:
    """What holds nothing but released values and public settings."""
    with st.container(key=f"public-{key}"):
        st.markdown(f":material/public: **Publishable** · {title}")
        yield
