"""The budget and its parts, as a settings file has them."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.release import ColumnPlan, Plan
from compdp_core.tables import Table
from pages.inputs.links import put
from pages.sections.privatize.budget import PER
from pages.sections.privatize.split import ANSWERED, HAND, way_that_gives
from pages.sections.shared.setup import EPSILON_NAME, SPLIT, setting
from pages.text.typed_numbers import as_decimal


def put_budget(table: Table, plans: dict[int, ColumnPlan], whole: Plan) -> None:
    """Of a person where that is a decimal, else of a row; in the parts that the cells have."""
    answered = whole.answered if whole.answered and whole.answered < len(plans) else None
    plan = Plan(tuple(plans.values()), whole.person, answered)
    each = as_decimal(plan.row_epsilon) == plan.row_epsilon
    by_row = each and as_decimal(plan.epsilon) != plan.epsilon
    among = 1 if by_row else plan.rows
    put(PER, "row" if by_row else "person")
    put(EPSILON_NAME, as_decimal(among * plan.row_epsilon))
    way = way_that_gives(plan)
    put(SPLIT, way)
    put(ANSWERED, None if answered is None else Decimal(answered))
    for position, each_plan in plans.items():
        part = as_decimal(among * each_plan.epsilon) if way == HAND else None
        put(setting(table.fingerprint, position, "epsilon"), part)
