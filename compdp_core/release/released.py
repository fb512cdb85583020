"""What every release says of itself, whether it is kept in memory or lies in a file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

import numpy as np

from compdp_core.errors import ParameterError, shown
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release.column_plan import ColumnPlan, PlanError
from compdp_core.release.plan import Plan
from compdp_core.tables import Table
from compdp_core.validation import of

ColumnMechanism = CompositeMechanism | RandomizedResponse
"""What draws a column: the second one where it holds categories."""


@dataclass(frozen=True, eq=False)
class CertifiedColumn:
    """A column that is privatised, and by what."""

    plan: ColumnPlan
    label: str
    mechanism: ColumnMechanism

    @property
    def composite(self) -> CompositeMechanism:
        """The mechanism of a column that holds no categories."""
        return of("mechanism", self.mechanism, CompositeMechanism, "must be that of numbers")


@dataclass(frozen=True, eq=False, repr=False)
class Released:
    """A release that was drawn: all that its card and its settings are made of."""

    table: Table
    """What the columns are called and how the file is laid out; of its cells nothing is public."""
    plan: Plan
    columns: tuple[CertifiedColumn, ...]
    identifier: str
    when: datetime

    def __repr__(self) -> str:
        """What was released, and nothing of the table it was released from."""
        labels = [self.table.columns[entry.position].label for entry in self.plan.columns]
        return f"{type(self).__name__}(columns={labels}, epsilon={self.epsilon})"

    @property
    def row_count(self) -> int:
        """Rows that are written out."""
        raise NotImplementedError

    @property
    def noise_is_keyed(self) -> bool:
        """Whether the noise is a keyed function of the data, for an engine that may compute again;
        else it was drawn as it was written.
        """
        return False

    @property
    def epsilon(self) -> Fraction:
        """What the release cost a person, or, where none is stated, a row."""
        return self.plan.epsilon

    def omitted(self, positions: Collection[Any]) -> frozenset[int]:
        """The positions, if these columns may be left out of the file."""
        allowed = set(range(len(self.table.columns)))
        allowed -= {column.plan.position for column in self.columns}
        if not isinstance(positions, Collection):
            raise ParameterError("omit", positions, "must be a list of positions, as in [0]")
        for position in positions:
            if not isinstance(position, int | np.integer) or position not in allowed:
                raise PlanError(
                    f"column {shown(position)} cannot be left out of the file: choose from "
                    f"{sorted(allowed)}, the columns that were not privatised"
                )
        return frozenset(positions)
