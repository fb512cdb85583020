"""The numbers that the paper prints, each with its place and the size of its last digit.

Zhang et al., *Bounded and Unbiased Composite Differential Privacy*, IEEE S&P 2024. The figures of
the paper carry no numbers; those that its text quotes from them are here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from compdp_core.shapes import PAIR_NAMES

RATES_TABLE = "table “H1 Rate and H2 Rate results”"
BIAS_TABLE = "table “Experimental results of bias rate”, appendix"
SENSITIVITY_TEXT = "section “Effect of the sensitivity”"
RESULTS_TEXT = "paragraph “RE and MSE results”"
LOSS_TEXT = "paragraph “Accuracy loss results”"

REPETITIONS = 1000
"""Each experiment of the paper is the average of so many runs."""

STANDARD_ERRORS = 3.0
"""A printed estimate within so many of its own standard errors counts as reproduced."""

RATES_EPSILONS = (0.2, 0.3, 0.4, 0.5, 1.0)
BIAS_EPSILONS = (0.2, 0.5, 1.0, 2.0, 5.0)

FIGURE_EPSILONS = (0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0)
"""The paper says “from 0.2 to 5” only. With these its quoted averages come out (see
:mod:`~compdp_core.experiments.paper.quoted`); with other grids they do not."""

LOSS_EPSILONS = (0.2, 0.5, 1.0, 2.0, 3.0)
"""The paper says “from 0.2 to 3” only."""

PAPER_DELTA = 1e-6
"""δ of the Gaussian mechanisms, from the authors' program; the paper names none."""


@dataclass(frozen=True)
class Printed:
    """One printed number."""

    quantity: str
    pair: str
    epsilon: float
    value: float
    digit: float
    """One unit of the last printed digit: the number is known to half of it."""
    source: str

    def rounds_to(self, value: float) -> bool:
        """Whether ``value``, rounded like the printed number, is the printed number."""
        return abs(value - self.value) <= 0.5 * self.digit * (1.0 + 1e-9)


def _cells(
    quantity: str, epsilons: tuple[float, ...], source: str, *rows: tuple[float, ...]
) -> tuple[Printed, ...]:
    """One row an ε, one column a pair: A1B1 A2B1 A3B1 A1B2 A2B2 A3B2, as in PAIR_NAMES."""
    return tuple(
        Printed(quantity, pair, epsilon, value, 0.001, source)
        for epsilon, row in zip(epsilons, rows, strict=True)
        for pair, value in zip(PAIR_NAMES, row, strict=True)
    )


H1 = _cells(
    "H1", RATES_EPSILONS, RATES_TABLE,
    (9.382, 15.308, 18.263, 9.571, 15.942, 18.263),
    (6.082, 9.103, 11.713, 6.400, 10.335, 13.065),
    (4.447, 6.711, 8.456, 5.536, 8.106, 8.782),
    (3.456, 5.166, 6.481, 4.017, 5.724, 7.159),
    (1.466, 2.093, 2.588, 1.752, 2.628, 2.743),
)  # fmt: skip
H2 = _cells(
    "H2", RATES_EPSILONS, RATES_TABLE,
    (0.333, 0.333, 0.333, 0.334, 0.334, 0.334),
    (0.333, 0.333, 0.333, 0.334, 0.334, 0.335),
    (0.333, 0.333, 0.333, 0.335, 0.335, 0.334),
    (0.333, 0.333, 0.333, 0.335, 0.335, 0.334),
    (0.333, 0.333, 0.333, 0.335, 0.336, 0.335),
)  # fmt: skip
VARIANCE = _cells(
    "variance", RATES_EPSILONS, RATES_TABLE,
    (31.714, 69.653, 112.554, 33.986, 85.726, 141.532),
    (13.162, 31.343, 49.844, 15.872, 35.971, 77.200),
    (7.218, 16.325, 25.106, 11.117, 27.320, 28.311),
    (4.225, 9.705, 15.412, 5.331, 13.070, 17.624),
    (0.921, 1.702, 2.620, 1.036, 2.152, 3.133),
)  # fmt: skip
BIAS_PERCENT = _cells(
    "bias rate (%)", BIAS_EPSILONS, BIAS_TABLE,
    (0.081, 0.123, 0.156, 0.081, 0.124, 0.155),
    (0.030, 0.044, 0.055, 0.029, 0.044, 0.055),
    (0.013, 0.018, 0.022, 0.013, 0.018, 0.022),
    (0.005, 0.006, 0.007, 0.005, 0.006, 0.007),
    (0.001, 0.001, 0.001, 0.001, 0.001, 0.001),
)  # fmt: skip

