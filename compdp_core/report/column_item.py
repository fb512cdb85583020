"""What the card of a privatised table says of one column."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from compdp_core.accounting import exact_text
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release import CertifiedColumn, ColumnPlan
from compdp_core.release.accuracy import Meaning
from compdp_core.release.statistic import half_width, middle
from compdp_core.report import card_parts, wording
from compdp_core.report.fields import as_data
from compdp_core.report.proofs import lattice_part, parameters, proof, variance_facts, weights
from compdp_core.report.statement import Statement
from compdp_core.text import number, plain


def item_of(
    column: CertifiedColumn,
    statement: Statement,
    cells: card_parts.CellFormat,
    sampled: card_parts.Sampled | None,
) -> card_parts.Item:
    """What a card says of one released column."""
    # Of the column only what the plan and the mechanism say: the rest of it is private.
    plan = column.plan
    item = card_parts.Item(
        name=column.label,
        epsilon=exact_text(plan.epsilon),
        unit=_unit(plan, statement),
        answer=None,
        bounds=None,
        inputs=None,
        outputs=None,
        outputs_are=None,
        whole=plan.whole,
        sensitivity=None,
        parameters=None,
        certificate=proof(column.mechanism),
        error=None,
        missing=_missing(plan, sampled=sampled is not None),
        cells=cells,
        sampled=sampled,
        kind=plan.kind,
        listed=_listed(plan, statement),
    )
    if isinstance(column.mechanism, RandomizedResponse):
        kept = number(100.0 * column.mechanism.probability_kept)
        return replace(
            item,
            response=_response(column.mechanism, filled=plan.missing == "fill"),
            reading=wording.READ_CATEGORIES.format(kept=kept),
        )
    return replace(item, **_numbers(plan, column.mechanism, statement))


def _numbers(
    plan: ColumnPlan, mechanism: CompositeMechanism, statement: Statement
) -> dict[str, Any]:
    """What a card says of a column that is no category."""
    lower, upper = plan.inputs.as_tuple()
    form, meaning, unit = plan.format, Meaning(mechanism), _unit(plan, statement)
    within = half_width(mechanism, middle(plan.inputs, whole=plan.whole))
    return {
        "bounds": card_parts.Bounds(lower, upper, unit, _origin(statement), statement.source),
        "inputs": card_parts.Ends(lower, upper),
        "outputs": card_parts.Ends(*mechanism.outputs),
        "outputs_are": "derived from the inputs" if plan.outputs is None else "set by the owner",
        "sensitivity": card_parts.Sensitivity(
            mechanism.sensitivity,
            f"Δ = b − a = {plain(mechanism.sensitivity)}",
            "any two values between the bounds are made indistinguishable, row by row",
        ),
        "parameters": parameters(mechanism),
        "error": card_parts.Error(
            typical=meaning.typical_error,
            worst=meaning.worst_error,
            within_95=within,
            typical_meaning=wording.TYPICAL_OF_VALUES,
            worst_meaning=wording.WORST,
            within_95_meaning=wording.WITHIN_95,
        ),
        "written": _written(plan, mechanism) if plan.is_written else None,
        "rule": form.label if form is not None and not plan.is_written else None,
        "reading": wording.READ_NUMBERS.format(within=f"{number(within)} {unit}".rstrip()),
        "lattice": lattice_part(mechanism.lattice),
        **variance_facts(mechanism),
    }


def _origin(statement: Statement) -> str:
    return card_parts.FROM_DATA if statement.from_data else card_parts.STATED


def _unit(plan: ColumnPlan, statement: Statement) -> str:
    """That of a step, where values are numbers of steps."""
    return plan.format.unit if plan.is_written and plan.format is not None else statement.unit


def _missing(plan: ColumnPlan, *, sampled: bool) -> card_parts.Missing:
    means, reveals = wording.MISSING_IN_A_TABLE[plan.missing]
    if sampled and plan.missing == "keep":
        means, reveals = wording.MISSING_IN_A_SAMPLE
    elif plan.is_category and plan.missing == "fill":
        means = wording.FILLED_CATEGORY
    if plan.categories is not None:
        counts = wording.unlisted(plan.categories)
    else:
        counts = wording.NO_VALUE.get(plan.kind, wording.NO_NUMBER)
    return card_parts.Missing(plan.missing, means + counts, reveals)


def _listed(plan: ColumnPlan, statement: Statement) -> card_parts.Listed | None:
    given = plan.categories
    if given is None:
        return None
    numbers = [None] * len(given) if plan.is_category else given.scores
    each = (
        card_parts.Category(name, texts, place == given.other, number)
        for place, (name, texts, number) in enumerate(
            zip(given.names, given.members, numbers, strict=True)
        )
    )
    return card_parts.Listed(tuple(each), _origin(statement), statement.source)


def _response(mechanism: RandomizedResponse, *, filled: bool) -> card_parts.Response:
    return card_parts.Response(
        **weights(mechanism),
        probability_kept=mechanism.probability_kept,
        probability_other=mechanism.probability_other,
        meaning=wording.RESPONSE,
        share=wording.SHARE,
        share_meaning=wording.SHARE_MEANING + wording.SPREAD_EVENLY * filled,
        share_error=wording.SHARE_ERROR,
        share_error_meaning=wording.SHARE_ERROR_MEANING,
    )


def _written(plan: ColumnPlan, mechanism: CompositeMechanism) -> card_parts.InFormat | None:
    form = plan.format
    if form is None:
        return None
    inputs = (math.ceil(plan.inputs.lower), math.floor(plan.inputs.upper))
    return card_parts.InFormat(
        form.label,
        f"one {form.unit.removesuffix('s')}{wording.COUNTED_FROM[plan.kind]}",
        card_parts.TextEnds(*map(form.text, inputs)),
        card_parts.TextEnds(*map(form.text, mechanism.outputs)),
        as_data(form),
    )
