"""Releases of files of any size, written to a file as they are drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Literal, Protocol

from compdp_core.accounting import Ledger, LedgerFile, Spend
from compdp_core.adjacency import Person
from compdp_core.engines import polars
from compdp_core.engines.file_head import file_path
from compdp_core.engines.file_plan import Plans
from compdp_core.engines.file_release import FileRelease
from compdp_core.engines.own import write_released
from compdp_core.engines.preparing import PreparedFile, prepare
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.tables.file_replacement import FileReplacement
from compdp_core.validation import one_of

Progress = Callable[[float], None]
"""Told the share that is done, from 0 to 1."""

_LOOKED = 0.2
"""Share of the time that looking at the file takes."""


class Book(Protocol):
    """A ledger that lies somewhere, as a :class:`~compdp_core.accounting.LedgerFile` does."""

    def charge(self, *spends: Spend) -> Ledger:
        """The ledger with these releases, which are noted as unfinished by then."""
        ...

    def finish(self, *ids: str) -> Ledger:
        """The ledger with the mark taken off these releases."""
        ...


class BrokenRunError(CompdpError):
    """A release of a file broke when its ledger was charged: nothing of it is out."""

    def __init__(self, target: Path, reason: str, ledger: Ledger | None) -> None:
        self.target = target
        self.reason = reason
        self.ledger = ledger
        """The ledger with the charge in it: noise was drawn, so go on with this one."""
        charge = "" if ledger is None else " The ledger keeps the charge: noise was drawn."
        super().__init__(f"{target.name} was not written: {reason.rstrip('.')}.{charge}")


def privatize_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    plans: Plans,
    *,
    reading: Mapping[str, Any] | None = None,
    ledger: Ledger | Book | None = None,
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
    the first megabytes, and a row further down that does not fit that is refused.
    ``processes``: how many blocks are worked on at once, as many as there are cores by default.
    ``omit``: columns that the file is to be without, by label or position. ``answered``: as in
    :func:`~compdp_core.privatize`. ``guard_formulas``: an apostrophe in front of text that a
    spreadsheet would run. ``progress``: is told the share that is done.

    ``engine``: ``"own"`` reads any CSV file; ``"polars"`` is faster, needs Polars, and refuses a
    file that it would not write back byte for byte.

    Cells of other columns, title lines, quotes, line ends come out byte for byte.

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
    place, book = _target(source, target), book_of(ledger)
    report = progress or (lambda share: None)
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
    return FileRelease(
        prepared.table,
        prepared.plan,
        prepared.columns,
        prepared.identifier,
        prepared.when,
        path=target,
        rows=rows,
        engine=engine,
        keyed=False,
        ledger=finished,
        gone=prepared.gone,
        statements=prepared.statements,
    )


def landed(
    target: Path,
    book: Book | None,
    spends: Sequence[Spend],
    write: Callable[[BinaryIO], int],
    check: Callable[[], None] = lambda: None,
) -> tuple[int, Ledger | None]:
    """Charge the ledger, ``write`` the file once, ``check`` what was read, and put it in its place.

    Gives the rows that were written, and the ledger without the mark. Raises what the ledger
    refuses, with nothing changed, and :class:`BrokenRunError` behind that.
    """
    with _beside(target) as new:
        charged = None if book is None else book.charge(*spends)
        try:
            rows = write(new.file)
            new.settle()
            check()
            new.land()
        except Exception as error:
            raise BrokenRunError(target, _reason(error), charged) from error
        except KeyboardInterrupt:
            raise StoppedRunError(charged) from None
    return rows, None if book is None else book.finish(*(spend.id for spend in spends))


class StoppedRunError(KeyboardInterrupt):
    """A run was stopped from the keyboard when its ledger was charged: nothing of it is out."""

    def __init__(self, ledger: Ledger | None) -> None:
        self.ledger = ledger
        super().__init__("stopped, and no file was written")


class _HeldLedger:
    """A ledger in memory, which whoever calls goes on with."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def charge(self, *spends: Spend) -> Ledger:
        self._ledger = self._ledger.charge(*spends)
        return self._ledger

    def finish(self, *ids: str) -> Ledger:
        return self._ledger


def book_of(ledger: Any) -> Book | None:
    """A ledger to be charged; :class:`ParameterError` for what is none."""
    if isinstance(ledger, Ledger):
        return _HeldLedger(ledger)
    if isinstance(ledger, str | os.PathLike):
        return LedgerFile(ledger)
    if ledger is None or (hasattr(ledger, "charge") and hasattr(ledger, "finish")):
        book: Book | None = ledger
        return book
    raise ParameterError("ledger", ledger, "must be a Ledger, the path of one, or left out")


def _target(source: Any, target: Any) -> Path:
    """Where the file is to stand, which is not where it is read."""
    place = file_path("target", target)
    if place.exists():
        if not place.is_file():
            raise ParameterError("target", str(place), "must be a file, and no folder or pipe")
        given = file_path("source", source)
        if given.exists() and os.path.samefile(given, place):
            raise ParameterError("target", str(place), "must be another file than the source")
    return place


def _beside(target: Path) -> FileReplacement:
    try:
        return FileReplacement(target)
    except OSError as error:
        what = f"must lie in a folder that is there and can be written in ({_reason(error)})"
        raise ParameterError("target", str(target), what) from None


def _reason(error: BaseException) -> str:
    """What went wrong. What nobody expected may quote a cell: of that the kind alone is said."""
    if isinstance(error, CompdpError):
        return str(error)
    said = error.strerror if isinstance(error, OSError) else None
    return said or type(error).__name__
