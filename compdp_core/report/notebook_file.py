"""A Jupyter notebook as a file: cells of prose and of code, none of them run.

Prose is fixed text and numbers alone. A text of a user or a file stands in code, as a literal in
plain ASCII: a notebook shows prose as HTML and sets what stands between dollar signs as formulas,
and a code cell as what it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import Template
from typing import Any, Literal

_FORMAT, _MINOR = 4, 5
"""Of nbformat: the version in which each cell has a name."""


@dataclass(frozen=True)
class NotebookCell:
    """A cell, and what is to be filled in where it says ``$name``."""

    kind: Literal["markdown", "code"]
    source: str

    def filled(self, fields: Mapping[str, str]) -> NotebookCell:
        """The cell with ``fields`` in it; :class:`KeyError` where one is not among them."""
        return NotebookCell(self.kind, Template(self.source).substitute(fields))


def prose(text: str) -> NotebookCell:
    """A cell of markdown, of words that are our own."""
    return NotebookCell("markdown", text.strip("\n"))


def code(text: str) -> NotebookCell:
    """A cell of Python."""
    return NotebookCell("code", text.strip("\n"))


def notebook_text(cells: Iterable[NotebookCell]) -> str:
    r"""The file, in plain ASCII. The name of a cell is its place, so that equal cells give an equal
    file.

    >>> made = json.loads(notebook_text([prose("# Title"), code("x = 1\nx")]))
    >>> [cell["id"] for cell in made["cells"]], made["cells"][1]["source"]
    (['cell-1', 'cell-2'], ['x = 1\n', 'x'])
    """
    made = {
        "cells": [_as_data(cell, place) for place, cell in enumerate(cells, 1)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": _FORMAT,
        "nbformat_minor": _MINOR,
    }
    return json.dumps(made, indent=1) + "\n"


def _as_data(cell: NotebookCell, place: int) -> dict[str, Any]:
    lines = cell.source.split("\n")
    source = [f"{line}\n" for line in lines[:-1]] + lines[-1:]
    made = {"cell_type": cell.kind, "id": f"cell-{place}", "metadata": {}, "source": source}
    return made if cell.kind == "markdown" else {**made, "execution_count": None, "outputs": []}
