"""The script of figures: it runs on the files of a release, and no text of theirs is code."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import compdp_core as cdp
from compdp_core.estimates.summary.script import script_of_estimates
from tests.unit.estimates.stand_in import ASKED, NUMBER, StandIn, released
from tests.unit.report.examples import ROOT


def files(folder: Path, identifier: str | None = None) -> tuple[Path, Path]:
    file, card = released()
    table, said = folder / "released.csv", folder / "card.json"
    table.write_bytes(file)
    said.write_text(json.dumps(card | ({"identifier": identifier} if identifier else {})))
    return table, said


def run(folder: Path, script: str, *arguments: object) -> tuple[int, str]:
    path = folder / "figures.py"
    path.write_text(script, encoding="ascii")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path), *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


def test_it_works_out_the_same_figures(tmp_path: Path) -> None:
    table, card = files(tmp_path)
    estimates = cdp.Estimates(table, card)
    figures, page = tmp_path / "figures.csv", tmp_path / "report.html"
    code, said = run(tmp_path, estimates.script(ASKED), table, card, figures, page)
    assert code == 0, said
    assert figures.read_text("utf-8-sig") == estimates.summary(ASKED).csv()
    assert page.read_text("utf-8") == estimates.report_html(ASKED)
    assert f"{NUMBER}\n" in said
    assert str(estimates.mean(NUMBER).value) in said


def test_names_are_literals_and_nothing_else() -> None:
    script = script_of_estimates(StandIn(), ASKED)
    assert script.isascii()
    strings = [n.value for n in ast.walk(ast.parse(script)) if isinstance(n, ast.Constant)]
    assert NUMBER in strings
    assert "DROP" not in "".join(
        n.id for n in ast.walk(ast.parse(script)) if isinstance(n, ast.Name)
    )


@pytest.mark.parametrize(
    ("identifier", "arguments", "wanted"),
    [("f" * 32, (), "another release"), (None, ("more", "and", "more"), "THIS_FILE.py")],
)
def test_what_is_not_meant_is_refused(
    identifier: str | None, arguments: tuple[str, ...], wanted: str, tmp_path: Path
) -> None:
    table, card = files(tmp_path, identifier)
    script = script_of_estimates(StandIn(), ASKED)
    code, said = run(tmp_path, script, table, card, *arguments)
    assert code == 1
    assert wanted in said
    assert "Traceback" not in said
