"""The numbers of a question with two answers, and what several questions cost together."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release.accuracy import best_guess, odds_factor
from compdp_core.survey.shares import released_share, share_half_width
from compdp_core.survey.templates import Template
from compdp_core.text import number, percent, rounded_up
from compdp_core.validation import of
from pages.sections.lesson_plan.figures import named, seen_from
from pages.text.wording import beyond_half


@dataclass(frozen=True, eq=False)
class ShareFigures:
    """Of a question with two answers, of which the first is a little embarrassing."""

    template: Template

    @property
    def response(self) -> RandomizedResponse:
        return of("template", self.template.question.mechanism, RandomizedResponse, "must be one")

    @property
    def share(self) -> float:
        """Of the first answer, in a class as one is expected."""
        return float(of("expected", self.template.expected, float, "must be a share"))

    @property
    def needed(self) -> int:
        return seen_from(self.template)

    @property
    def changed(self) -> str:
        """How often a phone sends the other answer."""
        return percent(self.response.probability_other, 2)

    @property
    def _sent(self) -> float:
        return released_share(self.template.question, self.share)

    @property
    def sent(self) -> str:
        """Share of the first answer among those that arrive."""
        return percent(self._sent, 2)

    @property
    def meant(self) -> str:
        """How many of those that arrive as the first answer are meant so."""
        return percent(self.share * self.response.probability_kept / self._sent, 2)

    def reach(self, answers: int) -> float:
        """Half of the interval of the share, as it is to be expected."""
        return share_half_width(self.template.question, self.share, answers)


# Of public settings alone: no data reaches these.
@cache
def share_figures(key: str) -> ShareFigures:
    return ShareFigures(named(key))


@dataclass(frozen=True)
class Spent:
    """What questions cost the one who answers them all."""

    total: float

    @property
    def epsilon(self) -> str:
        return number(self.total)

    @property
    def odds(self) -> str:
        """By how much they move the odds of two possibilities at most."""
        return rounded_up(odds_factor(self.total), 3)

    @property
    def guess(self) -> str:
        """How often a guess between two equally likely ones is right at most."""
        return beyond_half(best_guess(self.total))


def spent(*keys: str) -> Spent:
    """For an answer to each of these templates."""
    return Spent(float(sum(named(key).question.epsilon for key in keys)))
