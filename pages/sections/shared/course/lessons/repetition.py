"""Budget and repetition: noise averages away, budgets add up, and a limit refuses."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from compdp_core.accounting import decimal_text, exact
from compdp_core.release.accuracy import odds_factor
from pages.sections.shared.course.controls import choice, dial
from pages.sections.shared.course.examples.noise import UNIT
from pages.sections.shared.course.examples.repeats import (
    EPSILONS,
    LIMITS,
    MOST,
    NO_LIMIT,
    InventedLedger,
    averaging,
    books,
)
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.repetition import means_and_budget
from pages.session import faults
from pages.text.wording import count, literal, number, quantity

ASKED, EACH = 16, "1"
"""Releases of the question, and the ε of each."""

WISHED = dial("repetition_asked", "How often Ada's result is published", 1, MOST, 5)
BUDGET = choice("repetition_epsilon", "ε of each release", EPSILONS, "1")
LIMIT = choice("repetition_limit", "Limit for all releases together", LIMITS, NO_LIMIT)


def _attempt() -> None:
    left, right = st.columns(2)
    epsilon, limit = BUDGET.draw(left), LIMIT.draw(right)
    wished = int(WISHED.draw())
    _verdict(books(wished, epsilon, limit), averaging(epsilon)[0].expected)
    means_and_budget(wished, epsilon, limit).draw()


def _verdict(kept: InventedLedger, expected: NDArray[np.float64]) -> None:
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


def _question() -> LessonQuestion:
    seen = averaging(EACH)
    first, last = (float(seen[0].expected[place - 1]) for place in (1, ASKED))
    spent = decimal_text(books(ASKED, EACH, NO_LIMIT).spent)
    told = f"It falls from {number(first)} to {quantity(last, UNIT)}."
    times = number(first / last)
    return LessonQuestion(
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
                f"{told} That is by the root of {ASKED}, which is {times}. The budgets do add up "
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
    settings=(WISHED.setting, BUDGET.setting, LIMIT.setting),
    more=("budget", "See the ledger of this session and set its limit in Budget"),
)
