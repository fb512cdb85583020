"""Excel files of the old kind, read by a process of its own.

Such a file is no archive whose parts could be measured first, and the library makes room for every
place that the file claims: what goes wrong there must not take the app along.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

from compdp_core.errors import TableError
from compdp_core.tables.containers import spreadsheets
from compdp_core.tables.containers.base import Container, chosen
from compdp_core.tables.containers.csv_text import Lines
from compdp_core.tables.errors import EmptyFileError, NotTextError
from compdp_core.tables.file_kinds import NAMES

resource: ModuleType | None
try:
    import resource
except ImportError:  # on Windows
    resource = None

_SECONDS = 120
_MEMORY = 4 * 2**30
_ROOT = Path(__file__).parents[3]


def to_text(kind: str, data: bytes, table: str | None, limit: int) -> tuple[bytes, Container]:
    """The text of a sheet, and what is known of the file."""
    command = [sys.executable, "-m", __name__, str(limit), json.dumps(table)]
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    try:
        done = subprocess.run(
            command,
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            env={**os.environ, "PYTHONPATH": path},
        )
    except subprocess.TimeoutExpired:
        done = None
    if done is None or done.returncode or not done.stdout:
        raise NotTextError(
            f"{NAMES[kind]} that cannot be read", "Save it as .xlsx or CSV and upload that."
        )
    first, _, content = done.stdout.partition(b"\n")
    said = json.loads(first)
    if "names" in said:
        if not said["names"]:
            raise EmptyFileError(1)
        table = chosen(kind, said["names"], table)
    if "fault" in said:
        raise spreadsheets.damaged(kind, said["fault"])
    if "refusal" in said:
        raise TableError(said["refusal"])
    remark = (
        f"The values of the sheet {table!r} of {NAMES[kind]} were read: formulas as they were last "
        "worked out; formats, notes and other sheets are not part of the table."
    )
    return content, Container(kind, table, width=said["width"], remarks=(remark,))


def _child(limit: int, table: str | None, data: bytes) -> bytes:
    """What the process of its own answers: a line of JSON, and the text below it."""
    from python_calamine import CalamineWorkbook

    try:
        book = CalamineWorkbook.from_object(io.BytesIO(data))
        sheets = {name: book.get_sheet_by_name(name) for name in book.sheet_names}
        names = [name for name, sheet in sheets.items() if sheet.start is not None]
        name = table if table in names else names[0] if len(names) == 1 and table is None else None
        lines = Lines(limit) if name is None else spreadsheets.sheet_lines(sheets[name], limit)
        return json.dumps({"names": names, "width": lines.width}).encode() + b"\n" + lines.content()
    except TableError as refusal:
        return json.dumps({"refusal": str(refusal)}).encode() + b"\n"
    except BaseException as error:
        return json.dumps({"fault": spreadsheets.fault(error)}).encode() + b"\n"


if __name__ == "__main__":
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    sys.stdout.buffer.write(
        _child(int(sys.argv[1]), json.loads(sys.argv[2]), sys.stdin.buffer.read())
    )
