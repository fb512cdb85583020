"""The table at hand: its bytes, how they are read, and what came of it. This session's alone."""

from __future__ import annotations

import hashlib
from typing import Any

import streamlit as st

from compdp_core.accounting import persons_read_as
from compdp_core.tables import Table, read
from compdp_core.tables.affix import Affix
from compdp_core.tables.column import Column
from compdp_core.tables.sources import ReadOptions
from pages.inputs.links import put
from pages.sections.shared import missing
from pages.sections.shared.marks import marked, stated
from pages.sections.shared.samples import Sample, sample_named
from pages.sections.shared.summary_rows import left_out
from pages.sections.shared.uploaded_file import Upload as Upload
from pages.session.state import forget, keep, memo, recall, widget_key

UPLOADER = "privatize.uploader"
LARGER = "larger.name"
"""The name of a larger file that is to be done with the same settings."""
LARGEST = 500 * 2**20
"""Bytes of the largest table, also once it is unpacked: several people share one memory."""
AS_FOUND = "as found"
OPTIONS = tuple(set(ReadOptions.__annotations__) - {"name", "missing", "runs", "limit"})


def current() -> Upload | None:
    upload: Upload | None = recall("privatize.file")
    return upload


def take(name: str, data: bytes, sample: Sample | None = None) -> None:
    """Make this the table at hand. How the last one was read says nothing about it."""
    let_go()
    upload = Upload(name, data, sample)
    keep("privatize.file", upload)
    keep("privatize.digest", hashlib.blake2b(data, digest_size=16).hexdigest())


def take_upload() -> None:
    file = st.session_state.get(widget_key(UPLOADER))
    if file is not None:
        take(file.name, file.getvalue())


def take_sample(file: str) -> None:
    sample = sample_named(file)
    if sample is not None:
        take(sample.file, sample.read(), sample)


def let_go() -> None:
    """Forget the table at hand. Releases of it and their place in the ledger stay."""
    forget("privatize.file")
    forget("privatize.digest")
    forget("privatize.table")
    forget("reading.")
    forget(LARGER)


def reading() -> dict[str, Any]:
    """What the user said about the format; the rest is found by the reader."""
    said = {option: recall(f"reading.{option}") for option in OPTIONS}
    said = {option: None if value == AS_FOUND else value for option, value in said.items()}
    said["missing"] = missing.chosen()
    if said["header"] is False:
        said["header_rows"] = None
    said["runs"] = said["separator"] == " " or None
    return {option: value for option, value in said.items() if value is not None}


def whole_table() -> Table | None:
    """The table at hand with all its rows, read as asked. Raises what the reader refuses."""
    upload = current()
    if upload is None:
        return None
    options = reading()
    found: Table = memo(
        "privatize.table",
        (recall("privatize.digest"), repr(sorted(options.items()))),
        lambda: read(upload.data, name=upload.name, limit=LARGEST, **options),
    )
    # The ledger knows tables by fingerprint; people know them by name.
    keep(f"table_name.{found.fingerprint}", upload.name)
    keep(f"persons_read_as.{persons_read_as(found)}", True)
    return found


def table() -> Table | None:
    """The table at hand without the rows that are no people."""
    whole = whole_table()
    if whole is None:
        return None
    rows, marks = left_out(whole), stated(whole)
    key = (whole, rows, marks)
    return memo("privatize.table.rows", key, lambda: marked(whole.without(rows), marks))


def stripped(position: int) -> Affix | None:
    found = table()
    if found is None or position not in recall("reading.strip", []):
        return None
    affix = found.columns[position].affix
    return affix if isinstance(affix, Affix) else None


def read_column(table: Table, position: int) -> tuple[Column, Affix | None]:
    """The column as it is read, and the symbol that is taken off its cells, if any."""
    affix = stripped(position)
    return (table.stripped(position, affix) if affix else table).columns[position], affix


def strip_too(position: int) -> None:
    """Let the symbol be taken off this column's cells, as a settings file has it."""
    put("reading.strip", list(dict.fromkeys([*recall("reading.strip", []), position])))


def labels(table: Table) -> dict[int, str]:
    """What each column is called, by its place."""
    return {column.position: column.label for column in table.columns}
