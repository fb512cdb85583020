"""A ledger that lies in a file, which several runs charge, each knowing what the others spent."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from compdp_core.accounting.amounts import Amount
from compdp_core.accounting.files import LedgerFormatError
from compdp_core.accounting.identity import is_label
from compdp_core.accounting.ledger import MOST_RELEASES, Ledger
from compdp_core.accounting.spend import Spend
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.tables.file_replacement import FileReplacement

LARGEST = 5_000_000
"""Bytes of a ledger."""
LONGEST_WAIT = 30.0
"""Seconds that a run waits for another one, which needs the ledger for some milliseconds."""
_PAUSE = 0.01
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_NEW = "make one with compdp ledger new, or save your own from the Budget page"


class LedgerFileError(CompdpError):
    """A ledger cannot be read or written where it lies. Nothing was charged, unless it says so."""

    def __init__(self, path: str | os.PathLike[str], reason: str, way_out: str) -> None:
        self.path = os.fsdecode(path)
        self.reason = reason
        super().__init__(f"the ledger {self.path} {reason}: {way_out}")


class LedgerFile:
    """The owner's own ledger in a file, as :meth:`Ledger.to_json` writes it.

    Each change is made alone, with a lock beside the file that the system takes away from a process
    that dies, on what the file holds at that moment, and lands at once and whole: two runs cannot
    both have the last of a budget, and no crash leaves half a ledger.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> book = LedgerFile.new(Path(folder.name, "ledger.json"), limit=1)
    >>> spend = Spend("mean of score", "statistic", "grades 2026", ["score"], 0.75)
    >>> book.charge(spend).entries[0].unfinished, book.finish(spend.id).entries[0].unfinished
    (True, False)
    >>> book.ledger.remaining("grades 2026")
    Fraction(1, 4)
    >>> folder.cleanup()
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """``path``: of a file that is there. Nothing is read yet, and nothing refused."""
        given: object = path  # by its type it can be nothing else, in a script it can
        if not isinstance(given, str | os.PathLike) or not os.fspath(given):
            raise ParameterError("ledger", type(given), "must be the path of a ledger's file")
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"LedgerFile({str(self.path)!r})"

    @classmethod
    def new(cls, path: str | os.PathLike[str], limit: Amount | None = None) -> LedgerFile:
        """A ledger without releases, in a new file that only its owner may read.

        Raises :class:`LedgerFileError` where something lies there already: what it says was spent
        is spent.
        """
        book, document = cls(path), Ledger(limit=limit).to_json().encode()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with book._named():
            try:
                handle = os.open(book.path, flags, 0o600)
            except FileExistsError:
                raise LedgerFileError(
                    path, "is there already", "go on with it, or choose another name"
                ) from None
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(document)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError:
                book.path.unlink()
                raise
        return book

    @property
    def ledger(self) -> Ledger:
        """What it holds now.

        Raises :class:`LedgerFileError` where there is none, or no file that is the owner's own
        ledger: one to hand on does not know which tables it was charged for.
        """
        with self._named():
            return self._read(self._place())

    def charge(self, *spends: Spend) -> Ledger:
        """The ledger with these releases in it, which is in the file by then, each with the mark of
        a run that is not done; or a refusal, which leaves the file as it was.

        Raises what :meth:`Ledger.charge` does, and :class:`LedgerFileError`.
        """
        return self._changed(lambda ledger: ledger.charge(*(each.begun for each in spends)))

    def finish(self, *ids: str) -> Ledger:
        """The ledger with the mark taken off the releases of these ids: all of them are out.

        Raises :class:`LedgerFileError`, also where somebody has put another ledger into the file.
        """
        return self._changed(lambda ledger: ledger.finish(*ids))

    def _changed(self, change: Callable[[Ledger], Ledger]) -> Ledger:
        with self._named():
            place = self._place()
            with self._locked(place):
                seen = _state(place)
                if not seen[-1] & _WRITABLE:  # A new file in its place would not ask for that.
                    raise LedgerFileError(
                        self.path, "is read-only", "make it writable, if it is the one to charge"
                    )
                after = change(self._read(place))
                document = after.to_json().encode()
                self._check_size(after, document)
                with FileReplacement(place) as new:
                    new.file.write(document)
                    new.settle()
                    if _state(place) != seen:
                        raise LedgerFileError(
                            self.path,
                            "was changed by another program at the same time",
                            "run this again",
                        )
                    new.land()
        return after

    def _check_size(self, after: Ledger, document: bytes) -> None:
        if len(after.entries) > MOST_RELEASES or len(document) > LARGEST:
            raise LedgerFileError(
                self.path,
                f"is full: it can hold {MOST_RELEASES} releases in {LARGEST // 10**6} MB",
                "release columns of one table in one run, not one by one",
            )

    def _place(self) -> Path:
        """Where it really lies, if that is a file with one name only."""
        place = Path(os.path.realpath(self.path))
        found = os.stat(place)
        if not stat.S_ISREG(found.st_mode):
            raise LedgerFileError(self.path, "is no file", _NEW)
        if found.st_nlink > 1:
            raise LedgerFileError(
                self.path,
                "has a second name (a hard link), under which it would stay as it is",
                "keep it under one name",
            )
        return place

    def _read(self, place: Path) -> Ledger:
        with open(place, "rb") as file:
            document = file.read(LARGEST + 1)
        if not document.strip():
            raise LedgerFileError(self.path, "is empty", _NEW)
        if len(document) > LARGEST:
            raise LedgerFileError(self.path, "is too large for a ledger", _NEW)
        try:
            ledger = Ledger.from_json(document)
        except LedgerFormatError as error:
            raise LedgerFileError(
                self.path,
                f"cannot be read ({error.where} {error.reason})",
                "open one that this program saved and nobody edited",
            ) from None
        if not ledger.keys.secrets and any(is_label(each) for each in ledger.datasets):
            raise LedgerFileError(
                self.path,
                "is one to hand on, without the key by which tables are known again",
                "use your own, which holds what was spent on them",
            )
        return ledger

    @contextlib.contextmanager
    def _locked(self, place: Path) -> Iterator[None]:
        """For one process, and one thread of it, at a time. A process that dies gives it back, so
        no file stands for a lock where a disk has none.
        """
        lock = place.with_name(f"{place.name}.lock")
        try:
            with FileLock(lock, LONGEST_WAIT, poll_interval=_PAUSE, fallback_to_soft=False):
                with contextlib.suppress(OSError):  # Whoever may write the file may have its lock.
                    found = os.stat(place)
                    if hasattr(os, "chown"):
                        os.chown(lock, -1, found.st_gid)
                    os.chmod(lock, stat.S_IMODE(found.st_mode) & 0o666)
                yield
        except Timeout:
            raise LedgerFileError(
                self.path, "is in use by another program", "wait for it, and run this again"
            ) from None

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """What the system refuses, in words."""
        try:
            yield
        except FileNotFoundError:
            raise LedgerFileError(self.path, "is not there", _NEW) from None
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise LedgerFileError(
                self.path,
                f"cannot be read or replaced ({reason})",
                "it has to lie in a folder that you may write in, on a disk that has room",
            ) from None


def _state(place: Path) -> tuple[int, ...]:
    found = os.stat(place)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_mode
