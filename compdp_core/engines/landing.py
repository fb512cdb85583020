"""How a released file comes to stand in its place: charged before, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from compdp_core.accounting import Ledger, LedgerFile, Spend
from compdp_core.engines.file_head import file_path
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.tables.file_replacement import FileReplacement


class Book(Protocol):
    """A ledger that lies somewhere, as a :class:`~compdp_core.accounting.LedgerFile` does."""

    def charge(self, *spends: Spend) -> Ledger:
        """The ledger with these releases, which are noted as unfinished by then."""
        ...

    def finish(self, *ids: str) -> Ledger:
        """The ledger with the mark taken off these releases."""
        ...


class BrokenRunError(CompdpError):
    """A release of a file broke when its ledger was charged: nothing of it is out, unless the text
    says what of it is.

    ``left``: what is there all the same, and what to do with it.
    """

    def __init__(
        self, target: Path, reason: str, ledger: Ledger | None, *, left: str | None = None
    ) -> None:
        self.target = target
        self.reason = reason
        self.ledger = ledger
        """The ledger with the charge in it: noise was drawn, so go on with this one."""
        charge = "" if ledger is None else " The ledger keeps the charge: noise was drawn."
        said = f"{target.name} was not written" if left is None else left
        super().__init__(f"{said}: {reason.rstrip('.')}.{charge}")


class LandedRunError(CompdpError):
    """The file is out, and something behind that failed: it is not to be run again."""

    def __init__(self, target: Path, reason: str, ledger: Ledger | None) -> None:
        self.target = target
        self.reason = reason
        self.ledger = ledger
        """The ledger with the charge in it, which may have the mark of a run that is not done."""
        mark = "" if ledger is None else " The ledger counts the release in full, with its mark."
        super().__init__(f"{target.name} is out, but {reason.rstrip('.')}.{mark}")


def landed(
    target: Path,
    book: Book | None,
    spends: Sequence[Spend],
    write: Callable[[BinaryIO], int],
    check: Callable[[], None] = lambda: None,
    beside: Callable[[], None] = lambda: None,
    *,
    replace: bool = True,
) -> tuple[int, Ledger | None]:
    """Charge the ledger, ``write`` the file once, ``check`` what was read, put it in its place and,
    ``beside`` it, what goes with it.

    Gives the rows that were written, and the ledger without the mark. Raises what the ledger
    refuses, with nothing changed, :class:`BrokenRunError` behind that, also where something came to
    stand in its place that is not to be replaced, and :class:`LandedRunError` where the file is
    out.
    """
    with _beside(target, replace=replace) as new:
        charged = None if book is None else book.charge(*spends)
        try:
            rows = write(new.file)
            new.settle()
            check()
            new.land()
        except KeyboardInterrupt:
            raise StoppedRunError(charged, is_out=new.landed) from None
        except (SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # the panics of Polars are no Exception
            raise BrokenRunError(target, _reason(error), charged) from error
    try:
        beside()
        return rows, None if book is None else book.finish(*(spend.id for spend in spends))
    except (CompdpError, OSError) as error:
        raise LandedRunError(target, _reason(error), charged) from error
    except KeyboardInterrupt:
        raise StoppedRunError(charged, is_out=True) from None


class StoppedRunError(KeyboardInterrupt):
    """A run was stopped from the keyboard when its ledger was charged."""

    def __init__(self, ledger: Ledger | None, *, is_out: bool = False) -> None:
        self.ledger = ledger
        self.is_out = is_out
        """Whether the file stands in its place; else nothing of it is out."""
        super().__init__(
            "stopped when the file was out" if is_out else "stopped, and no file was written"
        )


class _HeldLedger:
    """A ledger in memory, which whoever calls goes on with."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def charge(self, *spends: Spend) -> Ledger:
        self._ledger = self._ledger.charge(*(each.begun for each in spends))
        return self._ledger

    def finish(self, *ids: str) -> Ledger:
        self._ledger = self._ledger.finish(*ids)
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


def target_path(source: Any, target: Any, ledger: Any = None) -> Path:
    """Where the file is to stand, which is not where it or the ledger is read."""
    place = file_path("target", target)
    book = ledger.path if isinstance(ledger, LedgerFile) else ledger
    if isinstance(book, str | os.PathLike) and os.path.realpath(book) == os.path.realpath(place):
        raise ParameterError("target", str(place), "must be another file than the ledger")
    if place.exists():
        if not place.is_file():
            raise ParameterError("target", str(place), "must be a file, and no folder or pipe")
        given = file_path("source", source)
        if given.exists() and os.path.samefile(given, place):
            raise ParameterError("target", str(place), "must be another file than the source")
    return place


def _beside(target: Path, *, replace: bool) -> FileReplacement:
    try:
        return FileReplacement(target, replace=replace)
    except OSError as error:
        what = f"must lie in a folder that is there and can be written in ({_reason(error)})"
        raise ParameterError("target", str(target), what) from None


def _reason(error: BaseException) -> str:
    """What went wrong. What nobody expected may quote a cell: of that the kind alone is said."""
    if isinstance(error, CompdpError):
        return str(error)
    said = error.strerror if isinstance(error, OSError) else None
    return said or type(error).__name__
