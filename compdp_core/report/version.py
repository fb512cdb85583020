"""Which version of the library is running."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

NAME = "composite-dp"


def version() -> str:
    """The version of the installed package, else of the project file beside the library."""
    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        project = Path(__file__).resolve().parents[2] / "pyproject.toml"
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
