"""Who recovers what best, and by how much: in sentences and as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from compdp_core.estimates.recovery import FIGURES, Recovered, Recovery
from compdp_core.mechanisms.baselines import BASELINES
from pages.charts.error_table import with_error
from pages.sections.compare_mechanisms import settings as to
from pages.text.values import points
from pages.text.wording import enumeration, literal, number, quantity

TWO = 2.0
"""Standard errors within which two errors are level."""


def reference(found: Recovery, names: Mapping[str, str]) -> str:
    """The mechanism that others are measured by: the first composite one, or else the first."""
    listed = [each.mechanism for each in found.of("mean")]
    composite = [name for name in names if names[name] not in BASELINES]
    return next(name for name in (*composite, *names) if name in listed)


def figure_name(figure: str, found: Recovery) -> str:
    """With its limit."""
    return f"share above {number(found.limit)}" if figure == "share" else FIGURES[figure]


def error_text(figure: str, error: float) -> str:
    """In its unit: a share in points of a hundred."""
    return points(error) if figure == "share" else quantity(error, to.UNIT)


def ratio(one: Recovered, other: Recovered) -> tuple[float, float]:
    """How many times the other's error, with its standard error."""
    times = one.error / other.error if other.error > 0.0 else math.nan
    relative = math.hypot(
        *(each.error_se / each.error if each.error > 0.0 else 0.0 for each in (one, other))
    )
    return times, times * relative


def winners(found: Recovery, names: Mapping[str, str]) -> str:
    """A line for each figure: who is closest, and how far behind the one of reference is."""
    ours = reference(found, names)
    return "\n".join(f"- {_line(figure, found, ours)}" for figure in FIGURES)


def _line(figure: str, found: Recovery, ours: str) -> str:
    ranked = found.of(figure)
    head = f"**{figure_name(figure, found).capitalize()}**:"
    if not ranked:
        return f"{head} none of these tells it."
    best = ranked[0]
    level = [each for each in ranked[1:] if _level(each, best)]
    first = (
        f"{head} **{literal(best.mechanism)}** is closest, off by {error_text(figure, best.error)}"
    )
    if level:
        first += f", level with {literal(enumeration([each.mechanism for each in level]))}"
    own = next((each for each in ranked if each.mechanism == ours), None)
    behind = ranked[-1]
    if own is None:
        return f"{first}; {literal(ours)} does not tell it."
    if own is not best and own not in level:
        return f"{first}; {literal(ours)} by {number(ratio(own, best)[0])} times that."
    if behind is not own and behind not in level and behind is not best:
        return (
            f"{first}; {literal(behind.mechanism)} by {number(ratio(behind, best)[0])} times that."
        )
    return f"{first}."


def _level(one: Recovered, best: Recovered) -> bool:
    return one.error - best.error <= TWO * math.hypot(one.error_se, best.error_se)


def errors_in_words(found: Recovery) -> pd.DataFrame:
    """Each figure of each mechanism with its estimator, and what a naive reading is off by."""
    return pd.DataFrame(
        [
            {
                "what": figure_name(each.figure, found),
                "mechanism": each.mechanism,
                "error": _told(each.figure, each.error, each.error_se),
                "bias": _told(each.figure, each.bias, each.bias_se),
                "read by": each.estimator,
                "error if read as it stands": _told(each.figure, each.naive, each.naive_se),
            }
            for figure in FIGURES
            for each in found.found
            if each.figure == figure
        ]
    )


def _told(figure: str, value: float, error: float) -> str:
    if math.isnan(value):
        return "–"
    if figure == "share":
        return with_error(value, error, as_share=True).replace(" %", " percentage points")
    return f"{with_error(value, error)} {to.UNIT}"
