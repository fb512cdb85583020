"""ε: how well the best attacker can guess."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.meaning import best_guess, odds_factor
from compdp_core.parameters import SEED
from pages.furniture import links
from pages.furniture.chart import Chart
from pages.furniture.state import keep, recall
from pages.furniture.theme import GREY, OUTSIDE, RELEASED, scatter
from pages.furniture.ticks import log_axis
from pages.furniture.wording import count, number, percent
from pages.learning.dial import dial
from pages.learning.guessing import ROUNDS, Game, game
from pages.learning.lesson import Lesson, Option, Question
from pages.learning.noise import INPUTS, UNIT

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
    _picture(epsilon, played, guesses, attacker).draw()


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
    limit = f"At ε = {number(epsilon)} the limit is **{percent(best_guess(epsilon))}**."
    you = _hits("You are", played, guesses)
    best = _hits("The best attacker is", played, attacker)
    st.markdown(" ".join(filter(None, (limit, you, best))))


def _hits(who: str, played: Game, guesses: Any) -> str:
    if not len(guesses):
        return ""
    share = float(played.right(guesses)[-1])
    return f"{who} right in {percent(share)} of {count(len(guesses), 'round')}."


def _picture(epsilon: float, played: Game, guesses: Any, attacker: Any) -> Chart:
    limit = best_guess(epsilon)
    ends = [1, ROUNDS]
    data: list[dict[str, Any]] = [
        _level(ends, limit, f"limit {percent(limit)}", {"color": OUTSIDE.colour, "width": 3}),
        _level(ends, 0.5, "tossing a coin", {"color": GREY, "width": 2, "dash": "dot"}),
    ]
    if len(attacker):
        at = np.unique(np.geomspace(1, len(attacker), 120).round().astype(int))
        data.append(
            scatter(
                at, 100 * played.right(attacker)[at - 1], "the best attacker", mode="lines",
                line={"color": RELEASED.colour, "width": 2.5, "dash": "dash"},
                hovertemplate="%{y:.1f} %",
            )
        )  # fmt: skip
    if len(guesses):
        data.append(
            scatter(
                np.arange(1, len(guesses) + 1), 100 * played.right(guesses), "you",
                mode="lines+markers",
                line={"color": RELEASED.colour, "width": 2.5},
                marker=RELEASED.marker(9),
                hovertemplate="%{y:.1f} %",
            )
        )  # fmt: skip
    return Chart(
        "guesses",
        "Share of right guesses so far",
        "rounds played",
        "right guesses (%)",
        {
            "data": data,
            "layout": {"xaxis": log_axis(1, ROUNDS), "yaxis": {"range": [-4, 104]}},
        },
        f"The limit for any attacker is {percent(limit)}; tossing a coin gives 50 %. "
        f"{_hits('You are', played, guesses)} "
        f"{_hits('The best attacker is', played, attacker)}".strip(),
        lambda: _numbers(played, guesses, attacker),
        height=340,
    )


def _level(ends: list[int], share: float, name: str, line: dict[str, Any]) -> dict[str, Any]:
    return scatter(ends, [100 * share] * 2, name, mode="lines", line=line, hoverinfo="skip")


def _numbers(played: Game, guesses: Any, attacker: Any) -> pd.DataFrame:
    rounds = max(len(guesses), len(attacker))
    table = pd.DataFrame(
        {
            "round": np.arange(1, rounds + 1),
            f"came out ({UNIT})": played.released[:rounds],
            f"was secret ({UNIT})": np.asarray(INPUTS)[played.secret[:rounds]],
        }
    )
    table["you, right so far"] = pd.Series(played.right(guesses))
    table["attacker, right so far"] = pd.Series(played.right(attacker))
    return table


def _question() -> Question:
    limit, half, double = (percent(best_guess(ASKED * by)) for by in (1, 0.5, 2))
    return Question(
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
