"""What the answers to a question tell, worked out once for each number of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from compdp_core.estimates.estimates import Estimates
from compdp_core.report.card_reading import CardError
from compdp_core.survey.answers import LABEL, SurveyAnswers
from compdp_core.survey.means import FEWEST, running_mean
from compdp_core.survey.question import Question
from compdp_core.validation import Array
from pages.rooms.room import RoomQuestion
from pages.sections.classroom import result_words as words
from pages.sections.classroom.answers_chart import answers_chart
from pages.sections.classroom.distribution_chart import distribution_chart
from pages.sections.classroom.large_chart import LargeChart
from pages.sections.classroom.mean_chart import mean_chart
from pages.sections.classroom.shares_chart import shares_of, wall_shares_chart


@dataclass(frozen=True)
class Told:
    """What some answers tell."""

    figures: words.WallFigures
    charts: tuple[LargeChart, ...]
    remark: tuple[str, ...]
    """Lines beside the charts, in place of a further one; literally. May be empty."""


def told_by(asked: RoomQuestion, shown: Sequence[float]) -> Told:
    """Those of the first answers, which never change: their number says which they are."""
    question, values = asked.question, np.asarray(shown)
    work = _of_list if question.categories else _of_numbers
    return asked.memo("told", len(shown), lambda: work(question, values, release_of(asked, shown)))


def release_of(asked: RoomQuestion, shown: Sequence[float]) -> SurveyAnswers:
    """The same answers as a release: the same object, so that its number and time stay."""
    return asked.memo("answers", len(shown), lambda: SurveyAnswers(asked.question, shown))


def _of_numbers(question: Question, values: Array, release: SurveyAnswers) -> Told:
    found = running_mean(question, values)
    figures = words.figures_of_mean(question, found)
    charts = (mean_chart(question, found), answers_chart(question, values))
    estimates = _estimates(release)
    if estimates is None:
        return Told(figures, charts, words.MADE_UP)
    if len(values) < words.FEWEST_FOR_A_PICTURE:
        return Told(figures, charts, words.not_told(len(values)))
    spread = estimates.distribution(LABEL)
    if not spread.told:
        return Told(figures, charts, words.not_told(len(values)))
    return Told(figures, (*charts, distribution_chart(question, spread)), ())


def _of_list(question: Question, values: Array, release: SurveyAnswers) -> Told:
    rows = shares_of(question, values)
    first = rows[0]
    figures = words.figures_of_share(first.name, first.estimate)
    if len(values) < FEWEST:
        return Told(figures, (), (words.FROM_THREE,))
    remark = words.in_two_ways(first.seen, figures, [row.estimate for row in rows])
    if _estimates(release) is None:
        remark = words.MADE_UP
    return Told(figures, (wall_shares_chart(rows),), remark)


def _estimates(release: SurveyAnswers) -> Estimates | None:
    """From file and card alone, as for whoever opens them; None where these refuse the answers as
    none that the noise makes.
    """
    try:
        return release.estimates
    except CardError:
        return None
