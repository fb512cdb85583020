"""A game for an attacker: one of two values was kept secret, one number came out. Which was it?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from compdp_core.experiments.seeds import derived_seed
from pages.sections.learn.examples.noise import INPUTS, composite

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
