"""Runs of ``compdp privatize`` that are killed on their way; told as JSON what each left behind.

    python killed_runs.py FOLDER IN SETTINGS

Started by ``test_killed_runs.py``. The product has no hooks: here functions that a run calls are
wrapped, and the n-th call of one of them ends the process as a power cut would.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from compdp_core.accounting import LedgerFile
from compdp_core.commands import given, main, table_runs
from compdp_core.commands.card_file import CardFile
from compdp_core.engines import own, preparing
from compdp_core.report.version import version

Point = tuple[str, str, int]
"""Before or behind which call, of what, and which of its calls."""


def killing(call: Callable[..., Any], when: str, number: int) -> Callable[..., Any]:
    calls = 0

    def wrapped(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if when == "before" and calls == number:
            os.kill(os.getpid(), signal.SIGKILL)
        result = call(*arguments, **named)
        if when == "after" and calls == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return wrapped


PLACES: dict[str, tuple[Any, str]] = {
    "charge": (given.RunLedger, "charge"),
    "replace": (os, "replace"),
    "link": (os, "link"),
    "fsync": (os, "fsync"),
    "card": (CardFile, "write"),
}


def run(folder: Path, arguments: list[str], point: Point | None, *, late: bool = False) -> int:
    """The exit code of a run, negative where a signal ended it."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)
    try:
        os.chdir(folder)
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - the process ends here
        setattr(table_runs, "prepare", partial(preparing.prepare, block_bytes=2048))  # noqa: B010
        if late:
            charge_late()
        if point is not None:
            die_at(*point)
        code = main.main(arguments)
    except BaseException:
        code = 99
    os._exit(code)


def die_at(when: str, what: str, number: int) -> None:
    """Wrap what is called there."""
    if what != "block":
        where, name = PLACES[what]
        setattr(where, name, killing(getattr(where, name), when, number))
        return
    blocks, write = killing(lambda share: None, when, number), own.write_released

    def draw(prepared: Any, file: Any, progress: Any) -> Any:
        return write(prepared, file, blocks)

    setattr(table_runs, "write_released", draw)  # noqa: B010


def charge_late() -> None:
    """The broken twin: what is drawn is charged when all is out."""
    charge, finish, held = given.RunLedger.charge, given.RunLedger.finish, list[Any]()

    def finish_late(book: given.RunLedger, *ids: str) -> Any:
        charge(book, *held)
        return finish(book, *ids)

    setattr(given.RunLedger, "charge", lambda book, *spends: held.extend(spends))  # noqa: B010
    setattr(given.RunLedger, "finish", finish_late)  # noqa: B010


def left(folder: Path) -> dict[str, Any]:
    """What lies there now."""
    entries = LedgerFile(folder / "ledger.json").ledger.entries
    target, card = folder / "out.csv", folder / "card.json"
    return {
        "marks": [each.unfinished for each in entries],
        "names": sorted(os.listdir(folder)),
        "target": target.read_bytes().decode() if target.exists() else None,
        "card": json.loads(card.read_text())["rows"]["count"] if card.exists() else None,
        "source": (folder / "in.csv").read_bytes().decode(),
    }


def prepared(folder: Path, source: Path, limit: str) -> Path:
    folder.mkdir()
    shutil.copy(source, folder / "in.csv")
    LedgerFile.new(folder / "ledger.json", limit)
    return folder


def told(job: dict[str, Any], top: Path, source: Path, settings: str) -> dict[str, Any]:
    """One run, what it left, and how a next one goes."""
    folder = prepared(top / job["name"], source, "10")
    arguments = ["privatize", "in.csv", "out.csv", "--settings", settings]
    arguments += ["--ledger", "ledger.json", "--card", "card.json"]
    point = None if job["point"] is None else (*job["point"],)
    found = {"code": run(folder, arguments, point, late=job.get("late", False)), **left(folder)}
    found["next"] = run(folder, [*arguments, "--force"], None)
    found["then"] = left(folder)
    return found


def at_once(top: Path, source: Path, settings: str) -> dict[str, Any]:
    """Two runs with room for one."""
    folder, children = prepared(top / "at once", source, "1"), list[int]()
    for number in range(2):
        child = os.fork()
        if not child:
            out = f"out{number}.csv"
            arguments = ["privatize", "in.csv", out, "--settings", settings]
            os._exit(run(folder, [*arguments, "--ledger", "ledger.json"], None))
        children.append(child)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    return {"codes": codes, **left(folder)}


if __name__ == "__main__":
    version()  # looked up once, not in each run
    top, source, settings = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    jobs = json.load(sys.stdin)
    results = {job["name"]: told(job, top, source, settings) for job in jobs}
    results["at once"] = at_once(top, source, settings)
    json.dump(results, sys.stdout)
