"""One figure in a sentence that can be repeated without knowing any statistics."""

from __future__ import annotations

from compdp_core.errors import CompdpError
from compdp_core.estimates.estimate import Estimate
from compdp_core.text import count
from pages.sections.read_release.naive import ReadFigure, ends_told
from pages.session import faults
from pages.text.values import ValueWords
from pages.text.wording import literal

_LIES = {
    "lower quartile": "A quarter {of} are at most the lower quartile, which lies between",
    "median": "Half {of} are at most the median, which lies between",
    "upper quartile": "Three quarters {of} are at most the upper quartile, which lies between",
}


def sentence(figure: ReadFigure, words: ValueWords, rows: int) -> str:
    """Between what the figure lies, of whom, and how often that is right; or why nothing can be
    said."""
    found = figure.found
    if isinstance(found, CompdpError):
        return f"{figure.name.capitalize()}: {literal(faults.sentence(str(found)))}"
    assert found is not None  # what is still worked out is no sentence
    ends = " and ".join(f"**{literal(end)}**" for end in ends_told(figure, words))
    of = _of(found, rows)
    if figure.measured == "share":
        what = f"Between {ends} {of} {literal(figure.of)}"
    elif figure.name in _LIES:
        what = f"{_LIES[figure.name].format(of=of)} {ends}"
    else:
        what = f"The {figure.name} {of} lies between {ends}"
    return f"{what}; {right(found.level)}."


def _of(found: Estimate, rows: int) -> str:
    """Of the rows with a value, or of the population."""
    if found.about == "population":
        return "of the true values in the population that the rows are drawn from"
    some = "" if found.n == rows else " that have one"
    return f"of the true values of these {count(found.n, 'row')}{some}"


def right(level: float) -> str:
    """How often such an interval is right.

    >>> right(0.95), right(0.995)
    ('95 of 100 intervals made so are right', '995 of 1,000 intervals made so are right')
    """
    of = 100 if round(100 * level, 9) % 1 == 0 else 1000
    return f"{round(of * level):,} of {of:,} intervals made so are right"
