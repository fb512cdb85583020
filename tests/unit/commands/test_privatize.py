"""What ``compdp privatize`` writes, charges and says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

import compdp_core as cdp
from compdp_core.accounting import LedgerFile
from tests.unit.commands.folder import (
    DATA,
    LEDGER,
    PRIVATIZE,
    ROWS,
    SECRET,
    Say,
    edited,
    everything,
)


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


@pytest.mark.parametrize("name", ["s.json", "persons.json"])
def test_formulas_are_guarded_unless_they_are_to_be_kept(name: str, say: Say) -> None:
    Path("in.csv").write_bytes(DATA.replace(SECRET, "=1+1").encode())
    one = ("privatize", "in.csv", "out.csv", "--settings", name, "--force")
    for more, start in (((), b"'=1+1,"), (("--keep-formulas",), b"=1+1,")):
        assert say(*one, *more)[0] == 0
        assert Path("out.csv").read_bytes().split(b"\r\n")[1].startswith(start)
