"""Commands that are run in a folder of their own."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import compdp_core as cdp
from compdp_core.accounting import LedgerFile
from compdp_core.commands.main import main
from compdp_core.report.settings import StatisticSettings, to_json
from tests.unit.commands.folder import DATA, Say


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
