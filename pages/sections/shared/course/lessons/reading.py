"""Reading a release: what noise destroys, what it leaves, and how to take it off again."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.text import nearest
from pages.sections.shared.course.controls import choice, row_counts
from pages.sections.shared.course.examples.noise import EPSILONS, INPUTS, UNIT
from pages.sections.shared.course.examples.pupils import SIZES
from pages.sections.shared.course.examples.reading import (
    LEVEL,
    SPREAD,
    FigureBothWays,
    ReadRelease,
    Told,
    read,
)
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.reading import as_it_stands, read_rightly
from pages.text.wording import count, number, percent, quantity, span

ASKED, MANY = "1", 100_000
"""ε and number of pupils of the question."""

ROWS = row_counts("reading_rows", "Pupils in the released table", SIZES, 1000)
BUDGET = choice("reading_epsilon", "Privacy budget ε", EPSILONS, "1")


def _attempt() -> None:
    left, right = st.columns([8, 4])
    size, epsilon = ROWS.draw(left), BUDGET.draw(right)
    now = read(epsilon, size)
    with st.container(key="table-reading"):
        st.markdown(_table(now))
    st.markdown(_of_ada(now))
    seen, found = st.columns(2, gap="large")
    with seen:
        as_it_stands(epsilon, size).draw()
    with found:
        read_rightly(epsilon, size).draw()


def _table(now: ReadRelease) -> str:
    head = "| figure | as it stands | read with the card | true |\n|:--|--:|--:|--:|\n"
    return head + "\n".join(map(_line, now.figures))


def _line(each: FigureBothWays) -> str:
    naive, true = (number(value, 2 if abs(value) < 1.0 else 3) for value in (each.naive, each.true))
    return f"| {each.name} | {naive} | {_found(each.right)} | {true} |"


def _found(right: Told | None) -> str:
    if right is None:
        return "cannot be told"
    value, low, high = right
    digits = 2 if max(-low, high) <= 1.0 else 3  # a correlation; all fits a phone
    return f"**{number(value, digits)}** ({number(low, digits)} … {number(high, digits)})"


def _of_ada(now: ReadRelease) -> str:
    true, released, between = now.ada
    return (
        f"In brackets: where the true figure lies, {percent(LEVEL)} of the time. **Ada's own "
        f"result** is {number(true)}, and {number(released)} was released for her. Whoever knows "
        f"how the noise is made can say that she has {span(between.lower, between.upper, UNIT)}"
        f"{_all_there_is(between.lower, between.upper)}."
    )


def _all_there_is(low: float, high: float) -> str:
    return ", which is all there is" if (low, high) == INPUTS else ""


def _question() -> LessonQuestion:
    now = read(ASKED, MANY)
    spread = next(each for each in now.figures if each.name == SPREAD)
    assert spread.right is not None
    found, low, high = spread.right
    # As they are shown, so that whoever works it out gets the same.
    seen, noise = nearest(spread.naive, 4), nearest(now.noise, 4)
    taken = math.sqrt(seen**2 - noise**2)
    return LessonQuestion(
        f"{count(MANY, 'released result')} have a standard deviation of {number(seen, 4)} points. "
        f"By its card the noise alone has {number(noise, 4)}. How far do the true results spread?",
        (
            Option(
                f"By {number(seen, 4)} points: that is what the table says.",
                "That is how far results and noise spread together. Nearly all of it is noise.",
            ),
            Option(
                f"By about {number(seen - noise, 2)} points: what is left without the noise.",
                "Standard deviations do not add up, so they cannot be taken from each other. "
                f"Their squares do: {number(seen, 4)}² − {number(noise, 4)}² is about "
                f"{number(taken, 3)}².",
            ),
            Option(
                f"By about {number(taken, 3)} points: the root of the difference of the squares.",
                "Noise and results are independent, so their squares add up. Worked out by the "
                f"library: {quantity(found, UNIT)}, {span(low, high)} with its error. The true "
                f"results spread by {quantity(spread.true, UNIT)}.",
                right=True,
            ),
            Option(
                "Nobody can say: the noise is larger than the results.",
                "Of one result that is so. But how the noise is made is public, and with so many "
                "rows its share in the spread is known closely enough to be taken off.",
            ),
        ),
    )


READING = Lesson(
    key="reading",
    title="Reading a release",
    text=f"""
Now you are the one who **receives** a released table: a column of results with noise, and its card.
Results lie in {span(*INPUTS, UNIT)}; they are invented, so the true ones can be shown beside it.

Read **as it stands**, such a column misleads: most of what is seen is noise. But the card says how
the noise is made, and so what it adds can be **taken off again**. A mean needs nothing: noise is
right on average. From a spread, that of the noise is taken. For the whole picture one asks which
true results would make such a column likely. All this comes from what was published: it costs no
privacy.

- Noise **destroys** what a single cell says, and what a few rows say.
- It **leaves** what many rows say together: means first, then spreads, shares and relations.
""",
    task="Let the table grow, and watch the brackets close in on the true figures. Which figure "
    "is right even as it stands? How many pupils does it take until the two humps come back? And "
    "what happens to what is known about Ada?",
    attempt=_attempt,
    question=_question,
    settings=(ROWS.setting, BUDGET.setting),
    more=("read_release", "Read a table of your own, or the last one you released"),
)
