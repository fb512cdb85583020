"""Parts of a page that are drawn again by themselves, with the net that every part needs.

When such a part runs alone, the frame around the page is not there to catch what it raises. The
architecture tests allow `st.fragment` nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import streamlit as st

from pages.session import callbacks, faults

P = ParamSpec("P")


def fragment(body: Callable[P, None]) -> Callable[P, None]:
    """A part that is drawn again when one of its own widgets is used."""
    return st.fragment(_safe(body))


def every(seconds: float) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """A part that is drawn again after so many seconds, too."""
    return lambda body: st.fragment(_safe(body), run_every=seconds)


def _safe(body: Callable[P, None]) -> Callable[P, None]:
    @wraps(body)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> None:
        callbacks.tell()
        with faults.shown():
            body(*args, **kwargs)

    return drawn
