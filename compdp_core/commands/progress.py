"""How far a run is, on the error stream of a terminal; nobody is told where nobody looks."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self, TextIO

_WIDTH = 30
_PAUSE = 0.1
"""Seconds between two looks of the bar."""


class ProgressBar:
    """One line, written over, and gone at the end.

    >>> import io
    >>> with ProgressBar("writes", stream=io.StringIO()) as bar:  # no terminal
    ...     bar(0.5)
    >>> bar.stream.getvalue()
    ''
    """

    def __init__(self, what: str, *, quiet: bool = False, stream: TextIO | None = None) -> None:
        self.what = what
        self.stream = sys.stderr if stream is None else stream
        self._shown = not quiet and self.stream.isatty()
        self._next = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def __call__(self, share: float) -> None:
        """``share``: what is done, from 0 to 1."""
        now = time.monotonic()
        if not self._shown or now < self._next:
            return
        self._next = now + _PAUSE
        done = round(_WIDTH * min(max(share, 0.0), 1.0))
        bar = "#" * done + "." * (_WIDTH - done)
        self.stream.write(f"\r{self.what} [{bar}] {100 * share:3.0f} %")
        self.stream.flush()
