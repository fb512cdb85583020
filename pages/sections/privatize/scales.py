"""A scale by what its receiver needs: means of numbers, or shares of the answers."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Literal

import numpy as np
import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.numerics import not_above
from compdp_core.release.accuracy import Meaning
from compdp_core.tables import Table
from compdp_core.tables.categories import Categories
from pages.inputs.options import radio
from pages.sections.privatize.answers import categories_of
from pages.sections.shared.setup import setting
from pages.session import faults
from pages.session.state import memo
from pages.text.values import points
from pages.text.wording import budget, count, number

Need = Literal["means", "shares"]
NEEDS: dict[Need, str] = {
    "means": "Means: numbers are released, right on average",
    "shares": "Shares: the answers themselves are released",
}
MOST_SHOWN = 200
HOPELESS = 0.5


def ask_need(table: Table, position: int, called: str, epsilon: Fraction) -> Need:
    """Ask, with the errors of both for this list, this many rows and this ε of a cell."""
    named = partial(setting, table.fingerprint, position)
    need: Need = radio(f"What the receiver needs, {called}", NEEDS, named("need"), "means")
    scale = faults.attempted(lambda: categories_of(table, position, others=False, blanks=False))
    if not isinstance(scale, Categories) or len(scale) > MOST_SHOWN:
        return need
    errors = memo(
        named("scale.errors"),
        (scale, epsilon, table.row_count),
        lambda: scale_errors(scale, epsilon, table.row_count),
    )
    if errors is not None:
        mean, share, mean_of_shares = errors
        better = "smaller" if mean <= mean_of_shares else "larger"
        st.caption(
            f"At {budget(epsilon)} for this column, of {count(table.row_count, 'row')}: released "
            f"as numbers, their mean is typically off by {number(mean)}. Released as answers, the "
            f"share of one answer is off by {off_by(share)}, and a mean worked out of the shares "
            f"by {number(mean_of_shares)}. So for means the numbers have the {better} error; "
            "shares come out of the answers alone."
        )
    return need


def scale_errors(
    scale: Categories, epsilon: Fraction, rows: int
) -> tuple[float, float, float] | None:
    """Standard errors: of the mean of released numbers; of a share of released answers, and of a
    mean worked out of the shares, both where every answer is as frequent: of the noise alone. None
    where ε is no ε.

    >>> [round(each, 3) for each in scale_errors(Categories.of(list("abcde")), Fraction(1), 2000)]
    [0.095, 0.034, 0.12]
    """
    scores = np.array(scale.scores)
    try:
        own = CompositeMechanism(not_above(epsilon), (scores.min(), scores.max()), spacing=1)
        answers = RandomizedResponse(not_above(epsilon), len(scale))
    except CompdpError:
        return None
    return (
        Meaning(own).error_of_mean(rows),
        answers.typical_error / math.sqrt(rows),
        float(scores.std()) * math.sqrt((answers.noise_factor**2 - 1.0) / rows),
    )


def off_by(error: float) -> str:
    """An error of a share: one that leaves it open altogether is no number of points."""
    return points(error) if error < HOPELESS else "more than half of all"
