"""How fast each engine releases a column of a large CSV file, beside its own identity.

    python -m tests.benchmarks.bench_engines [--rows 20000000] [--folder /tmp]

Makes a plain file of 6 columns (59 bytes a row) once and removes it. Each line is a process of its
own, so that the peak memory is that of the run; an identity reads the file and writes it again.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from compdp_core import ColumnPlan
from compdp_core.engines.files import release_prepared
from compdp_core.engines.plain_csv import plain_text
from compdp_core.engines.preparing import prepare

PLAN = ColumnPlan(inputs=(10, 70), epsilon=1)
_PART = 1_000_000


def make(path: Path, rows: int) -> None:
    """A plain file."""
    random = np.random.default_rng(1)
    with path.open("wb") as file:
        for start in range(0, rows, _PART):
            count = min(_PART, rows - start)
            part = pl.DataFrame(
                {
                    "id": np.arange(start, start + count) + 10_000_000,
                    "name": random.choice(np.array(["Ada Lovelace", "Ben", "Cid Hamete"]), count),
                    "bmi": random.uniform(15, 45, count).round(2),
                    "visit": random.choice(np.array(["2024-03-01", "2023-12-24"]), count),
                    "city": random.choice(np.array(["Göttingen", "Bonn", "Halle"]), count),
                    "weight": random.uniform(50, 120, count).round(3),
                }
            )
            part.write_csv(file, include_header=start == 0)


def identity(source: Path, target: Path) -> None:
    rows = pl.scan_csv(source, infer_schema=False, quote_char=None, empty_string_is_null=False)
    rows.sink_csv(target)


def by_engine(engine: str, source: Path, target: Path) -> None:
    start = time.perf_counter()
    prepared = prepare(source, {"bmi": PLAN})
    tell("looked at", time.perf_counter() - start)
    plain = 0.0
    if engine == "polars":
        start = time.perf_counter()
        plain_text(prepared)
        plain = time.perf_counter() - start
        tell("found plain", plain)
    start = time.perf_counter()
    release_prepared(
        prepared, target, None, lambda share: None, engine  # type: ignore[arg-type]
    )  # fmt: skip
    # It looks once more whether the file is plain.
    tell("read, drawn, written", time.perf_counter() - start - plain)


def tell(what: str, seconds: float) -> None:
    print(f"    {what:24}{seconds:8.2f} s", flush=True)


RUNS: dict[str, Callable[[Path, Path], None]] = {
    "Polars, as it is": identity,
    "Polars, with the release": lambda source, target: by_engine("polars", source, target),
    "own, with the release": lambda source, target: by_engine("own", source, target),
}


def alone(name: str, source: Path, target: Path) -> None:
    """One run, in this process."""
    start = time.perf_counter()
    RUNS[name](source, target)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{name:28}{seconds:8.2f} s {peak:8.2f} GB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--folder", default=tempfile.gettempdir())
    parser.add_argument("--run")
    given = parser.parse_args()
    if given.run:
        folder = Path(given.folder)
        alone(given.run, folder / "in.csv", folder / "out.csv")
        return
    with tempfile.TemporaryDirectory(dir=given.folder) as folder_name:
        source = Path(folder_name, "in.csv")
        make(source, given.rows)
        print(f"{given.rows:,} rows, {source.stat().st_size / 1e9:.2f} GB", flush=True)
        for name in RUNS:
            command = [sys.executable, "-m", "tests.benchmarks.bench_engines"]
            subprocess.run([*command, "--run", name, "--folder", folder_name], check=True)


if __name__ == "__main__":
    main()
