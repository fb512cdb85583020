"""Runs that break or are stopped: what stays, and what is said of it."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import compdp_core as cdp
from compdp_core.accounting import LedgerFile
from compdp_core.commands import table_runs
from compdp_core.commands.card_file import CardFile
from compdp_core.errors import CompdpError
from compdp_core.report.card import Card
from tests.unit.commands.folder import (
    LEDGER,
    PRIVATIZE,
    ROOT,
    ROWS,
    SECRET,
    Say,
    everything,
)


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def stopped(*_: object) -> None:
    raise KeyboardInterrupt


def odd(*_: object) -> None:
    raise RuntimeError(f"about {SECRET}")


def meanwhile(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Another run puts a file there while this one draws."""
    write = CardFile.write

    def late(self: CardFile, card: Card) -> None:
        Path(name).write_text("theirs", encoding="utf-8")
        write(self, card)

    monkeypatch.setattr(CardFile, "write", late)


@pytest.mark.parametrize("name", ["s.json", "persons.json"])
@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        (full_disk, 1, "No space left"),
        (stopped, 130, "stopped after the ledger was charged: no file was written, and epsilon"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), 143, "stays counted in l.json"),
        (lambda: os.kill(os.getpid(), signal.SIGHUP), 129, "stays counted in l.json"),
        (odd, 1, "RuntimeError"),
    ],
)
def test_a_run_that_breaks_leaves_its_cost_with_a_mark(
    name: str, fault: Callable[..., None], code: int, words: str, say: Say,
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    for number in (signal.SIGTERM, signal.SIGHUP):  # ignored where the tests run under nohup
        request.addfinalizer(partial(signal.signal, number, signal.getsignal(number)))
        signal.signal(number, signal.SIG_DFL)
    before = everything()
    monkeypatch.setattr(CardFile, "write", lambda *given: fault())
    arguments = ["privatize", "in.csv", "out.csv", "--settings", name, *LEDGER]
    found, told, errors = say(*arguments, "--card", "c.json")
    assert (found, told) == (code, "")
    assert words in errors
    assert SECRET not in errors
    assert "Traceback" not in errors
    (entry,) = LedgerFile("l.json").ledger.entries
    assert entry.unfinished
    after = everything()
    assert after.pop("l.json") != before.pop("l.json")
    assert after == before


def test_a_traceback_is_shown_where_it_is_asked_for(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CardFile, "write", lambda *given: odd())
    _, _, errors = say(*PRIVATIZE, "--card", "c.json", "--traceback")
    assert "Traceback" in errors
    assert "odd" in errors


def test_a_mark_that_cannot_be_taken_off_is_told(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise CompdpError("the ledger l.json is in use")

    monkeypatch.setattr(LedgerFile, "finish", refused)
    code, _, errors = say(*PRIVATIZE, *LEDGER)
    assert code == 1
    assert "out.csv is out, but the ledger l.json is in use" in errors
    assert cdp.read_csv("out.csv").row_count == ROWS


def test_an_answer_that_breaks_is_charged_with_a_mark(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("compdp_core.commands.answer.card_of_answer", lambda *given: full_disk())
    code, told, errors = say(
        "answer", "in.csv", "--settings", "mean.json", *LEDGER, "--card", "c.json"
    )
    assert (code, told) == (1, "")
    assert "No space left" in errors
    assert [each.unfinished for each in LedgerFile("l.json").ledger.entries] == [True]
    assert not Path("c.json").exists()


@pytest.mark.parametrize("links", [True, False])
def test_what_another_run_put_there_meanwhile_stays(
    links: bool, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not links:  # as on a disk that knows none
        monkeypatch.setattr(os, "link", lambda *given: full_disk())
    with monkeypatch.context() as patch:
        meanwhile(patch, "out.csv")
        code, _, errors = say(*PRIVATIZE, *LEDGER, "--card", "c.json")
    assert code == 1
    assert "out.csv was not written" in errors
    assert "was put there meanwhile" in errors
    assert "keeps the charge" in errors
    assert Path("out.csv").read_text(encoding="utf-8") == "theirs"
    assert {each for each in everything() if "c.json" in each or ".part" in each} == set()
    assert [each.unfinished for each in LedgerFile("l.json").ledger.entries] == [True]
    with monkeypatch.context() as patch:
        meanwhile(patch, "out.csv")
        assert say(*PRIVATIZE, "--force")[0] == 0
    assert cdp.read_csv("out.csv").row_count == ROWS
    os.remove("out.csv")
    with monkeypatch.context() as patch:
        meanwhile(patch, "c.json")
        code, _, errors = say(*PRIVATIZE, "--card", "c.json")
    assert code == 1
    assert "out.csv is out, but a file c.json was put there meanwhile" in errors
    assert not [each for each in everything() if ".part" in each]


def test_stopped_before_the_charge_nothing_was_changed(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything()
    handlers = [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)]
    monkeypatch.setattr(table_runs, "prepare", lambda *given, **more: stopped())
    code, _, errors = say(*PRIVATIZE, *LEDGER)
    assert (code, errors) == (
        130,
        "compdp privatize: stopped before anything was charged; nothing was changed\n",
    )
    assert everything() == before
    assert [signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)] == handlers


@pytest.mark.parametrize("landed", [True, False])
def test_stopped_at_the_charge_the_ledger_is_asked_what_it_holds(
    landed: bool, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    charge = LedgerFile.charge

    def late(book: LedgerFile, *spends: Any) -> None:
        if landed:
            charge(book, *spends)
        raise KeyboardInterrupt

    monkeypatch.setattr(LedgerFile, "charge", late)
    code, _, errors = say(*PRIVATIZE, *LEDGER)
    assert code == 130
    assert ("epsilon 1 stays counted in l.json" in errors) == landed
    assert ("nothing was changed" in errors) != landed
    assert not Path("out.csv").exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a full disk is a device of Linux")
@pytest.mark.parametrize("card", [True, False])
def test_an_answer_that_cannot_be_said_is_told_with_its_reason(card: bool, say: Say) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "compdp_core", "answer", "in.csv", "--settings", "mean.json",
             *LEDGER, *(("--card", "c.json") if card else ())],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    told = "c.json is out, but the answer in it could not be said" if card else "was not written"
    assert done.returncode == 1
    assert told in done.stderr
    assert "No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert Path("c.json").exists() == card
    assert [each.unfinished for each in LedgerFile("l.json").ledger.entries] == [True]
