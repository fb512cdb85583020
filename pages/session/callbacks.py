"""The net under callbacks: they run before the page, where no frame can catch what they raise.

Without it the framework draws its own box, which says that something is in the log, and nothing
else of the page.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime.state import session_state

from compdp_core.errors import CompdpError
from pages.session import faults
from pages.session.state import keep, recall

_NAME = "callback.fault"
_STATES: Any = getattr(session_state, "WStates", None)
_UNGUARDED = getattr(_STATES, "call_callback", None)


def guard() -> None:
    """Called by the frame, once for the process. A framework that has no such place keeps its own
    way.
    """
    if _UNGUARDED is not None and _STATES.call_callback is _UNGUARDED:
        _STATES.call_callback = _call


def _call(states: Any, widget: str) -> None:
    assert _UNGUARDED is not None
    try:
        _UNGUARDED(states, widget)
    except CompdpError as refusal:
        keep(_NAME, faults.sentence(str(refusal)))
    except Exception as problem:
        faults.record("a callback failed", problem)
        keep(_NAME, faults.UNEXPECTED)


def tell() -> None:
    """Say what went wrong since the last run; for the top of whatever is drawn."""
    fault = recall(_NAME)
    if fault is not None:
        keep(_NAME, None)
        faults.tell(fault)
