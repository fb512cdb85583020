"""Three floors, imports only downward; and the library is light to import."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib

import pytest

from tests.architecture.source import ROOT, files, imports, imports_of, name

EVERYWHERE = ("compdp_core", "pages", "app.py")
FORBIDDEN: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "what lies above the library": (
        ("compdp_core",), {"streamlit", "plotly", "pages", "app", "tests", "assets"}
    ),
    "what lies above the pages": (("pages",), {"app", "tests"}),
    # Nothing leaves the machine: neither floor has a reason to open a connection.
    "a connection": (
        EVERYWHERE,
        {"socket", "http", "urllib.request", "requests", "httpx", "aiohttp", "ftplib", "smtplib"},
    ),
    # A second to load; scipy.special has the same distributions.
    "scipy.stats": (EVERYWHERE, {"scipy.stats"}),
    # A Source from compdp_core.randomness is handed in instead.
    "randomness of the standard library": (EVERYWHERE, {"random"}),
}  # fmt: skip
# Each costs a tenth of a second or more; they are imported where they are used.
HEAVY = {
    "streamlit", "plotly", "pandas", "opendp", "charset_normalizer", "cryptography",
    "scipy.optimize", "scipy.integrate", "pyarrow", "pyreadstat", "python_calamine",
    "xlsxwriter",
}  # fmt: skip

ENGINES = {"polars", "pyspark", "sklearn", "nbformat"}
CONSOLE = "import sys; from compdp_core.commands.main import main; sys.exit(main())"


def within(imported: str, modules: set[str]) -> bool:
    return any(imported == module or imported.startswith(module + ".") for module in modules)


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_module_imports_what_is_not_for_it(what: str) -> None:
    folders, forbidden = FORBIDDEN[what]
    modules = files(*folders, suffix=".py")
    assert modules
    found = {
        f"{name(path)} imports {imported}"
        for path in modules
        for imported in imports_of(path)
        if within(imported, forbidden)
    }
    assert not found


@pytest.mark.parametrize("module", ["compdp_core", "compdp_core.experiments"])
def test_importing_the_library_loads_nothing_heavy(module: str) -> None:
    code = f"import {module}, json, sys; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True
        ).stdout
    )
    assert module in loaded
    assert not HEAVY.intersection(loaded)


@pytest.mark.parametrize("command", [["-m", "compdp_core"], ["-c", CONSOLE]])
def test_the_command_line_says_what_it_can_without_loading_anything_heavy(
    command: list[str],
) -> None:
    """As a module, and as the console script is installed. What takes time to load is loaded by the
    command that needs it, so that asking what there is takes no longer than Python itself."""
    run = [sys.executable, "-X", "importtime", *command, "--help"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, check=True, text=True)
    assert done.stdout.startswith("usage: compdp")
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "compdp_core.commands.main" in loaded
    assert not {each for each in loaded if within(each, HEAVY | ENGINES)}


def test_the_library_imports_only_what_its_package_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    lines = [*project["dependencies"], *extras]
    named = {"scikit_learn": "sklearn"}
    packages = (line.split(">")[0].replace("-", "_") for line in lines)
    declared = {named.get(package, package) for package in packages}
    used = {
        imported.partition(".")[0]
        for path in files("compdp_core", suffix=".py")
        for imported in imports_of(path)
    }
    foreign = used - set(sys.stdlib_module_names) - {"compdp_core"}
    assert foreign <= declared
    assert "numpy" in foreign


@pytest.mark.parametrize(
    ("source", "package", "expected"),
    [
        ("import streamlit as st", "", {"streamlit"}),
        ("def f():\n  from plotly import graph_objects", "", {"plotly.graph_objects"}),
        ("from . import exact", "compdp_core.design", {"compdp_core.design.exact"}),
        ("from ..errors import E", "compdp_core.design", {"compdp_core.errors.E"}),
        ("if TYPE_CHECKING:\n  import pandas\nelse:\n  import csv", "", {"csv", "pandas"}),
        ("try:\n  import a\nexcept ImportError:\n  import b", "", {"a", "b"}),
    ],
)
def test_imports_are_read_at_any_depth(source: str, package: str, expected: set[str]) -> None:
    assert set(imports(ast.parse(source), package)) == expected
