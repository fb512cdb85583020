"""Budget and repetition: noise averages away, budgets add up, and a limit refuses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from compdp_core.attacks import Averaging, average_repeats
from compdp_core.ledger import BudgetExceededError, Ledger, Spend, as_float, decimal_text, exact
from compdp_core.meaning import odds_factor
from pages.furniture import faults, links
from pages.furniture.chart import Chart
from pages.furniture.state import edits
from pages.furniture.theme import GAUSSIAN, OUTSIDE, RELEASED, TRUE, scatter, tint
from pages.furniture.wording import count, literal, number, quantity
from pages.learning.dial import dial
from pages.learning.lesson import Lesson, Option, Question
from pages.learning.noise import UNIT, composite

Array = NDArray[np.float64]

MOST = 40
"""Releases at most."""
ADA = 30.0
"""Ada's result (points)."""
EPSILONS = ("0.5", "1", "2")
NO_LIMIT = "none"
LIMITS = (NO_LIMIT, "2", "4", "8", "16")
ATTACKERS = 12
"""Simulations in the picture, with seeds from 1."""
ASKED, EACH = 16, "1"
"""Releases of the question, and the ε of each."""
TABLE = "Ada's test"

WISHED = dial("repetition_asked", "How often Ada's result is published", 1, MOST, 5)
BUDGET = links.choice("learn.repetition_epsilon", "repetition_epsilon", EPSILONS, "1")
LIMIT = links.choice("learn.repetition_limit", "repetition_limit", LIMITS, NO_LIMIT)


@dataclass(frozen=True)
class Books:
    """A ledger of invented releases: no release of the session is in it."""

    ledger: Ledger
    refusal: BudgetExceededError | None
    """Of the first release that did not fit; none after it was tried."""

    @property
    def published(self) -> int:
        return len(self.ledger.entries)

    @property
    def spent(self) -> Fraction:
        return self.ledger.total_by_dataset(TABLE)


def books(wished: int, epsilon: str, limit: str) -> Books:
    """Charge one release after the other, until all are out or one is refused."""
    ledger = Ledger(limit=None if limit == NO_LIMIT else limit)
    for place in range(1, wished + 1):
        spend = Spend(
            f"release {place}",
            "column",
            TABLE,
            ["result"],
            epsilon,
            when=datetime(2026, 1, 1, tzinfo=UTC),
            id=str(place),
        )
        try:
            ledger = ledger.charge(spend)
        except BudgetExceededError as refusal:
            return Books(ledger, refusal)
    return Books(ledger, None)


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=len(EPSILONS))
def averaging(epsilon: str) -> tuple[Averaging, ...]:
    """Attackers, each of whom sees more and more releases of Ada's result."""
    mechanism = composite(float(exact(epsilon)))
    return tuple(
        average_repeats(mechanism, ADA, most=MOST, seed=seed) for seed in range(1, ATTACKERS + 1)
    )


def _attempt() -> None:
    left, right = st.columns(2)
    with left:
        epsilon = st.segmented_control(
            "ε of each release",
            EPSILONS,
            required=True,
            **edits(BUDGET.name, BUDGET.default, allowed=EPSILONS),
        )
    with right:
        limit = st.segmented_control(
            "Limit for all releases together",
            LIMITS,
            required=True,
            **edits(LIMIT.name, LIMIT.default, allowed=LIMITS),
        )
    wished = int(WISHED.draw())
    kept = books(wished, epsilon, limit)
    seen = averaging(epsilon)
    _verdict(kept, seen[0].expected)
    _picture(kept, seen, wished, epsilon, limit).draw()


def _verdict(kept: Books, expected: Array) -> None:
    one = kept.published == 1
    what, cost = ("It", "It costs") if one else ("Their mean", "Together they cost")
    st.markdown(
        f"**{count(kept.published, 'release')}.** {what} is typically off by "
        f"**{quantity(float(expected[kept.published - 1]), UNIT)}**. {cost} **ε = "
        f"{decimal_text(kept.spent)}**: the odds between two results for Ada may have moved by a "
        f"factor of {number(odds_factor(kept.spent))}."
    )
    if kept.refusal is not None:
        st.error(
            f"**Release {kept.published + 1} is refused.** "
            f"{literal(faults.sentence(str(kept.refusal)))}",
            icon=":material/block:",
        )


