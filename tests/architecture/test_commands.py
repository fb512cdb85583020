"""README's commands, its example and its links work, and CI runs exactly what README says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import compdp_core as cdp
from tests.architecture.source import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
RUN = ROOT / ".ci" / "run"


def block(mark: str) -> str:
    """The code block behind ``<!-- mark -->``."""
    found = re.findall(rf"^<!-- {mark} -->\n```\w+\n(.*?)^```$", README, re.M | re.S)
    assert len(found) == 1, f"README.md needs one block marked {mark}"
    return str(found[0]).strip()


def test_one_command_starts_the_app_and_one_runs_the_tests() -> None:
    environment = "python3 -m venv .venv"
    assert block("app").split(" && ") == [
        environment,
        ".venv/bin/pip install -r requirements.txt",
        ".venv/bin/streamlit run app.py",
    ]
    assert block("tests").split(" && ") == [
        environment,
        ".venv/bin/pip install -r tests/requirements.txt",
        ".venv/bin/python -m pytest",
    ]


def test_ci_takes_its_command_from_the_readme(tmp_path: Path) -> None:
    """The script's own lines that read README.md, run on the real one and on one without it."""
    script = RUN.read_text(encoding="utf-8")
    begin, end = script.index("command=$("), script.index("if ! command -v chromium")
    reading = "set -euo pipefail\n" + script[begin:end] + 'echo "$install"\necho "$tests"\n'

    def run(root: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", f"root={root}\n{reading}"], capture_output=True, text=True, check=False
        )

    install, _, tests = block("tests").rpartition(" && ")
    assert run(ROOT).stdout.splitlines() == [install, tests]
    (tmp_path / "README.md").write_text("nothing marked", encoding="utf-8")
    refused = run(tmp_path)
    assert refused.returncode != 0
    assert "no test command" in refused.stderr
    # Pytest comes last, so that its closing line is the last line of all.
    assert script.rstrip().splitlines()[-1] == 'bash -euo pipefail -c "$tests"'
    assert os.access(RUN, os.X_OK)


@pytest.mark.parametrize("mark", ["usage", "table", "kinds", "person", "received", "study"])
def test_the_python_examples_run(mark: str) -> None:
    """In a fresh interpreter with warnings as errors."""
    code = block(mark)
    assert "import" in code
    subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, check=True)


def test_the_commands_run_as_written(tmp_path: Path) -> None:
    """In a folder that holds nothing but the samples, by the name that installing gives."""
    shutil.copytree(ROOT / "assets", tmp_path / "assets")
    command = tmp_path / "bin" / "compdp"
    command.parent.mkdir()
    run = shlex.join([sys.executable, "-W", "error", "-m", "compdp_core"])
    command.write_text(f'#!/bin/sh\nexec {run} "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block("commands")],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    before = (tmp_path / "assets" / "school_health_survey.csv").read_text("utf-8").splitlines()
    after = (tmp_path / "released.csv").read_text("utf-8").splitlines()
    assert len(after) == len(before)
    assert after[0].split(",") == before[0].split(",")[1:-1]  # without pupil_id and note
    told = cdp.Estimates(tmp_path / "released.csv", tmp_path / "card.json").mean("height (cm)")
    assert told.low < told.value < told.high
    ledger = cdp.Ledger.from_json((tmp_path / "ledger.json").read_bytes())
    assert ledger.total_by_dataset(ledger.datasets[0]) == 1
    assert ledger.limit == 2


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *(ROOT / "assets").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


GUIDES = (
    "README.md", "compdp_core/README.md", "compdp_core/CHANGELOG.md",
    ".github/CONTRIBUTING.md", ".github/SECURITY.md",
)  # fmt: skip


@pytest.mark.parametrize("guide", GUIDES)
def test_files_that_a_guide_names_exist(guide: str) -> None:
    text = (ROOT / guide).read_text(encoding="utf-8")
    mentions = re.findall(r"`((?:\.?\w+/)+\w*[\w.]*|\w+\.(?:md|py|toml|txt))(?:::\w+)?`", text)
    assert mentions or guide.endswith("CHANGELOG.md")
    assert not [each for each in mentions if not (ROOT / each).exists()]


@pytest.mark.parametrize("guide", GUIDES)
def test_modules_that_a_guide_names_exist(guide: str) -> None:
    text = (ROOT / guide).read_text(encoding="utf-8")
    mentions = set(re.findall(r"`(compdp_core(?:\.[a-z]\w*)+)`", text))
    assert not [each for each in mentions if find_spec(each) is None]


def test_one_version_is_told_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changes = (ROOT / "compdp_core" / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## \[([\d.]+)\]", changes, re.M)[0] == project["version"]
    assert f"version = {{{project['version']}}}" in README
    minor = project["version"].rpartition(".")[0]
    security = (ROOT / ".github" / "SECURITY.md").read_text(encoding="utf-8")
    assert f"| {minor} | yes |" in security
