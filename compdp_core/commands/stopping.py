"""Runs that are stopped: by the keyboard, or by a system that ends the session or the machine."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType

from compdp_core.accounting import Ledger, Spend, decimal_text
from compdp_core.engines.files import StoppedRunError

INTERRUPTED = 128 + signal.SIGINT
UNTOUCHED = "stopped before anything was charged; nothing was changed"
_ENDING = ("SIGTERM", "SIGHUP")


class StoppedCommandError(KeyboardInterrupt):
    """A command was stopped; its words say what was done by then."""


class Stopping:
    """While it lasts, what asks this process to end is raised like Ctrl-C, so that nothing half is
    left.

    Once: a second one comes while the first is seen to. A signal that is ignored, as under
    ``nohup``, stays ignored, and in a thread other than the first one nothing is changed.
    """

    def __init__(self) -> None:
        self.code = INTERRUPTED
        """Exit code of a run that was stopped: 128 and the number of what stopped it."""
        self._ended = False

    @contextlib.contextmanager
    def heard(self) -> Iterator[None]:
        """Handlers stand, and are put back."""
        before = {}
        if threading.current_thread() is threading.main_thread():
            for name in _ENDING:
                number = getattr(signal, name, None)
                if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                    before[number] = signal.signal(number, self._end)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        if not self._ended:
            self._ended, self.code = True, 128 + number
            raise KeyboardInterrupt


@contextlib.contextmanager
def untouched() -> Iterator[None]:
    """Around what comes before the charge."""
    try:
        yield
    except KeyboardInterrupt as stop:
        raise StoppedCommandError(UNTOUCHED) from stop


@contextlib.contextmanager
def charged(spends: Sequence[Spend], ledger: Path | None, out: str, lost: str) -> Iterator[None]:
    """Around the release: ``out`` is what is said where the result stands in its place, ``lost``
    where there is none of it.
    """
    try:
        yield
    except StoppedRunError as stop:
        if stop.is_out:
            words = f"stopped when {out}"
            words += "" if ledger is None else f"; {_cost(spends)} stays counted in {ledger}"
        elif ledger is None:
            words = f"stopped: {lost}, and no ledger was charged"
        else:
            words = f"stopped after the ledger was charged: {lost}, and "
            words += f"{_cost(spends)} stays counted in {ledger}"
        raise StoppedCommandError(words) from stop


def _cost(spends: Sequence[Spend]) -> str:
    total = Ledger().charge(*spends).total_by_dataset(spends[0].dataset)
    return f"epsilon {decimal_text(total)}"
