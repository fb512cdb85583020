"""A file that is written beside its place and put there at the end: whole, or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

SUFFIX = ".part"
"""Ends the name of a file that is still being written. One that lies about was left by a run that
was killed: nothing reads it, and it can be deleted."""


class FileReplacement:
    r"""What is to stand at ``target``. Until :meth:`land` nothing is changed there.

    Written into a file beside it with a name of its own, ``.target.random.part``, that only its
    owner can read until it lands with the rights of what it replaces, or of a new file.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> target = Path(folder.name, "out.csv")
    >>> with FileReplacement(target) as new:
    ...     _ = new.file.write(b"a\n1\n")
    ...     before = target.exists()
    ...     new.land()
    >>> before, target.read_bytes(), len(os.listdir(folder.name))
    (False, b'a\n1\n', 1)
    >>> folder.cleanup()

    Left without :meth:`land`, as by an error, what was written is removed. Links are followed: what
    stands at their end is replaced. With ``replace=False`` nothing is: whatever came to stand there
    meanwhile stays, and :meth:`land` raises :class:`FileExistsError`. Raises :class:`OSError`, also
    for a folder.
    """

    def __init__(self, target: str | os.PathLike[str], *, replace: bool = True) -> None:
        self.target = Path(os.path.realpath(target))
        self._replaces = replace
        if self.target.exists() and not self.target.is_file():
            raise IsADirectoryError(f"{target} is no file that could be replaced")
        name = f".{self.target.name}.{secrets.token_hex(6)}{SUFFIX}"
        self.path = self.target.with_name(name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self.file: BinaryIO = os.fdopen(os.open(self.path, flags, 0o600), "wb")
        self._landed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.drop()

    def settle(self) -> None:
        """All of it on the disk, with the rights it is to have: what can fail has failed by now."""
        if self.file.closed:
            return
        self.file.flush()
        self._take_over()
        os.fsync(self.file.fileno())
        self.file.close()

    def land(self) -> None:
        """Put it in its place, at once for everybody who looks."""
        self.settle()
        if self._replaces:
            os.replace(self.path, self.target)
        else:
            self._land_where_nothing_is()
        self._landed = True
        _settle_folder(self.target.parent)

    @property
    def landed(self) -> bool:
        """Whether it stands in its place, also where :meth:`land` was stopped behind that."""
        if self._landed or (self.file.closed and not self.path.exists()):
            return True
        with contextlib.suppress(FileNotFoundError):
            return os.path.samefile(self.path, self.target)  # linked, and stopped behind that
        return False

    def drop(self) -> None:
        """Leave everything as it was, unless it has landed."""
        if self._landed:
            return
        with contextlib.suppress(OSError):  # of a full disk, what is still in the buffer
            self.file.close()
        with contextlib.suppress(FileNotFoundError):
            self.path.unlink()

    def _land_where_nothing_is(self) -> None:
        try:
            os.link(self.path, self.target)
        except FileExistsError:
            raise self._there_already from None
        except OSError:  # There are disks without links.
            self._land_on_a_free_name()
        else:
            self.path.unlink()

    def _land_on_a_free_name(self) -> None:
        """Have the name first, as an empty file of one's own."""
        try:
            os.close(os.open(self.target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            raise self._there_already from None
        try:
            os.replace(self.path, self.target)
        except BaseException:
            if self.path.exists():
                self.target.unlink()
            raise

    @property
    def _there_already(self) -> FileExistsError:
        said = f"a file {self.target.name} was put there meanwhile, and stays as it is"
        return FileExistsError(errno.EEXIST, said, str(self.target))

    def _take_over(self) -> None:
        """Rights and owner of what it replaces; a new file has the rights of any other."""
        try:
            before = os.stat(self.target)
        except FileNotFoundError:
            os.chmod(self.path, 0o666 & ~_umask())
            return
        os.chmod(self.path, stat.S_IMODE(before.st_mode) & ~self._lost_rights(before))

    def _lost_rights(self, before: os.stat_result) -> int:
        """Rights that would go to others than before: a group of that name is not to be had."""
        if not hasattr(os, "chown"):
            return 0
        for owner in (before.st_uid, -1):  # Only the system's owner may give a file away.
            with contextlib.suppress(OSError):
                os.chown(self.path, owner, before.st_gid)
                return 0
        return stat.S_IRWXG | stat.S_ISGID


def _umask() -> int:
    # It can only be asked for by setting it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _settle_folder(folder: Path) -> None:
    """The new name on the disk, too, where a system can be asked for that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
