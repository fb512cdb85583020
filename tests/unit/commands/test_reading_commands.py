"""The commands that privatise no file: inspect, answer, estimate, ledger and audit."""

from __future__ import annotations

import io
import json
import os
import re
from fractions import Fraction
from pathlib import Path

import pytest

import compdp_core as cdp
from compdp_core.accounting import LedgerFile
from compdp_core.auditing.lower_bound import Audit
from compdp_core.commands.progress import ProgressBar
from compdp_core.tables import Table
from compdp_core.tables.file_replacement import FileReplacement
from tests.unit.commands.folder import (
    LEDGER,
    PRIVATIZE,
    SECRET,
    Say,
)


def test_inspect_shows_no_cell_unless_asked(say: Say) -> None:
    code, told, errors = say("inspect", "in.csv")
    assert (code, errors) == (0, "")
    assert "300 rows" in told
    assert [line.split()[1] for line in told.splitlines() if line.startswith("  #")] == [
        "name", "bmi", "ward",
    ]  # fmt: skip
    assert SECRET not in told
    assert "33.25" not in told
    assert SECRET in say("inspect", "in.csv", "--show")[1]


def test_inspect_counts_spellings_of_missing_among_categories(say: Say) -> None:
    Path("words.csv").write_bytes(b"ward,y\n" + b"north,1\nsouth,2\nN/A,3\n,4\n" * 20)
    _, told, _ = say("inspect", "words.csv")
    (ward,) = (line.split() for line in told.splitlines() if " ward " in line)
    assert ward[2:] == ["a", "category", "40"]


def test_names_of_a_file_cannot_drive_a_terminal(say: Say) -> None:
    Path("evil.csv").write_bytes(b"a\x1b[2Jb,c\n1,2\n3,4\n")
    _, told, _ = say("inspect", "evil.csv", "--show")
    assert "\x1b" not in told


def test_an_answer_is_given_once_and_charged(say: Say) -> None:
    code, told, _ = say("answer", "in.csv", "--settings", "mean.json", "--dry-run", *LEDGER)
    assert code == 0
    assert "0.5 would be spent" in told
    assert not LedgerFile("l.json").ledger.entries
    code, told, _ = say(
        "answer", "in.csv", "--settings", "mean.json", *LEDGER, "--card", "c.html", "--json"
    )
    (one,) = json.loads(told)
    assert code == 0
    assert 10 <= one["low"] <= one["value"] <= one["high"] <= 70
    (entry,) = LedgerFile("l.json").ledger.entries
    assert (entry.id, entry.unfinished) == (one["id"], False)
    assert "a chart" in Path("c.html").read_text(encoding="utf-8")
    code, told, _ = say("answer", "in.csv", "--settings", "wards.json", *LEDGER)
    assert code == 0
    assert len([line for line in told.splitlines() if "95 % interval" in line]) == 2


def test_figures_of_a_release_are_told_from_file_and_card(say: Say) -> None:
    say(*PRIVATIZE, "--card", "c.json")
    code, told, _ = say("estimate", "out.csv", "c.json", "--column", "bmi", "--html", "r.html")
    mean = cdp.Estimates("out.csv", "c.json").mean("bmi")
    assert code == 0
    assert told.splitlines()[0].split()[:2] == ["column", "figure"]
    assert told.splitlines()[-1].startswith("bmi: a missing value counts as 40, the middle")
    assert "<html" in Path("r.html").read_text(encoding="utf-8")
    code, told, _ = say("estimate", "out.csv", "c.json", "--json", "--level", "0.95")
    first = json.loads(told)[0]
    assert (first["column"], first["value"]) == ("bmi", mean.value)
    assert say("estimate", "out.csv", "c.json", "--column", "kg")[0] == 2
    assert say("estimate", "out.csv", "c.json", "--html", "r.html")[0] == 2


def test_a_ledger_is_made_and_shown(say: Say) -> None:
    assert say("ledger", "new", "n.json", "--limit", "1/3")[0] == 0
    assert LedgerFile("n.json").ledger.limit == Fraction(1, 3)
    charged = say(*PRIVATIZE, *LEDGER)[1]
    code, told, _ = say("ledger", "show", "l.json")
    assert code == 0
    assert told.startswith("1 entry; ")
    assert "1 spent, 1 left" in told
    known = re.search(r"this table \((table-\w+)…\)", charged)
    assert known is not None
    assert f"\n{known[1]}" in told
    key = json.loads(Path("l.json").read_text(encoding="utf-8"))["keys"][0]
    assert key not in told
    assert say("ledger", "show", "l.json", "--csv")[1].startswith("when,what,kind,epsilon")


def test_an_audit_refutes_what_is_broken_and_acquits_nobody(say: Say) -> None:
    """Chance: the intervals fail with 1e-3, but the seed is fixed: no false alarm."""
    code, told, _ = say("audit", "A1B1", "--draws", "40000")
    assert code == 0
    assert "is not refuted" in told
    code, told, _ = say("audit", "broken-half", "--draws", "40000", "--json")
    found = json.loads(told)
    assert code == 0
    assert found["refuted"]
    assert {*found} == {*Audit.__dataclass_fields__, "refuted"}


def test_a_bar_is_drawn_on_a_terminal_alone() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for quiet in (False, True):
        stream = Terminal()
        with ProgressBar("writes", quiet=quiet, stream=stream) as bar:
            bar(0.5)
            bar(0.6)  # so soon that nobody could see it
        shown = stream.getvalue()
        assert shown.count("%") == (0 if quiet else 1)
        assert ("50 %" in shown) != quiet


def test_what_was_begun_beside_is_dropped_where_it_does_not_land(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("mine", encoding="utf-8")
    os.chmod(target, 0o640)
    with FileReplacement(target) as new:
        new.file.write(b"half")
        assert len(os.listdir(tmp_path)) == 2
    assert os.listdir(tmp_path) == ["out.csv"]
    with FileReplacement(target) as new:
        new.file.write(b"whole")
        new.land()
    assert (target.read_bytes(), os.stat(target).st_mode & 0o777) == (b"whole", 0o640)
    with pytest.raises(IsADirectoryError):
        FileReplacement(tmp_path)


def test_a_large_file_is_looked_at_by_its_head(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compdp_core.commands.inspect.WHOLE", 10)
    assert "looked at the first 300 rows" in say("inspect", "in.csv")[1]
    assert isinstance(cdp.read_csv("in.csv"), Table)
