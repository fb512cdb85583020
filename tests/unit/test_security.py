"""Files that are made to take for ever: read or refused in seconds, whatever stands in them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from compdp_core.errors import CompdpError
from compdp_core.report.settings import FORMAT, VERSION
from compdp_core.report.settings_reading import from_json
from compdp_core.tables import read

LONG = 100_000
MOST_SECONDS = 20.0
"""Processor time; each takes a second at most. Reading that goes back and forth in a cell of that
length takes hours.
"""


@contextmanager
def soon() -> Iterator[None]:
    start = time.process_time()
    yield
    assert time.process_time() - start < MOST_SECONDS


@pytest.mark.parametrize(
    "cell",
    [
        "1" * LONG + "x", " " * LONG + "x", "$" * LONG, "1," * LONG, "1.234" * LONG,
        "(" * LONG + "1" + ")" * LONG, "+-" * LONG, "1e" * LONG, "1" + "%" * LONG,
        "1" + " " * LONG + "x", "1" + "\u00a0" * LONG + "€", "1 " + "m/s" * LONG, "9" * LONG,
        "1" + ",000" * LONG, "1 a " * LONG, "1'000" * LONG, "x(" * LONG, "(a) " * LONG,
    ],
)  # fmt: skip
def test_long_cells_and_names_are_read_at_once(cell: str) -> None:
    rows = "".join(f'"{cell}";{i}\n' for i in range(3))
    for text in (f"a;b\n{rows}", f'"{cell}";b\n1;2\n3;4\n'):
        with soon():
            table = read(text.encode(), name="x.csv", separator=";")
            assert len(table.columns) == 2
            assert len(table.columns[0].label) < 1000


@pytest.mark.parametrize(
    "text",
    [
        ",".join("c" for _ in range(16_384)) + "\n" + ",".join("1" for _ in range(16_384)),
        "," * 1_000_000,
        "\n" * 1_000_000,
        '"' * 1_000_001,
        'a,b\n"' + "x\n" * 500_000,
        "sep=" + "=" * LONG,
    ],
)
def test_odd_tables_are_read_or_refused_at_once(text: str) -> None:
    with soon():
        try:
            assert read(text.encode(), name="x.csv").row_count > 0
        except CompdpError as refusal:
            assert len(str(refusal)) < 1000  # noqa: PT017


def settings(**more: object) -> str:
    return json.dumps({"format": FORMAT, "version": VERSION, **more})


@pytest.mark.parametrize(
    "document",
    [
        "[" * 500_000,
        '{"a":' * 300_000,
        '{"epsilon": ' + "9" * 1_000_000 + "}",
        "x" * 3_000_000,
        settings(columns=[{}] * 100_000),
        settings(columns=[{"position": i, "inputs": [0, 1], "x": 0} for i in range(10_000)]),
        settings(columns=[{"position": 0, "inputs": [0, 1], "pair": {"activation": "v" * LONG}}]),
        settings(columns=[{"position": 0, "inputs": [0, 1], "epsilon": "1/" + "3" * LONG}]),
        settings(kind="statistic", statistic={"name": "mean"}, position=0, where=[{}] * LONG),
        settings(kind="statistic", statistic=["mean"] * LONG, position=0),
    ],
    ids=range(10),
)
def test_settings_of_any_size_are_read_or_refused_at_once(document: str) -> None:
    with soon():
        reading = from_json(document.encode())
    assert reading.notices or reading.settings is not None
    assert all(len(notice) < 1000 for notice in reading.notices)
