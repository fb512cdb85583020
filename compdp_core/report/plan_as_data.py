"""The plan of a column as plain data, with its label and the owner's words about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

from compdp_core.accounting import exact_text
from compdp_core.accounting.charge import charged
from compdp_core.design.optimize import Objective
from compdp_core.parameters import EPSILON, TAIL_RATIO
from compdp_core.release.plan import ColumnPlan, Missing, missing_text
from compdp_core.report.entry import Entry, affix, flag, interval, one_of, text, whole
from compdp_core.report.shapes_as_data import pair_data, pair_from
from compdp_core.report.statement import LONGEST, Statement
from compdp_core.shapes import Pair
from compdp_core.tables import Table

MOST_COLUMNS = 16_384
LONGEST_NAME = 10_000
USUAL_EPSILON = charged(EPSILON.default)


def declared(table: Table, plan: ColumnPlan) -> ColumnPlan:
    """The plan with the symbol or unit that the table itself reads past."""
    if plan.strip is not None:
        return plan
    return replace(plan, strip=table.columns[plan.position].stripped)


def column_data(plan: ColumnPlan, label: str, statement: Statement) -> dict[str, Any]:
    """What :func:`column_from` makes the same of."""
    return {
        "position": plan.position,
        "label": label,
        "unit": statement.unit,
        "inputs": list(plan.inputs.as_tuple()),
        "source": statement.source,
        "epsilon": exact_text(plan.epsilon),
        "pair": pair_data(plan.pair),
        "tail_ratio": plan.tail_ratio,
        "objective": plan.objective,
        "outputs": None if plan.outputs is None else list(plan.outputs.as_tuple()),
        "whole": plan.whole,
        "missing": plan.missing,
        "strip": None if plan.strip is None else dict(vars(plan.strip)),
        "decimal": plan.decimal,
        "missing_as": plan.missing_as,
    }


def column_from(entry: Entry) -> tuple[ColumnPlan, str, Statement] | None:
    """Plan, label and words; None, with a notice, for a column without place or bounds."""
    position = entry.get("position", None, whole(0, MOST_COLUMNS), "the column is left out")
    inputs = entry.get("inputs", None, interval, "the column is left out, it has no bounds")
    if position is None or inputs is None:
        for name, value in (("position", position), ("inputs", inputs)):
            if value is None and entry.data.get(name) is None:
                entry.notices.append(f"{entry.where}it has no {name}: it is left out.")
        return None
    pair = entry.get("pair", None, pair_from, "the usual pair is used instead")
    plan = ColumnPlan(
        position=position,
        inputs=inputs,
        epsilon=entry.get("epsilon", USUAL_EPSILON, charged, f"{USUAL_EPSILON} is used instead"),
        pair=pair,
        tail_ratio=_tail_ratio(entry, pair),
        objective=entry.get("objective", "center", one_of(get_args(Objective))),
        outputs=entry.get("outputs", None, interval, "outputs are derived from the inputs"),
        whole=entry.get("whole", False, flag),
        missing=entry.get("missing", "fill", one_of(get_args(Missing))),
        strip=entry.get("strip", None, affix, "nothing is read past"),
        decimal=entry.get("decimal", None, one_of((".", ",")), "that of the table is used instead"),
        missing_as=entry.get("missing_as", "", missing_text, "missing cells are left empty"),
    )
    statement = Statement(
        source=entry.get("source", "", text(LONGEST)), unit=entry.get("unit", "", text(LONGEST))
    )
    return plan, entry.get("label", "", text(LONGEST_NAME)), statement


def _tail_ratio(entry: Entry, pair: str | Pair | None) -> float | None:
    tail = entry.get("tail_ratio", None, TAIL_RATIO.check, "the usual one is used instead")
    if tail is not None and not (isinstance(pair, str) and pair.endswith("B2")):
        entry.say("tail_ratio", tail, "it belongs to base B2 and is left out")
        return None
    return tail
