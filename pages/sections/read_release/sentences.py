"""One figure in a sentence that can be repeated without knowing any statistics."""

from __future__ import annotations

from compdp_core.errors import CompdpError
from compdp_core.estimates.estimate import Estimate
from compdp_core.text import count
from pages.sections.read_release.naive import ReadFigure, ends_told
from pages.session import faults
from pages.text.values import ValueWords
from pages.text.wording import literal


def sentence(figure: ReadFigure, words: ValueWords, rows: int) -> str:
    """Between what the figure lies, of whom, and how often that is right."""
    found = figure.found
    if isinstance(found, CompdpError):
        return f"{figure.name.capitalize()}: {literal(faults.sentence(str(found)))}"
    low, high = (literal(end) for end in ends_told(figure, found, words))
    return (
        f"The {figure.name} {of_whom(found, rows)} lies between **{low}** and **{high}**, and "
        f"{right(found.level)}."
    )


def of_whom(found: Estimate, rows: int) -> str:
    """The rows with a value, or the population."""
    if found.about == "population":
        return "in the population that the rows are drawn from"
    some = "" if found.n == rows else " that have a value"
    return f"of the true values of these {count(found.n, 'row')}{some}"


def right(level: float) -> str:
    """How often such an interval is right.

    >>> right(0.95), right(0.995)
    ('95 of 100 intervals made so are right', '995 of 1,000 intervals made so are right')
    """
    of = 100 if round(100 * level, 9) % 1 == 0 else 1000
    return f"{round(of * level):,} of {of:,} intervals made so are right"
