"""One released column of an invented class, read as it stands and by what its card says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from compdp_core.accounting import exact
from compdp_core.estimates import moments, relations
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import Estimate, EstimateError
from compdp_core.estimates.example_rows import example_rows
from compdp_core.estimates.output_cells import OutputCells
from compdp_core.estimates.reading import Reading, Sampling, of_clean, of_numbers
from compdp_core.estimates.recovery import likeliest
from compdp_core.intervals import Interval
from compdp_core.numerics import not_above
from pages.sections.learn.examples.noise import EPSILONS, INPUTS, UNIT, composite

Array = NDArray[np.float64]

SIZES = (50, 200, 1000, 5000, 20_000, 100_000)
"""Pupils that took the test."""
LIMIT = 60.0
"""Of the share above it (points)."""
ADA = 0.8
"""Share of the pupils whose result is at most Ada's."""
LEVEL = 0.95
SPREAD = f"standard deviation ({UNIT})"
SEED = 1
BARS = 20
"""Of the pictures, between the bounds."""


@dataclass(frozen=True)
class ReadFigure:
    """One figure in both ways, beside the true one, which is known here alone."""

    name: str
    """With its unit."""
    naive: float
    right: Estimate | None
    """None where these rows at this ε tell nothing of it."""
    true: float


@dataclass(frozen=True, eq=False)
class ReadRelease:
    """What there is, and what can be read from it."""

    true: Array
    released: Array
    noise: float
    """Standard deviation of the noise, as the card has it (points)."""
    figures: tuple[ReadFigure, ...]
    shares: Array
    """Estimated shares of the bars between the bounds."""
    ada: tuple[float, float, Interval]
    """Her result, the released one, and between what it then lies as far as anyone can tell."""


def results(rows: int) -> Array:
    """Invented results, ascending: many weak ones, and fewer strong ones."""
    return example_rows("humps", rows, INPUTS)


def hours_studied(results: Array) -> Array:
    """Hours that each pupil studied, published as they are: more, mostly, for better results."""
    luck = np.random.default_rng(SEED).normal(0.0, 2.2, results.size)
    found: Array = np.round(np.maximum(1.0 + results / 12.0 + luck, 0.0), 1)
    return found


# Of an invented class alone: nothing of the user's reaches it.
@lru_cache(maxsize=len(EPSILONS) * len(SIZES))
def read(epsilon: str, rows: int) -> ReadRelease:
    noisy, true = composite(not_above(exact(epsilon))), results(rows)
    released = noisy.simulate(true, seed=SEED)
    channel = NumberChannel.of(noisy.lattice, Interval(*noisy.outputs), whole=False)
    given = of_numbers(released, channel)
    cells = OutputCells.of(noisy)
    (fine,) = likeliest(cells.counts(released[None, :]), cells.kernel)
    place = int(ADA * rows)
    hers = noisy.inputs_within(float(released[place]), LEVEL)
    return ReadRelease(
        true,
        released,
        float(np.sqrt(given.noise.mean())),
        _figures(true, released, given),
        np.diff(np.interp(edges(), cells.edges, np.append(0.0, np.cumsum(fine)))),
        (float(true[place]), float(released[place]), Interval(*hers)),
    )


def edges() -> Array:
    """Of the bars."""
    return np.linspace(*INPUTS, BARS + 1)


def _figures(true: Array, released: Array, given: Reading) -> tuple[ReadFigure, ...]:
    every, hours = Sampling(true.size), hours_studied(true)
    studied = ("hours", of_clean(hours))
    return (
        ReadFigure(
            f"mean ({UNIT})",
            float(released.mean()),
            _told(lambda: moments.mean(given, every, "rows", LEVEL)),
            float(true.mean()),
        ),
        ReadFigure(
            SPREAD,
            float(released.std(ddof=1)),
            _told(lambda: moments.std(given, every, "rows", LEVEL)),
            float(true.std(ddof=1)),
        ),
        ReadFigure(
            "correlation with hours",
            _correlation(hours, released),
            _told(lambda: relations.correlation(studied, ("result", given), every, LEVEL)),
            _correlation(hours, true),
        ),
    )


def _correlation(first: Array, second: Array) -> float:
    return float(np.corrcoef(first, second)[0, 1])


def _told(ask: Callable[[], Estimate]) -> Estimate | None:
    try:
        return ask()
    except EstimateError:
        return None
