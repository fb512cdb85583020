"""Statistics of a column: exact answers on clamped values, with range and sensitivity."""

from __future__ import annotations

from compdp_core.adjacency import Neighbours as Neighbours
from compdp_core.statistics.conditions import COMPARISONS as COMPARISONS
from compdp_core.statistics.conditions import KINDS as KINDS
from compdp_core.statistics.conditions import AllOf as AllOf
from compdp_core.statistics.conditions import Comparison as Comparison
from compdp_core.statistics.conditions import Condition as Condition
from compdp_core.statistics.conditions import Kind as Kind
from compdp_core.statistics.errors import ConditionError as ConditionError
from compdp_core.statistics.errors import NotOfferedError as NotOfferedError
from compdp_core.statistics.errors import TooFewRowsError as TooFewRowsError
from compdp_core.statistics.errors import UnlistedCategoryError as UnlistedCategoryError
from compdp_core.statistics.errors import ValuesError as ValuesError
from compdp_core.statistics.grouping import Grouping as Grouping
from compdp_core.statistics.order import Maximum as Maximum
from compdp_core.statistics.order import Median as Median
from compdp_core.statistics.order import Minimum as Minimum
from compdp_core.statistics.order import Mode as Mode
from compdp_core.statistics.query import STATISTICS as STATISTICS
from compdp_core.statistics.query import Query as Query
from compdp_core.statistics.question import ExactAnswer as ExactAnswer
from compdp_core.statistics.question import PublicFacts as PublicFacts
from compdp_core.statistics.question import QueryPlan as QueryPlan
from compdp_core.statistics.statistic import Selection as Selection
from compdp_core.statistics.statistic import Statistic as Statistic
from compdp_core.statistics.sums import Count as Count
from compdp_core.statistics.sums import Mean as Mean
from compdp_core.statistics.sums import Sum as Sum
from compdp_core.statistics.sums import Variance as Variance
