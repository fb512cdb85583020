"""Bounded and unbiased composite differential privacy.

Noise with hard bounds that is right on average, with a privacy guarantee that is checked before
anything is released (mechanism: Zhang et al., IEEE S&P 2024).

>>> import compdp_core as cdp
>>> mechanism = cdp.CompositeMechanism(epsilon=1.0, inputs=(0, 100))
>>> mechanism.certificate.holds
True

Each name is loaded when it is first asked for, so that the import itself costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compdp_core import errors as errors
    from compdp_core.accounting import Ledger as Ledger
    from compdp_core.adjacency import Neighbours as Neighbours
    from compdp_core.adjacency import Person as Person
    from compdp_core.auditing.lower_bound import audit as audit
    from compdp_core.design.design import Design as Design
    from compdp_core.design.optimize import optimize as optimize
    from compdp_core.engines import spark as spark
    from compdp_core.engines.files import privatize_file as privatize_file
    from compdp_core.engines.privatizing import privatize as privatize
    from compdp_core.engines.scikit_learn import Privatizer as Privatizer
    from compdp_core.estimates.estimate import Estimate as Estimate
    from compdp_core.estimates.estimates import Estimates as Estimates
    from compdp_core.experiments.comparison import compare as compare
    from compdp_core.intervals import Interval as Interval
    from compdp_core.mechanisms import baselines as baselines
    from compdp_core.mechanisms.composite import CompositeMechanism as CompositeMechanism
    from compdp_core.mechanisms.lattice import Certificate as Certificate
    from compdp_core.release.column_plan import ColumnPlan as ColumnPlan
    from compdp_core.release.statistic import Answer as Answer
    from compdp_core.report.release import Release as Release
    from compdp_core.report.release import answer as answer
    from compdp_core.report.release import answer_each as answer_each
    from compdp_core.statistics import AllOf as AllOf
    from compdp_core.statistics import Condition as Condition
    from compdp_core.statistics import Grouping as Grouping
    from compdp_core.statistics.query import Query as Query
    from compdp_core.tables import Table as Table
    from compdp_core.tables.sources import read_csv as read_csv
    from compdp_core.tables.value_formats import DateFormat as DateFormat
    from compdp_core.tables.value_formats import DateTimeFormat as DateTimeFormat
    from compdp_core.tables.value_formats import DayNumberFormat as DayNumberFormat
    from compdp_core.tables.value_formats import DurationFormat as DurationFormat
    from compdp_core.tables.value_formats import IsoDurationFormat as IsoDurationFormat
    from compdp_core.tables.value_formats import TimeFormat as TimeFormat
    from compdp_core.tables.value_formats import UnitDurationFormat as UnitDurationFormat
    from compdp_core.tables.value_formats import UnixTimeFormat as UnixTimeFormat

    __version__: str

_PLACES = {
    "AllOf": "statistics",
    "Answer": "release.statistic",
    "Certificate": "mechanisms.lattice",
    "ColumnPlan": "release.column_plan",
    "CompositeMechanism": "mechanisms.composite",
    "Condition": "statistics",
    "DateFormat": "tables.value_formats",
    "DateTimeFormat": "tables.value_formats",
    "DayNumberFormat": "tables.value_formats",
    "Design": "design.design",
    "DurationFormat": "tables.value_formats",
    "Estimate": "estimates.estimate",
    "Estimates": "estimates.estimates",
    "Grouping": "statistics",
    "Interval": "intervals",
    "IsoDurationFormat": "tables.value_formats",
    "Ledger": "accounting",
    "Neighbours": "adjacency",
    "Person": "adjacency",
    "Privatizer": "engines.scikit_learn",
    "Query": "statistics.query",
    "Release": "report.release",
    "Table": "tables",
    "TimeFormat": "tables.value_formats",
    "UnitDurationFormat": "tables.value_formats",
    "UnixTimeFormat": "tables.value_formats",
    "answer": "report.release",
    "answer_each": "report.release",
    "audit": "auditing.lower_bound",
    "compare": "experiments.comparison",
    "optimize": "design.optimize",
    "privatize": "engines.privatizing",
    "privatize_file": "engines.files",
    "read_csv": "tables.sources",
}
"""Where each public name is; ``baselines``, ``errors`` and ``spark`` are modules."""

_MODULES = {"baselines": "mechanisms.baselines", "errors": "errors", "spark": "engines.spark"}

_ONE_AT_A_TIME = RLock()
"""Two threads that load packages in different orders would find them half loaded."""


def _loaded(place: str) -> Any:
    with _ONE_AT_A_TIME:
        return import_module(f"{__name__}.{place}")


if not TYPE_CHECKING:  # Type checkers are to see a name that is none.
    __all__ = [*_PLACES, *_MODULES, "__version__"]

    def __getattr__(name: str) -> object:
        if name in _MODULES:
            found: object = _loaded(_MODULES[name])
        elif name == "__version__":
            found = _loaded("report.version").version()
        elif name in _PLACES:
            found = getattr(_loaded(_PLACES[name]), name)
        elif name in _EARLIER:
            found = sys.modules[f"{__name__}.{name}"]
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES, *_MODULES, "__version__"})


_EARLIER = {
    "answer": "release.statistic",
    "audit": "auditing.lower_bound",
    "baselines": "mechanisms.baselines",
    "formula": "shapes.formula",
    "inquiry": "statistics.query",
    "lattice": "mechanisms.lattice",
    "ledger": "accounting",
    "mechanism": "mechanisms.composite",
    "neighbours": "adjacency",
    "optimize": "design.optimize",
    "own_shapes": "shapes.custom",
    "plan": "release.plan",
    "privacy": "design.privacy_loss",
    "staircase": "shapes.staircase",
    "table": "tables",
}
"""What was imported of version 0.1, and where it is now. To go in 0.3."""

_RENAMED = {"Inquiry": "Query"}


class _Earlier(ModuleType):
    """A module under its name of version 0.1, loaded when a name of it is asked for."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") and name != "__all__":
            raise AttributeError(name)
        place = _loaded(_EARLIER[self.__name__.rpartition(".")[2]])
        if name == "__all__":
            now = [each for each in dir(place) if not each.startswith("_")]
            return now + [old for old, new in _RENAMED.items() if new in now]
        return getattr(place, _RENAMED.get(name, name))


sys.modules.update({f"{__name__}.{each}": _Earlier(f"{__name__}.{each}") for each in _EARLIER})
