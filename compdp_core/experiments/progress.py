"""How a long run tells how far it is, and how it is stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from compdp_core.errors import CompdpError

Progress = Callable[[float, str], None]
"""Called with the share that is done, from 0 to 1, and what is done next, in words."""

Cancelled = Callable[[], bool]
"""Asked between steps whether to stop."""


class CancelledError(CompdpError):
    """The run was stopped on request. ``share`` of it was done; nothing of it is kept."""

    def __init__(self, share: float) -> None:
        self.share = share
        super().__init__(f"stopped on request when {100.0 * share:.0f} % was done")


@dataclass(frozen=True)
class Task:
    """A run, or the part of one between ``start`` and ``stop``.

    >>> told = []
    >>> Task(lambda share, text: told.append((share, text))).part(0.5, 1.0).tell(0.5, "draws")
    >>> told
    [(0.75, 'draws')]
    """

    progress: Progress | None = None
    cancelled: Cancelled | None = None
    start: float = 0.0
    stop: float = 1.0

    def tell(self, share: float, text: str) -> None:
        """Report ``share`` of this part as done. Raises :class:`CancelledError` on request."""
        overall = self.start + share * (self.stop - self.start)
        if self.cancelled is not None and self.cancelled():
            raise CancelledError(overall)
        if self.progress is not None:
            self.progress(overall, text)

    def part(self, start: float, stop: float) -> Task:
        """The part of this task from the share ``start`` to the share ``stop``."""
        width = self.stop - self.start
        return Task(
            self.progress, self.cancelled, self.start + start * width, self.start + stop * width
        )
