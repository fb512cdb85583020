"""What is refused is told in words, and changes nothing."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import compdp_core as cdp
from compdp_core.accounting import LedgerFile
from compdp_core.commands import table_runs
from compdp_core.errors import CompdpError
from compdp_core.report.card import FORMAT as CARD
from tests.unit.commands.folder import (
    DATA,
    LEDGER,
    PRIVATIZE,
    SECRET,
    Say,
    edited,
    everything,
)

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
