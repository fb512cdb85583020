"""Releases of a table's columns or of one statistic, and what an epsilon means for either."""

from __future__ import annotations

from compdp_core.release.columns import ReleasedColumn, TableRelease, release
from compdp_core.release.plan import ColumnPlan, Missing, Plan, PlanError

__all__ = [
    "ColumnPlan",
    "Missing",
    "Plan",
    "PlanError",
    "ReleasedColumn",
    "TableRelease",
    "release",
]
