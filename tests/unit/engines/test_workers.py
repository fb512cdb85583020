"""Processes that work on blocks: what they are told and draw, and what becomes of a dead one.

The stand-in of a process is the same code on two buffers; that real ones run is tested once.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import compdp_core as cdp
from compdp_core.engines import own, workers
from compdp_core.engines.blocks import TextBlock, again
from compdp_core.engines.files import BrokenRunError, privatize_file
from compdp_core.engines.preparing import PreparedFile, prepare
from compdp_core.engines.text_stream import TextStream
from compdp_core.engines.worker import NUMBER, READY, REFUSED, RELEASED, put, serve, take

PLANS = {
    "bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon="0.3", pair="A1B2", missing="keep"),
    "smokes": cdp.ColumnPlan(epsilon=1, kind="category", categories={"yes": ["y"], "no": []}),
}
ROWS = b"".join(b"%d;5,0;y;=x\r\n" % i for i in range(900))
DATA = b"id;bmi;smokes;=note\r\n" + ROWS


@pytest.fixture
def prepared(tmp_path: Path) -> PreparedFile:
    (tmp_path / "in.csv").write_bytes(DATA)
    reading = {"decimal": ",", "missing": (each for each in ("", "n/a"))}
    return prepare(
        tmp_path / "in.csv", PLANS, reading=reading, processes=2, block_bytes=2000, omit=["id"]
    )


def blocks(prepared: PreparedFile) -> list[TextBlock]:
    with TextStream(prepared.source, prepared.table.decoded) as stream:
        return list(again(stream, prepared.structure.lengths))


def answers(*given: int | bytes) -> list[tuple[int, int, bytes]]:
    """What a process says to this input."""
    asked, said, found = io.BytesIO(), io.BytesIO(), []
    put(asked, *given)
    serve(io.BytesIO(asked.getvalue()), said)
    said.seek(0)
    while kind := said.read(NUMBER):
        rows, data = int.from_bytes(said.read(NUMBER), "little"), take(said)
        assert data is not None
        found.append((int.from_bytes(kind, "little"), rows, data))
    return found


def released_rows(data: bytes) -> list[list[bytes]]:
    lines = data.removeprefix(b"bmi;smokes;'=note\r\n").split(b"\r\n")
    assert lines.pop() == b""
    return [line.split(b";") for line in lines]


def check_rows(data: bytes) -> set[bytes]:
    """Everything but the noise is as it was; the released numbers."""
    rows = released_rows(data)
    assert all(len(row) == 3 for row in rows)
    assert {row[2] for row in rows} == {b"'=x"}
    assert {row[1] for row in rows} <= {b"yes", b"no"}
    assert all(float(row[0].replace(b",", b".")) < 1000 for row in rows)
    return {row[0] for row in rows}


def test_a_process_knows_all_of_it_from_what_it_is_told(prepared: PreparedFile) -> None:
    told = prepared.told
    assert told is not None
    parts: list[int | bytes] = []
    for block in blocks(prepared):
        parts += [block.at, block.content]
    found = answers(told, *parts)
    assert found[0] == (READY, 0, b"")
    assert {kind for kind, _, _ in found[1:]} == {RELEASED}
    assert sum(rows for _, rows, _ in found) == 900
    check_rows(b"".join(data for _, _, data in found))


def test_equal_values_get_noise_of_their_own_in_every_process(prepared: PreparedFile) -> None:
    """Of 900 outputs on a lattice of thousands of points two processes that shared their words
    would repeat all; by chance fewer than 100 differ with probability below 10^-9.
    """
    told, block = prepared.told, blocks(prepared)[1]
    assert told is not None
    data = [answers(told, block.at, block.content)[1][2] for _ in range(2)]
    assert data[0] != data[1]
    drawn = [row[0] for each in data for row in released_rows(each)]
    assert len(set(drawn)) > min(100, len(drawn) // 2)
    assert len(set([*drawn[: len(drawn) // 2]] * 2)) <= len(drawn) // 2  # the twin that repeats


def test_what_cannot_be_said_in_words_is_worked_on_in_threads(prepared: PreparedFile) -> None:
    assert prepared.told is not None
    odd = prepare(prepared.source, {"id": cdp.ColumnPlan(inputs=(0, 9), epsilon=1)})
    object.__setattr__(odd, "asked", {"missing": {b"x"}})
    assert odd.told is None


def test_a_refusal_comes_back_in_words_and_nothing_else_does(prepared: PreparedFile) -> None:
    told = prepared.told
    assert told is not None
    wrong = json.dumps({**json.loads(told), "settings": "{}"}).encode()
    kind, _, words = answers(wrong)[0]
    assert (kind, b"settings" in words) == (REFUSED, True)
    gone = json.dumps({**json.loads(told), "source": "/nowhere/secret"}).encode()
    assert answers(gone) == [(REFUSED, 0, b"FileNotFoundError")]
    assert answers() == []


def test_real_processes_release_a_file_and_one_that_is_killed_breaks_the_run(
    prepared: PreparedFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "WORTH_A_PROCESS", 0)
    told, started = prepared.told, []
    assert told is not None
    begin = subprocess.Popen.__init__

    def noted(self: Any, *arguments: Any, **options: Any) -> None:
        begin(self, *arguments, **options)
        started.append(self)

    monkeypatch.setattr(subprocess.Popen, "__init__", noted)
    out = io.BytesIO()
    assert own.write_released(prepared, out, lambda share: None) == 900
    assert len(check_rows(out.getvalue())) > 100
    assert 1 <= len(started) <= 2
    assert all(each.returncode is not None for each in started)

    def killed(self: workers.Worker, block: TextBlock) -> tuple[bytes, int]:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        return asked(self, block)

    asked = workers.Worker.written
    monkeypatch.setattr(workers.Worker, "written", killed)
    ledger = cdp.Ledger(limit=3)
    plans, target = {"bmi": PLANS["bmi"]}, tmp_path / "out.csv"
    with pytest.raises(BrokenRunError, match="process that worked on a part of it died") as broken:
        privatize_file(prepared.source, target, plans, ledger=ledger, processes=2)
    assert broken.value.ledger is not None
    assert len(broken.value.ledger.entries) == 1
    assert os.listdir(tmp_path) == ["in.csv"]


def test_where_no_process_can_be_started_the_thread_does_the_work(
    prepared: PreparedFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any, **__: Any) -> Any:
        raise OSError("no processes here")

    monkeypatch.setattr(own, "WORTH_A_PROCESS", 0)
    monkeypatch.setattr(subprocess, "Popen", refused)
    out = io.BytesIO()
    assert own.write_released(prepared, out, lambda share: None) == 900
    check_rows(out.getvalue())


def test_where_a_process_dies_at_its_start_the_thread_does_the_work(
    prepared: PreparedFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "interpreter"
    script.write_text("#!/bin/sh\nexit 1\n")
    script.chmod(0o755)
    started, asked = [], workers.Worker.is_ready

    def noted(self: workers.Worker, told: bytes) -> bool:
        started.append((self, asked(self, told)))
        return started[-1][1]

    monkeypatch.setattr(own, "WORTH_A_PROCESS", 0)
    monkeypatch.setattr(sys, "executable", str(script))
    monkeypatch.setattr(workers.Worker, "is_ready", noted)
    out = io.BytesIO()
    assert own.write_released(prepared, out, lambda share: None) == 900
    check_rows(out.getvalue())
    assert started
    assert all(not ready and each.process.returncode == 1 for each, ready in started)
