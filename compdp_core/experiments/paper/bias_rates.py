"""The paper's table of bias rates: what it shows, and the bias that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from compdp_core.experiments.frames import frame
from compdp_core.experiments.paper.printed import BIAS_PERCENT, STANDARD_ERRORS, Printed
from compdp_core.experiments.paper.reconstruction import (
    absolute_moment,
    authors_design,
    estimate_error,
    unit_mechanism,
)
from compdp_core.experiments.progress import Task
from compdp_core.experiments.seeds import derived_seed

if TYPE_CHECKING:
    import pandas as pd


def bias_table(repetitions: int, seed: int, task: Task | None = None) -> pd.DataFrame:
    """One row a pair and ε: 30 rows, at the middle of the inputs, in units of Δ.

    ``printed_percent``; ``absolute_error``: the mean absolute error ``E|r' - r|``, in closed form;
    ``noise_percent``: that error times one constant for the whole table, ``percent_per_error``,
    fitted to the printed numbers; ``error``: half a printed digit and the error of an average
    of 1,000 absolute errors together; ``within``: whether noise alone explains the printed number.

    ``exact_bias`` is the bias of the mechanism's lattice, ``bias`` the mean error of
    ``repetitions`` draws and ``bias_se`` its standard error.
    """
    task, rows = task or Task(), []
    sizes = [absolute_moment(authors_design(p.epsilon, p.pair), 1) for p in BIAS_PERCENT]
    constant = percent_per_error(sizes)
    for index, (printed, size) in enumerate(zip(BIAS_PERCENT, sizes, strict=True)):
        task.tell(index / len(sizes), f"bias of {printed.pair} at epsilon {printed.epsilon:g}")
        mechanism = unit_mechanism(printed.epsilon, printed.pair)
        part = derived_seed(seed, "bias", printed.pair, printed.epsilon)
        draws = mechanism.simulate(np.zeros(repetitions), seed=part)
        error = explained_error(printed, constant)
        rows.append(
            {
                "pair": printed.pair,
                "epsilon": printed.epsilon,
                "printed_percent": printed.value,
                "absolute_error": size,
                "percent_per_error": constant,
                "noise_percent": constant * size,
                "difference": printed.value - constant * size,
                "error": error,
                "within": abs(printed.value - constant * size) <= error,
                "exact_bias": mechanism.bias(0.0),
                "bias": float(draws.mean()),
                "bias_se": float(draws.std(ddof=1)) / np.sqrt(repetitions),
                "reason": "bias-is-noise",
                "source": printed.source,
            }
        )
    return frame(rows)


def percent_per_error(sizes: list[float]) -> float:
    """The factor between printed percentages and absolute errors, by least squares."""
    size = np.array(sizes)
    printed = np.array([cell.value for cell in BIAS_PERCENT])
    return float(printed @ size / (size @ size))


def explained_error(printed: Printed, constant: float) -> float:
    """Half a printed digit, plus three standard errors of an average of 1,000 absolute errors."""
    noise = estimate_error(authors_design(printed.epsilon, printed.pair), 1)
    return 0.5 * printed.digit + STANDARD_ERRORS * constant * noise
