"""The releases that this session keeps, as their owner and as a receiver has them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from compdp_core.accounting import Spend
from compdp_core.release import TableRelease
from compdp_core.report import Statement, card_of_table
from compdp_core.tables import Table
from pages.sections.shared.upload import Upload
from pages.session.state import kept, recall

READ = "received.open_last"
"""Whether the last release is to be opened on the page that reads one."""


@dataclass(frozen=True, eq=False)
class KeptRelease:
    release: TableRelease
    statements: dict[int, Statement]
    """The owner's public words about each released column, by position."""
    charges: tuple[Spend, ...]
    """One spend a column: its values are all that each budget went to."""
    number: int
    """First, second, … release of this file."""


def kept_releases() -> list[KeptRelease]:
    """From the last one to the first."""
    found = [each for each in kept().values() if isinstance(each, KeptRelease)]
    return sorted(found, key=lambda each: each.release.when, reverse=True)


def as_received(of: KeptRelease) -> tuple[Upload, Upload]:
    """File and card as a receiver gets them: the columns that the owner leaves out are not there.

    Written from the stored values: nothing is drawn.
    """
    release = of.release
    omit = omitted(release.table, [column.plan.position for column in release.columns])
    named = Upload(recall(f"table_name.{release.table.fingerprint}", "table"), b"", None)
    card = card_of_table(release, of.statements, title=named.stem, omit=omit)
    return (
        Upload(f"{named.file_stem}_privatized.csv", release.csv(omit=omit), None),
        Upload(f"{named.file_stem}_card.json", card.to_json().encode(), None),
    )


def omitted(table: Table, planned: Collection[int]) -> tuple[int, ...]:
    """Positions of the columns to leave out; what is privatised is never among them."""
    others = omittable(table, planned)
    return tuple(p for p in recall(omitted_name(table), []) if p in others)


def omittable(table: Table, planned: Collection[int]) -> dict[int, str]:
    """The columns that the file may be without, by their place."""
    return {c.position: c.label for c in table.columns if c.position not in planned}


def omitted_name(table: Table) -> str:
    return f"omitted.{table.fingerprint}"
