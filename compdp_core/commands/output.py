"""What a command says: results on the output, the rest on the error stream; nothing runs there."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from compdp_core.errors import CompdpError


class OutputError(CompdpError):
    """The result is there, but cannot be said."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"all was done, but what is to be said of it was not: {reason}")


def check_output() -> None:
    """Raises :class:`CompdpError` where nothing can be said at all, as behind ``>&-``."""
    if sys.__stdout__ is None:
        raise CompdpError("the output is closed, so nothing could be told: leave it open")


def reason_of(error: CompdpError | OSError) -> str:
    """What went wrong, without what was being done."""
    if isinstance(error, OutputError):
        return error.reason
    said = error.strerror if isinstance(error, OSError) else str(error)
    return said or type(error).__name__


def say(text: str = "") -> None:
    """A line of the result.

    Raises :class:`OutputError`, behind which nothing is taken back, and :class:`BrokenPipeError`.
    """
    with _named():
        sys.stdout.write(f"{text}\n")


def settle() -> None:
    """All that was said is out; raises what :func:`say` does."""
    with _named():
        sys.stdout.flush()


@contextlib.contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror or type(error).__name__) from None


def warn(text: str) -> None:
    """A line beside the result, which may quote names out of a file."""
    sys.stderr.write("\n".join(map(safe, text.split("\n"))) + "\n")


def safe(text: str) -> str:
    r"""Words of a file as a terminal may be given them: nothing in them moves it or colours it.

    >>> safe("bmi\x1b[31m\n"), safe("Größe")
    ('bmi\\x1b[31m\\n', 'Größe')
    """
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def aligned(rows: Iterable[Sequence[str]], indent: str = "  ") -> str:
    r"""Rows of cells as lines, each column as wide as its longest cell.

    >>> aligned([("a", "b"), ("longer", "c")], "")
    'a       b\nlonger  c'
    """
    listed = [tuple(safe(cell) for cell in row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*listed, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in listed
    )
    return "\n".join(indent + line for line in lines)


def open_streams() -> None:
    """Streams that were closed by whoever called say nothing, and break no run."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - until the end


def plainly() -> None:
    """Letters that a terminal lacks are replaced: ε on an old one breaks no run."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
