"""Where one released statistic would have told far more than a table with noise on every cell."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isinf

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.estimates.forecast.wished import Beside, beside_estimate
from compdp_core.estimates.summary.sentences import is_share
from pages.sections.read_release.column_figures import ReadFigure
from pages.sections.read_release.subject import OpenRelease
from pages.session.state import memo
from pages.text.values import points
from pages.text.wording import budget, literal, number

FAR = 1.5
"""So many times as exact is worth a sentence."""


def far_better_alone(opened: OpenRelease, place: int, figures: Sequence[ReadFigure]) -> None:
    """A sentence for the first figure of the rows that could have been released by itself, a mean
    or a share of answers, where that would have come much nearer at the same ε.
    """
    asked = (
        each
        for each in figures
        if each.request.method == ("share" if opened.columns[place].is_category else "mean")
        # Of a population both would be off by how much it varies as well.
        and each.request.option("about") == "rows"
    )
    figure = next((each for each in asked if each.estimate is not None), None)
    if figure is None:
        return
    beside: Beside | None = memo(
        f"received.alone.{place}",
        (opened, figure.request),
        lambda: _beside(opened, place, figure),
    )
    if beside is not None and beside.ratio >= FAR:
        st.caption(_told(opened, place, figure, beside))


def _beside(opened: OpenRelease, place: int, figure: ReadFigure) -> Beside | None:
    """None where the card does not tell."""
    assert figure.estimate is not None
    try:
        return beside_estimate(opened.estimates.received, opened.columns[place], figure.estimate)
    except CompdpError:
        return None


def _told(opened: OpenRelease, place: int, figure: ReadFigure, beside: Beside) -> str:
    item, words = opened.columns[place].item, opened.words[place].in_markdown()
    person = opened.estimates.received.card.privacy.person
    spent = Fraction(item.epsilon) * (1 if person is None else person.at_most)
    assert figure.row is not None
    amount = points if is_share(figure.row) else words.amount
    near = f"within ±\u00a0{amount(beside.statistic, 2)}, {number(beside.ratio, 2)} times as exact"
    if isinf(beside.ratio):
        near = "exact in 95 of 100 cases"
    return (
        f"Released by itself at the same {budget(spent)}, the {literal(figure.name)} would be "
        f"{near}: where it is all you need, ask whoever holds the data for that."
    )
