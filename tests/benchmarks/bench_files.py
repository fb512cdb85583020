"""A file released block by block: seconds, memory of all processes, and every other byte.

Run by hand: ``python -m tests.benchmarks.bench_files 20000000`` makes a file of that many rows and
six columns (58 bytes a row), releases one column with one process and with as many as there are
cores, and checks that all that is not released came back byte for byte. ``--keep`` a folder for the
files, which takes twice their size.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import compdp_core as cdp

PLANS = {"bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1)}
_AT_ONCE = 100_000
_CITIES = np.array([b"Oldenburg", b"Wilhelmshaven", b"Bremen", b"Leer"])
_NOTES = np.array([b"no remarks so far at all", b"see the second file", b"called back twice"])


def make(path: Path, rows: int) -> None:
    """A table as real ones are: numbers, names, dates, remarks."""
    draw = np.random.default_rng(17)
    with path.open("wb") as file:
        file.write(b"id,city,visit,bmi,score,note\n")
        for start in range(0, rows, _AT_ONCE):
            count = min(_AT_ONCE, rows - start)
            columns = (
                range(start, start + count),
                _CITIES[draw.integers(0, len(_CITIES), count)].tolist(),
                draw.integers(1, 29, count).tolist(),
                draw.uniform(15, 45, count).tolist(),
                draw.integers(0, 1000, count).tolist(),
                _NOTES[draw.integers(0, len(_NOTES), count)].tolist(),
            )
            lines = zip(*columns, strict=True)
            file.write(b"".join([b"%09d,%s,2024-05-%02d,%.1f,%d,%s\n" % line for line in lines]))


def untouched(before: Path, after: Path) -> bool:
    """Whether all but the released column is the same, byte for byte."""
    size = 1 << 24
    with before.open("rb") as one, after.open("rb") as two:
        while True:
            lines = one.readlines(size), two.readlines(2 * size)
            if len(lines[1]) > len(lines[0]):
                two.seek(-sum(map(len, lines[1][len(lines[0]) :])), os.SEEK_CUR)
                lines = lines[0], lines[1][: len(lines[0])]
            if not lines[0]:
                return not lines[1]
            others = []
            for each in lines:
                cells = np.array([line.split(b",", 4) for line in each], dtype=object)
                others.append(np.delete(cells, 3, axis=1))
            if not np.array_equal(others[0], others[1]):
                return False


class Peak:
    """The most memory that this process and its children had together, in bytes, looked at ten
    times a second: resident (shared pages counted in each) and proportional.
    """

    def __init__(self) -> None:
        self.resident = self.proportional = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Peak:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            sizes = [_memory(each) for each in _family(os.getpid())]
            self.resident = max(self.resident, sum(size for size, _ in sizes))
            self.proportional = max(self.proportional, sum(size for _, size in sizes))


def _family(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task").glob("*/children")
    try:
        found = [int(each) for file in children for each in file.read_text().split()]
    except OSError:
        found = []
    return [process, *(each for child in found for each in _family(child))]


def _memory(process: int) -> tuple[int, int]:
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0, 0
    said = {line.split(":")[0]: line.split()[1] for line in lines[1:]}
    return 1024 * int(said["Rss"]), 1024 * int(said["Pss"])


def main(arguments: list[str]) -> None:
    """Measure, and say it in a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--processes", type=int, nargs="*", default=[1, os.cpu_count() or 1])
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=asked.keep) as folder:
        source, target = Path(folder, "in.csv"), Path(folder, "out.csv")
        make(source, asked.rows)
        sys.stdout.write(f"{asked.rows:,} rows, {source.stat().st_size / 1e9:.2f} GB\n")
        for processes in asked.processes:
            spent, start = os.times(), time.perf_counter()
            with Peak() as peak:
                release = cdp.privatize_file(source, target, PLANS, processes=processes)
            seconds, now = time.perf_counter() - start, os.times()
            worked = sum(now[:4]) - sum(spent[:4])
            same = untouched(source, target)
            sys.stdout.write(
                f"{processes} processes: {seconds:.1f} s, {worked:.1f} s of processor time, "
                f"{peak.resident / 1e9:.2f} GB resident, {peak.proportional / 1e9:.2f} GB "
                f"proportional, {release.rows:,} rows, every other byte unchanged: {same}\n"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
