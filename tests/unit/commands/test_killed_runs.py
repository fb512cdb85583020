"""A run that is killed, wherever it is: the ledger opens and knows, nothing is half there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import compdp_core as cdp

ROOT = Path(__file__).parents[3]
ROWS = 400
SOURCE = "name,bmi\r\n" + "".join(f"P{row},{20 + row % 20}.5\r\n" for row in range(ROWS))
UNCHARGED = {"before the charge", "before it lands"}
OUT = {"target landed", "card landed", "before the mark goes", "mark gone"}
CARDED = {"card landed", "before the mark goes", "mark gone"}
FINISHED = {"mark gone"}
POINTS: dict[str, tuple[str, str, int]] = {
    "before the charge": ("before", "charge", 1),
    "before it lands": ("before", "replace", 1),
    "charge landed": ("after", "replace", 1),
    "charge returned": ("after", "charge", 1),
    "one block out": ("after", "block", 1),
    "some blocks out": ("after", "block", 3),
    "before target is settled": ("before", "fsync", 3),
    "target settled": ("after", "fsync", 3),
    "before the card is made": ("before", "card", 1),
    "before the card is settled": ("before", "fsync", 4),
    "before target lands": ("before", "link", 1),
    "target landed": ("after", "link", 1),
    "card landed": ("after", "link", 2),
    "before the mark goes": ("before", "replace", 2),
    "mark gone": ("after", "replace", 2),
}
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="runs are forked to be killed")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("runs")
    source = folder / "source.csv"
    source.write_bytes(SOURCE.encode())
    plan = cdp.ColumnPlan(inputs=(10, 70), epsilon=1)
    table = cdp.read_csv(source)
    by_block = folder / "by_block.json"
    by_block.write_text(cdp.privatize(table, {"bmi": plan}).settings(), encoding="utf-8")
    jobs: list[dict[str, Any]] = [{"name": name, "point": point} for name, point in POINTS.items()]
    jobs += [
        {"name": "whole", "point": None},
        # Without a charge before, the file is out when nothing is charged.
        {"name": "late", "point": POINTS["target landed"], "late": True},
    ]
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("killed_runs.py"), folder, source, by_block],
        input=json.dumps(jobs), capture_output=True, text=True, cwd=ROOT, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def faults(name: str, found: dict[str, Any]) -> list[str]:
    """What is wrong with what a run left."""
    known = {"in.csv", "out.csv", "card.json", "ledger.json", "ledger.json.lock"}
    strange = [
        each
        for each in found["names"]
        if each not in known and not (each.startswith(".") and each.endswith(".part"))
    ]
    whole = found["target"] is None or found["target"].count("\r\n") == ROWS + 1
    rules = {
        "the source is as it was": found["source"] == SOURCE,
        "what is out is charged": found["target"] is None or bool(found["marks"]),
        "what is there is whole": whole,
        "what lies about is known by its name": not strange,
        "the card came behind the file": found["card"] is None or found["target"] is not None,
        "a card is that of the file": found["card"] in (None, ROWS),
    }
    return [rule for rule, holds in rules.items() if not holds]


@pytest.mark.parametrize("name", POINTS)
def test_a_killed_run_leaves_what_is_charged_and_nothing_half(
    name: str, runs: dict[str, Any]
) -> None:
    found = runs[name]
    assert found["code"] == -9
    assert not faults(name, found)
    assert found["marks"] == ([] if name in UNCHARGED else [name not in FINISHED])
    assert (found["target"] is not None) == (name in OUT)
    assert (found["card"] is not None) == (name in CARDED)


@pytest.mark.parametrize("name", POINTS)
def test_the_next_run_goes_through(name: str, runs: dict[str, Any]) -> None:
    found, then = runs[name], runs[name]["then"]
    assert found["next"] == 0
    assert then["marks"] == [*found["marks"], False]
    assert then["card"] == ROWS
    assert then["target"] != found["target"]
    assert not faults(name, then)


def test_a_whole_run_leaves_nothing_beside(runs: dict[str, Any]) -> None:
    found = runs["whole"]
    assert found["code"] == 0
    assert found["marks"] == [False]
    names = ["card.json", "in.csv", "ledger.json", "ledger.json.lock", "out.csv"]
    assert found["names"] == names


def test_a_twin_that_charges_when_all_is_out_is_caught(runs: dict[str, Any]) -> None:
    assert runs["late"]["code"] == -9
    assert faults("late", runs["late"]) == ["what is out is charged"]


def test_of_two_runs_at_once_with_room_for_one_one_is_refused(runs: dict[str, Any]) -> None:
    found = runs["at once"]
    assert sorted(found["codes"]) == [0, 2]
    assert found["marks"] == [False]
    assert len([each for each in found["names"] if each.startswith("out")]) == 1
    assert not [each for each in found["names"] if each.endswith(".part")]
