"""What the schema of an Arrow table or Parquet file says of its columns, once some are others."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

_PANDAS = b"pandas"
_OF_ALL_COLUMNS = (b"org.apache.spark.sql.parquet.row.metadata", b"huggingface")
"""Notes that repeat the type of every column, by which their library reads the file."""

Notes = Mapping[bytes, bytes]


def notes_without(notes: Notes | None, names: Collection[str]) -> dict[bytes, bytes] | None:
    """The notes of a schema without what is said of the columns ``names``, which are released or
    left out, and without the number of rows that there were.

    pandas and Spark read a column as these notes say it was; and what they say of it, such as how
    many categories it had, is of the true values.

    >>> said = {b"pandas": b'{"index_columns": [{"kind": "range", "stop": 9}], "columns": []}'}
    >>> notes_without(said | {b"made": b"by me"}, ["bmi"])
    {b'pandas': b'{"index_columns": [], "columns": []}', b'made': b'by me'}
    """
    if notes is None:
        return None
    kept = {name: text for name, text in notes.items() if name not in _OF_ALL_COLUMNS}
    if _PANDAS in kept:
        said = _pandas(kept.pop(_PANDAS), names)
        kept = kept if said is None else {_PANDAS: said, **kept}
    return kept


def _pandas(text: bytes, names: Collection[str]) -> bytes | None:
    """What pandas noted of the other columns; None where that is nothing it could have written."""
    try:
        said = json.loads(text)
        said["index_columns"] = [
            each
            for each in said["index_columns"]
            if isinstance(each, str) and each not in names  # a range says how many rows there were
        ]
        said["columns"] = [each for each in said["columns"] if each["field_name"] not in names]
    except (ValueError, KeyError, TypeError):
        return None
    return json.dumps(said).encode()
