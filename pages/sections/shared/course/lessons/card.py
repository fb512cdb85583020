"""Reading a privacy card: what is proved, between which bounds, for whom, and what is not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import streamlit as st

from compdp_core.release.accuracy import best_guess
from compdp_core.report import Card
from compdp_core.text import rounded_up
from pages.sections.shared.course.controls import choice
from pages.sections.shared.course.examples.noise import EPSILONS, INPUTS, UNIT
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.sheet import card, sheet
from pages.text.wording import span

ASKED = "1"
"""ε of the question."""
PARTS = {
    "summary": "First lines",
    "protected": "Protected",
    "open": "Not protected",
    "items": "The column",
    "whole": "The whole card",
}
_SHOWN = {"summary": ("summary", "released"), "whole": ()}

BUDGET = choice("card_epsilon", "ε of the release", EPSILONS, "1")
PART = choice("card_part", "Part of the card", PARTS, "summary")


def _attempt() -> None:
    epsilon, part = BUDGET.draw(), PART.draw()
    made = card(epsilon)
    sheet(
        "lesson-card",
        made.to_html(*_SHOWN.get(part, (part,))),
        f"Privacy card of an invented release: {PARTS[part]}",
    )
    _found(made)


def _found(made: Card) -> None:
    item: Any = made.items[0]  # of numbers: nothing of it is null
    proof, bounds = item.certificate, item.bounds
    assert bounds is not None
    with st.expander("What there was to find", icon=":material/checklist:"):
        st.markdown(
            f"1. **Proved ε**, under “{PARTS['items']}”, table “Certificate”: "
            f"at most {rounded_up(proof.epsilon, 6)}, for a budget of {made.privacy.epsilon}. "
            "It was proved before anything was drawn.\n"
            f"2. **Bounds**, in the same part: {span(bounds.lower, bounds.upper, bounds.unit)}, "
            f"{bounds.origin}. Released values lie in {span(proof.lower, proof.upper, UNIT)}.\n"
            f"3. **Who is protected**, under “{PARTS['protected']}”: one row, that is one pupil "
            "who is in the table once.\n"
            f"4. **What is not promised**, under “{PARTS['open']}”: {len(made.not_covered)} "
            "things. The first is the desk, which was published without noise."
        )


def _question() -> LessonQuestion:
    made = card(ASKED)
    item: Any = made.items[0]  # of numbers: nothing of it is null
    chance = rounded_up(100.0 * best_guess(Fraction(ASKED)), 3)
    outputs = span(item.certificate.lower, item.certificate.upper, UNIT)
    return LessonQuestion(
        f"What does this card promise at ε = {ASKED}?",
        (
            Option(
                f"All published results lie in {span(*INPUTS, UNIT)}, as the true results do.",
                f"Those are the bounds of the true results. Published ones lie in {outputs}: the "
                "noise needs room on both sides.",
            ),
            Option(
                "No true result lay outside the bounds, and so none of them was moved by clamping.",
                "Look under “Not protected”: those outside would have been moved to a bound first, "
                "and how many is not said.",
            ),
            Option(
                "Nobody who reads the published table can find out which pupil sits at which "
                "desk there.",
                "The desks were published as they are, without any noise. Look under “Not "
                "protected”.",
            ),
            Option(
                f"Between two equally likely results a guess is right in at most {chance} of 100 "
                "cases.",
                "That is in the first lines, and it follows from ε alone. It holds even for "
                "somebody who knows the results of all others.",
                right=True,
            ),
        ),
    )


CARD = Lesson(
    key="card",
    title="Reading a privacy card",
    text="""
A release should come with a **privacy card**: what was published, what is promised about it, and
what is not. It holds public settings and proofs, and no true value. Whoever gets the data reads the
card first.

Here is the real card of an invented class. Eight results were published with noise, each beside the
desk of the pupil.
""",
    task="Find four things on the card: the ε that was **proved**, the **bounds** and who chose "
    "them, **who** is protected, and what is **not** promised. Then change ε: what changes, and "
    "what stays?",
    attempt=_attempt,
    question=_question,
    settings=(BUDGET.setting, PART.setting),
    more=("privatize", "Make a release with its card in Privatize"),
)
