"""Which version of the library is running."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

NAME = "composite-dp"


def version() -> str:
    """The version in the project file beside the library, else of the installed package.

    The project file comes first: a package installed at another time does not describe this code.
    """
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    if project.is_file():
        stated = tomllib.loads(project.read_text(encoding="utf-8")).get("project", {})
        if stated.get("name") == NAME:
            return str(stated["version"])
    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return "unknown"
