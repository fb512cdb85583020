"""The kind of file that a name asks for."""

from __future__ import annotations

from pathlib import Path

from compdp_core.errors import ParameterError
from compdp_core.tables.containers.writing import FileKind

_ENDINGS: dict[str, FileKind] = {
    ".csv": "csv", ".tsv": "csv", ".txt": "csv", ".xlsx": "xlsx", ".ods": "ods", ".zip": "zip",
    ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".jsonl": "jsonl",
    ".ndjson": "jsonl", ".json": "json", ".dta": "dta", ".sav": "sav",
}  # fmt: skip
IN_MEMORY = ("xlsx", "ods", "zip", "parquet", "arrow", "jsonl", "json", "dta", "sav")
"""Written of a table that is in memory."""


def kind_of(target: Path) -> FileKind:
    """The kind of file that a name asks for.

    >>> kind_of(Path("out.csv")), kind_of(Path("out.PARQUET")), kind_of(Path("out.data"))
    ('csv', 'parquet', 'same')
    """
    if target.suffix.lower() == ".gz":
        what = "must not end with .gz: the file is written unpacked, so pack it afterwards"
        raise ParameterError("the target", target.name, what)
    return _ENDINGS.get(target.suffix.lower(), "same")
