"""From the bytes of a file of any kind that is opened to the text of its table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module

from compdp_core.errors import TableError
from compdp_core.tables.containers import json_rows
from compdp_core.tables.containers.archives import Archive
from compdp_core.tables.containers.base import PLAIN_TEXT, Container, SeveralTablesError, chosen
from compdp_core.tables.errors import EmptyFileError, FileTooLargeError, NotTextError
from compdp_core.tables.file_kinds import NAMES, in_zip, is_zip, opened_kind
from compdp_core.tables.file_types import MAX_BYTES, open_bytes

_READERS = {
    "xlsx": "spreadsheets",
    "ods": "spreadsheets",
    "xls": "old_excel",
    "parquet": "columnar",
    "arrow": "columnar",
    "dta": "labelled",
    "sav": "labelled",
}
"""Modules, each loaded with the library it needs where such a file comes."""


@dataclass(frozen=True)
class Opened:
    """The text of a table."""

    content: bytes
    gzip: bool
    """Whether the file was packed with gzip."""
    container: Container


def open_file(
    data: bytes, table: str | None = None, limit: int = MAX_BYTES, *, _inside: bool = False
) -> Opened:
    """The text of the table in a file of any kind, by what it holds.

    ``table``: which one, where there are several; a text has one, whatever is asked for. ``limit``:
    most bytes, of the file, of what is unpacked of it, and of the text.

    Raises a :class:`~compdp_core.errors.TableError` that says what to do:
    :class:`~compdp_core.tables.errors.NotTextError` for a kind of file that is not opened, or one
    that is damaged, and :class:`.SeveralTablesError` where it was not said which table.
    """
    if not data:
        raise EmptyFileError(0)
    if len(data) > limit:
        raise FileTooLargeError(limit, unpacked=False)
    if is_zip(data):
        return _in_archive(data, table, limit, inside=_inside)
    kind = opened_kind(data)
    if kind is not None:
        content, container = _reader(kind)(kind, data, table, limit)
        return Opened(content, False, container)
    content, packed = open_bytes(data, limit)
    form = json_rows.form_of(content)
    if form is None:
        return Opened(content, packed, PLAIN_TEXT)
    content, container = json_rows.to_text(form, content, limit)
    return Opened(content, packed, container)


def _reader(kind: str):  # type: ignore[no-untyped-def]
    return import_module(f"compdp_core.tables.containers.{_READERS[kind]}").to_text


def _in_archive(data: bytes, table: str | None, limit: int, *, inside: bool) -> Opened:
    """Of a workbook, which is an archive, too, or of a file in one; ``inside`` of another one."""
    guess = in_zip(data)[0]
    archive = Archive(data, limit, guess if guess in NAMES else "zip")
    kind, way_out = in_zip(_signs(archive))
    if kind not in NAMES:
        raise NotTextError(kind, way_out)
    if kind != "zip":
        content, container = _reader(kind)(kind, archive, table, limit)
        return Opened(content, False, container)
    if inside:
        raise NotTextError(
            "a zip archive inside a zip archive", "Unpack it and upload the file with the table."
        )
    files = archive.files()
    if not files:
        raise NotTextError("a zip archive without a file in it", "Upload the table itself.")
    name = chosen("zip", files, table)
    return _of_file(name, archive.read(name), limit)


def _signs(archive: Archive) -> bytes:
    """What tells a document from any archive, as it stands at the start of most."""
    names = [n for n in archive.entries if n.startswith(("xl/", "word/", "ppt/", "Index"))]
    kind = archive.read("mimetype", 100) if "mimetype" in archive.entries else b""
    return bytes(30) + b"mimetype" + kind + "\n".join(["", *names]).encode("utf-8", "replace")


def _of_file(name: str, data: bytes, limit: int) -> Opened:
    """Of a file in an archive, which may be of any kind but packed once more."""
    if data.startswith(b"\x1f\x8b"):
        raise NotTextError(
            "a gzip file inside a zip archive", "Unpack it and upload the file with the table."
        )
    try:
        found = open_file(data, None, limit, _inside=True)
    except SeveralTablesError as several:
        raise TableError(
            f"The file {name!r} in the zip archive holds {len(several.names)} tables. Unpack the "
            "archive and upload this file by itself."
        ) from None
    kind = "zip" if found.container.kind == "text" else found.container.kind
    said = f"The file {name!r} in a zip archive was opened."
    container = replace(
        found.container, kind=kind, table=name, remarks=(said, *found.container.remarks)
    )
    return replace(found, container=container)
