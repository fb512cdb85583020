"""The fields of a question: template, words, kind, bounds or answers, and ε with its meaning."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import streamlit as st

from compdp_core.release import ColumnPlan
from compdp_core.survey.question import LONGEST_QUESTION, LONGEST_UNIT, MOST_CATEGORIES, Question
from compdp_core.survey.templates import TEMPLATES
from pages.inputs import links
from pages.inputs.entry import within
from pages.inputs.options import segments
from pages.inputs.slider import with_slider
from pages.sections.classroom import settings as to
from pages.session import faults
from pages.session.state import edits, memo
from pages.text.typed_numbers import plain

LADDER = tuple(Decimal(half) / 2 for half in range(1, 11))
KINDS = {"number": "A number", "category": "One of several answers"}


def templates() -> None:
    """A button for each question to begin with."""
    with st.container(horizontal=True, key="classroom-templates"):
        for each in TEMPLATES:
            st.button(
                each.title,
                key=f"classroom.begin.{each.key}",
                type="primary" if each.key == to.chosen() else "secondary",
                on_click=to.begin_with,
                args=(each,),
            )
    told = next((each for each in TEMPLATES if each.key == to.chosen()), None)
    if told is None:
        st.caption("A question of your own. Each of these is one to begin with.")
    else:
        many = "every second class sees that" if told.question.inputs else "the share shows"
        st.caption(f"{told.point} From about {told.needed:,} answers on {many}.")


def question_form() -> Question | None:
    """The question that the fields say; None after a refusal was shown."""
    st.text_input(
        "Question",
        max_chars=LONGEST_QUESTION,
        **edits(to.TEXT.name, to.TEXT.default),
        autocomplete="off",
    )
    kind = segments("Answer", KINDS, to.KIND)
    if kind == "number":
        _bounds()
    else:
        st.text_area(
            f"Answers, one in a line (at most {MOST_CATEGORIES})",
            **edits(to.OPTIONS.name, to.OPTIONS.default),
        )
    with_slider(
        to.EPSILON.name,
        "Privacy ε: how much one answer may tell",
        LADDER,
        default=to.EPSILON.default,
        check=within(to.EPSILON_OF_A_ROOM),
        entry_label="ε, exactly",
    )
    if problem := _problem(kind):
        faults.tell(problem)
        return None
    values = tuple(map(links.value, (to.TEXT, to.KIND, to.LOW, to.HIGH, to.UNIT, to.OPTIONS)))
    epsilon = links.value(to.EPSILON)
    found = memo("classroom.question", (values, epsilon), lambda: faults.attempted(_question))
    if isinstance(found, Question):
        return found
    faults.tell(faults.sentence(str(found)))
    return None


def _problem(kind: str) -> str | None:
    """What is missing, in words of the page."""
    if not links.value(to.TEXT).strip():
        return "Write what you ask first."
    low, high = links.value(to.LOW), links.value(to.HIGH)
    if kind == "number" and not low < high:
        return (
            f"The smallest possible answer must lie below the largest: {plain(low)} does not lie "
            f"below {plain(high)}."
        )
    return None


def _bounds() -> None:
    low, high, unit = st.columns(3)
    below = st.container()
    with low:
        links.field(to.LOW, "Smallest possible answer", faults_in=below)
    with high:
        links.field(to.HIGH, "Largest possible answer", faults_in=below)
    with unit:
        st.text_input(
            "Unit", max_chars=LONGEST_UNIT, **edits(to.UNIT.name, to.UNIT.default),
            autocomplete="off",
        )  # fmt: skip
    st.caption(
        "Choose bounds that every answer fits into, before anybody answers. An answer beyond "
        "them counts as the nearer bound."
    )


def _question() -> Question:
    text, epsilon = links.value(to.TEXT), Fraction(links.value(to.EPSILON))
    if links.value(to.KIND) == "category":
        lines = [" ".join(line.split()) for line in links.value(to.OPTIONS).splitlines()]
        listed = [line for line in lines if line]
        plan = ColumnPlan(epsilon=epsilon, kind="category", categories=listed)
        return Question(text, plan)
    ends = float(links.value(to.LOW)), float(links.value(to.HIGH))
    return Question(text, ColumnPlan(inputs=ends, epsilon=epsilon), links.value(to.UNIT))
