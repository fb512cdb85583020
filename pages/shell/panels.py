"""Panels with a fixed meaning: a step, a closed box, what is private, what may be published."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.session.framework import DeltaGenerator
from pages.session.state import browser_name, keep, recall


def drawer(name: str, label: str, icon: str, content: Callable[[], None]) -> None:
    """The content is worked out and sent only while the box is open: a slider elsewhere on the
    page stays quick. Whether it is open outlasts a visit to another page."""
    box = st.expander(
        label, icon=icon, key=name, on_change="rerun", expanded=recall(is_open(name), False)
    )
    keep(is_open(name), bool(box.open))
    if box.open:
        with box:
            content()


def is_open(name: str) -> str:
    return f"{name}.open"


Mark = Literal["done", "now", "later"]
_MARKS: dict[Mark, tuple[str, str]] = {
    "done": ("✓", "done"),
    "now": ("●", "now"),
    "later": ("○", "not yet"),
}
"""What the eye sees before a step's name, and what is said instead of it after the name."""
_DRAWN = "page.steps"


@contextmanager
def step(number: int, title: str, hint: str = "") -> Iterator[None]:
    """One numbered step of a page, in a card of its own."""
    keep(_DRAWN, recall(_DRAWN, frozenset()) | {number})
    with st.container(border=True, key=f"step-{number}"):
        st.header(f"{number} · {title}", anchor=f"step-{number}")
        if hint:
            st.caption(hint)
        yield


def explores() -> None:
    st.caption(
        ":material/science: Everything here is simulated or computed from public settings. No data "
        "is used, nothing is released, no privacy is spent."
    )


def step_bar() -> DeltaGenerator:
    """A place above the steps, to be filled by `show_steps` when they are known."""
    keep(_DRAWN, frozenset())
    return st.container(key="stepbar")


def show_steps(bar: DeltaGenerator, steps: Mapping[str, object]) -> None:
    """Where one is on a long page, and a way to each step of it that is there by now.

    Each title comes with what is truthy once its step is done; the first that is not is at hand.
    """
    drawn, now = recall(_DRAWN, frozenset()), next((t for t, done in steps.items() if not done), "")
    items = (
        _item(
            number if number in drawn else None,
            title,
            "done" if done else "now" if title == now else "later",
        )
        for number, (title, done) in enumerate(steps.items(), start=1)
    )
    # Of the framework's own parts none is a landmark, and none says which step is the present one.
    bar.html(f'<nav aria-label="Steps of this page"><ol>{"".join(items)}</ol></nav>')


def _item(number: int | None, title: str, mark: Mark) -> str:
    """One step of the bar; without a number it is not there yet, and nothing leads to it."""
    seen, said = _MARKS[mark]
    words = (
        f'<span aria-hidden="true">{seen}</span> {escape(title)}<span class="said"> ({said})</span>'
    )
    if number is None:
        return f'<li><span class="no-step">{words}</span></li>'
    current = ' aria-current="step"' if mark == "now" else ""
    return f'<li><a href="#step-{number}"{current}>{words}</a></li>'


def fold(name: str, passed: bool, label: str, content: Callable[[], None]) -> None:
    """What a step shows; once the step is passed, in a box that is closed until it is asked for."""
    if passed:
        # The step's link in the bar opens it, too: see focus.js.
        with st.container(key=f"fold-{name}"):
            drawer(name, label, ":material/visibility:", content)
    else:
        content()


@contextmanager
def private(key: str, title: str) -> Iterator[None]:
    """What only the owner of the data may see."""
    with st.container(key=f"private-{browser_name(key)}"):
        st.markdown(f":material/lock: **Private, for the owner only** · {title}")
        yield


@contextmanager
def publishable(key: str, title: str) -> Iterator[None]:
    """What holds nothing but released values and public settings."""
    with st.container(key=f"public-{key}"):
        st.markdown(f":material/public: **Publishable** · {title}")
        yield


_arrive = st.components.v2.component(
    "arrival", js=Path(__file__).with_name("arrival.js").read_text(encoding="utf-8")
)


def arrive(name: str, heading: str, when: float) -> None:
    """Draw what goes to the heading, a CSS selector, once `when` is later than ever in this
    window under that name; at the first time it only takes note. It shows nothing itself.
    """
    with st.container(key="unseen-arrival"):
        _arrive(key="arrival", data={"name": name, "heading": heading, "when": when})
