"""A histogram released at two budgets: why many rows hide the difference, and few show it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.experiments.frames import stacked
from compdp_core.experiments.seeds import derived_seed
from compdp_core.mechanisms.baselines import Laplace
from compdp_core.validation import whole

if TYPE_CHECKING:
    import pandas as pd

REACH = 3.0
"""The bins lie between minus and plus so many standard deviations; the end bins are open."""


def noisy_counts(rows: int, epsilons: Any, *, bins: int = 10, seed: int = 0) -> pd.DataFrame:
    """Counts of ``rows`` normal values in bins, and those counts with Laplace noise at each ε.

    One row more or less changes one count by one, so Δ = 1 and the noise of each bin has scale
    ``1/ε``: its mean size is ``expected_error = 1/ε`` and its standard deviation ``deviation =
    √2/ε``, however many rows there are. ``share_of_tallest`` is the expected error as a share of
    the tallest bin. One row an ε and bin; ``released`` is simulated.

    >>> table = noisy_counts(1000, [1.0, 30.0])
    >>> table.groupby("epsilon").expected_error.first().round(3).tolist()
    [1.0, 0.033]

    Raises :class:`ParameterError` for what is out of range.
    """
    count, number = whole("rows", rows, 1, 10**6), whole("bins", bins, 2, 1000)
    values = np.random.default_rng(derived_seed(seed, "table", count)).normal(size=count)
    edges = np.linspace(-REACH, REACH, number + 1)
    true = np.histogram(np.clip(values, -REACH, REACH), edges)[0].astype(np.float64)
    found = []
    for epsilon in epsilons:
        mechanism = Laplace(epsilon, (0.0, float(count)), sensitivity=1.0)
        released = mechanism.simulate(true, seed=derived_seed(seed, "counts", mechanism.epsilon))
        found.append(
            {
                "epsilon": mechanism.epsilon,
                "lower": edges[:-1],
                "upper": edges[1:],
                "count": true.astype(np.int64),
                "released": released,
                "expected_error": mechanism.scale,
                "deviation": math.sqrt(float(mechanism.variance(0.0))),
                "share_of_tallest": mechanism.scale / float(true.max()),
            }
        )
    return stacked(found)
