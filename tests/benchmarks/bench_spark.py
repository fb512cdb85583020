"""A Spark frame released beside the same job that releases nothing, in one run.

``python -m tests.benchmarks.bench_spark FOLDER [ROWS]``: writes a CSV of six columns into the
folder, 1.2 GB for 20 million rows, reads it with two workers, and tells seconds and peak memory.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import compdp_core as cdp
from tests.unit.engines.spark_cluster import spark_in

ROWS, AT_ONCE, REPEATS = 20_000_000, 500_000, 3
PLANS = {"bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1)}
SCHEMA = "id long, name string, born string, bmi double, pressure double, remark string"
OPTIONS = {
    "spark.master": "local[2]",
    "spark.driver.memory": "1g",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
}


def write(path: Path, rows: int) -> None:
    """A file of six columns, about 58 bytes a row."""
    rng = np.random.default_rng(1)
    with open(path, "w", encoding="utf-8") as file:
        file.write("id,name,born,bmi,pressure,remark\n")
        for start in range(0, rows, AT_ONCE):
            count = min(AT_ONCE, rows - start)
            bmi, pressure = rng.normal(25, 4, count), rng.normal(120, 15, count)
            file.writelines(
                f"{start + row},name-{start + row:09},2001-05-17,{a:.2f},{b:.3f},seen twice\n"
                for row, (a, b) in enumerate(zip(bmi, pressure, strict=True))
            )


def memory() -> int:
    """Bytes that this process and all below it hold."""
    total, parents, sizes = 0, dict[int, int](), dict[int, int]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)], sizes[int(folder.name)] = int(fields[1]), int(fields[21])
    for number, size in sizes.items():
        above = number
        while above not in (0, os.getpid()):
            above = parents.get(above, 0)
        total += size if above else 0
    return total * os.sysconf("SC_PAGE_SIZE")


def measured(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and the most gigabytes that were held."""
    most, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.2):
            most[0] = max(most[0], memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    begun = time.perf_counter()
    work()
    seconds = time.perf_counter() - begun
    done.set()
    watcher.join()
    return seconds, most[0] / 1e9


def same(batches: Iterator[Any]) -> Iterator[Any]:
    """The job that releases nothing."""
    yield from batches


def main() -> None:
    folder, rows = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else ROWS
    warnings.filterwarnings("ignore", "PySpark does not yet", FutureWarning)
    source = folder / "in.csv"
    write(source, rows)
    (folder / "run").mkdir()
    with spark_in(folder / "run", OPTIONS) as session:
        frame = session.read.csv(str(source), schema=SCHEMA, header=True)
        for number in range(REPEATS):
            plain, released = folder / f"plain{number}", folder / f"released{number}"
            identity = frame.mapInArrow(same, frame.schema)
            one = measured(partial(identity.write.parquet, str(plain)))
            other = measured(partial(cdp.spark.privatize, frame, PLANS, released))
            print(
                f"as it is {one[0]:.1f} s, {one[1]:.2f} GB; with the release {other[0]:.1f} s, "
                f"{other[1]:.2f} GB; {other[0] / one[0]:.2f} times"
            )
            shutil.rmtree(plain)
            shutil.rmtree(released)


if __name__ == "__main__":
    main()
