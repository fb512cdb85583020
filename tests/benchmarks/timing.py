"""How long work takes."""

from __future__ import annotations

import time
from collections.abc import Callable


def fastest(
    work: Callable[[], object], repeats: int = 3, clock: Callable[[], float] = time.perf_counter
) -> float:
    """Seconds of the fastest of some runs: what the machine can do when nothing disturbs it."""
    times = []
    for _ in range(repeats):
        begun = clock()
        work()
        times.append(clock() - begun)
    return min(times)
