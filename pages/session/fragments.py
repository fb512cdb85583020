"""Nets under callbacks and under parts of a page that are drawn again by themselves.

Both run where the frame around the page is not there to catch what they raise: callbacks before
it, and such a part alone. Without a net the framework draws its own box, which says that something
is in the log, and nothing else of the page. The architecture tests allow `st.fragment` nowhere
else.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

from compdp_core.errors import CompdpError
from pages.session import faults
from pages.session.framework import Callback, guard_callbacks, take_turns
from pages.session.state import keep, recall

_NAME = "callback.fault"


def guard() -> None:
    """Called by the frame, once for the process."""
    guard_callbacks(net)
    take_turns()


def net(unguarded: Callback) -> Callback:
    """The same, but what it raises is kept to be told."""

    def call(states: Any, widget: str) -> None:
        try:
            unguarded(states, widget)
        except CompdpError as refusal:
            keep(_NAME, faults.sentence(str(refusal)))
        except Exception as problem:
            faults.record("a callback failed", problem)
            keep(_NAME, faults.UNEXPECTED)

    return call


def tell() -> None:
    """Say what went wrong since the last run; for the top of whatever is drawn."""
    fault = recall(_NAME)
    if fault is not None:
        keep(_NAME, None)
        faults.tell(fault)


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
        tell()
        with faults.shown():
            body(*args, **kwargs)

    return drawn
