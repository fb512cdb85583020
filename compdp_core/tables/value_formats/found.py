"""Which format the cells of a column have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.tables.number_parsing import Floats
from compdp_core.tables.value_formats.base import Texts, ValueFormat
from compdp_core.tables.value_formats.bounds import bounds_in as bounds_in
from compdp_core.tables.value_formats.bounds import in_steps as in_steps
from compdp_core.tables.value_formats.clock import TimeFormat
from compdp_core.tables.value_formats.guesses import guesses

if TYPE_CHECKING:
    from compdp_core.tables.table import Table

KINDS = ("date", "datetime", "time", "duration")
SHARE = 0.9
"""Of the cells that are not missing, which a format has to read to be offered."""
_MOST = 0.5
"""The same of the one format that is looked for in a column of a stated kind."""
_LOOKED_AT = 2000
_TRIED = 20_000
_OF_A_BLOCK = 2000
_OPEN = {"date": "DateFormat", "datetime": "DateTimeFormat", "time": "TimeFormat"}


def candidates(
    texts: Iterable[str], kind: str | None = None, share: float = SHARE
) -> list[ValueFormat]:
    """All formats that read such a share of the texts that are not blank, likely ones first.

    More than one of a kind means that the texts can be read in several ways: to be asked. Plain
    numbers are dates only where the ``kind`` is said.

    >>> [form.call for form in candidates(["01/02/2024", "03/02/2024"])]
    ["DateFormat(pattern='%d/%m/%Y')", "DateFormat(pattern='%m/%d/%Y')"]
    """
    known = [text.strip() for text in texts]
    known = [text for text in known if text][:_TRIED]
    if not known:
        return []
    cells = np.array([text.encode("utf-8", "replace") for text in known])
    looked = known[:: -(-len(known) // _LOOKED_AT)]
    if kind is None and sum(text.isdecimal() for text in looked) > len(looked) * (1 - share):
        return []
    kinds = KINDS if kind is None else (kind,)
    return [form for each in kinds for form in _readings(each, looked, cells, share)]


def _readings(kind: str, looked: list[str], cells: Texts, share: float) -> list[ValueFormat]:
    """Formats of one kind that read the cells, each of them in another way."""
    tried = list[tuple[int, ValueFormat, Floats]]()
    for form in guesses(kind, looked):
        seconds = form.read(cells, "utf-8") * form.step
        if isinstance(form, TimeFormat):  # those of another day are written, but never seen
            seconds = np.where((seconds >= 0) & (seconds < 86400), seconds, np.nan)
        count = int(np.isfinite(seconds).sum())
        if count >= share * len(cells):
            tried.append((count, form, seconds))
    found = list[tuple[ValueFormat, Floats]]()
    for _, form, seconds in sorted(tried, key=lambda each: -each[0]):
        if not any(_agree(seconds, others) for _, others in found):
            found.append((form, seconds))
    return [form for form, _ in found]


def _agree(some: Floats, others: Floats) -> bool:
    both = np.isfinite(some) & np.isfinite(others)
    return bool(np.allclose(some[both], others[both], rtol=0, atol=1e-6))


def found_format(table: Table, column: int, kind: str) -> ValueFormat:
    """The one format that most cells of a column have; other cells are missing.

    Raises :class:`ParameterError` where none fits, or two fit as well: the message names formats,
    and no cell.
    """
    texts, label = sample_of(table, column), table.columns[column].label
    found = candidates(texts, kind) or candidates(texts, kind, _MOST)
    if len(found) == 1:
        return found[0]
    if found:
        readings = ", or ".join(f"{form.label}: format={form.call}" for form in found)
        raise ParameterError(
            "format", None, f"must be said, column {label} can be read in several ways: {readings}"
        )
    others = [form for each in KINDS if each != kind for form in candidates(texts, each)[:1]]
    hint = "".join(f"; it may hold {o.label}: kind={o.kind!r}" for o in others)
    named = _OPEN.get(kind, "DurationFormat")
    raise ParameterError(
        "kind",
        kind,
        f"must fit the cells of column {label}, most of which are in no format known for it{hint}; "
        f"or say format={named}(pattern=...)",
    )


def sample_of(table: Table, column: int) -> list[str]:
    """Some cells of all parts of the table."""
    codec, found = table.reading.codec, list[str]()
    for _, cells in table.cells(column):
        known = cells[cells != b""]
        known = known[:: max(1, len(known) // _OF_A_BLOCK)]
        found.extend(cell.decode(codec, "replace") for cell in known.tolist())
    if len(found) > _TRIED:
        found = found[:: -(-len(found) // _TRIED)]
    return found
