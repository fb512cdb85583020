"""What a class will see of a question, worked out before it is asked."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.estimates.moments import quantile
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.survey.clamped import (
    InventedClass,
    answers_until_seen,
    chance_seen,
    half_width,
)
from compdp_core.survey.means import LEVEL, numeric
from compdp_core.survey.question import Question
from compdp_core.survey.templates import answers_until_near
from compdp_core.survey.wording import odds, one_answer
from pages.inputs import links
from pages.inputs.entry import within
from pages.sections.classroom import settings as to
from pages.session import faults
from pages.session.state import memo
from pages.text.wording import literal, number, percent, quantity, span

SURELY = 0.8
CLASS = 30
"""Answers of a class as most are."""


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
    of_class = half_width(question, expected_class(), CLASS)
    return [
        f"Of {CLASS} answers the mean comes out to about **± {quantity(of_class, unit, 2)}** "
        f"({percent(LEVEL)} confidence), though each of them is so far off."
    ]


def _of_shares(question: Question) -> list[str]:
    response = question.mechanism
    assert isinstance(response, RandomizedResponse)
    half = quantile(LEVEL) * 0.5 * response.noise_factor / math.sqrt(CLASS)
    many = answers_until_near(question, 0.5)
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
        links.field(to.TYPICAL, "Around", faults_in=below, check=within(to.TYPICAL_VALUE))
    with right:
        links.field(to.AROUND, "Give or take", faults_in=below, check=within(to.SPREAD))
    given, (low, high) = expected_class(), numeric(question).inputs
    if not low <= given.mean <= high:
        faults.tell(f"“Around” must lie within the bounds {span(low, high)}.")
        return
    found = memo(
        "classroom.seen",
        (question.text, question.plan, given),
        lambda: (
            answers_until_seen(question, given),
            answers_until_seen(question, given, SURELY),
            chance_seen(question, given, CLASS),
        ),
    )
    st.markdown(_seen(*found))


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
