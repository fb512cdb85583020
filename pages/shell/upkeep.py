"""What a long-running server needs now and then: sessions that ended give their memory back.

A session whose connection dropped is kept for `server.disconnectedSessionTTL` seconds. The
framework looks for those that are over only when another one drops: after the last visitor of the
day their uploads would stay. And after each drop it would leave the freed memory to itself.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time

import streamlit as st
from starlette.formparsers import MultiPartParser

from pages.rooms.registry import ROOMS
from pages.session.framework import call_in_server, end_sessions, running

EVERY = 30.0
"""Seconds between looks."""

_begun = threading.Event()
_lock = threading.Lock()


def begin() -> None:
    """Start the upkeep of this process, unless it runs; called by the frame."""
    with _lock:
        if not _begun.is_set() and running():
            _begun.set()
            threading.Thread(target=_forever, name="upkeep", daemon=True).start()


def _forever() -> None:
    pause = min(EVERY, float(st.get_option("server.disconnectedSessionTTL")))
    while running():
        time.sleep(pause)
        try:
            call_in_server(end_sessions)
            ROOMS.sweep()
        except RuntimeError:  # the server is going down
            return
        time.sleep(1)
        give_back()


def give_back() -> None:
    """Memory that nobody uses any more, to the machine."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:  # only in the GNU C library
            trim(0)


MOST = 2**31
"""Bytes, beyond what `server.maxUploadSize` lets pass."""


def never_on_disk() -> None:
    """Called by the frame: nobody can upload before a page was drawn."""
    MultiPartParser.spool_max_size = MOST
