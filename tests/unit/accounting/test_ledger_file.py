"""A ledger in a file: one change at a time, whole or not at all, and refused where it is none."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from compdp_core.accounting import (
    BudgetExceededError,
    Ledger,
    LedgerFile,
    LedgerFileError,
    Spend,
    ledger_file,
)
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.tables.file_replacement import SUFFIX

ROOT = Path(__file__).parents[3]
HASH = 32 * "0f"


def spend(epsilon: str = "1", name: str = "a") -> Spend:
    return Spend(f"column {name}", "column", HASH, [name], epsilon)


@pytest.fixture
def book(tmp_path: Path) -> LedgerFile:
    return LedgerFile.new(tmp_path / "ledger.json", 2)


def beside(book: LedgerFile) -> list[str]:
    """What lies in the folder but the ledger and its lock."""
    return sorted({*os.listdir(book.path.parent)} - {book.path.name, f"{book.path.name}.lock"})


def test_a_charge_is_in_the_file_with_its_mark_until_it_is_finished(book: LedgerFile) -> None:
    after = book.charge(spend(name="a"), spend("0.5", "b"))
    assert after == book.ledger == Ledger.from_json(book.path.read_bytes())
    assert [each.unfinished for each in after.entries] == [True, True]
    assert after.remaining(HASH) == Fraction(1, 2)
    done = book.finish(*(each.id for each in after.entries))
    assert [each.unfinished for each in book.ledger.entries] == [False, False]
    assert done.remaining(HASH) == Fraction(1, 2)
    assert not beside(book)


def test_a_refusal_leaves_every_byte(book: LedgerFile) -> None:
    book.charge(spend())
    before, seen = book.path.read_bytes(), os.stat(book.path)
    with pytest.raises(BudgetExceededError):
        book.charge(spend("1.5", "b"))
    assert book.path.read_bytes() == before
    assert os.stat(book.path).st_mtime_ns == seen.st_mtime_ns
    assert not beside(book)


def test_a_new_one_is_its_owners_alone_and_replaces_nothing(book: LedgerFile) -> None:
    assert stat.S_IMODE(os.stat(book.path).st_mode) == 0o600
    before = book.path.read_bytes()
    with pytest.raises(LedgerFileError, match="is there already"):
        LedgerFile.new(book.path, 5)
    assert book.path.read_bytes() == before
    os.chmod(book.path, 0o640)
    book.charge(spend())
    assert stat.S_IMODE(os.stat(book.path).st_mode) == 0o640


def test_two_at_once_do_not_both_get_the_last_of_it(book: LedgerFile) -> None:
    gate, got = threading.Barrier(8), list[str]()

    def run(number: int) -> None:
        gate.wait()
        try:
            LedgerFile(book.path).charge(spend("0.5", str(number)))
            got.append("charged")
        except BudgetExceededError:
            got.append("refused")

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(got) == ["charged"] * 4 + ["refused"] * 4
    assert book.ledger.remaining(HASH) == 0


CHARGE = """
import sys
from compdp_core.accounting import BudgetExceededError, LedgerFile, Spend
sys.stdin.readline()
for name in range(10):
    try:
        LedgerFile(sys.argv[1]).charge(Spend("c", "column", 32 * "0f", ["a"], "0.2"))
        sys.stdout.write("charged\\n")
    except BudgetExceededError:
        sys.stdout.write("refused\\n")
"""


def test_nor_do_two_processes(book: LedgerFile) -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", CHARGE, book.path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )
        for _ in range(2)
    ]  # fmt: skip
    for run in runs:  # Both go before one of them is waited for.
        assert run.stdin is not None
        run.stdin.write("go\n")
        run.stdin.flush()
    said = [run.communicate()[0] for run in runs]
    assert sorted("".join(said).split()) == ["charged"] * 10 + ["refused"] * 10
    assert len(book.ledger.entries) == 10
    assert book.ledger.remaining(HASH) == 0


HOLD = """
import os, sys, time
from compdp_core.accounting import LedgerFile, Spend
def stop(*ends):
    sys.stdout.write("holding\\n")
    sys.stdout.flush()
    time.sleep(600)
