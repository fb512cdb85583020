"""Time and memory of finding out whose rows are one person's, and of reading at most k of each.

    python -m tests.benchmarks.bench_persons [rows]

A million rows of 200,000 persons are to take less than 0.6 s and 100 MB.
"""

from __future__ import annotations

import sys
import tracemalloc
from functools import partial

import numpy as np

from compdp_core.adjacency import Person
from compdp_core.randomness import SystemSource
from compdp_core.tables import Table, read
from compdp_core.tables.contributions import Persons, persons_of
from compdp_core.tables.sameness import same_texts
from tests.benchmarks.timing import fastest

IDS = {
    "numbers": "{}",
    "with a letter": "P{:06d}",
    "hexadecimal": "{:032x}",
    "a SHA-256": "{:064x}",
    "in quotes": '"P{:06d}"',
    "not ASCII": "Ä{:06d}",
}


def table_of(rows: int, pattern: str) -> Table:
    owners = np.random.default_rng(1).integers(0, max(rows // 5, 1), rows).tolist()
    lines = "\n".join(f"{pattern.format(owner)},{i % 97}" for i, owner in enumerate(owners))
    return read(f"id,score\n{lines}\n".encode())


def bounded(table: Table) -> None:
    """As of a table that is new."""
    Persons(*same_texts(table, [0])).at_most(Person("id", 3), SystemSource())


def main(rows: int) -> None:
    persons_of(table_of(10, "{}"), ["id"])  # what is loaded at first use
    print(f"{rows:,} rows, at most 3 of each person\n{'IDs':<16}{'seconds':>9}{'MB':>8}")
    for name, pattern in IDS.items():
        table = table_of(rows, pattern)
        seconds = fastest(partial(bounded, table))
        tracemalloc.start()
        bounded(table)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"{name:<16}{seconds:>9.2f}{peak / 1e6:>8.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
