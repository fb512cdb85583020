"""A process of its own that draws and writes blocks of a file: ``python -m`` this module.

It is told by its input what to release, once, and then one block after the other, and answers with
the bytes of each. It imports nothing of the script that started the release, shares no source of
randomness with anybody, writes nothing else, and ends with its input.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from compdp_core.engines.block_release import BlockRelease, BlockWork
from compdp_core.engines.blocks import TextBlock
from compdp_core.engines.file_head import read_head
from compdp_core.engines.file_plan import FilePlan
from compdp_core.errors import CompdpError
from compdp_core.release.columns import certified
from compdp_core.release.released import CertifiedColumn
from compdp_core.tables.parts import Layout

NUMBER = 8
"""Bytes of a whole number."""
READY, RELEASED, REFUSED = 1, 2, 3
"""Answers. None is 0, which is what a process that ended says."""


def serve(given: BinaryIO, answers: BinaryIO) -> None:
    """Answer every block of the input."""
    first = take(given)
    if first is None:
        return
    try:
        release = BlockRelease(_work(json.loads(first)))
        put(answers, READY, 0, b"")
        for block in _blocks(given):
            data, rows = release.written(block)
            put(answers, RELEASED, rows, data)
    except CompdpError as error:
        put(answers, REFUSED, 0, str(error).encode())
    except Exception as error:  # its words may quote what is private
        put(answers, REFUSED, 0, type(error).__name__.encode())


def _work(said: dict[str, Any]) -> BlockWork:
    """The same work as in the process that handed it on, made anew from settings and file."""
    asked = FilePlan.of(said["settings"])
    head = read_head(Path(said["source"]), said["reading"], said["head_bytes"])
    plan = asked.placed(head, None)
    columns = tuple(
        CertifiedColumn(each, head.columns[each.position].label, mechanism)
        for each, mechanism in zip(plan.columns, certified(head, plan), strict=True)
    )
    return BlockWork(Layout(head), plan, columns, frozenset(said["gone"]), said["guard_formulas"])


def _blocks(given: BinaryIO) -> Iterator[TextBlock]:
    while (at := given.read(NUMBER)) and (content := take(given)) is not None:
        yield TextBlock(content, int.from_bytes(at, "little"))


def put(file: BinaryIO, *parts: int | bytes) -> None:
    """Write numbers, and bytes with their number in front."""
    for part in parts:
        number = part if isinstance(part, int) else len(part)
        file.write(number.to_bytes(NUMBER, "little"))
        if not isinstance(part, int):
            file.write(part)
    file.flush()


def take(file: BinaryIO) -> bytes | None:
    """Read bytes with their number in front; None where the other side ended."""
    said = file.read(NUMBER)
    if len(said) < NUMBER:
        return None
    size = int.from_bytes(said, "little")
    content = file.read(size)
    return content if len(content) == size else None


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
