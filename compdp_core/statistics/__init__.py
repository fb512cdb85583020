"""Statistics of a column: exact answers on clamped values, with range and sensitivity."""

from __future__ import annotations

from compdp_core.adjacency import Neighbours
from compdp_core.statistics.conditions import COMPARISONS, KINDS, AllOf, Comparison, Condition, Kind
from compdp_core.statistics.errors import (
    ConditionError,
    NotOfferedError,
    TooFewRowsError,
    UnlistedCategoryError,
    ValuesError,
)
from compdp_core.statistics.grouping import Grouping
from compdp_core.statistics.order import Maximum, Median, Minimum, Mode
from compdp_core.statistics.query import STATISTICS, Query
from compdp_core.statistics.question import ExactAnswer, PublicFacts, QueryPlan
from compdp_core.statistics.statistic import Selection, Statistic
from compdp_core.statistics.sums import Count, Mean, Sum, Variance

__all__ = [
    "COMPARISONS",
    "KINDS",
    "STATISTICS",
    "AllOf",
    "Comparison",
    "Condition",
    "ConditionError",
    "Count",
    "ExactAnswer",
    "Grouping",
    "Kind",
    "Maximum",
    "Mean",
    "Median",
    "Minimum",
    "Mode",
    "Neighbours",
    "NotOfferedError",
    "PublicFacts",
    "Query",
    "QueryPlan",
    "Selection",
    "Statistic",
    "Sum",
    "TooFewRowsError",
    "UnlistedCategoryError",
    "ValuesError",
    "Variance",
]
