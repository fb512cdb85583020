"""Local or central: noise on every row and then the mean, or the mean and then noise."""

from __future__ import annotations

import streamlit as st

from compdp_core.text import plain
from pages.sections.shared.course.controls import choice, row_counts
from pages.sections.shared.course.examples.means import errors, plan
from pages.sections.shared.course.examples.noise import EPSILONS, INPUTS, UNIT
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.place import error_by_size, published_means
from pages.text.wording import count, number, quantity, span

SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""Pupils of a class."""
ASKED, FEW, MANY = 1.0, 100, 10_000
"""ε and numbers of pupils of the question."""

CLASS = row_counts("place_rows", "Pupils in the class", SIZES, 20)
BUDGET = choice("place_epsilon", "Privacy budget ε", EPSILONS, "1")


def _attempt() -> None:
    left, right = st.columns([8, 4])
    size, epsilon = CLASS.draw(left), float(BUDGET.draw(right))
    now = errors(epsilon, size)
    st.markdown(
        f"With **{count(size, 'pupil')}** the mean is typically off by **"
        f"{quantity(now.local, UNIT)}** if each adds noise, and by **"
        f"{quantity(now.central, UNIT)}** if the teacher does: {number(now.times)} times less, at "
        f"the same ε = {number(epsilon)}."
    )
    drawn, grown = st.columns(2, gap="large")
    with drawn:
        published_means(epsilon, size, SIZES[0]).draw()
    with grown:
        error_by_size(epsilon, size, SIZES).draw()


def _question() -> LessonQuestion:
    few, many = errors(ASKED, FEW), errors(ASKED, MANY)
    local, central = few.local / many.local, few.central / many.central
    told = (
        f"Noise on each result: from {number(few.local)} to {quantity(many.local, UNIT)}. Noise "
        f"on the mean: from {number(few.central)} to {quantity(many.central, UNIT)}."
    )
    short, far = number(local, 2), number(central, 2)
    share = plain(float(plan(FEW).sensitivity))
    return LessonQuestion(
        f"{MANY:,} pupils instead of {FEW}, at ε = {number(ASKED)}. How many times smaller is the "
        "error of the mean?",
        (
            Option(
                f"About {short} times, either way.",
                f"That is so with noise on each result: with {count(MANY // FEW, 'time')} as many "
                f"pupils the noise in their mean falls by the root, {short} times. With noise on "
                f"the mean it is more. {told}",
            ),
            Option(
                f"About {far} times with noise on each result, {short} times with noise on the "
                "mean.",
                f"The other way round. {told}",
            ),
            Option(
                f"About {short} times with noise on each result, {far} times with noise on the "
                "mean.",
                f"{told} One pupil moves a mean of {FEW} by at most {share}, and one of "
                f"{MANY:,} by at most {plain(float(plan(MANY).sensitivity))} {UNIT}: there is "
                "less to hide.",
                right=True,
            ),
            Option(
                "It stays the same, for ε stays the same.",
                f"ε stays, and the error falls: more pupils hide each other. {told}",
            ),
        ),
    )


PLACE = Lesson(
    key="place",
    title="Local or central",
    text=f"""
Ada's class wants to publish the **mean** of its results. Where does the noise go?

- **Local**: each pupil adds noise to the result before handing it in. Nobody has to be
  trusted, not even the teacher. In the mean of all, noise cancels in part.
- **Central**: all hand the true results to the teacher, who adds noise to the mean alone. One pupil
  moves a mean only a little, so little noise hides it. But the teacher sees everything, and has to
  be trusted. So does the computer.

Both give each pupil the same promise about what is published. Results lie in
{span(*INPUTS, UNIT)}; those here are invented.
""",
    task="Let the class grow. Each dot is the mean that one such class would publish. Which dots "
    "close in on the true mean first? How large must a class be until local noise is typically "
    "off by less than 2 points?",
    attempt=_attempt,
    question=_question,
    settings=(CLASS.setting, BUDGET.setting),
    more=("statistic", "Release a mean or a count in Release a statistic"),
)
