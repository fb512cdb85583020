"""The answers to a question as a release: file, card, and what they tell together."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.estimates.estimates import Estimates
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release.plan import Plan
from compdp_core.release.released import CertifiedColumn, Released
from compdp_core.report import caveats
from compdp_core.report.card import Card
from compdp_core.report.statement import Statement
from compdp_core.report.table_card import card_of_table
from compdp_core.survey.question import Question
from compdp_core.tables import read
from compdp_core.text import count
from compdp_core.validation import Array, floats

LABEL = "answer"
"""Of the one column of the file."""
MOST_ANSWERS = 1000

STATED = "stated by whoever asks, before anybody answered"


@dataclass(frozen=True, eq=False, repr=False)
class _Survey(Released):
    answers: int

    @property
    def row_count(self) -> int:
        return self.answers


@dataclass(frozen=True, eq=False)
class SurveyAnswers:
    r"""What arrived for one question: public, as it was drawn on the devices.

    ``values``: as :meth:`Question.read` gives them. ``questions``: how many questions the same
    people were asked, of which this is one.

    >>> from compdp_core.release import ColumnPlan
    >>> asked = Question("Marks?", ColumnPlan(inputs=(0, 20), epsilon=4))
    >>> some = SurveyAnswers(asked, [12.25, -1.5, 20.125])
    >>> some.csv()
    b'answer\r\n-1.500\r\n12.250\r\n20.125\r\n'
    >>> round(some.estimates.mean("answer").value, 3)
    10.292
    """

    question: Question
    values: Sequence[float]
    questions: int = 1
    identifier: str = field(default_factory=lambda: uuid.uuid4().hex)
    when: datetime = field(default_factory=lambda: datetime.now(UTC).replace(microsecond=0))

    def __post_init__(self) -> None:
        given = floats("values", self.values)
        if not 1 <= given.size <= MOST_ANSWERS:
            what = f"must be 1 to {MOST_ANSWERS:,} answers"
            raise ParameterError("values", count(given.size, "answer"), what)
        low, high = self._ends
        if not ((given >= low) & (given <= high)).all():
            raise ParameterError("values", "others", "must be answers as Question.read gives them")
        # In their order they came, which may tell whose they are: in order of size they do not.
        object.__setattr__(self, "values", np.sort(given.reshape(-1)))

    @property
    def _ends(self) -> tuple[float, float]:
        """Between which answers lie."""
        mechanism = self.question.mechanism
        if isinstance(mechanism, RandomizedResponse):
            return 0.0, mechanism.categories - 1.0
        return mechanism.outputs

    @property
    def array(self) -> Array:
        """The values in order of size."""
        return np.asarray(self.values)

    def csv(self) -> bytes:
        """The answers as a file of one column, in order of size."""
        lines = [LABEL, *map(_quoted, self._cells())]
        return "".join(f"{line}\r\n" for line in lines).encode()

    def _cells(self) -> list[str]:
        if names := self.question.categories:
            return [names[int(place)] for place in self.values]
        decimals = max(0, -self.question.lattice.exponent)
        return [f"{value:.{decimals}f}" for value in self.values]

    @property
    def card(self) -> dict[str, Any]:
        """The privacy card, as plain values for JSON."""
        return self.made_card.as_dict()

    def card_html(self) -> str:
        """The card as a page that needs nothing else."""
        return self.made_card.to_html()

    @cached_property
    def made_card(self) -> Card:
        """The card of the release."""
        column = CertifiedColumn(self.question.plan, LABEL, self.question.mechanism)
        survey = _Survey(
            read(self.csv(), name="answers.csv"),
            Plan((self.question.plan,)),
            (column,),
            self.identifier,
            self.when,
            answers=len(self.values),
        )
        said = Statement(source=STATED, unit=self.question.unit)
        card = card_of_table(survey, {0: said}, title=self.question.text)
        machine = len(card.not_covered) - 1
        more = (caveats.OTHER_QUESTIONS,) if self.questions > 1 else ()
        return replace(card, not_covered=(*card.not_covered[:machine], *more, caveats.DEVICES))

    @cached_property
    def estimates(self) -> Estimates:
        """What the answers tell together, from file and card alone."""
        return Estimates(self.csv(), self.card)


def _quoted(cell: str) -> str:
    """In quotes where what separates cells in any file would be taken for a separator."""
    return '"{}"'.format(cell.replace('"', '""')) if set(cell) & set(',;|\t"') else cell
