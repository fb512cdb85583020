"""What a command says: results on the output, the rest on the error stream; nothing runs there."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence


def say(text: str = "") -> None:
    """A line of the result."""
    sys.stdout.write(f"{text}\n")


def warn(text: str) -> None:
    """A line beside the result."""
    sys.stderr.write(f"{text}\n")


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


def plainly() -> None:
    """Letters that a terminal lacks are replaced: ε on an old one breaks no run."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
