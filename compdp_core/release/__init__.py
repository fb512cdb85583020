"""Releases of a table's columns or of one statistic, and what an epsilon means for either."""

from __future__ import annotations

from compdp_core.release.column_plan import ColumnPlan as ColumnPlan
from compdp_core.release.column_plan import Missing as Missing
from compdp_core.release.column_plan import PlanError as PlanError
from compdp_core.release.columns import ReleasedColumn as ReleasedColumn
from compdp_core.release.columns import TableRelease as TableRelease
from compdp_core.release.columns import release as release
from compdp_core.release.plan import Plan as Plan
from compdp_core.release.released import CertifiedColumn as CertifiedColumn
from compdp_core.release.released import Released as Released
from compdp_core.release.statistic import answer as answer
from compdp_core.release.statistic import mechanism_for as mechanism_for
