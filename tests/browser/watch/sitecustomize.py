"""Python imports this at its start where a test puts the folder on its path: it notes what the
process opens for writing, whom it calls and what it starts, line by line as JSON.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
from typing import Any

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
_CALLS = ("socket.connect", "socket.getaddrinfo", "socket.sendto", "subprocess.Popen")


def watch(notes: str) -> None:
    """Write what happens from now on into that file."""
    low = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    # Far up: programs that it starts expect to find their own files at the first numbers.
    out = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, 500)
    os.close(low)

    def note(*what: object) -> None:
        os.write(out, (json.dumps([*map(str, what)]) + "\n").encode())

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITES:
            note("open", arguments[0], arguments[2])
        elif event in _CALLS:
            note(event, *arguments[:2])

    sys.addaudithook(hook)


if notes := os.environ.get("WATCHED_INTO"):
    watch(notes)
