"""How many wrong codes may be tried: by one visitor, and by all together.

One visitor is one session of the program. Whoever opens many of them meets the limit of all; links
and QR codes carry a key that nobody guesses, and are not held up by it.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

MOST_VISITORS = 5_000


@dataclass
class Allowance:
    """So many at once, and one more every so many seconds."""

    most: float
    seconds: float
    left: float
    since: float

    def refill(self, now: float) -> float:
        """What is left by now."""
        self.left = min(self.most, self.left + max(0.0, now - self.since) / self.seconds)
        self.since = now
        return self.left


class Tries:
    """Counts wrong codes alone: right ones are never held up by themselves."""

    def __init__(
        self,
        each: tuple[float, float] = (5.0, 20.0),
        together: tuple[float, float] = (100.0, 1.0),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._each, self._clock = each, clock
        self._all = Allowance(*together, left=together[0], since=clock())
        self._visitors: OrderedDict[str, Allowance] = OrderedDict()
        self._lock = threading.Lock()

    def may(self, visitor: str) -> bool:
        """Whether this visitor may try a code now."""
        with self._lock:
            now = self._clock()
            return self._all.refill(now) >= 1.0 and self._of(visitor, now).left >= 1.0

    def missed(self, visitor: str) -> None:
        """A code was wrong."""
        with self._lock:
            now = self._clock()
            self._all.refill(now)
            self._all.left -= 1.0
            self._of(visitor, now).left -= 1.0

    def _of(self, visitor: str, now: float) -> Allowance:
        found = self._visitors.pop(visitor, None)
        found = found or Allowance(*self._each, left=self._each[0], since=now)
        found.refill(now)
        self._visitors[visitor] = found
        while len(self._visitors) > MOST_VISITORS:
            self._visitors.popitem(last=False)
        return found
