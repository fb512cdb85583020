"""The card of a run as a file: its place is had before anything is drawn."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from compdp_core.commands.given import GivenError
from compdp_core.report.card import Card
from compdp_core.tables.file_replacement import FileReplacement


class CardFile:
    """The card at ``path``, as a page or as data by its ending; none where it is None. What
    comes to stand there meanwhile is replaced where ``replace`` says so.
    """

    def __init__(self, path: Path | None, *, replace: bool = False) -> None:
        ending = "" if path is None else path.suffix.lower()
        if path is not None and ending not in (".html", ".htm", ".json"):
            raise GivenError(
                f"the card {path} must end with .html, to be read, or with .json, as data"
            )
        self.is_page = ending != ".json"
        self.path, self.replaces = path, replace
        self._file: FileReplacement | None = None

    def __enter__(self) -> Self:
        if self.path is not None:
            self._file = FileReplacement(self.path, replace=self.replaces)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.drop()

    def write(self, card: Card) -> None:
        """All of it on the disk, beside its place."""
        if self._file is not None:
            self._file.file.write((card.to_html() if self.is_page else card.to_json()).encode())
            self._file.settle()

    def land(self) -> None:
        """In its place."""
        if self._file is not None:
            self._file.land()
