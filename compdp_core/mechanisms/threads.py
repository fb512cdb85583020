"""A draw of many values on as many threads as there are cores, each with a source of its own."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from compdp_core.randomness import Source, SystemSource

MANY = 2**17
"""Values from which on threads save more time than it takes to start them."""

PART = 2**16
"""Values a thread draws at a time. Of fewer, threads mostly wait for the lock of the interpreter,
which each step takes again; of more, no working array stays in the cache of a core."""

Draw: TypeAlias = Callable[[slice, Source], None]
"""Draws the values of a slice, and puts them where they belong."""


def cores() -> int:
    """Threads that can run at once: 1 where the system grants one core.

    Also 1 in a process that :mod:`multiprocessing` started, as its sisters have the other cores.
    """
    if multiprocessing.parent_process() is not None:
        return 1
    count = getattr(os, "process_cpu_count", None)  # from Python 3.13 on
    if count is not None:
        return int(count() or 1)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def drawn_in_parts(draw: Draw, size: int, source: Source, part: int) -> None:
    """Draw all of ``size`` values, ``part`` at a time, in order and from this source.

    Only where the source is the system's, whose words nobody can tell from any others, many values
    are shared among threads. Each makes a :class:`SystemSource`, whose key is drawn by the
    operating system: no two of them hand out the same words. Any other source is asked in order,
    as its words are to come again.
    """
    if type(source) is SystemSource and size >= MANY and (threads := cores()) > 1:
        _Shared(draw, size).run(threads)
        return
    for start in range(0, size, part):
        draw(slice(start, min(start + part, size)), source)


class _Shared:
    """Parts that threads take until none is left."""

    def __init__(self, draw: Draw, size: int) -> None:
        self._draw = draw
        self._parts = [slice(at, min(at + PART, size)) for at in range(0, size, PART)]
        self._left = deque(self._parts)  # taken from and emptied by threads without a lock
        self._done = deque[slice]()
        self._failed = deque[BaseException]()

    def run(self, threads: int) -> None:
        """All parts; the first error of any thread is raised, and the others stop soon after."""
        others = self._started(min(threads, len(self._parts)) - 1)
        try:
            self._take(SystemSource())
        finally:
            self._left.clear()  # after an error or an interrupt here
            for thread in others:
                thread.join()
        if self._failed:
            raise self._failed[0]
        if len(self._done) < len(self._parts):
            # A fork in the midst, by what a signal set off: the child has none of the threads, and
            # what they had taken is drawn here. Their own words stay with the parent.
            self._left.extend(part for part in self._parts if part not in self._done)
            self._take(SystemSource())

    def _started(self, count: int) -> list[threading.Thread]:
        started = list[threading.Thread]()
        for _ in range(count):
            thread = threading.Thread(target=self._work, name="compdp draw", daemon=True)
            try:
                thread.start()
            except RuntimeError:  # No more threads here, or the interpreter is about to end.
                break
            started.append(thread)
        return started

    def _work(self) -> None:
        try:
            self._take(SystemSource())
        except BaseException as error:
            self._failed.append(error)
            self._left.clear()

    def _take(self, source: Source) -> None:
        while True:
            try:
                part = self._left.popleft()
            except IndexError:
                return
            self._draw(part, source)
            self._done.append(part)
