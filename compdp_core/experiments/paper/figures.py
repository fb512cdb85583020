"""The paper's figures: RE and MSE of the queries against ε, accuracy loss of the count."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.experiments.comparison import ErrorTally
from compdp_core.experiments.frames import frame
from compdp_core.experiments.mechanism_list import label
from compdp_core.experiments.paper.printed import (
    DATASETS,
    FIGURE_EPSILONS,
    LOSS_EPSILONS,
    PAPER_DELTA,
)
from compdp_core.experiments.paper.queries import PaperQuery
from compdp_core.experiments.paper.reconstruction import UNIT, unit_mechanism
from compdp_core.experiments.progress import Task
from compdp_core.experiments.seeds import derived_seed
from compdp_core.mechanisms.baselines import BASELINES, Mechanism
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.planning import STAIRCASE
from compdp_core.shapes import PAIR_NAMES

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]

PAPER_BASELINES = (
    "laplace",
    "discrete_laplace",
    "truncated_discrete_laplace",
    "classic_gaussian",
    "discrete_gaussian",
)

OTHER_BASELINES = ("analytic_gaussian", "staircase")
"""Better calibrated, unbiased, and unbounded as well."""

SHOWN = (*PAIR_NAMES, STAIRCASE, *PAPER_BASELINES, *OTHER_BASELINES)


def error_table(
    asked: Sequence[PaperQuery],
    repetitions: int,
    seed: int,
    *,
    epsilons: Iterable[float] = FIGURE_EPSILONS,
    keys: Iterable[str] = SHOWN,
    delta: float = PAPER_DELTA,
    task: Task | None = None,
) -> pd.DataFrame:
    """RE, MSE and bias of each query, one row a query, protocol, mechanism and ε.

    In data units, each with its standard error over ``repetitions`` draws; ``MSE_theory`` is the
    closed form. In the ``paper`` protocol every error is Δ times one that no longer depends on
    the data. A query of that protocol with Δ = 0 has no rows: it would release the true answer.
    """
    task, rows, shown = task or Task(), [], list(keys)
    cells = list(itertools.product(asked, epsilons))
    for done, (query, epsilon) in enumerate(cells):
        task.tell(done / len(cells), f"{query.name}, {query.protocol}, epsilon {epsilon:g}")
        for key in shown if query.runs else ():
            found = _noise(query, key, epsilon, delta)
            if found is None:
                continue
            stream = derived_seed(seed, "errors", query.name, query.protocol, key, epsilon)
            rows.append(_error_row(query, key, epsilon, found.errors(repetitions, stream), found))
    return frame(rows)


_FIGURES = ("RE", "RE_se", "MSE", "MSE_se", "MSE_theory", "bias", "bias_se")


def _error_row(
    query: PaperQuery, key: str, epsilon: float, errors: Array, noise: _Noise
) -> dict[str, Any]:
    tally = ErrorTally(np.zeros(1))
    tally.add(errors[:, None])
    found = tally.columns({"MSE": noise.mean_square})
    return {
        "query": query.name,
        "statistic": query.statistic,
        "protocol": query.protocol,
        "sensitivity": query.sensitivity,
        "mechanism": label(key),
        "key": key,
        "epsilon": epsilon,
        **{name: found[name] for name in _FIGURES},
        "repetitions": errors.size,
    }


@dataclass(frozen=True)
class _Noise:
    """A mechanism at one of its inputs, in units of ``scale`` data units."""

    mechanism: Mechanism
    position: float
    scale: float

    def errors(self, count: int, seed: int) -> Array:
        """Released minus true, data units, of so many draws."""
        drawn = self.mechanism.simulate(np.full(count, self.position), seed=seed)
        return self.scale * (drawn - self.position)

    @property
    def mean_square(self) -> float:
        """In closed form, squared data units."""
        variance, bias = (
            float(each(self.position)) for each in (self.mechanism.variance, self.mechanism.bias)
        )
        return self.scale**2 * (variance + bias**2)

    @property
    def furthest(self) -> float:
        """The largest error there can be."""
        low, high = self.mechanism.outputs
        return self.scale * max(self.position - low, high - self.position)


def _noise(query: PaperQuery, key: str, epsilon: float, delta: float) -> _Noise | None:
    """The noise of a query. None where the answer's range is needed and unknown.

    The six pairs take any two inputs for neighbours, and all noise of the paper's protocol scales
    with Δ: both are drawn once on inputs of width 1 and scaled, which is the same experiment.
    Counts are released whole where the protocol is exact and the mechanism can.
    """
    low, high = query.inputs
    on_unit = query.protocol == "paper" and key != "truncated_discrete_laplace"
    if key in PAIR_NAMES:
        position = (query.answer - low) / (high - low) - 0.5
        position = min(max(position, UNIT[0]), UNIT[1])
        return _Noise(unit_mechanism(epsilon, key), position, high - low)
    if key == STAIRCASE and on_unit:
        return _Noise(unit_mechanism(epsilon, key), 0.0, high - low)
    if key == STAIRCASE:
        spacing = 1 if query.statistic == "count" else None
        staircase = CompositeMechanism(
            epsilon, query.inputs, sensitivity=query.sensitivity, pair=key, spacing=spacing
        )
        return _Noise(staircase, query.answer, 1.0)
    if on_unit:
        unit = BASELINES[key].build(epsilon, UNIT, sensitivity=1.0, delta=delta)
        return _Noise(unit, 0.0, high - low)
    inputs = query.inputs if key != "truncated_discrete_laplace" else query.truncation
    if inputs is None:
        return None
    baseline = BASELINES[key].build(epsilon, inputs, sensitivity=query.sensitivity, delta=delta)
    return _Noise(baseline, query.answer, 1.0)


def loss_table(
    repetitions: int,
    seed: int,
    *,
    sizes: Iterable[tuple[str, int]] = tuple(DATASETS.items()),
    epsilons: Iterable[float] = LOSS_EPSILONS,
    keys: Iterable[str] = SHOWN,
    delta: float = PAPER_DELTA,
    task: Task | None = None,
) -> pd.DataFrame:
    """Boxes of the accuracy loss ``|r - r'|/r`` of a count ``r = n``, one row a box.

    Quartiles, whiskers at the furthest loss within 1.5 interquartile ranges of the box, the
    number of ``outliers`` beyond them, ``largest``, ``mean`` with its standard error, and
    ``limit``: the largest loss that the mechanism can cause (infinite without bounds).

    ``paper``: Δ = 1 and inputs of width 1 around the true count, as the paper's numbers show; the
    place of that interval gives the count away. ``exact``: inputs ``[0, n]`` with Δ = 1, whole
    numbers where the mechanism can; a pair that knows no Δ below the width then adds noise of the
    size of ``n`` itself.
    """
    task, rows, shown = task or Task(), [], list(keys)
    cells = list(itertools.product(sizes, epsilons))
    for done, ((dataset, size), epsilon) in enumerate(cells):
        task.tell(done / len(cells), f"count of {dataset}, epsilon {epsilon:g}")
        for query, key in itertools.product(count_queries(dataset, size), shown):
            noise = _noise(query, key, epsilon, delta)
            assert noise is not None  # the range of a count is known
            stream = derived_seed(seed, "loss", dataset, query.protocol, key, epsilon)
            rows.append(
                {
                    "dataset": dataset,
                    "n": size,
                    "protocol": query.protocol,
                    "mechanism": label(key),
                    "key": key,
                    "epsilon": epsilon,
                    **box(np.abs(noise.errors(repetitions, stream)) / size),
                    "limit": noise.furthest / size,
                    "repetitions": repetitions,
                }
            )
    return frame(rows)


def count_queries(dataset: str, size: int) -> list[PaperQuery]:
    """The counting query of a table of ``size`` rows under both protocols."""
    name, answer = f"count of {dataset}", float(size)
    reach = (0.0, answer)
    around = (answer - 0.5, answer + 0.5)
    return [
        PaperQuery(name, "count", "paper", answer, around, 1.0, reach, "1, around the true count"),
        PaperQuery(name, "count", "exact", answer, reach, 1.0, reach, "Δ = 1 on [0, n]"),
    ]


def box(losses: Array) -> dict[str, float]:
    """Tukey's box of a sample, its mean and standard error.

    >>> box(np.array([1.0, 2.0, 3.0, 4.0, 20.0]))["outliers"]
    1
    """
    first, median, third = np.quantile(losses, (0.25, 0.5, 0.75))
    reach = 1.5 * (third - first)
    within = losses[(losses >= first - reach) & (losses <= third + reach)]
    return {
        "lower_whisker": float(within.min()),
        "lower_quartile": float(first),
        "median": float(median),
        "upper_quartile": float(third),
        "upper_whisker": float(within.max()),
        "outliers": int(losses.size - within.size),
        "largest": float(losses.max()),
        "mean": float(losses.mean()),
        "mean_se": float(losses.std(ddof=1)) / math.sqrt(losses.size),
    }
