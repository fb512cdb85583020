"""Releases of files of any size, written to a file as they are drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Mapping
from pathlib import Path
from typing import Any, Literal

from compdp_core.accounting import Ledger
from compdp_core.adjacency import Person
from compdp_core.engines import polars
from compdp_core.engines.file_head import source_path
from compdp_core.engines.file_plan import FilePlan, Plans
from compdp_core.engines.file_release import FileRelease
from compdp_core.engines.landing import Book as Book
from compdp_core.engines.landing import BrokenRunError as BrokenRunError
from compdp_core.engines.landing import LandedRunError as LandedRunError
from compdp_core.engines.landing import StoppedRunError as StoppedRunError
from compdp_core.engines.landing import book_of as book_of
from compdp_core.engines.landing import landed as landed
from compdp_core.engines.landing import target_path
from compdp_core.engines.own import write_released
from compdp_core.engines.parquet_files import is_parquet, parquet_data
from compdp_core.engines.preparing import PreparedFile, prepare
from compdp_core.engines.typed_release import prepare_typed, release_typed
from compdp_core.errors import ParameterError
from compdp_core.validation import flag, one_of

Progress = Callable[[float], None]
"""Told the share that is done, from 0 to 1."""

_LOOKED = 0.2
"""Share of the time that looking at the file takes."""


def privatize_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    plans: Plans,
    *,
    reading: Mapping[str, Any] | None = None,
    ledger: Ledger | Book | str | os.PathLike[str] | None = None,
    engine: Literal["own", "polars"] = "own",
    processes: int | None = None,
    omit: Collection[Hashable] = (),
    answered: int | None = None,
    person: Person | None = None,
    per: Literal["row", "person"] = "row",
    guard_formulas: bool = True,
    progress: Progress | None = None,
) -> FileRelease:
    r"""Privatise columns of a CSV file of any size and write the file again, in flat memory.

    ``source``: plain or packed with gzip; it is read twice and must not change in between.
    ``target``: is put in its place at the end, whole or not at all; what stood there is replaced.
    ``plans``: by label or position, or settings, or the JSON text of settings.
    ``reading``: keyword arguments of :func:`~compdp_core.read_csv`; what is not said is found in
    the first megabytes. A row further down with other cells than columns, and a number with the
    decimal mark that no cell above spoke for, are refused; any other cell of a planned column that
    is not written as those above counts as missing.
    ``processes``: how many blocks are worked on at once, as many as there are cores by default.
    ``omit``: columns that the file is to be without, by label or position. ``answered``: as in
    :func:`~compdp_core.privatize`. ``guard_formulas``: an apostrophe in front of text that a
    spreadsheet would run, also before a number whose unit the column does not have in the first
    megabytes. ``progress``: is told the share that is done.

    ``engine``: ``"own"`` reads any CSV file; ``"polars"`` needs Polars, and refuses a CSV
    file that it would not write back byte for byte. With it a Parquet file becomes one of the kind
    that ``target`` ends with, ``.parquet``, ``.arrow``, ``.csv`` or ``.jsonl``; a Parquet file
    keeps types, order and notes of the other columns. ``reading`` and ``processes`` are left out
    then. A ledger knows such a file by its typed cells: the same file opened by
    :func:`~compdp_core.read_csv` is known by its texts, and is **another data set** to the ledger,
    with a budget of its own. Release it in one way only, or add the two up yourself.

    Cells of other columns, title lines, quotes, line ends come out byte for byte, but for that
    apostrophe.

    ``ledger``: is charged when the file was looked at and before anything is drawn; go on with
    ``release.ledger``. Before that a refusal leaves everything as it was. What breaks later leaves
    no file, and :class:`BrokenRunError` carries the charged ledger.

    >>> import tempfile
    >>> import compdp_core as cdp
    >>> folder = tempfile.TemporaryDirectory()
    >>> here = Path(folder.name)
    >>> _ = (here / "in.csv").write_bytes(b"name,bmi\r\nAda,21.5\r\nBen,24\r\n")
    >>> plans = {"bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1)}
    >>> release = cdp.privatize_file(here / "in.csv", here / "out.csv", plans)
    >>> release.rows, release.epsilon, (here / "out.csv").read_bytes().count(b"\r\n")
    (2, Fraction(1, 1), 3)
    >>> cdp.read_csv(here / "out.csv").texts(0)
    ['Ada', 'Ben']
    >>> folder.cleanup()

    Raises :class:`~compdp_core.errors.CompdpError` that says what to do.
    """
    one_of("engine", engine, ("own", "polars"))
    place, book = target_path(source, target, ledger), book_of(ledger)
    report = progress or (lambda share: None)
    if engine == "polars" and is_parquet(path := source_path(source)):
        polars.check_installed()
        asked = FilePlan.of(plans)
        asked.refuse_persons(person, per)
        _refuse_for_parquet(reading, processes)
        prepared_rows = prepare_typed(
            parquet_data(path),
            asked,
            place,
            answered=answered,
            omit=omit,
            guard_formulas=flag("guard_formulas", guard_formulas),
        )
        return release_typed(prepared_rows, place, book, progress=report)
    prepared = prepare(
        source,
        plans,
        reading=reading,
        processes=processes,
        omit=omit,
        answered=answered,
        person=person,
        per=per,
        guard_formulas=guard_formulas,
        progress=lambda share: report(_LOOKED * share),
    )
    return release_prepared(
        prepared, place, book, lambda share: report(_LOOKED + (1 - _LOOKED) * share), engine
    )


def _refuse_for_parquet(reading: object, processes: object) -> None:
    """What has no meaning for a file that says itself what it holds, and is gone through once."""
    for name, given in (("reading", reading), ("processes", processes)):
        if given is not None:
            what = "must be left out for a Parquet file: it says what it holds, and is one block"
            raise ParameterError(name, given, what)


def release_prepared(
    prepared: PreparedFile,
    target: Path,
    book: Book | None,
    progress: Progress,
    engine: Literal["own", "polars"] = "own",
) -> FileRelease:
    """Charge the ledger, draw, write and put the file in its place, once.

    Raises what engine and ledger refuse, with nothing changed, and :class:`BrokenRunError` behind
    that.
    """
    draw = write_released if engine == "own" else polars.release_file(prepared)
    rows, finished = landed(
        target,
        book,
        prepared.spends,
        lambda file: draw(prepared, file, progress),
        prepared.check_unchanged,
    )
    return prepared.written(target, rows, engine, finished)
