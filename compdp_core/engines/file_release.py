"""A release that lies in a file: drawn once, written as it was drawn, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from compdp_core.accounting import Ledger

# Names in the signature that a dataclass inherits: the documentation looks for them here.
from compdp_core.release.plan import Plan as Plan
from compdp_core.release.released import CertifiedColumn as CertifiedColumn
from compdp_core.release.released import Released
from compdp_core.report.card import Card
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.report.statement import Statement
from compdp_core.report.table_card import card_of_table
from compdp_core.tables import Table as Table


@dataclass(frozen=True, eq=False, repr=False)
class FileRelease(Released):
    """What an engine wrote, once. Card and settings are read from here, the values from the file.

    ``table`` holds the names and the layout of the columns, of rows none or those of the head.
    """

    path: Path | str
    """The file, or the folder of its parts; a text where that is no path but an address, such as
    ``s3a://bucket/folder``."""
    rows: int
    """Rows that were written."""
    engine: str
    """What wrote it: ``own``, ``polars`` or ``spark``."""
    keyed: bool
    """Whether the noise is a keyed function of the data, so that computing again gives the same
    bytes; else it was drawn in the order of writing."""
    ledger: Ledger | None = None
    """The ledger with this release in it, to be used from now on; None where none was given."""
    gone: frozenset[int] = frozenset()
    """Positions of the columns that the file is without."""
    statements: Mapping[int, Statement] | None = None
    """The owner's words by column position."""

    @property
    def row_count(self) -> int:
        return self.rows

    @property
    def noise_is_keyed(self) -> bool:
        return self.keyed

    @property
    def card(self) -> dict[str, Any]:
        """The privacy card: everything public about the release, as plain values for JSON."""
        return self.made_card.as_dict()

    def card_html(self) -> str:
        """The card as a page that needs nothing else."""
        return self.made_card.to_html()

    def settings(self) -> str:
        """The settings as JSON, which the app and the command line open."""
        return to_json(TableSettings.of(self, self.statements, self.gone))

    @cached_property
    def made_card(self) -> Card:
        """The card of the release."""
        return card_of_table(self, self.statements, omit=self.gone)
