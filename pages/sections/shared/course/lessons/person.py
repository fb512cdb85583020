"""A person, not a row: several rows of one person give away more, and a budget has to say whose."""

from __future__ import annotations

import streamlit as st

from compdp_core.accounting import exact
from compdp_core.release.accuracy import odds_factor
from pages.sections.shared.course.controls import choice, dial
from pages.sections.shared.course.examples.noise import EPSILONS, UNIT
from pages.sections.shared.course.examples.persons import HIGH, LOW, MOST, WAYS, shown
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.persons import guesses_and_errors
from pages.text.wording import budget, count, number, percent, quantity

ASKED, EACH = 3, "1"
"""Rows of the question, and the ε of each."""

ROWS = dial("person_rows", "Rows of Ada: how often she took the test", 1, MOST, 3)
BUDGET = choice("person_epsilon", "Privacy budget ε", EPSILONS, EACH)
WAY = choice("person_way", "Whose budget it is", WAYS, "row")


def _attempt() -> None:
    left, right = st.columns(2)
    epsilon, way = BUDGET.draw(left), WAY.draw(right)
    rows = int(ROWS.draw())
    now = shown(way, epsilon, rows)
    st.markdown(
        f"**{count(rows, 'row')} of Ada**, each at {budget(now.of_a_row)}: together they "
        f"spend **{budget(now.of_a_person)}** of hers. Whether all her results are "
        f"{number(LOW)} or all are {number(HIGH)} is guessed right **{percent(now.guess)}** of the "
        f"time. One result is typically off by **{quantity(now.error, UNIT)}**."
    )
    guesses_and_errors(way, epsilon, rows).draw()


def _question() -> LessonQuestion:
    each, whole = shown("row", EACH, ASKED), shown("person", EACH, ASKED)
    one = shown("row", EACH, 1)
    spent = budget(each.of_a_person)
    moved = number(odds_factor(each.of_a_person))
    return LessonQuestion(
        f"A table of tests is published at ε = {EACH} for each row. Ada is in it with {ASKED} "
        "rows. What is she promised?",
        (
            Option(
                f"ε = {EACH}: the card of the table says so.",
                f"The card says it of one row. All {ASKED} rows are about Ada, and whoever adds up "
                f"what they say may move the odds by {moved} instead of "
                f"{number(odds_factor(exact(EACH)))} times.",
            ),
            Option(
                f"{spent}, unless each of her rows gets a part of one budget.",
                f"The budgets of her rows add up. A guess between {number(LOW)} and {number(HIGH)} "
                f"is right {percent(each.guess)} of the time instead of {percent(one.guess)}. "
                f"At a share of {budget(whole.of_a_row)} for each row she would be "
                f"promised {budget(whole.of_a_person)}, and one result would be off by "
                f"{number(whole.error)} instead of {quantity(each.error, UNIT)}.",
                right=True,
            ),
            Option(
                f"{budget(whole.of_a_row)}: her rows hide each other.",
                "Rows of different people hide each other in a mean. Rows of one person say the "
                "same thing again and again.",
            ),
            Option(
                "Nothing: with several rows there is no promise any more.",
                f"There is one, and it can be counted: {spent} for {ASKED} rows. That is why "
                "it must be public how many rows a person can have at most.",
            ),
        ),
    )


PERSON = Lesson(
    key="person",
    title="A person, not a row",
    text="""
Ada took the test several times, and the table has a **row for each time**. The noise on each row
keeps its promise for that row. But all of them are about Ada, and their budgets **add up**, just as
releases do.

So the first question before a release is **whose privacy** it is about: a row's, or that of all
rows with the same pupil number. Then two things are said in public: how many rows a pupil has **at
most** (rows beyond are left out, drawn at random), and whether a budget is meant **for each row**
or **for the pupil**, whose rows share it.
""",
    task="Give Ada more rows, and watch how often a guess about her is right. Then let her rows "
    "share one budget: what stays, and what does it cost?",
    attempt=_attempt,
    question=_question,
    settings=(ROWS.setting, BUDGET.setting, WAY.setting),
    more=("privatize", "Say whose privacy it is, and release a table, in Privatize"),
)
