"""What becomes of a person when the connection, the session or the whole program ends.

The page in the browser outlives all three. It remembers, in its own memory, what the session held
and the ledger of what was spent, with its keys; over a reload, in the browser's storage of this
tab, only how many releases there were and at most how much ε. So it can say in plain words that the
connection is lost, and afterwards what is gone; and it gives the ledger back to a program that was
started anew, where it would otherwise begin at 0 for the same people.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from fractions import Fraction
from pathlib import Path

import streamlit as st

from compdp_core.accounting import Ledger, decimal_text
from compdp_core.errors import CompdpError
from pages.session.framework import close_session, session_name
from pages.session.ledger import join, ledger
from pages.session.state import keep, recall

LARGEST = 500_000
"""Characters of a ledger that travels with the page; a longer one is a file's business."""
MOST_SESSIONS = 10_000
PROGRAM = secrets.token_hex(8)
"""Another one each time the program starts."""

_NAME = "lifeline.session"
_line = st.components.v2.component(
    "lifeline", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


class Sessions:
    """The framework's sessions by the names that pages know them by."""

    def __init__(self, most: int = MOST_SESSIONS) -> None:
        self._most = most
        self._known: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def enter(self, name: str, session: str) -> None:
        with self._lock:
            self._known[name] = session
            while len(self._known) > self._most:
                self._known.popitem(last=False)

    def leave(self, name: str) -> str | None:
        """The session of that name, which is known no longer."""
        with self._lock:
            return self._known.pop(name, None)


SESSIONS = Sessions()


def lifeline() -> None:
    """Draw what watches over the connection; it shows nothing while all is well."""
    book = ledger()
    text = book.to_json() if book.entries else ""
    spent = [book.total_by_dataset(each) for each in book.datasets]
    with st.container(key="unseen-lifeline"):
        said = _line(
            key="lifeline",
            data={
                "program": PROGRAM,
                "session": _name(),
                "table": recall("privatize.file") is not None,
                "releases": len(book.entries),
                "spent": decimal_text(max(spent, default=Fraction(0))),
                "ledger": text if len(text) <= LARGEST else "",
            },
            on_back_change=lambda: None,
            on_left_change=lambda: None,
            on_ledger_change=lambda: None,
        )
    if said.left:
        end(str(said.left))
    if said.ledger and take_back(str(said.ledger)):
        st.rerun()


def take_back(text: str) -> bool:
    """Join what the page remembers to the ledger; whether that changed it."""
    before = ledger()
    try:
        return join(Ledger.from_json(text)) != before
    except CompdpError:
        return False  # The page then goes on saying what is missing.


def end(name: str) -> None:
    """Give up the session that this page had before, at once, unless another window lives in it."""
    session = SESSIONS.leave(name)
    if session is not None:
        close_session(session)


def _name() -> str:
    name: str | None = recall(_NAME)
    if name is None:
        name = secrets.token_hex(16)
        keep(_NAME, name)
        session = session_name()
        if session is not None:
            SESSIONS.enter(name, session)
    return name
