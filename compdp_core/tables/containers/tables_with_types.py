"""Parquet, Arrow, Stata and SPSS: the type of each column is decided before any value is seen."""

from __future__ import annotations

import io
import re
import tempfile
import warnings
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.tables.containers.typed import FileColumn
from compdp_core.tables.containers.writing import unique

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_MADE = datetime.fromisoformat("1980-01-01")
_SPSS_DATE, _SPSS_MADE = slice(92, 109), b"01 Jan 8000:00:00"
_LARGEST_WHOLE = 2**53
_LONGEST_TEXT = 2045
_LONGEST_NAME = 28
"""Of 32, which leaves room for a number behind a name that came before."""
_LONGEST_LABEL = {"dta": 80, "sav": 120}
"""Characters, but bytes for SPSS."""
_RESERVED = frozenset(
    ["ALL", "AND", "BY", "EQ", "GE", "GT", "LE", "LT", "NE", "NOT", "OR", "TO", "WITH"]
)
"""Words of SPSS, which takes none for a name."""
_NO_NAME = re.compile(r"\W")


def parquet(columns: Sequence[FileColumn]) -> bytes:
    """A Parquet file."""
    from pyarrow import parquet as files

    out = io.BytesIO()
    files.write_table(_arrow_table(columns), out)
    return out.getvalue()


def arrow(columns: Sequence[FileColumn]) -> bytes:
    """An Arrow file, as Feather is one."""
    import pyarrow as pa

    table, out = _arrow_table(columns), io.BytesIO()
    with pa.ipc.new_file(out, table.schema) as file:
        file.write_table(table)
    return out.getvalue()


def _arrow_table(columns: Sequence[FileColumn]) -> pa.Table:
    import pyarrow as pa

    types = {
        "int": pa.int64(),
        "float": pa.float64(),
        "text": pa.string(),
        "bool": pa.bool_(),
        "date": pa.date32(),
        "time": pa.time64("us"),
        "datetime": pa.timestamp("us"),
        "duration": pa.duration("us"),
    }
    names, arrays = unique([column.name for column in columns]), []
    for column in columns:
        one = _whole(column.as_one_type, 2**63)
        zoned = one.type == "datetime" and any(v is not None and v.tzinfo for v in one.values)
        form = pa.timestamp("us", "UTC") if zoned else types[one.type]
        arrays.append(pa.array(one.values, form))
    return pa.Table.from_arrays(arrays, names)


def _whole(column: FileColumn, limit: int) -> FileColumn:
    """Whole numbers beyond what the file can hold are texts; those of a plan never are."""
    large = column.type == "int" and any(v is not None and abs(v) >= limit for v in column.values)
    return column.as_text if large else column


def dta(columns: Sequence[FileColumn]) -> bytes:
    """A file of Stata 14 and later."""
    frame, dates, labels = _frame(columns, "dta")
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # names and long texts are as they can be
        frame.to_stata(
            out,
            write_index=False,
            version=118,
            time_stamp=_MADE,
            convert_dates={name: "td" if kind == "date" else "tc" for name, kind in dates.items()},
            variable_labels=labels,
            convert_strl=[name for name in frame if _is_long(frame[name])],
        )
    return out.getvalue()


def _is_long(column: Any) -> bool:
    """Whether it is of texts that are longer than most texts of Stata may be."""
    return (
        column.dtype == object
        and max((len(text.encode()) for text in column), default=0) > _LONGEST_TEXT
    )


def sav(columns: Sequence[FileColumn]) -> bytes:
    """A file of SPSS."""
    import pyreadstat

    frame, dates, labels = _frame(columns, "sav")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.sav"
        pyreadstat.write_sav(
            frame,
            path,
            column_labels=list(labels.values()),
            row_compress=True,
            variable_format={
                name: {"date": "SDATE10", "datetime": "DATETIME20"}[k] for name, k in dates.items()
            },
        )
        data = bytearray(path.read_bytes())
    # The library writes down when it was made.
    data[_SPSS_DATE] = _SPSS_MADE
    return bytes(data)


def _frame(
    columns: Sequence[FileColumn], kind: str
) -> tuple[pd.DataFrame, dict[str, str], dict[str, str]]:
    """The columns under names that the program takes; which are dates; and the names as labels."""
    import pandas as pd

    names = unique([name_for(column.name, place, kind) for place, column in enumerate(columns)])
    found: dict[str, Any] = {}
    dates, labels = {}, {}
    for name, column in zip(names, columns, strict=True):
        one = _whole(column.as_one_type, _LARGEST_WHOLE)
        zoned = one.type == "datetime" and any(v is not None and v.tzinfo for v in one.values)
        if one.type in ("int", "float", "bool"):
            values = [np.nan if value is None else float(value) for value in one.values]
            found[name] = pd.Series(values, dtype="float64")
        elif one.type in ("date", "datetime") and not zoned:
            dates[name] = one.type
            found[name] = pd.Series(one.values, dtype="datetime64[ms]")
        else:
            found[name] = pd.Series(one.texts, dtype=object)
        labels[name] = _cut(column.name, _LONGEST_LABEL[kind], kind)
    return pd.DataFrame(found), dates, labels


def name_for(name: str, place: int, kind: str) -> str:
    """A name of letters, digits and low lines that begins with a letter."""
    short = _cut(_NO_NAME.sub("_", name), _LONGEST_NAME, kind).rstrip("_")
    reserved = kind == "sav" and short.upper() in _RESERVED
    if not short or not short[0].isalpha() or reserved:
        short = _cut(f"v{place + 1}_{short}".rstrip("_"), _LONGEST_NAME, kind)
    return short


def _cut(text: str, most: int, kind: str) -> str:
    """The first characters, or the first whole ones of so many bytes."""
    return text[:most] if kind == "dta" else text.encode()[:most].decode("utf-8", "ignore")
