"""How often guesses were right, round after round."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.release.accuracy import best_guess
from pages.charts.chart import Chart
from pages.charts.theme import GREY, OUTSIDE, RELEASED, lines, scatter
from pages.charts.ticks import log_axis
from pages.sections.learn.examples.guessing import ROUNDS, Game
from pages.sections.learn.examples.noise import INPUTS, UNIT
from pages.text.wording import beyond_half, count, percent


def hits(who: str, played: Game, guesses: Any) -> str:
    """A sentence on how often somebody was right; none before the first guess."""
    if not len(guesses):
        return ""
    share = float(played.right(guesses)[-1])
    return f"{who} right in {percent(share)} of {count(len(guesses), 'round')}."


def right_guesses(epsilon: float, played: Game, guesses: Any, attacker: Any) -> Chart:
    """The shares of one's own guesses and of the best attacker's, with what limits both."""
    limit = best_guess(epsilon)
    ends = [1, ROUNDS]
    data: list[dict[str, Any]] = [
        _level(ends, limit, f"limit {beyond_half(limit)}", {"color": OUTSIDE.colour, "width": 3}),
        _level(ends, 0.5, "tossing a coin", {"color": GREY, "width": 2, "dash": "dot"}),
    ]
    if len(attacker):
        at = np.unique(np.geomspace(1, len(attacker), 120).round().astype(int))
        data.append(
            lines(
                at, 100 * played.right(attacker)[at - 1], "the best attacker",
                {"color": RELEASED.colour, "width": 2.5, "dash": "dash"},
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
        "rounds played (logarithmic)",
        "right guesses (%)",
        data,
        {
            "xaxis": log_axis(1, ROUNDS),
            "yaxis": {"range": [-4, 104]},
        },
        f"The limit for any attacker is {beyond_half(limit)}; tossing a coin gives 50 %. "
        f"{hits('You are', played, guesses)} "
        f"{hits('The best attacker is', played, attacker)}".strip(),
        lambda: _numbers(played, guesses, attacker),
        height=340,
    )


def _level(ends: list[int], share: float, name: str, line: dict[str, Any]) -> dict[str, Any]:
    return lines(ends, [100 * share] * 2, name, line, hoverinfo="skip")


def _numbers(played: Game, guesses: Any, attacker: Any) -> pd.DataFrame:
    rounds = max(len(guesses), len(attacker))
    table = pd.DataFrame(
        {
            "round": np.arange(1, rounds + 1),
            f"came out ({UNIT})": played.released[:rounds],
            f"was secret ({UNIT})": np.asarray(INPUTS)[played.secret[:rounds]],
        }
    )
    table["you, right so far (%)"] = pd.Series(100 * played.right(guesses))
    table["attacker, right so far (%)"] = pd.Series(100 * played.right(attacker))
    return table
