"""A rehearsal: simulated draws on the true values, so that the owner sees what to expect.

Seeded and repeatable, so it is never a release, and it shows true values, so it is private.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.baselines import BASELINES
from compdp_core.mechanism import CompositeMechanism
from compdp_core.table import Table
from pages.privatizing.setup import Column

MOST_ROWS = 100_000
GAUSSIAN_DELTA = 1e-6
"""Gaussian noise cannot do without a δ; a common choice."""


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """The true values of a column and one simulated draw of each mechanism."""

    before: Any
    composite: Any
    laplace: Any
    gaussian: Any
    rows: int
    """Rows of the table with a value; fewer are drawn where there are very many."""

    @property
    def partial(self) -> bool:
        return len(self.before) < self.rows


def rehearse(table: Table, column: Column, mechanism: CompositeMechanism, seed: int) -> Rehearsal:
    """Draw with the given seed from the composite mechanism, Laplace and analytic Gaussian."""
    numbers = table.numbers(column.position, column.strip)
    present = numbers.values[~numbers.missing]
    stride = -(-present.size // MOST_ROWS)
    shown = np.ascontiguousarray(present[::stride])
    inputs, epsilon = mechanism.inputs, mechanism.epsilon
    laplace = BASELINES["laplace"].build(epsilon, inputs)
    gaussian = BASELINES["analytic_gaussian"].build(epsilon, inputs, delta=GAUSSIAN_DELTA)
    return Rehearsal(
        before=shown,
        composite=mechanism.simulate(shown, seed=seed),
        laplace=laplace.simulate(shown, seed=seed),
        gaussian=gaussian.simulate(shown, seed=seed),
        rows=int(present.size),
    )