DATASETS = {"ICUs": 91_714, "RAHRD": 5_624, "Diabetes": 769}
"""Sizes of the paper's tables, as it prints them."""

LOSS_ENDS = tuple(
    Printed(dataset, pair, LOSS_EPSILONS[0], value, digit, LOSS_TEXT)
    for pair, dataset, value, digit in (
        ("A1B1", "ICUs", 1.25e-4, 1e-6),
        ("A1B1", "RAHRD", 2e-3, 1e-3),
        ("A1B1", "Diabetes", 1.3e-2, 1e-3),
        ("A3B1", "ICUs", 2.5e-4, 1e-5),
        ("A3B1", "RAHRD", 4e-3, 1e-3),
        ("A3B1", "Diabetes", 2.5e-2, 1e-3),
    )
)
"""Upper ends of the accuracy loss of a counting query at the smallest ε, as quoted; the quantity is
the table that is counted."""


@dataclass(frozen=True)
class PrintedFall:
    """How much an error falls from ε = 0.2 to 5, as quoted.

    ``per_epsilon``: whether the paper divided by the 4.8 between the two. It calls both kinds of
    numbers rates per ε; the last four are not divided, as their size shows.
    """

    query: str
    sensitivity: float
    """Δ as printed (data units)."""
    sensitivity_digit: float
    """One unit of its last printed digit."""
    pair: str
    """A pair, or ``mean of six`` for the average over all six."""
    metric: str
    value: float
    digit: float
    per_epsilon: bool
    source: str = SENSITIVITY_TEXT


MEAN_OF_SIX = "mean of six"


def _falls() -> Iterator[PrintedFall]:
    rows = (
        ("maximum of Altitude", 55.6, 0.1, (54.53, 83.78, 105.51, 54.1, 83.07, 105.68)),
        ("mode of Max_speed", 0.234, 0.001, (0.23, 0.35, 0.45, 0.23, 0.36, 0.44)),
    )
    for query, delta, last, values in rows:
        for pair, value in zip(PAIR_NAMES, values, strict=True):
            yield PrintedFall(query, delta, last, pair, "RE", value, 0.01, per_epsilon=True)
    for query, delta, last, metric, value, digit in (
        ("variance of BloodPressure", 3.1556, 1e-4, "RE", 22.60, 0.01),
        ("variance of BloodPressure", 3.1556, 1e-4, "MSE", 703.57, 0.01),
        ("mode of Time_elapsed", 24.0, 1.0, "RE", 172.77, 0.01),
        ("mode of Time_elapsed", 24.0, 1.0, "MSE", 4.12e4, 1e2),
    ):
        yield PrintedFall(query, delta, last, MEAN_OF_SIX, metric, value, digit, per_epsilon=False)


FALLS = tuple(_falls())


@dataclass(frozen=True)
class PrintedGain:
    """By how many percent a pair lowers an error of a baseline, averaged over ε, as quoted."""

    pair: str
    baseline: str
    metric: str
    value: float
    digit: float = 0.01
    source: str = RESULTS_TEXT


GAINS = (
    PrintedGain("A1B1", "classic_gaussian", "RE", 85.68),
    PrintedGain("A1B1", "classic_gaussian", "MSE", 97.55),
    PrintedGain("A1B1", "laplace", "RE", 39.32),
    PrintedGain("A1B2", "classic_gaussian", "RE", 85.64),
    PrintedGain("A1B2", "laplace", "MSE", 65.23),
    PrintedGain("A2B1", "classic_gaussian", "RE", 80.62),
    PrintedGain("A2B2", "classic_gaussian", "RE", 80.64),
    PrintedGain("A3B1", "classic_gaussian", "RE", 76.53),
    PrintedGain("A3B2", "classic_gaussian", "RE", 76.52),
)
"""Quoted gains over the discrete Gaussian and the truncated discrete Laplace are left out: they
depend on bounds and grids that the paper does not state."""
