"""A lock beside a file, which the system takes away from a process that dies."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from compdp_core.errors import CompdpError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LONGEST_WAIT = 30.0
"""Seconds that a run waits for another one, which needs the ledger for some milliseconds."""
_PAUSE = 0.01


class LockTakenError(CompdpError):
    """Another process, or thread, keeps the lock."""


@contextlib.contextmanager
def locked(place: Path) -> Iterator[None]:
    """The file at ``place`` for one process, and one thread of it, at a time.

    The lock's file lies beside it, is empty and stays: whoever deleted it could take it away from a
    run that has just opened it. Raises :class:`LockTakenError` where another one keeps it.
    """
    lock = place.with_name(f"{place.name}.lock")
    handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with contextlib.suppress(OSError):  # Whoever may write the file may have its lock.
            found = os.stat(place)
            if hasattr(os, "chown"):
                os.chown(lock, -1, found.st_gid)
            os.chmod(lock, stat.S_IMODE(found.st_mode) & 0o666)
        until = time.monotonic() + LONGEST_WAIT
        while not _taken(handle):
            if time.monotonic() > until:
                raise LockTakenError(f"{place} is in use by another program: wait for it")
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            _given_up(handle)
    finally:
        os.close(handle)


def _given_up(handle: int) -> None:
    """At once: closing is not enough where a fork took the handle along."""
    if sys.platform == "win32":
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _taken(handle: int) -> bool:
    """Whether nobody else has the lock, which is then had until the file is closed."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
