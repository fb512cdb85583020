"""JSON lines, and a JSON array of flat objects: one object is one row."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal

from compdp_core.tables.containers.base import Container
from compdp_core.tables.containers.csv_text import Lines, cell, quoted
from compdp_core.tables.errors import NotTextError
from compdp_core.tables.file_kinds import NAMES, tree

Form = Literal["jsonl", "json"]

_BOM = b"\xef\xbb\xbf"
_OBJECT = re.compile(rb'\{\s*("(?:[^"\\]|\\.)*"\s*:|\}\s*$)')
_ARRAY = re.compile(rb'\[\s*([\[{]|"(?:[^"\\]|\\.)*"\s*[,\]]|[-\d.eE+]+\s*[,\]]\s*[-\d]|\]\s*$)')
_HEAD = 1 << 16


def form_of(content: bytes) -> Form | None:
    """Whether a text is JSON; a table may begin with a bracket, too.

    >>> form_of(b'{"a": 1}'), form_of(b'[{"a": 1}]'), form_of(b"[kg],[m]")
    ('jsonl', 'json', None)
    """
    start = content[:_HEAD].removeprefix(_BOM).lstrip()
    if start.startswith(b"{"):
        return "jsonl" if _OBJECT.match(start) else None
    return "json" if start.startswith(b"[") and _ARRAY.match(start) else None


def to_text(form: Form, content: bytes, limit: int) -> tuple[bytes, Container]:
    """The text of the table, and what is known of the file.

    Names are those of all objects, in the order they first come.

    Raises NotTextError for nested values, and for what is no JSON.
    """
    text = content.removeprefix(_BOM)
    rows = _lines(text) if form == "jsonl" else _array(text)
    names: dict[str, None] = {}
    for row in rows():
        names.update(dict.fromkeys(row))
    lines = Lines(limit)
    lines.add([quoted(name) for name in names])
    for row in rows():
        lines.add([_cell(row.get(name)) for name in names])
    remark = f"This is {NAMES[form]}: each object was read as a row."
    return lines.content(), Container(form, width=lines.width, remarks=(remark,))


def _cell(value: object) -> str:
    if isinstance(value, dict | list):
        raise tree()
    return cell(value)


def _lines(text: bytes) -> Callable[[], Iterator[dict[str, Any]]]:
    def rows() -> Iterator[dict[str, Any]]:
        begin, number = 0, 0
        while begin < len(text):
            end = text.find(b"\n", begin)
            end = len(text) if end < 0 else end
            line, begin, number = text[begin:end].strip(), end + 1, number + 1
            if line:
                yield _row(line, number, text)

    return rows


def _row(line: bytes, number: int, whole: bytes) -> dict[str, Any]:
    try:
        found = _loads(line)
    except ValueError:
        if number == 1 and _is_json(whole):  # one object over several lines
            raise tree("a JSON file with one object over several lines") from None
        raise NotTextError(
            f"a JSON lines file whose line {number} is no JSON object",
            "Correct that line, or save the table as CSV and upload that.",
        ) from None
    if not isinstance(found, dict):
        raise tree()
    return found


def _is_json(text: bytes) -> bool:
    try:
        _loads(text)
    except ValueError:
        return False
    return True


def _array(text: bytes) -> Callable[[], Iterator[dict[str, Any]]]:
    try:
        found = _loads(text)
    except ValueError:
        raise NotTextError(
            "a JSON file that cannot be read to its end", "Save the table as CSV and upload that."
        ) from None
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found) or not found:
        raise tree()
    return lambda: iter(found)


def _loads(text: bytes) -> Any:
    try:
        return json.loads(text, parse_constant=lambda word: None)
    except RecursionError:
        raise tree() from None
