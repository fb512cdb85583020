"""Many drawn tables, once: ``python -m tests.noninterference [tables] [first] [share]``.

A hundred thousand by default, from seed ``first``; of each ``share``-th (the tenth) all files are
compared, of the others those of the table. A seed that fails is printed and draws the same case
again: ``differences(drawn(seed))``. Several processes with ranges of their own share the work.
"""

from __future__ import annotations

import sys
import time

from tests.noninterference.checking import differences
from tests.noninterference.drawing import drawn


def main(tables: int = 100_000, first: int = 0, share: int = 10) -> int:
    """How many tables failed."""
    clock, failed = time.monotonic(), 0
    for seed in range(first, first + tables):
        try:
            found = differences(drawn(seed), files=seed % share == 0)
        except Exception as error:
            found = [f"{type(error).__name__}: {error}"]
        if found:
            failed += 1
            print(f"seed {seed}: {'; '.join(found)[:2000]}", flush=True)
        if (done := seed + 1 - first) % 5000 == 0:
            print(f"{done} done after {time.monotonic() - clock:.0f} s", flush=True)
    print(
        f"{tables} tables from seed {first}: {failed} failed, {time.monotonic() - clock:.0f} s",
        flush=True,
    )
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
