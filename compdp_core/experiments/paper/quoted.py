"""Numbers that the paper's text quotes from its figures, computed from closed forms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from compdp_core.experiments.frames import frame
from compdp_core.experiments.paper.printed import (
    DATASETS,
    FALLS,
    FIGURE_EPSILONS,
    GAINS,
    LOSS_ENDS,
    MEAN_OF_SIX,
    PAPER_DELTA,
    REPETITIONS,
    STANDARD_ERRORS,
    Printed,
    PrintedFall,
    PrintedGain,
)
from compdp_core.experiments.paper.reconstruction import (
    UNIT,
    absolute_moment,
    authors_design,
    estimate_error,
    unit_mechanism,
)
from compdp_core.mechanisms.baselines import ClassicGaussian
from compdp_core.shapes import PAIR_NAMES

if TYPE_CHECKING:
    import pandas as pd

_POWER = {"RE": 1, "MSE": 2}


def quoted_table() -> pd.DataFrame:
    """One row a quoted number: 31 rows.

    ``error`` is half a printed digit plus three standard errors of averages of 1,000 draws, and
    for the falls what half a digit of the printed Δ makes.
    ``within`` compares the difference with it. The ends of the accuracy losses are no
    estimates: ours is the largest loss that the mechanism can cause at all.
    """
    rows = [*map(_fall, FALLS), *map(_gain, GAINS), *map(_loss, LOSS_ENDS)]
    table = frame(dict(zip(_COLUMNS, row, strict=True)) for row in rows)
    table.insert(4, "difference", table.printed - table.ours)
    table.insert(6, "within", table.difference.abs() <= table.error)
    return table


_COLUMNS = ("what", "pair", "printed", "ours", "error", "reason", "source")
Row = tuple[str, str, float, float, float, str, str]


def _fall(printed: PrintedFall) -> Row:
    power = _POWER[printed.metric]
    pairs = PAIR_NAMES if printed.pair == MEAN_OF_SIX else (printed.pair,)
    scale = printed.sensitivity**power / (4.8 if printed.per_epsilon else 1.0) / len(pairs)
    first, last = FIGURE_EPSILONS[0], FIGURE_EPSILONS[-1]
    designs = [(authors_design(first, pair), authors_design(last, pair)) for pair in pairs]
    fall = sum(absolute_moment(a, power) - absolute_moment(b, power) for a, b in designs)
    variance = sum(estimate_error(d, power) ** 2 for both in designs for d in both)
    rounding = power * 0.5 * printed.sensitivity_digit / printed.sensitivity * scale * fall
    divided = "per ε" if printed.per_epsilon else "in all"
    return (
        f"fall of {printed.metric} from ε = 0.2 to 5, {divided}: {printed.query}",
        printed.pair,
        printed.value,
        scale * fall,
        0.5 * printed.digit + rounding + STANDARD_ERRORS * scale * math.sqrt(variance),
        "monte-carlo" if printed.per_epsilon else "falls-not-divided",
        printed.source,
    )


def _gain(printed: PrintedGain) -> Row:
    power = _POWER[printed.metric]
    ratios, variance = [], 0.0
    for epsilon in FIGURE_EPSILONS:
        design = authors_design(epsilon, printed.pair)
        size, noise = absolute_moment(design, power), estimate_error(design, power)
        other, its_noise = baseline_moment(printed.baseline, epsilon, power)
        ratios.append(size / other)
        variance += (noise / other) ** 2 + (size * its_noise / other**2) ** 2
    count = len(ratios)
    return (
        f"{printed.metric} below that of {printed.baseline.replace('_', ' ')}, percent, "
        "averaged over ε",
        printed.pair,
        printed.value,
        100.0 * (1.0 - sum(ratios) / count),
        0.5 * printed.digit + STANDARD_ERRORS * 100.0 * math.sqrt(variance) / count,
        "epsilon-grid",
        printed.source,
    )


def baseline_moment(key: str, epsilon: float, power: int) -> tuple[float, float]:
    """``E|noise|^power`` at Δ = 1 and the standard error of its average over 1,000 draws.

    Laplace: ``power! s^power``. Gaussian: ``σ √(2/π)`` and ``σ²``, fourth moment ``3 σ⁴``.
    """
    if key == "laplace":
        s = 1.0 / epsilon
        mean, square = (
            math.factorial(power) * s**power,
            math.factorial(2 * power) * s ** (2 * power),
        )
    else:
        sigma = ClassicGaussian(epsilon, UNIT, delta=PAPER_DELTA).sigma
        first = {1: math.sqrt(2.0 / math.pi), 2: 1.0}[power]
        mean, square = first * sigma**power, {1: 1.0, 2: 3.0}[power] * sigma ** (2 * power)
    return mean, math.sqrt((square - mean**2) / REPETITIONS)


def _loss(printed: Printed) -> Row:
    """The largest loss: half the width of the outputs over the count (Δ = 1)."""
    low, high = unit_mechanism(printed.epsilon, printed.pair).outputs
    size = DATASETS[printed.quantity]
    return (
        f"upper end of the accuracy loss of a count at ε = 0.2: {printed.quantity}, n = {size:,}",
        printed.pair,
        printed.value,
        max(-low, high) / size,
        0.5 * printed.digit,
        "loss-axis",
        printed.source,
    )