os.replace = stop
LedgerFile(sys.argv[1]).charge(Spend("c", "column", 32 * "0f", ["a"], 1))
"""


def test_the_lock_goes_with_the_process_that_has_it(
    book: LedgerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", HOLD, book.path], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "holding\n"
    monkeypatch.setattr(ledger_file, "LONGEST_WAIT", 0.05)
    with pytest.raises(LedgerFileError, match="in use by another program"):
        book.charge(spend())
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdout.close()
    assert book.ledger == Ledger(limit=2)
    assert len(book.charge(spend()).entries) == 1
    # What it was about to put there is known by its name.
    (left,) = beside(book)
    assert left.startswith(".ledger.json.")
    assert left.endswith(SUFFIX)


# What is no ledger


def of(text: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(text)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "is not there"),
        (lambda path: path.mkdir(), "is no file"),
        (lambda path: path.symlink_to("nowhere.json"), "is not there"),
        (of(b""), "is empty"),
        (of(b" \n"), "is empty"),
        (of(b'{"schema": "composite-dp/led'), "cannot be read"),
        (of(b"{}"), "cannot be read"),
        (of(b'{"schema": "composite-dp/ledger/9"}'), "cannot be read"),
        (of(b"\xff\xfe\x00"), "cannot be read"),
        (of(b" " * ledger_file.LARGEST + b"{}"), "is too large"),
        (of(Ledger([spend()]).to_json_to_hand_on().encode()), "is one to hand on"),
        (lambda path: os.link(of_it(path), path), "has a second name"),
    ],
)
def test_what_is_no_ledger_is_refused_by_its_name(
    make: Callable[[Path], object], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "ledger.json"
    make(path)
    before = sorted(os.listdir(tmp_path))
    acts: tuple[Callable[[], object], ...] = (
        lambda: LedgerFile(path).ledger,
        lambda: LedgerFile(path).charge(spend()),
    )
    for act in acts:
        with pytest.raises(LedgerFileError, match=said) as caught:
            act()
        assert str(path) in str(caught.value)
        assert "0f0f" not in str(caught.value)
    assert {*os.listdir(tmp_path)} - {"ledger.json.lock"} == {*before}


def of_it(path: Path) -> Path:
    whole = path.with_name("whole.json")
    LedgerFile.new(whole, 1)
    return whole


@pytest.mark.parametrize("path", ["", b"ledger.json", None, 3, Ledger()])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(ParameterError):
        LedgerFile(path)


def test_a_link_stays_one_and_both_names_have_one_lock(book: LedgerFile, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.json"
    link.parent.mkdir()
    link.symlink_to(book.path)
    LedgerFile(link).charge(spend())
    assert link.is_symlink()
    assert len(book.ledger.entries) == 1
    assert os.listdir(link.parent) == ["link.json"]


def test_a_release_that_is_gone_cannot_be_finished(book: LedgerFile) -> None:
    after = book.charge(spend())
    book.path.write_text(Ledger(limit=1).to_json(), encoding="utf-8")
    with pytest.raises(CompdpError):
        book.finish(after.entries[0].id)


# What a disk refuses


def failing(number: int) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_or_locked_disk_leaves_the_ledger_and_nothing_beside(
    call: str, number: int, book: LedgerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = book.path.read_bytes()
    monkeypatch.setattr(os, call, failing(number))
    with pytest.raises(LedgerFileError, match=os.strerror(number)):
        book.charge(spend())
    with pytest.raises(LedgerFileError):
        LedgerFile.new(book.path.with_name("new.json")) if call == "fsync" else book.finish()
    monkeypatch.undo()
    assert book.path.read_bytes() == before
    assert not beside(book)


def test_a_ledger_that_is_read_only_is_read_and_not_charged(book: LedgerFile) -> None:
    """Also by the system's administrator, whom it would let."""
    before = book.path.read_bytes()
    os.chmod(book.path, 0o444)
    with pytest.raises(LedgerFileError, match="is read-only"):
        book.charge(spend())
    assert book.path.read_bytes() == before
    assert book.ledger.limit == 2


def test_a_file_that_changes_under_the_lock_is_not_replaced(
    book: LedgerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a program that knows nothing of it, such as an editor."""
    other, charge = Ledger(limit="0.7").to_json(), Ledger.charge

    def meanwhile(self: Ledger, *spends: Spend) -> Ledger:
        book.path.write_text(other, encoding="utf-8")
        return charge(self, *spends)

    monkeypatch.setattr(Ledger, "charge", meanwhile)
    with pytest.raises(LedgerFileError, match="changed by another program"):
        book.charge(spend())
    assert book.path.read_text(encoding="utf-8") == other
    assert not beside(book)


def test_a_ledger_that_no_longer_could_be_read_is_not_written(
    book: LedgerFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.charge(spend("0.1"))
    before = book.path.read_bytes()
    for name in ("LARGEST", "MOST_RELEASES"):
        size = {"LARGEST": len(before) + 5, "MOST_RELEASES": 1}[name]
        with monkeypatch.context() as less:
            less.setattr(ledger_file, name, size)
            with pytest.raises(LedgerFileError, match="is full"):
                book.charge(spend("0.1", "b"))
    assert book.path.read_bytes() == before
