"""The net under callbacks: they run before the page, where no frame can catch what they raise.

Without it the framework draws its own box, which says that something is in the log, and nothing
else of the page.
"""

from __future__ import annotations

from typing import Any

from compdp_core.errors import CompdpError
from pages.session import faults
from pages.session.framework import Callback, guard_callbacks
from pages.session.state import keep, recall

_NAME = "callback.fault"


def guard() -> None:
    """Called by the frame, once for the process."""
    guard_callbacks(net)


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
