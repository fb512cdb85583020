"""What a command is given: a table, settings, a ledger, and where results are to go."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from compdp_core.accounting import Ledger, LedgerFile, Spend
from compdp_core.commands.stopping import UNTOUCHED, StoppedCommandError
from compdp_core.engines.files import StoppedRunError
from compdp_core.errors import CompdpError
from compdp_core.report.settings import StatisticSettings, TableSettings
from compdp_core.report.settings_reading import MOST_CHARACTERS, from_json
from compdp_core.tables import MAX_BYTES, Table
from compdp_core.text import count

Kind = TypeVar("Kind", TableSettings, StatisticSettings)

EACH_ROW = "--each-row-is-a-person"
_PAGES = {
    TableSettings: ("columns to privatise", "Privatize", "compdp privatize"),
    StatisticSettings: ("a statistic", "Release a statistic", "compdp answer"),
}
_TOO_LARGE = (
    "{} is larger than {} MiB, which is as much as is read into memory. A CSV file of any size "
    "can be privatised where each row is another person: save it as CSV, or take it apart"
)


class GivenError(CompdpError):
    """Something that a command was given cannot be used. Nothing was changed."""


def path_of(name: str, said: Path) -> Path:
    """The path of a file that is there.

    Raises :class:`GivenError`.
    """
    if not said.is_file():
        fault = "is no file" if said.exists() else "is not there"
        raise GivenError(f"{name} {said} {fault}: give the path of a file")
    return said


def in_memory_size(source: Path) -> None:
    """Refuse a file that is not read into memory."""
    if source.stat().st_size > MAX_BYTES:
        raise GivenError(_TOO_LARGE.format(source, MAX_BYTES // 2**20))


def settings_of(path: Path, kind: type[Kind], *, each_row: bool) -> Kind:
    """The settings of a file, all of which make sense. Left out or replaced, a value would make
    another release than the one that was decided on.

    Raises :class:`GivenError` that says what of it does not.
    """
    with path_of("the settings", path).open("rb") as file:
        found = from_json(file.read(4 * MOST_CHARACTERS + 1))
    if found.notices:
        told = "\n".join(f"  {each}" for each in found.faults)
        raise GivenError(
            f"the settings {path} cannot be used as they are; correct them, or save them anew from "
            f"the page {_PAGES[kind][1]}:\n{told}"
        )
    if not isinstance(found.settings, kind):
        other = next(each for each in _PAGES if each is not kind)
        raise GivenError(
            f"{path} has settings of {_PAGES[other][0]}: use them with {_PAGES[other][2]}, or "
            f"take the ones that the page {_PAGES[kind][1]} saves"
        )
    if not found.says_whose and not each_row:
        raise GivenError(
            f"the settings {path} do not say whose rows are one person's: add {EACH_ROW} where no "
            "person has two rows, else save them anew from the page, with the person stated"
        )
    return found.settings


def check_columns(table: Table, wanted: Iterable[tuple[int, str]]) -> None:
    """Refuse a table whose columns are not those of the settings, by their names and places."""
    labels = [column.label for column in table.columns]
    for position, label in wanted:
        if not label:
            raise GivenError(
                f"the settings do not name column {position + 1}: add its label to them, so that "
                "no other column is taken for it"
            )
        if position < len(labels) and labels[position] == label:
            continue
        place = f"column {position + 1}"
        here = f"is {labels[position]}" if position < len(labels) else "does not exist"
        others = [at + 1 for at, each in enumerate(labels) if each == label]
        found = f"{label} is column {others[0]} here" if others else f"no column is called {label}"
        raise GivenError(
            f"the settings are about {label} as {place}, which {here} in this file, and {found}: "
            "take the settings of a table like this one"
        )


def column_named(table: Table, said: str) -> int:
    """The place of a column by its name, or by its number from 1, as in ``#3``.

    Raises :class:`GivenError`.
    """
    labels = [column.label for column in table.columns]
    if labels.count(said) == 1:
        return labels.index(said)
    if said[:1] == "#" and said[1:].isdecimal() and 1 <= int(said[1:]) <= len(labels):
        return int(said[1:]) - 1
    several = f"{count(labels.count(said), 'column')} are called that" if said in labels else ""
    raise GivenError(
        f"{said!r} names no column of the file: {several or 'give its name'}, or its number as in "
        f"#1 to #{len(labels)}"
    )


def check_targets(
    sources: Iterable[Path | None], targets: Iterable[Path | None], *, force: bool
) -> None:
    """Refuse to write where something lies already, unless told to, and never over what is read."""
    read = [each for each in sources if each is not None]
    seen: list[Path] = []
    for each in targets:
        if each is None:
            continue
        place = Path(os.path.realpath(each))
        if read and _same(each, read[0]):
            raise GivenError(f"{each} is the file that is read: what is written must be another")
        if any(_same(each, other) for other in read) or place in seen:
            raise GivenError(f"{each} is needed for something else: choose another name")
        seen.append(place)
        if not place.parent.is_dir():
            raise GivenError(f"the folder of {each} is not there: make it first")
        if place.exists() and not place.is_file():
            raise GivenError(f"{each} is no file that could be replaced: choose another name")
        if place.exists() and not force:
            raise GivenError(f"{each} is there already: choose another name, or add --force")


def _same(one: Path, other: Path) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    return one.exists() and other.exists() and os.path.samefile(one, other)


class RunLedger:
    """The ledger of a run. It is opened now, so that none that is no ledger is found out late."""

    def __init__(self, path: Path) -> None:
        self.file = LedgerFile(path)
        self.foresee()

    @classmethod
    def at(cls, path: Path | None) -> RunLedger | None:
        """That of a path, if there is one."""
        return None if path is None else cls(path)

    def foresee(self, *spends: Spend) -> Ledger:
        """The ledger with these in it, if it is not refused; the file stays as it is."""
        return self.file.ledger.charge(*spends)

    def charge(self, *spends: Spend) -> Ledger:
        """The ledger with these in it, which is in the file by then."""
        try:
            return self.file.charge(*spends)
        except KeyboardInterrupt:
            # While it waited for another run, or when it had just been written.
            now, wanted = self.file.ledger, {each.id for each in spends}
            if wanted and wanted <= {each.id for each in now.entries}:
                raise StoppedRunError(now) from None
            raise StoppedCommandError(UNTOUCHED) from None

    def finish(self, *ids: str) -> Ledger:
        """The same without the mark of a run that is not done."""
        return self.file.finish(*ids)
