"""Figures and sentences of the wall."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compdp_core.estimates.estimate import Estimate
from compdp_core.estimates.likelihood.distribution import FEWEST as ENOUGH
from compdp_core.survey.clamped import MOST, ClampedMean
from compdp_core.survey.means import FEWEST, LEVEL, RunningMean
from compdp_core.survey.question import Question
from compdp_core.survey.wording import told_of_mean, told_of_share
from compdp_core.text import alike
from pages.text.wording import count, percent, quantity

NONE = "–"
FEWEST_FOR_A_PICTURE = ENOUGH
BEYOND = "A share below 0 % or above 100 % is chance: it occurs where few have answered."
MADE_UP = (
    "So many devices hardly make answers like these by their noise: somebody may have sent some "
    "that are made up.",
    "Read a release refuses their file and card for that reason.",
)
FROM_THREE = f"The picture begins with {FEWEST} answers."
TITLE = "Estimated true answers"
"""Of their distribution."""


@dataclass(frozen=True)
class WallFigures:
    """What is largest on the wall."""

    label: str
    """What the answers tell together."""
    value: str
    interval: str
    told: str
    """The same in a sentence."""
    of: str = ""
    """The answer whose share it is."""


def figures_of_mean(question: Question, found: RunningMean) -> WallFigures:
    n, (mean, low, high) = len(found.value), found.now
    value = interval = NONE
    if n >= FEWEST:
        said, least, most = alike(0.5 * (high - low), mean, low, high)
        value, interval = f"{said} {question.unit}".rstrip(), f"{least} … {most}"
    return WallFigures("Mean", value, interval, told_of_mean(question, n, mean, low, high))


def figures_of_share(name: str, found: Estimate) -> WallFigures:
    ends = 100.0 * found.value, 100.0 * found.low, 100.0 * found.high
    said, least, most = alike(0.5 * (ends[2] - ends[1]), *ends)
    value, interval = f"{said} %", f"{least} … {most} %"
    if found.n < FEWEST:
        value = interval = NONE
    return WallFigures(f"Share of “{name}”", value, interval, told_of_share(name, found), name)


INTERVAL = f"Interval, {percent(LEVEL)}"


def frozen(shown: int, arrived: int) -> str:
    """Where the wall stands still, and what it does not show.

    >>> frozen(23, 4), frozen(1, 0)
    ('Frozen at 23 answers; 4 more have arrived since.', 'Frozen at 1 answer; none has arrived \
since.')
    """
    if arrived == 0:
        return f"Frozen at {count(shown, 'answer')}; none has arrived since."
    have = "has" if arrived == 1 else "have"
    return f"Frozen at {count(shown, 'answer')}; {arrived} more {have} arrived since."


def not_told(n: int) -> tuple[str, ...]:
    """Why there is no distribution yet."""
    if n < FEWEST_FOR_A_PICTURE:
        why = f"It takes {FEWEST_FOR_A_PICTURE} answers at least ({n} so far)."
    else:
        why = f"{count(n, 'answer')} at this ε are too few for it: it takes more, or a larger ε."
    return ("How the true answers are distributed cannot be told yet.", why)


def in_two_ways(
    seen: float, figures: WallFigures, estimates: Iterable[Estimate]
) -> tuple[str, ...]:
    """The raw share, which is wrong on average, and the one that is right."""
    lines = (
        f"Counted as it arrived: {percent(seen, 2)} “{figures.of}”",
        f"Corrected for the noise: {figures.value} ({figures.interval})",
    )
    beyond = any(not 0.0 <= each.value <= 1.0 for each in estimates)
    return (*lines, BEYOND) if beyond else lines


def of_clamped(question: Question, found: ClampedMean, until: int | None) -> str:
    """What clamping does to the mean, and when one sees it."""
    if until is None:
        seen = count(MOST, "answer")
        return f"Here clamped noise is right on average, too, as far as {seen} would show."
    side = "low" if found.bias < 0 else "high"
    off = quantity(abs(found.bias), question.unit)
    return (
        f"Clamped noise is {off} too {side} on average however many answer; every second class "
        f"sees that from about {count(until, 'answer')} on, the interval then excludes it."
    )
