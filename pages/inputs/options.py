"""One choice among words that are declared beside it: buttons, a list, a radio.

Each edits a setting that is declared for links, or one of the page alone by its name and default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.inputs.links import Setting
from pages.session.state import one_of, picks

Edited = Setting | str
Titles = Mapping[Any, str]
"""Each option, and what it is called."""


def segments(label: str, titles: Titles, edited: Edited, first: Any = None, **how: Any) -> Any:
    """Buttons, one of which is always pressed."""
    name, first = _named(edited, first)
    how |= picks(name, first, allowed=titles)
    words = titles.__getitem__
    return st.segmented_control(label, list(titles), format_func=words, required=True, **how)


def select(label: str, titles: Titles, edited: Edited, first: Any = None, **how: Any) -> Any:
    """The same as a select box, which can be searched; with None nothing is chosen at first."""
    how |= one_of(*_named(edited, first), titles)
    return st.selectbox(label, format_func=titles.__getitem__, **how)


def radio(label: str, titles: Titles, edited: Edited, first: Any = None, **how: Any) -> Any:
    return st.radio(
        label, format_func=titles.__getitem__, **how, **one_of(*_named(edited, first), titles)
    )


def several(label: str, titles: Titles, edited: Edited, first: Any = None, **how: Any) -> Any:
    how |= picks(*_named(edited, first), allowed=titles)
    return st.multiselect(label, list(titles), format_func=titles.__getitem__, **how)


def _named(edited: Edited, first: Any) -> tuple[str, Any]:
    return (edited, first) if isinstance(edited, str) else (edited.name, edited.default)