def _picture(
    kept: Books, attackers: tuple[Averaging, ...], wished: int, epsilon: str, limit: str
) -> Chart:
    out, seen = kept.published, attackers[0]
    every = seen.repeats
    costs = [as_float(exact(epsilon) * int(n)) for n in every]
    data: list[dict[str, Any]] = [
        scatter(
            np.tile(every[:out], ATTACKERS), np.ravel([each.error[:out] for each in attackers]),
            f"{ATTACKERS} attackers, simulated", mode="markers",
            marker={**TRUE.marker(6), "symbol": "diamond-open"}, hoverinfo="skip",
        ),
        scatter(
            every[:out], seen.expected[:out], "typical error of the mean", mode="lines+markers",
            line={"color": OUTSIDE.colour, "width": 3},
            marker={"color": OUTSIDE.colour, "size": 4}, hovertemplate="%{y:.3g}",
        ),
        scatter(
            every[out - 1 :], seen.expected[out - 1 :], "with more releases", mode="lines",
            line={"color": OUTSIDE.colour, "width": 2, "dash": "dot"}, hoverinfo="skip",
        ),
        {
            "type": "bar", "x": every[:out], "y": costs[:out], "name": "ε spent so far",
            "marker": RELEASED.bar(), "yaxis": "y2", "hovertemplate": "%{y:.4g}",
        },
    ]  # fmt: skip
    if out < wished:
        data.append(
            {
                "type": "bar", "x": every[out:wished], "y": costs[out:wished], "name": "refused",
                "marker": OUTSIDE.bar(), "yaxis": "y2", "hovertemplate": "%{y:.4g}",
            }
        )  # fmt: skip
    highest = max(float(each.error.max()) for each in attackers)
    top = max(costs[wished - 1], costs[4])
    if limit != NO_LIMIT:
        most = as_float(exact(limit))
        top = max(top, most)
        data.append(
            scatter(
                [0, MOST + 1], [most, most], f"limit {limit}", mode="lines",
                line=GAUSSIAN.line(3), yaxis="y2", hoverinfo="skip",
            )
        )  # fmt: skip
    return Chart(
        "repetition",
        "The mean of all releases, and what they cost",
        "releases of the same result",
        f"error ({UNIT})",
        {
            "data": data,
            "layout": {
                "bargap": 0.25,
                "barmode": "overlay",
                "xaxis": {"range": [0, MOST + 1], "anchor": "y2"},
                "yaxis": {"domain": [0.45, 1], "range": [0, 1.1 * highest]},
                "yaxis2": {
                    "domain": [0, 0.36],
                    "range": [0, 1.15 * top],
                    "title": {"text": "ε spent"},
                },
                "shapes": _refused(out) if out < wished else [],
            },
        },
        f"After {count(out, 'release')} the mean is typically off by "
        f"{quantity(float(seen.expected[out - 1]), UNIT)}, and ε = {decimal_text(kept.spent)} is "
        f"spent. After {MOST} it would be {quantity(float(seen.expected[-1]), UNIT)} and ε = "
        f"{number(costs[-1])}.",
        lambda: pd.DataFrame(
            {
                "releases": every,
                f"typical error of the mean ({UNIT})": seen.expected,
                f"of {ATTACKERS} simulated attackers ({UNIT})": np.sqrt(
                    np.mean([each.error**2 for each in attackers], axis=0)
                ),
                "ε": costs,
            }
        ),
        height=520,
    )


def _refused(out: int) -> list[dict[str, Any]]:
    """A shade over all that the limit keeps from being published."""
    return [
        {
            "type": "rect", "xref": "x", "x0": out + 0.5, "x1": MOST + 1, "yref": "paper",
            "y0": 0, "y1": 1, "line": {"width": 0}, "fillcolor": tint(OUTSIDE.colour, 0.1),
        }
    ]  # fmt: skip


def _question() -> Question:
    seen = averaging(EACH)
    first, last = (float(seen[0].expected[place - 1]) for place in (1, ASKED))
    spent = decimal_text(books(ASKED, EACH, NO_LIMIT).spent)
    told = f"It falls from {number(first)} to {quantity(last, UNIT)}."
    times = number(first / last)
    return Question(
        f"Ada's result is published {ASKED} times, with new noise each time, at ε = {EACH} each. "
        "Whoever takes the mean of all: how far is that off, and what was spent?",
        (
            Option(
                f"As far as one release, for noise stays noise. Spent: ε = {spent}.",
                f"Noise that is right on average cancels in a mean. {told}",
            ),
            Option(
                f"{times} times less than one release. Spent: ε = {spent}.",
                f"{told} The error falls with the root of the number of releases, the budgets add "
                "up. A new release is a new spend; showing the old one again costs nothing.",
                right=True,
            ),
            Option(
                f"{times} times less than one release. Spent: ε = {EACH}, for each keeps its "
                "promise.",
                f"Each keeps its own, but whoever sees all of them learns more: budgets add up to "
                f"{spent}, and the odds may move by {number(odds_factor(exact(spent)))} times.",
            ),
            Option(
                f"{ASKED} times less than one release. Spent: ε = {spent}.",
                f"{told} That is the root of {ASKED}, which is {times}. The budgets do add up "
                "like that.",
            ),
        ),
    )


REPETITION = Lesson(
    key="repetition",
    title="Budget and repetition",
    text="""
Noise that is right on average has a weak side: publish the same result again and again, with new
noise each time, and the **mean** of all releases closes in on the truth.

Differential privacy counts this. The **budgets add up**: two releases at ε = 0.5 promise together
what one at ε = 1 does. So a careful owner keeps a **ledger** of all releases, with a limit, and
the release that would pass the limit is refused. Everything here is simulated.
""",
    task="Publish Ada's result more often, and watch what the attacker's mean does and what is "
    "spent. Then set a limit, and go on.",
    attempt=_attempt,
    question=_question,
    settings=(WISHED.setting, BUDGET, LIMIT),
    more=("budget", "See the ledger of this session and set its limit in Budget"),
)
