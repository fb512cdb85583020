"""What a class will see of a question, worked out before it is asked."""

from __future__ import annotations

import streamlit as st

from compdp_core.parameters import INPUT_BOUND
from compdp_core.survey.clamped import CLASS, SURELY, InventedClass, class_noise
from compdp_core.survey.means import LEVEL, numeric
from compdp_core.survey.question import Question
from compdp_core.survey.shares import share_half_width
from compdp_core.survey.templates import answers_until_near
from compdp_core.survey.wording import odds, one_answer
from pages.inputs import links
from pages.inputs.entry import within
from pages.sections.classroom import settings as to
from pages.session import faults
from pages.text.wording import literal, number, percent, quantity, span


def expected_class() -> InventedClass:
    """How a class is expected to answer, for forecasts alone."""
    return InventedClass(float(links.value(to.TYPICAL)), float(links.value(to.AROUND)))


def forecast(question: Question) -> None:
    """Odds, the error of one answer and of a class, and what else is seen from when on."""
    lines = [
        f"Whatever a device sends, it moves the odds of any two answers by at most "
        f"**{odds(question)} times**.",
        f"**{literal(one_answer(question))}**",
        *(_of_shares(question) if question.categories else _of_mean(question)),
    ]
    st.markdown("\n".join(f"- {line}" for line in lines))


def _of_mean(question: Question) -> list[str]:
    unit = literal(question.unit)
    of_class = class_noise(question, expected_class()).half_width(CLASS)
    return [
        f"Of {CLASS} answers the mean comes out to about **± {quantity(of_class, unit, 2)}** "
        f"({percent(LEVEL)} confidence), though each of them is so far off."
    ]


def _of_shares(question: Question) -> list[str]:
    half, many = share_half_width(question, 0.5, CLASS), answers_until_near(question, 0.5)
    return [
        f"Of {CLASS} answers each share comes out to about **± {number(100 * half, 2)} percentage "
        f"points** at most ({percent(LEVEL)} confidence); to ± 20 from {many} answers on."
    ]


def expectation(question: Question) -> None:
    """Where the class is expected, and from how many answers on clamped noise shows as wrong."""
    st.markdown(
        "**What clamped noise would do.** Where do you expect most answers? This is for the "
        "forecast alone, and for the simulation on the wall."
    )
    left, right = st.columns(2)
    below = st.container()
    with left:
        links.field(to.TYPICAL, "Around", faults_in=below, check=within(INPUT_BOUND))
    with right:
        links.field(to.AROUND, "Give or take", faults_in=below, check=within(to.SPREAD))
    given, (low, high) = expected_class(), numeric(question).inputs
    if not low <= given.mean <= high:
        faults.tell(f"“Around” must lie within the bounds {span(low, high)}.")
        return
    noise = class_noise(question, given)
    half, surely = noise.answers_until_seen(), noise.answers_until_seen(SURELY)
    st.markdown(_seen(half, surely, noise.chance_seen(CLASS)))


def _seen(half: int | None, surely: int | None, chance: float) -> str:
    if half is None or surely is None:
        return (
            "In the middle of the bounds clamped noise is right on average, too: nothing to be "
            "seen. Ask for something whose answers lie near one end."
        )
    return (
        "Clamped Laplace noise is wrong on average here, and the wall’s interval excludes what it "
        f"tends to: in every second class of **{half:,} answers**, in four of five of "
        f"**{surely:,}**, in {percent(chance, 2)} of classes of {CLASS}. The switch on the wall "
        "shows it to any class."
    )
