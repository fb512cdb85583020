"""Releases of a table's columns or of one statistic, and what an epsilon means for either."""

from __future__ import annotations

from compdp_core.release.columns import ReleasedColumn, TableRelease, release
from compdp_core.release.plan import ColumnPlan, Missing, Plan, PlanError
from compdp_core.release.statistic import answer, mechanism_for

__all__ = [
    "ColumnPlan",
    "Missing",
    "Plan",
    "PlanError",
    "ReleasedColumn",
    "TableRelease",
    "answer",
    "mechanism_for",
    "release",
]
