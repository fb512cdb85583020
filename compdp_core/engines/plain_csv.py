"""Which CSV files another engine writes back byte for byte: those that are plain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from compdp_core.engines.preparing import PreparedFile
from compdp_core.errors import CompdpError
from compdp_core.release.column_plan import PlanError
from compdp_core.release.columns import certified
from compdp_core.tables.dialect import Format

_PIECE = 1 << 24
_ENDS = {b"\n": "\n", b"\r\n": "\r\n"}


class NotPlainError(CompdpError):
    """A file that only the own engine writes back as it is. The text says why, and where."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        self.reason = reason
        self.line = line
        where = "" if line is None else f" (line {line:,})"
        super().__init__(
            f"the file is not plain enough for Polars: {reason}{where}. Take engine='own', which "
            "keeps every byte of any CSV file"
        )


@dataclass(frozen=True)
class PlainText:
    """How a plain file is written."""

    top: bytes
    """Everything above the rows: the names."""
    line_end: str
    ends: bool
    """Whether the last line has a line end."""


def plain_text(prepared: PreparedFile) -> PlainText:
    """What is to be known of a plain file, after a look at all of it.

    Raises :class:`NotPlainError` with the first reason why it is none.
    """
    _check_layout(prepared)
    form, counts = prepared.table.format, prepared.structure.counts
    text = _Text(form, guard=prepared.guard_formulas)
    for piece in _pieces(prepared.source):
        text.add(piece)
    lines = text.lines + (not text.ends)
    if lines != counts.rows + form.header:
        raise NotPlainError("it has blank lines or lines above the names")
    top = _first_line(prepared.source) if form.header else b""
    return PlainText(_without(top, prepared), _ENDS[text.line_end], text.ends)


def _check_layout(prepared: PreparedFile) -> None:
    table, form, counts = prepared.table, prepared.table.format, prepared.structure.counts
    said = (form.short_rows, form.long_rows, form.trailing_cells, form.blank_lines)
    left = len(table.columns) - len(prepared.gone)
    reasons = {
        "it is packed": form.gzip,
        f"its encoding is {form.encoding}": table.reading.codec != "utf-8"
        or table.decoded.transcoded
        or bool(table.decoded.damaged),
        "it begins with a byte order mark": bool(table.decoded.bom),
        "it has lines above the names": bool(form.skip_lines) or form.sep_line,
        "several rows name its columns": form.header and form.header_rows > 1,
        "several spaces separate two cells": form.runs,
        "a mark takes the meaning off the mark behind it": bool(form.escape),
        "one column is not told from blank lines": left < 2,
        "it was said what becomes of rows that do not line up": any(said),
        "rows of it are left out": counts.kept != counts.rows,
    }
    for reason, found in reasons.items():
        if found:
            raise NotPlainError(reason)
    try:  # cells that need quotes are refused where there are none
        certified(replace(table, format=replace(form, quote="")), prepared.plan)
    except PlanError:
        raise NotPlainError("a released cell needs quotes") from None


class _Text:
    """What was seen of the text so far, whole lines at a time."""

    def __init__(self, form: Format, *, guard: bool) -> None:
        self.lines, self.ends, self.line_end = 0, True, b"\n"
        self._quote, self._separator = form.quote.encode(), form.separator
        self._formulas = _formulas(form.separator.encode()) if guard else []

    def add(self, piece: bytes) -> None:
        if self._quote and self._quote in piece:
            self._refuse("a cell of it may stand in quotes", piece, piece.index(self._quote))
        feeds, returns = piece.count(b"\n"), piece.count(b"\r")
        if not self.lines and b"\r\n" in piece[: piece.find(b"\n") + 1]:
            self.line_end = b"\r\n"
        whole = feeds if self.line_end == b"\r\n" else 0
        if returns != whole or (whole and piece.count(b"\r\n") != whole):
            odd = re.search(rb"\r(?!\n)|(?<!\r)\n", piece) if whole else re.search(rb"\r", piece)
            self._refuse("its line ends differ", piece, odd.start() if odd else 0)
        for sign, harmless in self._formulas:
            if sign in piece:
                self._look_at(piece, sign, harmless)
        self.lines += feeds
        self.ends = piece.endswith(b"\n")

    def _look_at(self, piece: bytes, sign: bytes, harmless: re.Pattern[bytes] | None) -> None:
        """At all cells that begin with a sign."""
        data = np.frombuffer(piece, dtype=np.uint8)
        at = np.flatnonzero(data == ord(sign))
        before = data[at - 1]
        begins = (at == 0) | (before == ord("\n")) | (before == ord(self._separator))
        for place in at[begins].tolist():
            if harmless is None or not harmless.match(piece, place + 1):
                what = "a cell of it would get an apostrophe, as it may run as a formula"
                self._refuse(f"{what}: guard_formulas=False leaves it", piece, place)

    def _refuse(self, reason: str, piece: bytes, place: int) -> None:
        raise NotPlainError(reason, self.lines + piece[:place].count(b"\n") + 1)


def _formulas(separator: bytes) -> list[tuple[bytes, re.Pattern[bytes] | None]]:
    """Signs with which formulas begin, and what is none behind them: numbers, and dashes."""
    end = rb"(?:[\r\n" + re.escape(separator) + rb"]|\Z)"
    digits = rb"\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?"
    plus = re.compile(digits + end)
    minus = re.compile(rb"(?:" + digits + rb"|-{0,2})" + end)
    found = [(b"=", None), (b"@", None), (b"\t", None), (b"+", plus), (b"-", minus)]
    return [(sign, harmless) for sign, harmless in found if sign != separator]


def _pieces(source: Path) -> Iterator[bytes]:
    """The file in pieces of whole lines."""
    held = b""
    with source.open("rb", buffering=0) as file:
        while more := file.read(_PIECE):
            stop = more.rfind(b"\n") + 1
            if stop:
                yield held + more[:stop]
                held = more[stop:]
            else:
                held += more
    if held:
        yield held


def _first_line(source: Path) -> bytes:
    with source.open("rb") as file:
        return file.readline()


def _without(top: bytes, prepared: PreparedFile) -> bytes:
    """The names without those of columns that are left out."""
    if not prepared.gone or not top:
        return top
    names, separator = top.rstrip(b"\r\n"), prepared.table.format.separator.encode()
    kept = [name for place, name in enumerate(names.split(separator)) if place not in prepared.gone]
    return separator.join(kept) + top[len(names) :]
