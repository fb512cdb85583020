"""Files of Stata and SPSS, with the labels of values in place of their numbers."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np

from compdp_core.errors import TableError
from compdp_core.tables.containers.base import MOST_CELLS, Container, check_extent
from compdp_core.tables.containers.csv_text import Lines, cell, number, quoted
from compdp_core.tables.errors import EmptyFileError, NotTextError
from compdp_core.tables.file_kinds import NAMES

_SPSS, _STATA = map(datetime.fromisoformat, ("1582-10-14", "1960-01-01"))
_SPSS_DATES = ("DATE", "ADATE", "EDATE", "JDATE", "SDATE")
_SPSS_MOMENTS = ("DATETIME", "YMDHMS")
_SPSS_DURATIONS = ("TIME", "DTIME", "MTIME")

Write = Callable[[Any], str]


def to_text(kind: str, data: bytes, table: str | None, limit: int) -> tuple[bytes, Container]:
    """The text of the table, and what is known of the file."""
    import pyreadstat

    read = pyreadstat.read_dta if kind == "dta" else pyreadstat.read_sav
    options: dict[str, Any] = {"output_format": "dict", "disable_datetime_conversion": True}
    try:
        _, about = read(io.BytesIO(data), metadataonly=True)
        width = len(about.column_names)
        if not width:
            raise EmptyFileError(1)
        check_extent(about.number_rows or 0, width)
        # Some files of SPSS do not say how many rows they have.
        columns, about = read(io.BytesIO(data), row_limit=MOST_CELLS // width + 1, **options)
    except TableError:  # a ValueError, too
        raise
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, ValueError, OSError) as error:
        words = str(error).splitlines()[0][:100] if str(error).strip() else "damaged"
        raise NotTextError(
            f"{NAMES[kind]} that cannot be read ({words})",
            "Open it in its program, save it again or as CSV, and upload that.",
        ) from None
    rows = max(map(len, columns.values()))
    check_extent(rows, width)
    lines = Lines(limit)
    lines.add([quoted(name) for name in about.column_names])
    types, written = [], []
    for name in about.column_names:
        labels = about.variable_value_labels.get(name, {})
        form, write = _how(kind, about, name)
        types.append("text" if labels else form)
        written.append(_with_labels(labels, write))
    values = [columns[name] for name in about.column_names]
    for row in zip(*values, strict=True):
        lines.add([write(value) for write, value in zip(written, row, strict=True)])
    remark = f"This is {NAMES[kind]}: values with a label are the texts of their labels."
    return lines.content(), Container(
        kind, types=tuple(types), width=lines.width, remarks=(remark,)
    )


def _with_labels(labels: Mapping[Any, str], write: Write) -> Write:
    if not labels:
        return write
    texts = {value: quoted(str(label)) for value, label in labels.items()}
    return lambda value: texts[value] if value in texts else write(value)


def _how(kind: str, about: Any, name: str) -> tuple[str, Write]:
    """The type of a column and what writes its cells."""
    stored, form = about.readstat_variable_types[name], about.original_variable_types[name]
    if stored == "string":
        return "text", lambda value: quoted((value or "").rstrip())
    if kind == "dta":
        if form.startswith(("%td", "%d")):
            return "date", _date(_STATA, timedelta(days=1))
        if form.startswith("%tc"):
            return "datetime", _moment(_STATA, timedelta(milliseconds=1))
        whole = stored.startswith("int")
        return ("int", _number) if whole else ("float", _single if stored == "float" else _number)
    word = form.rstrip("0123456789.").upper()
    if word in _SPSS_DATES:
        return "date", _date(_SPSS, timedelta(seconds=1))
    if word in _SPSS_MOMENTS:
        return "datetime", _moment(_SPSS, timedelta(seconds=1))
    if word in _SPSS_DURATIONS:
        return "duration", lambda value: cell(_of(timedelta(0), timedelta(seconds=1), value))
    return "float", _number


def _number(value: Any) -> str:
    return "" if value is None else number(value) if isinstance(value, float) else str(value)


def _single(value: Any) -> str:
    """A number of four bytes, whose double has digits that nobody typed."""
    return "" if value is None else _number(float(str(np.float32(value))))


def _of(start: Any, step: timedelta, value: Any) -> Any:
    """The moment so many steps after the start; what is none is blank."""
    try:
        return None if value is None or value != value else start + value * step
    except OverflowError:
        return None


def _date(start: datetime, step: timedelta) -> Write:
    def write(value: Any) -> str:
        found = _of(start, step, value)
        return "" if found is None else date.isoformat(found.date())

    return write


def _moment(start: datetime, step: timedelta) -> Write:
    return lambda value: cell(_of(start, step, value))
