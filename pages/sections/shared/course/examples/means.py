"""The mean of a class: noise on each result, or noise on the mean alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from compdp_core.intervals import Interval
from compdp_core.release.accuracy import Meaning
from compdp_core.release.statistic import Forecast, mechanism_for
from compdp_core.statistics import Mean, PublicFacts, QueryPlan
from pages.sections.shared.course.examples.noise import INPUTS, UNIT, composite

Array = NDArray[np.float64]

REPEATS = 40
"""Classes that are made up for the picture."""
SEED = 1


@dataclass(frozen=True)
class Errors:
    """Typical error of a mean of so many results, both ways (points)."""

    local: float
    central: float

    @property
    def times(self) -> float:
        return self.local / self.central


def plan(rows: int) -> QueryPlan:
    """The mean of so many results: its range and its sensitivity."""
    return Mean().plan(
        PublicFacts(rows=rows, bounds=Interval(*INPUTS), column="results", unit=UNIT)
    )


def results(rows: int) -> Array:
    """Invented results, spread evenly between the bounds."""
    middles = (np.arange(rows) + 0.5) / rows
    return INPUTS[0] + (INPUTS[1] - INPUTS[0]) * middles


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=64)
def errors(epsilon: float, rows: int) -> Errors:
    asked = plan(rows)
    return Errors(
        Meaning(composite(epsilon)).error_of_mean(rows),
        Forecast(asked, mechanism_for(asked, epsilon)).typical_error,
    )


@lru_cache(maxsize=64)
def draws(epsilon: float, rows: int) -> tuple[float, Array, Array]:
    """The true mean of the invented results, and noisy ones: by rows, and of the mean."""
    values = results(rows)
    true = float(values.mean())
    noisy = composite(epsilon).simulate(np.tile(values, REPEATS), seed=SEED)
    answers = mechanism_for(plan(rows), epsilon).simulate(np.full(REPEATS, true), seed=SEED)
    return true, noisy.reshape(REPEATS, rows).mean(axis=1), answers
