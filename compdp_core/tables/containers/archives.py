"""Zip archives, read with suspicion: nothing is unpacked beyond what is asked for and allowed."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from compdp_core.errors import TableError
from compdp_core.tables.errors import FileTooLargeError, NotTextError
from compdp_core.tables.file_kinds import NAMES

MOST_ENTRIES, _LONGEST_LIST = 10_000, 2**22
_PIECE = 1 << 20
_HIGHEST_RATIO, _RATIO_FROM = 1000, 2**26
"""No table packs so well, except to fill a memory; small files may."""
_DAMAGED = "Upload it again, or save the table as CSV and upload that."
_HIDDEN = ("__MACOSX/", "Thumbs.db", "desktop.ini")


class Archive:
    """The entries of a zip archive that may be read, by name."""

    def __init__(self, data: bytes, limit: int, kind: str = "zip") -> None:
        self._left, self._limit, self._kind = limit, limit, kind
        _check_list(data)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OverflowError) as error:
            raise self.damaged(error) from None
        entries = self._zip.infolist()
        if len(entries) > MOST_ENTRIES:
            raise _too_many()
        self.entries = {each.filename: each for each in entries if not each.is_dir()}

    def damaged(self, error: object) -> NotTextError:
        """The refusal of an archive that is not as it says."""
        return NotTextError(f"{NAMES[self._kind]} that cannot be read ({error})", _DAMAGED)

    def files(self) -> list[str]:
        """Names of the entries that a person put there."""
        for name, each in self.entries.items():
            steps = name.replace("\\", "/").split("/")
            link = each.external_attr >> 16 & 0o170000 == 0o120000
            if link or ".." in steps or not steps[0] or steps[0][1:2] == ":":
                raise NotTextError(
                    "a zip archive with a name in it that leads out of it",
                    "Unpack it with a tool that you trust and upload the file inside.",
                )
        own = (name for name in self.entries if not name.startswith(_HIDDEN))
        return [name for name in own if not name.rsplit("/", 1)[-1].startswith((".", *_HIDDEN))]

    def read(self, name: str, most: int | None = None) -> bytes:
        """The content of an entry, or its first ``most`` bytes."""
        entry = self.entries[name]
        if entry.flag_bits & 1:
            raise NotTextError(
                f"{NAMES[self._kind]} locked with a password", "Unlock it and upload it again."
            )
        out = io.BytesIO()
        try:
            with self._zip.open(entry) as stream:
                while piece := stream.read(_PIECE if most is None else min(_PIECE, most)):
                    out.write(piece)
                    if most is not None and out.tell() >= most:
                        return out.getvalue()[:most]
                    self._check(out.tell(), entry.compress_size)
        except TableError:  # a ValueError, too
            raise
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError,
                RuntimeError) as error:  # fmt: skip
            raise self.damaged(error) from None
        self._left -= out.tell()
        return out.getvalue()

    def _check(self, size: int, packed: int) -> None:
        if size > self._left:
            raise FileTooLargeError(self._limit, unpacked=True)
        if size > _RATIO_FROM and size > _HIGHEST_RATIO * max(1, packed):
            raise NotTextError(
                f"{NAMES[self._kind]} that unpacks to more than {_HIGHEST_RATIO:,} times its size",
                "No table does: make sure where it is from, unpack it and upload the table in it.",
            )


def _check_list(data: bytes) -> None:
    """Raises NotTextError where the list of entries alone would fill the memory."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 2**16 - 22))
    if end < 0 or len(data) < end + 22:
        return  # no list, and so no archive
    count, size = struct.unpack_from("<HI", data, end + 10)
    if end >= 76 and data[end - 20 : end - 16] == b"PK\x06\x07":
        count, size = struct.unpack_from("<QQ", data, end - 76 + 32)
    elif count == 0xFFFF:
        raise _too_many()
    if count > MOST_ENTRIES or size > _LONGEST_LIST:
        raise _too_many()


def _too_many() -> NotTextError:
    return NotTextError(
        f"a zip archive with more than {MOST_ENTRIES:,} files in it",
        "Unpack it and upload the file with the table.",
    )


def stored(parts: dict[str, bytes]) -> bytes:
    """An archive of these entries, not packed, the same for the same entries."""
    return packed(parts, zipfile.ZIP_STORED)


def packed(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these entries, with no date in it but 1980."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            # The first entry of an OpenDocument file must lie in it as it is.
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else method
            entry.create_system = 0
            archive.writestr(entry, content)
    return out.getvalue()
