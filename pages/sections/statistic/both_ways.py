"""The same mean with noise on every value and with noise on the answer alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.numerics import not_above
from compdp_core.release import ReleasedColumn
from compdp_core.release.accuracy import Meaning
from compdp_core.release.statistic import Answer, Forecast, mechanism_for
from compdp_core.statistics import Mean
from compdp_core.statistics.query import Query
from compdp_core.tables import Table
from pages.sections.shared.declared import Declared
from pages.session.state import recall

if TYPE_CHECKING:
    from pages.sections.statistic.query import ReadyQuery


@dataclass(frozen=True)
class ComparedMean:
    """One of two means, and what is to be expected of it."""

    name: str
    released: bool
    """Whether it is that of a real release, else it is simulated."""
    mean: float
    error: float
    """Typical error."""
    budget: Fraction


@dataclass(frozen=True)
class BothWays:
    label: str
    exact: float
    rows: ComparedMean
    answer: ComparedMean


def row_release(table: Table, question: Query) -> ReleasedColumn | None:
    """The column as Privatize released it in this session, if it did.

    Of the same rows, read the same way, between the same bounds, with missing values filled:
    anything else is another mean.
    """
    kept = recall(f"release.{table.fingerprint}")
    same = kept is not None and kept.release.table.identity == table.identity
    if same and (kept.release.plan.person or kept.release.plan.answered):
        same = False  # Of rows that were drawn.
    columns = kept.release.columns if same else ()
    mark = table.format.decimal
    return next(
        (
            each
            for each in columns
            if each.plan.position == question.position
            and each.plan.categories is None
            and each.plan.inputs == question.bounds
            and each.plan.missing == "fill"
            and each.plan.format == question.format
            and each.plan.strip == question.strip
            and (each.plan.decimal or mark) == (question.decimal or mark)
        ),
        None,
    )


def mean_release(table: Table, question: Query, kept: list[Any]) -> Answer | None:
    """The last answer to this very question in this session, if there is one."""
    asked = (table.identity, question)
    found = [each for each in kept if each.ready.asked.fingerprint == asked]
    answer: Answer | None = found[-1].answers[None] if found else None
    return answer


def question_for(ready: ReadyQuery) -> Query:
    """The mean of all rows of the column, with missing values filled."""
    asked = ready.asked.inquiry
    return Query(
        Mean(),
        asked.position,
        asked.bounds,
        whole_numbers=asked.whole_numbers,
        unit=asked.unit,
        strip=asked.strip,
        decimal=asked.decimal,
        format=asked.format,
    )


def both_ways(
    ready: ReadyQuery, seed: int, rows: ReleasedColumn | None, mean: Answer | None
) -> BothWays:
    """The comparison; whatever was not released is simulated at the page's ε."""
    table, question = ready.asked.table, question_for(ready)
    plan, exact = question.plan(table), question.ask(table).value
    if rows is None:
        noisy, budget = CompositeMechanism(not_above(ready.epsilon), plan.range), ready.epsilon
        declared = Declared(question.strip, question.decimal, question.format)
        values = declared.read(table, question.position).values
        middle = noisy.inputs[0] + 0.5 * (noisy.inputs[1] - noisy.inputs[0])
        drawn = noisy.simulate(np.where(np.isnan(values), middle, values), seed=seed)
    else:
        noisy, budget = rows.composite, rows.plan.epsilon
        drawn = rows.values[~np.isnan(rows.values)]
    error = Meaning(noisy).error_of_mean(max(int(drawn.size), 1))
    row = ComparedMean("noise on every value", rows is not None, float(drawn.mean()), error, budget)
    answer = mechanism_for(plan, ready.epsilon) if mean is None else mean.mechanism
    alone = ComparedMean(
        "noise on the answer",
        mean is not None,
        float(answer.simulate(exact, seed=seed)) if mean is None else mean.value,
        Forecast(plan, answer).typical_error,
        ready.epsilon if mean is None else mean.epsilon,
    )
    return BothWays(table.columns[question.position].label, exact, row, alone)
