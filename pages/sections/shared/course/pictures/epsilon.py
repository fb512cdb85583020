"""How often guesses were right, round after round."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from compdp_core.experiments.seeds import derived_seed
from compdp_core.release.accuracy import best_guess
from pages.charts.chart import Chart
from pages.charts.theme import GREY, OUTSIDE, RELEASED, lines, scatter
from pages.charts.ticks import log_axis
from pages.sections.shared.course.examples.noise import INPUTS, UNIT, composite
from pages.text.wording import beyond_half, count, percent

ROUNDS = 1000


@dataclass(frozen=True)
class Game:
    """All rounds at once: what was secret, what came out, and what the best attacker says."""

    secret: NDArray[np.int64]
    """0 or 1: the place of the value among the two."""
    released: NDArray[np.float64]
    attacker: NDArray[np.int64]

    def right(self, guesses: NDArray[np.int64]) -> NDArray[np.float64]:
        """Share of right guesses after each of the first rounds."""
        hits = guesses == self.secret[: len(guesses)]
        return np.asarray(np.cumsum(hits) / np.arange(1, len(hits) + 1), dtype=np.float64)


# Simulated from public settings: the same for everyone who sets the same seed.
@lru_cache(maxsize=64)
def game(epsilon: float, seed: int) -> Game:
    """The game at that ε. The attacker knows the mechanism and says what is likelier."""
    mechanism = composite(epsilon)
    rng = np.random.default_rng(derived_seed(seed, "secret", epsilon))
    secret = rng.integers(0, 2, ROUNDS)
    released = mechanism.simulate(
        np.asarray(INPUTS)[secret], seed=derived_seed(seed, "release", epsilon)
    )
    first, second = (np.asarray(mechanism.pdf(released, value=each)) for each in INPUTS)
    # Where both are equally likely, nobody can do better than toss a coin.
    coin = rng.integers(0, 2, ROUNDS)
    likelier = np.where(second > first, 1, 0)
    attacker = np.where(np.isclose(first, second), coin, likelier)
    return Game(secret, np.asarray(released, dtype=np.float64), attacker)


def hits(who: str, played: Game, guesses: Any) -> str:
    """A sentence on how often somebody was right; none before the first guess."""
    if not len(guesses):
        return ""
    share = float(played.right(guesses)[-1])
    return f"{who} right in {percent(share)} of {count(len(guesses), 'round')}."


def right_guesses(epsilon: float, played: Game, guesses: Any, attacker: Any) -> Chart:
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
        {"xaxis": log_axis(1, ROUNDS), "yaxis": {"range": [-4, 104]}},
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
