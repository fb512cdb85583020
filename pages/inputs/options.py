"""One choice among words that are declared beside it: buttons, a list, a radio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.session.state import one_of, picks


def segments(label: str, titles: Mapping[Any, str], name: str, default: Any, **how: Any) -> Any:
    """Buttons, one of which is always pressed; `titles` says each option in words."""
    return st.segmented_control(
        label,
        list(titles),
        format_func=titles.__getitem__,
        required=True,
        **how,
        **picks(name, default, allowed=titles),
    )


def select(label: str, titles: Mapping[Any, str], name: str, default: Any, **how: Any) -> Any:
    """The same as a select box, which can be searched; with None nothing is chosen at first."""
    words = titles.__getitem__
    return st.selectbox(label, format_func=words, **how, **one_of(name, default, titles))


def radio(label: str, titles: Mapping[Any, str], name: str, default: Any, **how: Any) -> Any:
    """The same as radio buttons."""
    return st.radio(label, format_func=titles.__getitem__, **how, **one_of(name, default, titles))
