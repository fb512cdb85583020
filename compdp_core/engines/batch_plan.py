"""What workers have to know of a release: settings and proofs, as texts that travel as they are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from compdp_core.engines.arrow_types import check_type
from compdp_core.engines.arrow_writing import released_type
from compdp_core.errors import CompdpError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release import CertifiedColumn, Plan
from compdp_core.release.column_plan import PlanError
from compdp_core.report.proofs import lattice_part, weights
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.report.settings_reading import from_json

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CHARACTERS = 500_000
"""Of the settings that every task gets: engines keep larger ones in files."""


class OtherMachineError(CompdpError):
    """A worker computes other weights than those that were certified. It draws nothing."""

    def __init__(self) -> None:
        super().__init__(
            "a worker finds other weights for this plan than the certified ones: its processor or "
            "libraries round otherwise, so let machines of one kind with one version of each "
            "library do the work"
        )


@dataclass(frozen=True)
class BatchPlan:
    """What a worker has to know of a release: texts and numbers, which travel as they are.

    A mechanism takes longer to build than to send its settings, and is built once in a process.
    """

    settings: str
    """The plan, as JSON of :func:`~compdp_core.report.settings.to_json`."""
    labels: tuple[str, ...]
    """Of the planned columns, in the order of the plan."""
    certified: str
    """A hash of all weights, which a worker must find again before it draws."""
    gone: frozenset[int] = frozenset()
    """Positions of columns that are left out of the file, and are read for the noise all the same.
    """

    @classmethod
    def of(
        cls,
        plan: Plan,
        columns: Collection[CertifiedColumn],
        schema: pa.Schema,
        gone: Collection[int] = (),
    ) -> BatchPlan:
        """Of certified columns of batches of that schema, in the order of the plan.

        Raises :class:`PlanError` where it cannot be sent, and
        :class:`~compdp_core.errors.ParameterError` for a column of a type that its plan cannot
        read.
        """
        for column in columns:
            check_type(column.plan, column.label, schema.field(column.plan.position).type)
        labels = tuple(column.label for column in columns)
        settings = to_json(TableSettings(plan, labels))
        if len(settings) > MOST_CHARACTERS or not _reads_back(settings, plan):
            raise PlanError(
                "the plan cannot be sent to workers as settings: take shorter lists, or shapes of "
                "the library's own, or release the data in one process with cdp.privatize"
            )
        return cls(settings, labels, certified(columns), frozenset(gone))

    @property
    def plan(self) -> Plan:
        """The plan itself."""
        return _opened(self.settings)

    @property
    def columns(self) -> tuple[CertifiedColumn, ...]:
        """The columns with their mechanisms, made once in a process and held to the certified ones.

        Raises :class:`OtherMachineError`.
        """
        return _columns(self.settings, self.labels, self.certified)

    def schema(self, before: pa.Schema) -> pa.Schema:
        """That of the released batches: of the plan and the schema ``before`` alone."""
        import pyarrow as pa

        fields = list(before)
        for column in self.columns:
            old = fields[column.plan.position]
            fields[column.plan.position] = pa.field(old.name, released_type(column, old.type))
        return pa.schema([field for place, field in enumerate(fields) if place not in self.gone])


def certified_columns(plan: Plan, labels: Collection[str]) -> tuple[CertifiedColumn, ...]:
    """The columns of a plan with mechanisms that are proved, in its order.

    Raises what the mechanisms do.
    """
    found = []
    for column, label in zip(plan.columns, labels, strict=True):
        mechanism = column.mechanism()
        mechanism.certificate.require()
        found.append(CertifiedColumn(column, label, mechanism))
    return tuple(found)


def certified(columns: Collection[CertifiedColumn]) -> str:
    """A hash of everything that is drawn from: equal where all weights are."""
    state = sha256()
    for column in columns:
        mechanism, place = column.mechanism, column.plan.position
        if isinstance(mechanism, RandomizedResponse):
            said = repr((place, weights(mechanism)))
        else:
            said = repr((place, mechanism.inputs, lattice_part(mechanism.lattice)))
        state.update(said.encode())
    return state.hexdigest()


def _reads_back(settings: str, plan: Plan) -> bool:
    """Whether the settings say all of the plan."""
    opened = from_json(settings)
    found = opened.settings
    return isinstance(found, TableSettings) and not opened.notices and found.plan == plan


@lru_cache(maxsize=16)
def _opened(settings: str) -> Plan:
    found = from_json(settings).settings
    if not isinstance(found, TableSettings):
        raise TypeError("a batch plan holds the settings of a table")
    return found.plan


@lru_cache(maxsize=16)
def _columns(settings: str, labels: tuple[str, ...], proved: str) -> tuple[CertifiedColumn, ...]:
    found = certified_columns(_opened(settings), labels)
    if certified(found) != proved:
        raise OtherMachineError
    return found
