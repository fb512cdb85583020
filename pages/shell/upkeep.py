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
from typing import Any

from streamlit import config, runtime

EVERY = 30.0
"""Seconds between looks."""

_begun = threading.Event()
_lock = threading.Lock()


def begin() -> None:
    """Start the upkeep of this process, unless it runs; called by the frame."""
    with _lock:
        if not _begun.is_set() and runtime.exists():
            _begun.set()
            threading.Thread(target=_forever, name="upkeep", daemon=True).start()


def _forever() -> None:
    pause = min(EVERY, float(config.get_option("server.disconnectedSessionTTL")))
    while runtime.exists():
        time.sleep(pause)
        # Sessions belong to the server's loop.
        try:
            server = runtime.get_instance()
            server._get_async_objs().eventloop.call_soon_threadsafe(end_sessions, server)
        except RuntimeError:  # the server is going down
            return
        time.sleep(1)
        give_back()


def end_sessions(server: Any) -> int:
    """End the sessions whose time is over; how many there were."""
    over = server._session_mgr._session_storage._cache.expire()
    for _, info in over:
        info.session.shutdown()
        # The server's loop holds on to the last session that it served until another one comes.
        info.session.session_state.clear()
        info.session._fragment_storage.clear()
    # A file that someone downloaded goes at the second look after nobody needs it.
    server.media_file_mgr.remove_orphaned_files()
    return len(over)


def give_back() -> None:
    """Memory that nobody uses any more, to the machine."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:  # only in the GNU C library
            trim(0)
