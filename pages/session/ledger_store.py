"""The budgets of all browsers, in this process's memory and nowhere else.

A session ends with a reload of the page, but what was released stays released. So each browser's
ledger outlives its sessions: it is found by the random token that the framework's own protection
against forged requests gives every browser. Nothing is written to disk, no cookie is added, and
no link leads to another browser's ledger. A browser without that token keeps its ledger for as
long as its session lasts.
"""

from __future__ import annotations

import binascii
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping

import streamlit as st

from compdp_core.accounting import Ledger
from compdp_core.errors import CompdpError

COOKIE = "_streamlit_xsrf"
MOST_BROWSERS = 10_000


class LedgerStore:
    """Ledgers by browser. Every change is made under one lock: check and charge are one step."""

    def __init__(self, most: int = MOST_BROWSERS) -> None:
        self._most = most
        self._ledgers: OrderedDict[str, Ledger] = OrderedDict()
        self._names: dict[str, dict[str, str]] = {}
        self._lock = threading.Lock()

    def changed(
        self, browser: str, own: Ledger, change: Callable[[Ledger], Ledger], *, copy: bool
    ) -> Ledger:
        """The browser's ledger after a change. A change that refuses leaves everything as it was.

        ``copy`` says that ``own``, what the session holds, came from here. Else the session has
        kept a ledger of its own so far. Whatever is in it that is not here is taken over: neither
        is ever put in the other's place.
        """
        with self._lock:
            known = self._ledgers.get(browser, own)
            ids = {each.id for each in known.entries}
            if not copy or any(each.id not in ids for each in own.entries):
                try:
                    known = known.merge(own)
                except CompdpError:
                    # One of them came from a file that somebody edited: they stay two.
                    return change(own)
            after = change(known)
            if after.entries or after.limit is not None:
                self._ledgers[browser] = after
                self._ledgers.move_to_end(browser)
            else:
                # An empty ledger says nothing: visitors who release nothing take up no room.
                self._ledgers.pop(browser, None)
                self._names.pop(browser, None)
            while len(self._ledgers) > self._most:
                self._names.pop(self._ledgers.popitem(last=False)[0], None)
            return after

    def call(self, browser: str, names: Mapping[str, str]) -> None:
        """Remember tables of the browser's ledger, by their labels in it, under the names of their
        files. Those names are in no file that the ledger is saved to.
        """
        with self._lock:
            if browser in self._ledgers:
                self._names.setdefault(browser, {}).update(names)

    def names(self, browser: str) -> dict[str, str]:
        with self._lock:
            return dict(self._names.get(browser, {}))


BOOKS = LedgerStore()


def browser() -> str | None:
    """A name for this browser that nobody can guess; None where it has no token."""
    secret = token(st.context.cookies.get(COOKIE, ""))
    return None if secret is None else hashlib.blake2b(secret, person=b"compdp book").hexdigest()


def token(cookie: str) -> bytes | None:
    r"""The token in a cookie. It travels under a mask that changes, "2|mask|masked|time".

    >>> token("2|01020304|11121314|0"), token("2|00000000|10101010|1")
    (b'\x10\x10\x10\x10', b'\x10\x10\x10\x10')
    >>> token(""), token("abc")
    (None, None)
    """
    parts = cookie.strip("\"'").split("|")
    if len(parts) != 4 or parts[0] != "2":
        return None
    try:
        mask, masked = binascii.unhexlify(parts[1]), binascii.unhexlify(parts[2])
    except (binascii.Error, ValueError):
        return None
    if not mask or not masked:
        return None
    return bytes(byte ^ mask[i % len(mask)] for i, byte in enumerate(masked))
