"""ε: how well the best attacker can guess."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import streamlit as st

from compdp_core.parameters import SEED
from compdp_core.release.accuracy import best_guess, odds_factor
from compdp_core.text import plain
from pages.inputs import links
from pages.sections.shared.course.controls import dial
from pages.sections.shared.course.examples.noise import INPUTS
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.epsilon import ROUNDS, Game, game, hits, right_guesses
from pages.session.state import keep, recall
from pages.text.wording import beyond_half, number, percent

BUDGET = dial(
    "epsilon_budget", "ε: smaller means more noise and more privacy", 0.1, 5.0, 1.0, step=0.1
)
START = links.number("learn.epsilon_seed", "epsilon_seed", SEED, Decimal(1))
GUESSES = "learn.epsilon_guesses"
ATTACKED = "learn.epsilon_attacked"
ASKED = 2.0
"""The ε of the question."""


def _attempt() -> None:
    epsilon, seed = BUDGET.draw(), int(links.value(START))
    played = game(epsilon, seed)
    guesses = _made(epsilon, seed)
    if len(guesses) < ROUNDS:
        _round(played, guesses, (epsilon, seed))
    with st.container(horizontal=True, key="lesson-more"):
        st.button(
            f"Let the best attacker play {ROUNDS:,} rounds",
            icon=":material/smart_toy:",
            key="learn.attack",
            on_click=keep,
            args=(ATTACKED, True),
        )
        st.button(
            "New game", icon=":material/refresh:", key="learn.new_game", on_click=_new_game,
            args=(seed,),
        )  # fmt: skip
    attacker = played.attacker if recall(ATTACKED, False) else played.attacker[:0]
    _verdict(epsilon, played, guesses, attacker)
    right_guesses(epsilon, played, guesses, attacker).draw()


def _round(played: Game, guesses: Any, at: tuple[float, int]) -> None:
    st.markdown(
        f"Round {len(guesses) + 1}: **{number(played.released[len(guesses)], 4)}** came out. "
        "What was secret?"
    )
    with st.container(horizontal=True, key="lesson-guess"):
        for place, value in enumerate(INPUTS):
            st.button(
                f"It was {number(value)}",
                key=f"learn.guess.{place}",
                on_click=_guess,
                args=(place, at),
            )
    if len(guesses):
        last = int(played.secret[len(guesses) - 1])
        said = "Right" if guesses[-1] == last else "Wrong"
        st.markdown(f"{said}: in round {len(guesses)} it was {number(INPUTS[last])}.")


def _made(epsilon: float, seed: int) -> Any:
    """The guesses of this game; another ε or seed is another game."""
    at, guesses = recall(GUESSES, (None, ()))
    return np.array(guesses if at == (epsilon, seed) else (), dtype=np.int64)


def _guess(place: int, at: tuple[float, int]) -> None:
    before, guesses = recall(GUESSES, (None, ()))
    keep(GUESSES, (at, (*(guesses if before == at else ()), place)))


def _new_game(seed: int) -> None:
    # After the last seed comes the first: beyond it the link of this page would be refused.
    links.put(START.name, Decimal(seed + 1 if seed < SEED.upper else int(SEED.lower)))
    keep(ATTACKED, False)


def _verdict(epsilon: float, played: Game, guesses: Any, attacker: Any) -> None:
    limit = f"At ε = {plain(epsilon)} the limit is **{beyond_half(best_guess(epsilon))}**."
    you = hits("You are", played, guesses)
    best = hits("The best attacker is", played, attacker)
    st.markdown(" ".join(filter(None, (limit, you, best))))


def _question() -> LessonQuestion:
    limit, half, double = (beyond_half(best_guess(ASKED * by)) for by in (1, 0.5, 2))
    return LessonQuestion(
        f"A release has ε = {number(ASKED)}. Two results were equally likely before. How often "
        "is an attacker right about which one it was, at most?",
        (
            Option(
                percent(best_guess(0.0)),
                "That is tossing a coin: the limit at ε = 0, where the number that comes out has "
                "nothing to do with Ada.",
            ),
            Option(half, f"That is the limit at ε = {number(ASKED / 2)}."),
            Option(
                limit,
                f"The odds are at most e to the power {number(ASKED)}, which is "
                f"{number(odds_factor(ASKED))}, to 1: a chance of {limit}. At "
                f"ε = {number(2 * ASKED)} it would be {double}.",
                right=True,
            ),
            Option(
                percent(1.0),
                "Never, at any ε: both results can always give the number that came out.",
            ),
        ),
    )


EPSILON = Lesson(
    key="epsilon",
    title="How much privacy: ε",
    text=f"""
The promise has one number, **ε** (epsilon): the privacy budget. It says how much one release can
tell at most: the odds of two results move by no more than e to the power ε, with e = 2.718…. At
ε = 1 that is {number(odds_factor(1.0))} times, as in the step before.

Small ε: much noise, much privacy. Large ε: little noise, little privacy.

A good way to feel it is to play the attacker. Ada has {number(INPUTS[0])} or {number(INPUTS[1])}
points, and a coin decided which. You see what came out and guess.
""",
    task="Play some rounds at ε = 1, then at 5 and at 0.1. Let the best attacker play, who knows "
    "all about the noise. In a few rounds luck may pass the limit; in the long run nobody does.",
    attempt=_attempt,
    question=_question,
    settings=(BUDGET.setting, START),
    more=("audit", "Measure how much a mechanism gives away in Audit"),
)
