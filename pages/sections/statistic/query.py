"""A question that is complete, and what it takes to answer it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from compdp_core.accounting import Spend
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release.statistic import Answer, Forecast
from compdp_core.statistics import ExactAnswer, QueryPlan
from compdp_core.statistics.query import Query
from compdp_core.tables import Table
from pages.sections.statistic.words import AnswerWords
from pages.session.state import recall
from pages.text.wording import literal


@dataclass(frozen=True)
class Asked:
    inquiry: Query
    table: Table
    plan: QueryPlan
    """Range and sensitivity of the answer, or of each group's."""
    source: str = ""
    """Where the bounds come from, in the owner's public words."""

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Changes whenever the question does."""
        return (self.table.identity, self.inquiry)

    @property
    def unit(self) -> str:
        return literal(self.plan.unit)

    @property
    def words(self) -> AnswerWords:
        """How the answer and its errors are said."""
        return AnswerWords.of_answers(self.inquiry, self.plan.unit)

    @property
    def one(self) -> str:
        """Whose change the answer is to hide."""
        return "row" if self.inquiry.person is None else "person"

    @property
    def most_rows(self) -> int:
        return 1 if self.inquiry.person is None else self.inquiry.person.at_most

    @property
    def several(self) -> bool:
        """Whether one person may have several rows."""
        return self.most_rows > 1

    @property
    def question(self) -> str:
        """The question in words, without the name of a group."""
        return self.inquiry.plan(self.table).text

    @property
    def categories(self) -> tuple[str | None, ...]:
        """One for each answer; a single None without groups."""
        grouping = self.inquiry.grouping
        return (None,) if grouping is None else grouping.categories


@dataclass(frozen=True)
class ReadyQuery:
    asked: Asked
    epsilon: Fraction
    """Of the answer, or of each group's."""
    pair: str | None
    steps: int | None
    mechanism: CompositeMechanism

    @property
    def forecast(self) -> Forecast:
        return Forecast(self.asked.plan, self.mechanism)

    @property
    def cost(self) -> Fraction:
        return self.asked.inquiry.cost(self.epsilon)

    def spends(self, ids: dict[str | None, str] | None = None) -> tuple[Spend, ...]:
        """What the ledger is charged: one entry an answer."""
        return self.asked.inquiry.spends(self.asked.table, self.epsilon, ids)


@dataclass(frozen=True, eq=False)
class KeptAnswers:
    """A released statistic as the session remembers it. Nothing of it changes any more."""

    answers: dict[str | None, Answer]
    """One for each group; under None where there are no groups."""
    exact: dict[str | None, ExactAnswer]
    """The true ones, of the very rows that were drawn for this release. Private."""
    ready: ReadyQuery
    number: int
    """First, second, … statistic of this table in this session."""


def remembered(table: Table) -> list[KeptAnswers]:
    answers: list[KeptAnswers] = recall(f"answers.{table.fingerprint}", [])
    return answers
