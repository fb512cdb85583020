"""A column that step 2 asks about, and what was answered of it so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from compdp_core.intervals import Interval
from compdp_core.release.column_plan import Kind, Missing
from compdp_core.tables import Table
from compdp_core.tables.column import Column as Profile
from pages.sections.shared.cells import POLICIES
from pages.sections.shared.declared import Declared
from pages.sections.shared.setup import setting


@dataclass(frozen=True)
class AskedColumn:
    """The column that is asked about."""

    table: Table
    profile: Profile
    called: str
    epsilon: Fraction
    """What a cell gets as the budget is set by now, in equal parts."""

    @property
    def position(self) -> int:
        return self.profile.position

    def named(self, name: str) -> str:
        return setting(self.table.fingerprint, self.position, name)


@dataclass(frozen=True)
class ColumnAnswers:
    """What was answered so far."""

    kind: Kind
    declared: Declared | None
    """None while there is no list of answers."""
    inputs: Interval | None = None
    unit: str = ""
    source: str = ""
    policies: dict[Missing, str] = field(default_factory=lambda: POLICIES)
    offers: Callable[[], None] = lambda: None
    """For the owner alone."""
    due: str = ""
    """What is left to do, to be followed by the name; empty where nothing is."""
