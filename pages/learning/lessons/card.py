"""Reading a privacy card: what is proved, between which bounds, for whom, and what is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache

import streamlit as st

from compdp_core.intervals import Interval
from compdp_core.meaning import best_guess
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, release
from compdp_core.report import Card, Statement, card_of_table
from compdp_core.table import read
from pages.furniture import links
from pages.furniture.state import edits
from pages.furniture.wording import number, span
from pages.learning.lesson import Lesson, Option, Question
from pages.learning.noise import INPUTS, UNIT
from pages.learning.sheet import sheet

TABLE = b"desk,result\n1,30\n2,70\n3,85\n4,52\n5,61\n6,44\n7,93\n8,58\n"
"""An invented class: where each pupil sits, and the result."""
RESULT = 1
"""Place of the column that gets noise."""
SEED = 1
WHEN = datetime(2026, 1, 15, 10, 0, tzinfo=UTC)
EPSILONS = ("0.5", "1", "2", "4")
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

BUDGET = links.choice("learn.card_epsilon", "card_epsilon", EPSILONS, "1")
PART = links.choice("learn.card_part", "card_part", tuple(PARTS), "summary")


# Of an invented table alone: nothing of the user's reaches it.
@lru_cache(maxsize=len(EPSILONS))
def card(epsilon: str) -> Card:
    """The card of the invented release, always the same."""
    table = read(TABLE, name="class.csv")
    column = ColumnPlan(RESULT, Interval(*INPUTS), Fraction(epsilon), whole=True)
    made = release(table, Plan((column,)), source=SeededSource(SEED))
    made = replace(made, identifier="invented-for-the-course", when=WHEN)
    said = Statement(source="the test has 0 to 100 points", unit=UNIT)
    return card_of_table(made, {RESULT: said}, title="Results of a test (invented)")


def _attempt() -> None:
    epsilon = st.segmented_control(
        "ε of the release",
        EPSILONS,
        required=True,
        **edits(BUDGET.name, BUDGET.default, allowed=EPSILONS),
    )
    part = st.segmented_control(
        "Part of the card",
        list(PARTS),
        format_func=PARTS.__getitem__,
        required=True,
        **edits(PART.name, PART.default, allowed=PARTS),
    )
    made = card(epsilon)
    sheet(
        "lesson-card",
        made.to_html(*_SHOWN.get(part, (part,))),
        f"Privacy card of an invented release: {PARTS[part]}",
    )
    _found(made)


def _found(made: Card) -> None:
    """What there was to find, behind a button."""
    item = made.items[0]
    proof, bounds = item.certificate, item.bounds
    assert bounds is not None
    with st.expander("What there was to find", icon=":material/checklist:"):
        st.markdown(
            f"1. **Proved ε**, under “{PARTS['items']}”, table “Certificate”: "
            f"at most {number(proof.epsilon, 6)}, for a budget of {made.privacy.epsilon}. It was "
            "proved before anything was drawn.\n"
            f"2. **Bounds**, in the same part: {span(bounds.lower, bounds.upper, bounds.unit)}, "
            f"{bounds.origin}. Released values lie in {span(proof.lower, proof.upper, UNIT)}.\n"
            f"3. **Who is protected**, under “{PARTS['protected']}”: one row, that is one pupil "
            "who is in the table once.\n"
            f"4. **What is not promised**, under “{PARTS['open']}”: {len(made.not_covered)} "
            "things. The first is the desk, which was published without noise."
        )


def _question() -> Question:
    made = card(ASKED)
    item = made.items[0]
    chance = number(100.0 * best_guess(Fraction(ASKED)))
    outputs = span(item.certificate.lower, item.certificate.upper, UNIT)
    return Question(
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
    settings=(BUDGET, PART),
    more=("privatize", "Make a release with its card in Privatize"),
)
