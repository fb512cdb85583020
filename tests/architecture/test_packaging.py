"""The library installs on its own, and every dependency has one stated range."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.architecture.source import ROOT, files

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def requirements(path: str) -> dict[str, str]:
    """Name -> range of a requirements file, without the files it includes."""
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    wanted = [line for line in lines if line and not line.startswith(("#", "-r"))]
    return {re.split(r"[<>=]", line)[0]: line for line in wanted}


def test_the_package_asks_for_the_same_ranges_as_the_app() -> None:
    app = requirements("requirements.txt")
    for line in PROJECT["dependencies"]:
        assert line == app[re.split(r"[<>=]", line)[0]]


def test_the_extras_are_the_engines_with_the_ranges_of_the_tests() -> None:
    """What is tested is what gets installed; no extra repeats what comes in any case."""
    tested, extras = requirements("tests/requirements.txt"), PROJECT["optional-dependencies"]
    assert set(extras) == {"polars", "spark", "sklearn"}
    for lines in extras.values():
        assert lines
        for line in lines:
            name = re.split(r"[<>=]", line)[0]
            assert line == tested[name]
            assert name not in requirements("requirements.txt")


def test_every_range_has_two_ends_or_is_a_build_tool() -> None:
    ranges = {**requirements("requirements.txt"), **requirements("tests/requirements.txt")}
    two_ends = re.compile(r">=[\d.]+,<[\d.]+$")
    open_ended = {name for name, line in ranges.items() if not two_ends.search(line)}
    assert open_ended == {"setuptools"}
    assert not set(requirements("requirements.txt")) & set(requirements("tests/requirements.txt"))


def test_the_library_installs_without_the_app(tmp_path: Path) -> None:
    """Built from a copy, since building leaves folders behind, and imported from elsewhere."""
    copy, installed = tmp_path / "copy", tmp_path / "installed"
    copy.mkdir()
    for path in files("compdp_core", "pages", "app.py", "pyproject.toml", "README.md", "LICENSE"):
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--target", str(installed)]
    subprocess.run([*pip, *options, str(copy)], check=True, capture_output=True)

    tops = {path.name for path in installed.iterdir()}
    assert tops == {"bin", "compdp_core", f"composite_dp-{PROJECT['version']}.dist-info"}
    source = {path.relative_to(ROOT / "compdp_core") for path in files("compdp_core")}
    packed = {
        path.relative_to(installed / "compdp_core")
        for path in (installed / "compdp_core").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == source
    where = subprocess.run(
        [sys.executable, "-c", "import compdp_core; print(compdp_core.__file__)"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert Path(where.strip()) == installed / "compdp_core" / "__init__.py"
