"""A release that will lie in a file: decided on and certified, and not drawn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from compdp_core.accounting import Ledger, Spend
from compdp_core.engines.file_release import FileRelease

# Names in the signature that a dataclass inherits: the documentation looks for them here.
from compdp_core.release.plan import Plan as Plan
from compdp_core.release.released import CertifiedColumn as CertifiedColumn
from compdp_core.release.released import Released
from compdp_core.report.statement import Statement
from compdp_core.tables import Table as Table


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PreparedRelease(Released):
    """What is to be released and by what: its cost and error are known."""

    gone: frozenset[int] = frozenset()
    """Positions of the columns that the file is without."""
    statements: Mapping[int, Statement]
    """The owner's words by column position."""

    @property
    def known(self) -> Table:
        """The table as a ledger knows it."""
        return self.table

    @property
    def spends(self) -> tuple[Spend, ...]:
        """What a ledger is charged."""
        return self.plan.spends(self.known)

    @abstractmethod
    def check_unchanged(self) -> None:
        """Raises :class:`~compdp_core.errors.TableError` where the data is not what was looked
        at.
        """

    def written(
        self, path: Path, rows: int, engine: str, ledger: Ledger | None = None
    ) -> FileRelease:
        """The release, once its file stands in its place."""
        return FileRelease(
            self.table if ledger is None else self.known,
            self.plan,
            self.columns,
            self.identifier,
            self.when,
            path=path,
            rows=rows,
            engine=engine,
            keyed=False,
            ledger=ledger,
            gone=self.gone,
            statements=self.statements,
        )
