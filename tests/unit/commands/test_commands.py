"""What each command says and does, its exit codes, and that a refusal changes nothing."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import compdp_core as cdp
from compdp_core.accounting import LedgerFile
from compdp_core.auditing.lower_bound import Audit
from compdp_core.commands import main as commands
from compdp_core.commands import table_runs
from compdp_core.commands.card_file import CardFile
from compdp_core.commands.main import COMMANDS, main
from compdp_core.commands.progress import ProgressBar
from compdp_core.errors import CompdpError
from compdp_core.report.card import FORMAT as CARD
from compdp_core.report.card import Card
from compdp_core.report.settings import StatisticSettings, to_json
from compdp_core.tables import Table
from compdp_core.tables.file_replacement import FileReplacement

ROOT = Path(__file__).parents[3]
ROWS = 300
SECRET = "Zaphod"
DATA = f"name,bmi,ward\r\n{SECRET},33.25,A\r\n" + "".join(
    f"P{row},{20 + row % 20}.5,{'AB'[row % 2]}\r\n" for row in range(ROWS - 1)
)
Say = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def settings() -> dict[str, str]:
    table = cdp.read_csv(DATA.encode())
    plan = cdp.ColumnPlan(inputs=(10, 70), epsilon=1)
    mean = StatisticSettings(
        cdp.Query("mean", 1, bounds=(10, 70)), Fraction(1, 2), label="bmi", source="a chart"
    )
    wards = cdp.Query("count", 0, grouping=cdp.Grouping("ward", ("A", "B")))
    person = cdp.Person("name", at_most=2)
    return {
        "s.json": cdp.privatize(table, {"bmi": plan}).settings(),
        "persons.json": cdp.privatize(table, {"bmi": plan}, person=person).settings(),
        "mean.json": to_json(mean),
        "wards.json": to_json(StatisticSettings(wards, Fraction(1, 2))),
    }


@pytest.fixture
def say(
    settings: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Say:
    """Runs a command in a folder with a table, settings and a ledger; code, output, errors."""
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_bytes(DATA.encode())
    for name, text in settings.items():
        Path(name).write_text(text, encoding="utf-8")
    LedgerFile.new("l.json", 2)

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as stop:  # of argparse
            code = int(stop.code or 0)
        return code, *capsys.readouterr()

    return run


def everything() -> dict[str, bytes]:
    """Each file of the folder but the lock, with its bytes."""
    names = (each for each in os.listdir() if not each.endswith(".lock"))
    return {each: Path(each).read_bytes() for each in names if Path(each).is_file()}


PRIVATIZE = ("privatize", "in.csv", "out.csv", "--settings", "s.json")
LEDGER = ("--ledger", "l.json")


# Help


@pytest.mark.parametrize("name", [each for each in COMMANDS if each != "experiments"])
def test_the_help_of_each_command_has_an_example_that_can_be_read(name: str, say: Say) -> None:
    code, told, _ = say(name, "--help")
    assert code == 0
    examples = [line.strip() for line in told.splitlines() if line.startswith("  compdp ")]
    assert any(line.startswith(f"compdp {name} ") for line in examples)
    for line in examples:
        words = line.rstrip("\\").partition(">")[0].split()[1:]
        commands.parser().parse_args([*words, *(("--settings", "x") if line[-1] == "\\" else ())])
    assert "private" in told or "public" in told


def test_without_a_command_the_help_is_told_and_nothing_is_done(say: Say) -> None:
    code, told, _ = say()
    assert code == 2
    assert all(name in told for name in COMMANDS)
    assert say("--version")[0] == 0
    assert say("privatise")[0] == 2
    code, told, _ = say("experiments", "--help")
    assert (code, told.startswith("usage: compdp experiments ")) == (0, True)
    assert "\n  compdp experiments --out results" in told
    assert "default: 1000" in told


def test_it_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "compdp_core", "inspect", "nowhere.csv"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "compdp inspect: the input nowhere.csv is not there: give the path of a file\n"
    )


# Privatize


def test_a_file_is_released_charged_and_described(say: Say) -> None:
    code, told, errors = say(*PRIVATIZE, *LEDGER, "--card", "c.json", "--omit", "name")
    assert (code, errors) == (0, "")
    assert "300 rows; costs each row: epsilon 1" in told
    assert "left out of the file: name" in told
    assert "without any protection: ward" in told
    assert re.search(r"1 is spent on this table \(table-\w{8}…\), 1 is left", told)
    released = cdp.read_csv("out.csv")
    assert [column.label for column in released.columns] == ["bmi", "ward"]
    assert released.row_count == ROWS
    card = json.loads(Path("c.json").read_text(encoding="utf-8"))
    assert card["unchanged_columns"] == ["ward"]
    assert [each.unfinished for each in LedgerFile("l.json").ledger.entries] == [False]
    assert Path("in.csv").read_bytes() == DATA.encode()
    assert cdp.Estimates("out.csv", "c.json").mean("bmi").n == ROWS


def test_a_dry_run_says_cost_and_error_and_changes_nothing(say: Say) -> None:
    before = everything()
    code, told, _ = say(*PRIVATIZE, *LEDGER, "--card", "c.html", "--dry-run")
    assert code == 0
    assert "bmi: epsilon 1" in told
    assert "40, the middle of the bounds" in told
    for words in ("typical error of a value", "95 % of releases of 40", "a mean of 300 rows"):
        assert words in told
    assert re.search(r"1 would be spent on this table \(table-\w{8}…\), 1 is left", told)
    assert "without any protection: name, ward" in told
    assert everything() == before


def test_quiet_says_nothing(say: Say) -> None:
    assert say(*PRIVATIZE, "--quiet") == (0, "", "")


def test_persons_and_other_kinds_of_files_are_released_in_memory(say: Say) -> None:
    one = ("privatize", "in.csv", "out.xlsx", "--settings", "persons.json", *LEDGER)
    code, told, _ = say(*one, "--card", "c.html")
    assert code == 0
    assert "costs each person with at most 2 rows: epsilon 2" in told
    assert Path("out.xlsx").read_bytes()[:2] == b"PK"
    assert "<html" in Path("c.html").read_text(encoding="utf-8")
    (entry,) = LedgerFile("l.json").ledger.entries
    assert entry.person == cdp.Person("name", at_most=2)
    assert not entry.unfinished
    # What came as a workbook is read as one.
    code, _, errors = say("privatize", "out.xlsx", "again.parquet", "--settings", "s.json")
    assert (code, errors) == (0, "")
    assert cdp.read_csv("again.parquet").row_count == ROWS


@pytest.mark.parametrize("route", [(), ("persons",)])
def test_the_same_in_blocks_and_in_memory_keeps_every_other_byte(
    route: tuple[str, ...], say: Say
) -> None:
    name = "persons.json" if route else "s.json"
    assert say("privatize", "in.csv", "out.csv", "--settings", name)[0] == 0
    before, after = DATA.split("\r\n"), Path("out.csv").read_bytes().decode().split("\r\n")
    keep = [[line.split(",")[at] for at in (0, 2) if line] for line in before]
    assert [[line.split(",")[at] for at in (0, 2) if line] for line in after] == keep


# What is refused


def edited(change: Callable[[dict[str, Any]], object], name: str = "s.json") -> None:
    data = json.loads(Path(name).read_text(encoding="utf-8"))
    change(data)
    Path(name).write_text(json.dumps(data), encoding="utf-8")


REFUSED: dict[str, tuple[Callable[[], object], tuple[str, ...], str]] = {
    "no input": (lambda: os.remove("in.csv"), PRIVATIZE, "is not there"),
    "a folder": (lambda: None, ("privatize", ".", "o.csv", "--settings", "s.json"), "is no file"),
    "a limit": (lambda: LedgerFile("l.json").path.write_text(
        cdp.Ledger(limit="0.5").to_json()), (*PRIVATIZE, *LEDGER), "does not fit into the budget"),
    "no ledger": (lambda: os.remove("l.json"), (*PRIVATIZE, *LEDGER), "compdp ledger new"),
    "a damaged ledger": (
        lambda: Path("l.json").write_text("{"), (*PRIVATIZE, *LEDGER), "cannot be read"),
    "a target": (lambda: Path("out.csv").write_text("mine"), PRIVATIZE, "--force"),
    "the source as target": (lambda: None, (
        "privatize", "in.csv", "in.csv", "--settings", "s.json", "--force"), "the file that is"),
    "a link to the source": (lambda: os.symlink("in.csv", "out.csv"), (*PRIVATIZE, "--force"),
        "the file that is read"),
    "the ledger as card": (lambda: None, (*PRIVATIZE, *LEDGER, "--card", "l.json", "--force"),
        "something else"),
    "target and card are one": (lambda: None, (*PRIVATIZE, "--card", "./out.csv"),
        "something else"),
    "a card of no kind": (lambda: None, (*PRIVATIZE, "--card", "c.pdf"), ".html"),
    "no folder": (lambda: None, ("privatize", "in.csv", "no/o.csv", "--settings", "s.json"),
        "make it first"),
    "packed": (lambda: None, ("privatize", "in.csv", "o.csv.gz", "--settings", "s.json"), ".gz"),
    "no settings": (lambda: os.remove("s.json"), PRIVATIZE, "the settings s.json is not there"),
    "no JSON": (lambda: Path("s.json").write_text("bmi"), PRIVATIZE, "no JSON"),
    "a value": (lambda: edited(lambda d: d["columns"][0].update(epsilon=-1)), PRIVATIZE,
        "epsilon -1 makes no sense.\n"),
    "of a statistic": (lambda: None, ("privatize", "in.csv", "o.csv", "--settings", "mean.json"),
        "compdp answer"),
    "whose": (lambda: edited(lambda d: d.pop("person")), PRIVATIZE, "--each-row-is-a-person"),
    "another place": (lambda: Path("in.csv").write_text("bmi,name\n20,x\n"), PRIVATIZE,
        "bmi is column 1 here"),
    "another name": (lambda: Path("in.csv").write_text("id,kg,w\n1,2,3\n"), PRIVATIZE,
        "no column is called bmi"),
    "no label": (lambda: edited(lambda d: d["columns"][0].update(label="")), PRIVATIZE,
        "add its label"),
    "omitted": (lambda: None, (*PRIVATIZE, "--omit", "age"), "names no column"),
    "a planned one omitted": (lambda: None, (*PRIVATIZE, "--omit", "bmi"),
        "'bmi' (#2) is privatised and cannot be left out; --omit takes name, ward"),
    "a card as settings": (lambda: Path("s.json").write_text(
        json.dumps({"format": CARD, "version": 1})), PRIVATIZE, "is a privacy card"),
    "a later version": (lambda: edited(lambda d: d.update(version=9)), PRIVATIZE,
        "of version 9, which is newer than this program"),
    "not plain": (lambda: Path("in.csv").write_bytes(DATA.replace(SECRET, '"Z""x"').encode()),
        (*PRIVATIZE, "--engine", "polars"), "Leave --engine out"),
    "uneven": (lambda: Path("in.csv").write_text("name,bmi\nx,20\ny,21,22\n"), PRIVATIZE, "row"),
    "processes": (lambda: None, (*PRIVATIZE, "--processes", "0"), "processes"),
    "not an answer": (lambda: None, ("answer", "in.csv", "--settings", "s.json"),
        "compdp privatize"),
    "a ledger there": (lambda: None, ("ledger", "new", "l.json"), "is there already"),
    "a limit of none": (lambda: None, ("ledger", "new", "n.json", "--limit", "-1"), "limit"),
    "no card": (lambda: None, ("estimate", "in.csv", "s.json"), "card"),
    "a mechanism": (lambda: None, ("audit", "A9B9"), "A1B1"),
    "bounds": (lambda: None, ("audit", "A1B1", "--bounds", "1", "0"), "inputs"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_told_in_words_and_changes_nothing(case: str, say: Say) -> None:
    change, arguments, words = REFUSED[case]
    change()
    before = everything()
    code, told, errors = say(*arguments)
    assert (code, told) == (2, "")
    assert words in errors
    assert errors.startswith("compdp ")
    assert "Traceback" not in errors
    assert SECRET not in errors
    assert everything() == before


def test_polars_writes_what_the_own_engine_does_or_says_why_not(say: Say) -> None:
    assert say(*PRIVATIZE, *LEDGER, "--engine", "polars")[0] == 0
    lines = Path("out.csv").read_bytes().decode().split("\r\n")
    assert [line.split(",")[0] for line in lines] == [
        line.split(",")[0] for line in DATA.split("\r\n")
    ]
    before = everything()
    persons = ("privatize", "in.csv", "o.csv", "--settings", "persons.json", *LEDGER)
    code, _, errors = say(*persons, "--engine", "polars")
    assert code == 2
    assert "--engine must be left out" in errors
    assert everything() == before


def test_a_parquet_file_is_released_by_polars_batch_by_batch(say: Say) -> None:
    parquet.write_table(
        pa.table({"name": [SECRET, "P1"], "bmi": [33.25, None], "ward": ["A", "B"]}), "in.parquet"
    )
    start = ("privatize", "in.parquet", "out.parquet", "--settings", "s.json")
    told = (*start, *LEDGER, "--engine", "polars")
    before = everything()
    code, words, _ = say(*told, "--dry-run")
    assert code == 0
    assert "2 rows" in words
    for more in (("--processes", "2"), ("--omit", "bmi")):
        assert say(*told, *more)[0] == 2
    assert everything() == before
    assert say(*told, "--card", "card.json", "--omit", "ward")[0] == 0
    made = parquet.read_table("out.parquet")
    assert made.schema.names == ["name", "bmi"]
    assert made["name"].to_pylist() == [SECRET, "P1"]
    assert made["bmi"].to_pylist() != [33.25, None]
    (spent,) = LedgerFile("l.json").ledger.entries
    assert not spent.unfinished
    card = json.loads(Path("card.json").read_text(encoding="utf-8"))
    assert cdp.Estimates(Path("out.parquet"), card).mean("bmi").n == 2
    assert say(*told, "--force")[0] == 0  # another ε of 2
    after = everything()
    code, _, errors = say(*told, "--force")  # and no more
    assert code != 0
    assert "does not fit into the budget" in errors
    assert everything() == after


def test_settings_that_do_not_say_whose_are_taken_at_the_owners_word(say: Say) -> None:
    edited(lambda data: data.pop("person"))
    assert say(*PRIVATIZE, "--each-row-is-a-person")[0] == 0


def test_forced_a_target_is_replaced(say: Say) -> None:
    Path("out.csv").write_text("mine", encoding="utf-8")
    assert say(*PRIVATIZE, "--force")[0] == 0
    assert cdp.read_csv("out.csv").row_count == ROWS


# What breaks


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def stopped(*_: object) -> None:
    raise KeyboardInterrupt


def odd(*_: object) -> None:
    raise RuntimeError(f"about {SECRET}")


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


def test_a_kind_that_cannot_hold_the_table_is_found_before_the_charge(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything()

    def too_long(*_: object) -> bytes:
        raise CompdpError("a sheet has at most 10 rows")

    monkeypatch.setattr(table_runs, "typed_file", too_long)
    code, _, errors = say("privatize", "in.csv", "o.xlsx", "--settings", "s.json", *LEDGER)
    assert code == 2
    assert "at most 10 rows" in errors
    assert everything() == before


# The others


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


def meanwhile(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Another run puts a file there while this one draws."""
    write = CardFile.write

    def late(self: CardFile, card: Card) -> None:
        Path(name).write_text("theirs", encoding="utf-8")
        write(self, card)

    monkeypatch.setattr(CardFile, "write", late)


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


@pytest.mark.parametrize("name", ["s.json", "persons.json"])
def test_formulas_are_guarded_unless_they_are_to_be_kept(name: str, say: Say) -> None:
    Path("in.csv").write_bytes(DATA.replace(SECRET, "=1+1").encode())
    one = ("privatize", "in.csv", "out.csv", "--settings", name, "--force")
    for more, start in (((), b"'=1+1,"), (("--keep-formulas",), b"=1+1,")):
        assert say(*one, *more)[0] == 0
        assert Path("out.csv").read_bytes().split(b"\r\n")[1].startswith(start)
