"""Where one released statistic would have told far more than a table with noise on every cell."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isinf, isnan
from typing import Literal

import streamlit as st

from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError
from compdp_core.estimates.forecast.wished import Beside, alone
from compdp_core.estimates.summary.sentences import is_share
from compdp_core.release.column_plan import ColumnPlan
from pages.sections.read_release.column_figures import ReadFigure
from pages.sections.read_release.subject import OpenRelease
from pages.session.state import memo
from pages.text.values import points
from pages.text.wording import budget, literal, number

FAR = 1.5
"""So many times as exact is worth a sentence."""
_Z = 1.96
"""Standard errors to either side of what is right in 95 of 100 cases."""


def far_better_alone(opened: OpenRelease, place: int, figures: Sequence[ReadFigure]) -> None:
    """A sentence for the first figure that could have been released by itself, a mean or a share,
    where that would have come much nearer at the same ε.
    """
    asked = (each for each in figures if each.request.method in ("mean", "share"))
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
    """Half the width of the interval at 95 % either way; None where the card does not tell."""
    received, item, found = opened.estimates.received, opened.columns[place].item, figure.estimate
    assert found is not None
    person, persons, part = None, None, received.card.privacy.person
    if part is not None:
        whose = received.sampling.persons
        if whose is None and part.at_most > 1:
            return None
        person = Person(part.by, part.at_most, part.beyond, part.groups)
        persons = received.rows if whose is None else int(whose.max()) + 1
    bounds = (0, 1) if opened.columns[place].is_category else opened.bounds(place)
    try:
        plan = ColumnPlan(inputs=bounds, epsilon=Fraction(item.epsilon))
        wish: Literal["mean", "share"] = "share" if figure.request.method == "share" else "mean"
        released = alone(plan, wish, received.rows, person=person, persons=persons)
    except CompdpError:
        return None
    size = received.rows if wish == "share" else 1
    return Beside(_Z * found.standard_error, released.half_width / size)


def _told(opened: OpenRelease, place: int, figure: ReadFigure, beside: Beside) -> str:
    item, words = opened.columns[place].item, opened.words[place].in_markdown()
    assert figure.row is not None
    amount = points if is_share(figure.row) else words.amount
    near = f"within ±\u00a0{amount(beside.statistic, 2)}, {number(beside.ratio, 2)} times as exact"
    if isinf(beside.ratio) or isnan(beside.ratio):
        near = "exact in 95 of 100 cases"
    return (
        f"Released by itself at the same {budget(Fraction(item.epsilon))}, the "
        f"{literal(figure.name)} would be {near}: where it is all you need, ask whoever holds the "
        "data for that."
    )
