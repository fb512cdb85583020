"""The processes that work on the blocks of one release, each with the work of one thread here."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self, cast

from compdp_core.engines.block_release import BlockRelease
from compdp_core.engines.blocks import TextBlock
from compdp_core.engines.preparing import PreparedFile
from compdp_core.engines.worker import NUMBER, READY, RELEASED, put, take
from compdp_core.errors import CompdpError


class WorkerError(CompdpError):
    """A process that worked on blocks refused one, or died."""


class Workers:
    """Hands each block to the process of the thread that calls, and gives what comes back.

    Started with the interpreter alone: no fork, and nothing of the script that runs here is run
    again. Where none can be started the thread itself does the work; one that dies on a block
    breaks the run.
    """

    def __init__(self, prepared: PreparedFile, told: bytes) -> None:
        self._prepared, self._told = prepared, told
        self._of_thread = threading.local()
        self._all: list[Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for each in self._all:
            each.end()

    def written(self, block: TextBlock) -> tuple[bytes, int]:
        """The block as it stands in the released file, and how many rows are in it."""
        if not hasattr(self._of_thread, "work"):
            self._of_thread.work = self._started()
        work: Callable[[TextBlock], tuple[bytes, int]] = self._of_thread.work
        return work(block)

    def _started(self) -> Callable[[TextBlock], tuple[bytes, int]]:
        with contextlib.suppress(OSError):
            worker = Worker()
            self._all.append(worker)
            if worker.is_ready(self._told):
                return worker.written
        return BlockRelease(self._prepared).written


class Worker:
    """One process, which answers one block at a time."""

    def __init__(self) -> None:
        path = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "compdp_core.engines.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))},
            start_new_session=True,  # The keyboard stops the run here, which ends them.
        )
        self._to = cast(BinaryIO, self.process.stdin)
        self._from = cast(BinaryIO, self.process.stdout)

    def is_ready(self, told: bytes) -> bool:
        """Whether it runs and knows what to do: nothing is drawn before."""
        with contextlib.suppress(OSError):
            put(self._to, told)
            return self._answer()[0] == READY
        return False

    def written(self, block: TextBlock) -> tuple[bytes, int]:
        """The released block and its rows; :class:`WorkerError` where it is refused, or the process
        died.
        """
        kind, rows, data = 0, 0, None
        with contextlib.suppress(OSError):
            put(self._to, block.at, block.content)
            kind, rows, data = self._answer()
        if data is None:
            raise WorkerError(
                "a process that worked on a part of it died: look whether there is memory enough, "
                "or choose fewer processes"
            )
        if kind != RELEASED:
            raise WorkerError(data.decode())
        return data, rows

    def _answer(self) -> tuple[int, int, bytes | None]:
        kind, rows = (int.from_bytes(self._from.read(NUMBER), "little") for _ in range(2))
        return kind, rows, take(self._from)

    def end(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.communicate()
