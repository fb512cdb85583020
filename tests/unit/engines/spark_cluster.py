"""A Spark of this machine alone: a driver and two workers, each in a process of its own.

Its folder holds all that it writes. Nothing of it listens to another machine.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
MASTER = "local-cluster[2,1,512]"
BATCH_ROWS = 50
OPTIONS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH_ROWS),
    "spark.sql.shuffle.partitions": "2",
    "spark.task.maxFailures": "2",
}
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def why_not() -> str:
    """Why there can be no Spark here; empty where there can."""
    try:
        import pyspark  # noqa: F401, PLC0415
    except ImportError:
        return "no PySpark found: pip install -r tests/requirements.txt"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return "no Java found: install it (Debian: apt-get install default-jre-headless)"
    return ""


@contextmanager
def spark_in(folder: Path, more: Mapping[str, str] | None = None) -> Iterator[Any]:
    """A session that writes into this folder, with ``more`` options; at the end no process of it is
    left.
    """
    from pyspark import SparkContext  # noqa: PLC0415
    from pyspark.sql import SparkSession  # noqa: PLC0415

    home, events = _home(folder), folder / "events"
    events.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "SPARK_HOME": str(home),
            "SPARK_CONF_DIR": str(home / "conf"),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_HOSTNAME": "localhost",
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
        }.items():
            patch.setenv(name, value)
        made = SparkSession.builder.appName("tests")
        options = {
            "spark.master": MASTER,
            **OPTIONS,
            "spark.local.dir": str(folder / "local"),
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
            "spark.eventLog.enabled": "true",
            "spark.eventLog.compress": "false",
            "spark.eventLog.dir": events.as_uri(),
            "spark.executorEnv.PYTHONPATH": str(ROOT),
            "spark.driver.extraJavaOptions": JAVA,
            "spark.executor.extraJavaOptions": JAVA,
            **(more or {}),
        }
        for name, value in options.items():
            made = made.config(name, value)
        session = made.getOrCreate()
        gateway: Any = SparkContext._gateway
        try:
            yield session
        finally:
            session.stop()
            gateway.shutdown()
            gateway.proc.stdin.close()
            gateway.proc.wait(60)
            SparkContext._gateway = SparkContext._jvm = None


def _home(folder: Path) -> Path:
    """Where Spark runs: the workers of a cluster of one machine write beside its programs."""
    import pyspark  # noqa: PLC0415

    installed, home = Path(pyspark.__file__).parent, folder / "spark"
    home.mkdir()
    for name in ("bin", "sbin", "jars", "python"):
        (home / name).symlink_to(installed / name)
    (home / "conf").mkdir()
    (home / "conf" / "log4j2.properties").write_text("rootLogger.level = off\n", encoding="utf-8")
    return home
