"""The card of a released statistic, or of one answer for each of several groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from compdp_core.accounting import exact_text
from compdp_core.errors import ParameterError
from compdp_core.release.statistic import Answer, Forecast
from compdp_core.report import card_parts, caveats, wording
from compdp_core.report.card import Card
from compdp_core.report.proofs import parameters, proof, variance_facts
from compdp_core.report.version import NAME, version
from compdp_core.statistics import Count, Grouping
from compdp_core.statistics.query import Query
from compdp_core.tables import Table
from compdp_core.text import count

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
        privacy=_privacy(each, inquiry, table),
        rows=card_parts.Rows(
            public=public and inquiry.person is None,
            count=table.row_count if public and inquiry.person is None else None,
            at_most=None if public else inquiry.max_rows,
            meaning=_rows(inquiry),
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
            person=inquiry.person,
            per_person=inquiry.per_person,
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
    changed = inquiry.grouping.changed(inquiry.neighbours, inquiry.groups)
    return sum(largest[:changed], Fraction(0)), _charged(inquiry, inquiry.grouping, changed)


def _charged(inquiry: Query, grouping: Grouping, changed: int) -> str:
    """Why so many of the groups are charged."""
    one = "row" if inquiry.person is None else "person"
    groups = min(inquiry.groups, len(grouping.categories))
    if inquiry.person is None:
        said = "The groups share no row, "
        if changed == 1:
            return said + "so a row is charged for its own group only."
    else:
        said = f"A person is read in at most {count(groups, 'group')}, "
        if changed == groups:
            return said + "and charged for as many."
    if changed == 2 * groups:
        many = "one group and join another" if groups == 1 else "as many and join as many others"
        which = "two" if changed == 2 else str(changed)
        return f"{said}but a replaced {one} may leave {many}, so {which} groups are charged."
    return f"{said}and a replaced {one} may change the answer for any, so all are charged."


def _rows(inquiry: Query) -> str:
    """What is known of the number of rows and persons, and what was read of a person."""
    person = inquiry.person
    if person is None:
        return wording.ROWS_ARE_PUBLIC[inquiry.neighbours]
    grouped = inquiry.grouping is not None
    read = wording.read_of_a_person(person, inquiry.per_person, grouped=grouped)
    return f"{wording.PERSONS_ARE_PUBLIC[inquiry.neighbours]} {read}"


def _privacy(answers: tuple[Answer, ...], inquiry: Query, table: Table) -> card_parts.Privacy:
    whole, composition = whole_budget(answers, inquiry)
    person, notion, part = inquiry.person, inquiry.neighbours, None
    neighbours, means = notion.value, wording.ROWS_OF_A_STATISTIC[notion]
    if person is not None:
        neighbours += " person"
        means = f"{wording.PERSONS_OF_A_STATISTIC[notion]} {wording.same_person(person)}"
        part = card_parts.PersonPart(
            person.by,
            person.at_most,
            person.beyond,
            person.groups,
            inquiry.per_person,
            inquiry.persons(table),
        )
    return card_parts.Privacy(
        epsilon=exact_text(whole),
        delta=0,
        neighbours=neighbours,
        meaning=means + wording.GUARANTEE,
        composition=composition,
        person=part,
    )


def _item(answer: Answer, inquiry: Query, source: str) -> card_parts.Item:
    plan, mechanism = answer.plan, answer.mechanism
    forecast = Forecast(plan, mechanism)
    bounds = inquiry.bounds
    usual = wording.MISSING_IN_A_STATISTIC
    if inquiry.per_person != "rows" and not isinstance(inquiry.statistic, Count):
        usual = wording.MISSING_OF_A_PERSON
    means, reveals = usual[inquiry.missing]
    if isinstance(inquiry.statistic, Count) and inquiry.missing == "fill":
        means, reveals = wording.MISSING_IN_A_COUNT
        if inquiry.per_person != "rows":
            means = means.replace("rows", "persons")
    elif inquiry.kind == "text":
        means, reveals = wording.MISSING_TEXT
    item = card_parts.Item(
        name=plan.text,
        epsilon=exact_text(answer.epsilon),
        unit=plan.unit,
        answer=card_parts.Answered(
            answer.value,
            *answer.interval,
            answer.level,
            written=tuple(map(inquiry.written, (answer.value, *answer.interval)))
            if inquiry.written(answer.value)
            else None,
        ),
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
        kind="whole" if plan.whole else "number",
    )
    return replace(item, **variance_facts(mechanism))
