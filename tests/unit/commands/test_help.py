"""What commands say of themselves."""

from __future__ import annotations

import subprocess
import sys

import pytest

from compdp_core.commands import main as commands
from compdp_core.commands.main import COMMANDS
from tests.unit.commands.folder import (
    ROOT,
    Say,
)


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
