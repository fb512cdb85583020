"""Notebooks read as anybody's program reads them, and run in a kernel of their own."""

from __future__ import annotations

import ast
import json
import os
from pathlib import Path
from typing import Any
from unittest.mock import patch

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from tests.unit.report.examples import ROOT


def opened(text: str) -> Any:
    """A notebook that was never run: valid, in plain ASCII, each code cell one that compiles."""
    assert text.isascii()
    assert json.loads(text)["nbformat_minor"] == 5
    book: Any = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(book)
    assert len({cell.id for cell in book.cells}) == len(book.cells)
    for cell in book.cells:
        if cell.cell_type == "code":
            compile(cell.source, cell.id, "exec")
            assert (cell.outputs, cell.execution_count) == ([], None)
    return book


def prose_of(book: Any) -> str:
    return "\n".join(cell.source for cell in book.cells if cell.cell_type == "markdown")


def code_of(book: Any) -> str:
    return "\n".join(cell.source for cell in book.cells if cell.cell_type == "code")


def strings_of(book: Any) -> set[str]:
    """The texts that stand in its code as literals."""
    found = ast.walk(ast.parse(code_of(book)))
    return {n.value for n in found if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def run(book: Any, folder: Path) -> tuple[str, str]:
    """Run a notebook from the top: what it printed, and why it stopped, if it did."""
    settings = {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / "ipython")}
    client = NotebookClient(book, timeout=300, resources={"metadata": {"path": str(folder)}})
    stopped = ""
    with patch.dict(os.environ, settings):
        try:
            client.execute()
        except CellExecutionError as error:
            stopped = f"{error.ename}: {error.evalue}"
    outputs = [out for cell in book.cells for out in cell.get("outputs", [])]
    return "".join(out.text for out in outputs if out.output_type == "stream"), stopped


def again(book: Any, place: int) -> None:
    """Put a copy of a cell at the end, as somebody who runs it twice."""
    cell = book.cells[place].copy()
    cell["id"] = "again"
    book.cells.append(cell)
