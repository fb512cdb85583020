"""Time and memory of reading, profiling and writing a table of six columns.

    python -m tests.benchmarks.bench_tables [rows]

The default million rows are to be read and profiled within 2.5 s, and one column replaced within
1.5 s; the memory of the process is to stay within three times the file.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from compdp_core.tables import format_cells, read, write

Result = TypeVar("Result")


def file_of(rows: int) -> bytes:
    """Quoted text, CR LF, two kinds of decimals, whole numbers."""
    rng = np.random.default_rng(1)
    block = min(rows, 100_000)
    incomes, ages, ratios = rng.normal(5000, 1000, block), rng.integers(0, 100, block), rng.normal(
        size=block
    )  # fmt: skip
    lines = "".join(
        f'{i},{a:.2f},"Person, {i % 977}",{c},{d!r},town {c}\r\n'
        for i, (a, c, d) in enumerate(zip(incomes, ages.tolist(), ratios.tolist(), strict=True))
    ).encode()
    # Joined once: the file itself must not count twice in the largest memory.
    return b"".join([b"id,income,name,age,ratio,town\r\n", *[lines] * (rows // block)])


def timed(what: str, work: Callable[[], Result]) -> Result:
    """Print the seconds on the clock and on the processor."""
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    print(f"{what:<34}{clock:>8.2f} s{processor:>8.2f} s of the processor")
    return result


def main(rows: int) -> None:
    """Read, look at numbers, and write with one new column."""
    data = file_of(rows)
    size = len(data) / 2**20
    before = peak()
    print(f"{rows:,} rows, {size:.0f} MiB")
    table = timed("read and profile", lambda: read(data))
    after_reading = peak()
    numbers = timed("numbers of one column", lambda: table.numbers(1))
    cells = timed("format one column", lambda: format_cells(numbers.values, 2))
    timed("write, not guarded", lambda: write(table, {1: cells}, guard_formulas=False).rows)
    written = timed("write, formulas guarded", lambda: write(table, {1: cells}))
    print(
        f"largest memory before reading {before / size:.2f}, after it {after_reading / size:.2f}, "
        f"after writing {peak() / size:.2f} times the file"
    )
    print("the same bytes" if written.data == data else "OTHER BYTES")


def peak() -> float:
    """Largest memory of this process so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
