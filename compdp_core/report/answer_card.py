"""The card of a released statistic, or of one answer for each of several groups."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from compdp_core.accounting import exact_text
from compdp_core.errors import ParameterError
from compdp_core.release.statistic import Answer, Forecast
from compdp_core.report import card_parts, caveats, wording
from compdp_core.report.card import Card
from compdp_core.report.proofs import parameters, proof
from compdp_core.report.version import NAME, version
from compdp_core.statistics import Count
from compdp_core.statistics.query import Query
from compdp_core.tables import Table

Answers = Answer | Mapping[str, Answer]
"""One answer, or one for each category of a grouping."""


def card_of_answer(
    answers: Answers,
    inquiry: Query,
    table: Table,
    source: str = "",
    *,
    title: str = "",
) -> Card:
    """The card of what an inquiry released. Of the table only labels and public counts are read.

    ``source``: where the bounds come from, in the owner's words.

    Raises :class:`ParameterError` where the answers are not those of the inquiry's grouping.
    """
    each = grouped(answers, inquiry)
    first = each[0]
    public = inquiry.neighbours.n_is_public
    return Card(
        kind="statistic",
        title=title,
        identifier=first.identifier,
        released_at=first.when.isoformat(),
        made_with=f"{NAME} {version()}",
        privacy=_privacy(each, inquiry),
        rows=card_parts.Rows(
            public=public,
            count=table.row_count if public else None,
            at_most=None if public else inquiry.max_rows,
            meaning=(
                "Neighbouring tables have equally many rows, so their number is public."
                if public
                else "Neighbouring tables differ by a row, so how many there are is protected."
            ),
            alignment=caveats.choices(
                table.format, tuple(column.label for column in table.columns), file=False
            ),
        ),
        items=tuple(_item(answer, inquiry, source) for answer in each),
        unchanged_columns=(),
        not_covered=caveats.of_a_statistic(
            n_is_public=public,
            bounded=inquiry.bounds is not None,
            all_listed=inquiry.grouping is not None and inquiry.grouping.unlisted == "refuse",
        ),
    )


def grouped(answers: Answers, inquiry: Query) -> tuple[Answer, ...]:
    """The answers in the order of the grouping's categories; a single one without a grouping."""
    if inquiry.grouping is None:
        if not isinstance(answers, Answer):
            raise ParameterError("answers", type(answers), "must be one answer without a grouping")
        return (answers,)
    categories = inquiry.grouping.categories
    if isinstance(answers, Answer) or set(answers) != set(categories):
        raise ParameterError("answers", type(answers), "must hold one answer for each category")
    return tuple(answers[category] for category in categories)


def whole_budget(answers: tuple[Answer, ...], inquiry: Query) -> tuple[Fraction, str]:
    """What all answers cost together, and why."""
    largest = sorted((answer.epsilon for answer in answers), reverse=True)
    if inquiry.grouping is None:
        return largest[0], "One answer was released, with the whole budget."
    if not inquiry.neighbours.n_is_public or len(largest) == 1:
        return largest[0], "The groups share no row, so a row is charged for its own group only."
    return largest[0] + largest[1], (
        "The groups share no row, but a replaced row may leave one group and join another, so two "
        "groups are charged."
    )


def _privacy(answers: tuple[Answer, ...], inquiry: Query) -> card_parts.Privacy:
    whole, composition = whole_budget(answers, inquiry)
    return card_parts.Privacy(
        epsilon=exact_text(whole),
        delta=0,
        neighbours=inquiry.neighbours.value,
        meaning=wording.ROWS_OF_A_STATISTIC[inquiry.neighbours] + wording.GUARANTEE,
        composition=composition,
    )


def _item(answer: Answer, inquiry: Query, source: str) -> card_parts.Item:
    plan, mechanism = answer.plan, answer.mechanism
    forecast = Forecast(plan, mechanism)
    bounds = inquiry.bounds
    means, reveals = wording.MISSING_IN_A_STATISTIC[inquiry.missing]
    if isinstance(inquiry.statistic, Count) and inquiry.missing == "fill":
        means, reveals = wording.MISSING_IN_A_COUNT
    elif inquiry.kind == "text":
        means, reveals = wording.MISSING_TEXT
    return card_parts.Item(
        name=plan.text,
        epsilon=exact_text(answer.epsilon),
        unit=plan.unit,
        answer=card_parts.Answered(answer.value, *answer.interval, answer.level),
        bounds=None
        if bounds is None
        else card_parts.Bounds(*bounds.as_tuple(), inquiry.unit, card_parts.STATED, source),
        inputs=card_parts.Ends(*plan.range.as_tuple()),
        outputs=card_parts.Ends(*mechanism.outputs),
        outputs_are="derived from the inputs",
        whole=plan.whole,
        sensitivity=card_parts.Sensitivity(mechanism.sensitivity, plan.formula, plan.reason),
        parameters=parameters(mechanism),
        certificate=proof(mechanism),
        error=card_parts.Error(
            typical=forecast.typical_error,
            worst=forecast.worst_error,
            within_95=forecast.half_width,
            typical_meaning=wording.TYPICAL_OF_AN_ANSWER,
            worst_meaning=wording.WORST,
            within_95_meaning=wording.WITHIN_95,
        ),
        missing=card_parts.Missing(inquiry.missing, means, reveals),
    )
