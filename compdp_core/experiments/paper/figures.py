"""The paper's figures: RE and MSE of the queries against ε, accuracy loss of the count."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.experiments.frames import frame
from compdp_core.experiments.mechanism_list import label
from compdp_core.experiments.metrics import Estimate
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
Errors = Callable[[int, int], Array]
"""Errors (released minus true, data units) of so many draws, for a seed."""

PAPER_BASELINES = (
    "laplace",
    "discrete_laplace",
    "truncated_discrete_laplace",
    "classic_gaussian",
    "discrete_gaussian",
)
"""Those of the paper."""

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
    task, rows = task or Task(), []
    budgets, shown = list(epsilons), list(keys)
    total, done = len(asked) * len(budgets), 0
    for query in asked:
        for epsilon in budgets:
            task.tell(done / total, f"{query.name}, {query.protocol}, epsilon {epsilon:g}")
            done += 1
            for key in shown if query.runs else ():
                found = _errors(query, key, epsilon, delta)
                if found is None:
                    continue
                draw, theory = found
                stream = derived_seed(seed, "errors", query.name, query.protocol, key, epsilon)
                rows.append(_error_row(query, key, epsilon, draw(repetitions, stream), theory))
    return frame(rows)


def _error_row(
    query: PaperQuery, key: str, epsilon: float, errors: Array, theory: float
) -> dict[str, Any]:
    size, square, mean = map(Estimate.of, (np.abs(errors), errors**2, errors))
    return {
        "query": query.name,
        "statistic": query.statistic,
        "protocol": query.protocol,
        "sensitivity": query.sensitivity,
        "mechanism": label(key),
        "key": key,
        "epsilon": epsilon,
        "RE": size.value,
        "RE_se": size.standard_error,
        "MSE": square.value,
        "MSE_se": square.standard_error,
        "MSE_theory": theory,
        "bias": mean.value,
        "bias_se": mean.standard_error,
        "repetitions": errors.size,
    }


def _errors(
    query: PaperQuery, key: str, epsilon: float, delta: float
) -> tuple[Errors, float] | None:
    """How to draw errors, and the closed-form MSE. None where a range is needed and unknown.

    The six pairs take any two inputs for neighbours, and all noise of the paper's protocol scales
    with Δ: both are drawn once on inputs of width 1 and scaled, which is the same experiment.
    """
    width = query.inputs[1] - query.inputs[0]
    position = (query.answer - query.inputs[0]) / width - 0.5
    position = min(max(position, UNIT[0]), UNIT[1])
    if key in PAIR_NAMES:
        return _scaled(unit_mechanism(epsilon, key), position, width)
    if key == "truncated_discrete_laplace":
        if query.truncation is None:
            return None
        return _plain(_baseline(key, epsilon, query.truncation, query.sensitivity, delta), query)
    if query.protocol == "paper":
        mechanism = (
            unit_mechanism(epsilon, key)
            if key == STAIRCASE
            else _baseline(key, epsilon, UNIT, 1.0, delta)
        )
        return _scaled(mechanism, 0.0, width)
    if key == STAIRCASE:
        return _plain(
            CompositeMechanism(
                epsilon, query.inputs, sensitivity=query.sensitivity, pair=STAIRCASE
            ),
            query,
        )
    return _plain(_baseline(key, epsilon, query.inputs, query.sensitivity, delta), query)


def _baseline(
    key: str, epsilon: float, inputs: tuple[float, float], sensitivity: float, delta: float
) -> Mechanism:
    return BASELINES[key].build(epsilon, inputs, sensitivity=sensitivity, delta=delta)


def _scaled(mechanism: Mechanism, position: float, scale: float) -> tuple[Errors, float]:
    def draw(count: int, seed: int) -> Array:
        return scale * (mechanism.simulate(np.full(count, position), seed=seed) - position)

    square = float(mechanism.variance(position)) + float(mechanism.bias(position)) ** 2
    return draw, scale**2 * square


def _plain(mechanism: Mechanism, query: PaperQuery) -> tuple[Errors, float]:
    return _scaled(mechanism, query.answer, 1.0)


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
    task, rows = task or Task(), []
    counts, budgets, shown = list(sizes), list(epsilons), list(keys)
    total, done = len(counts) * len(budgets), 0
    for dataset, size in counts:
        for epsilon in budgets:
            task.tell(done / total, f"count of {dataset}, epsilon {epsilon:g}")
            done += 1
            for query in count_queries(dataset, size):
                for key in shown:
                    found = _count_errors(query, key, epsilon, delta)
                    stream = derived_seed(seed, "loss", dataset, query.protocol, key, epsilon)
                    losses = np.abs(found[0](repetitions, stream)) / size
                    rows.append(
                        {
                            "dataset": dataset,
                            "n": size,
                            "protocol": query.protocol,
                            "mechanism": label(key),
                            "key": key,
                            "epsilon": epsilon,
                            **box(losses),
                            "limit": found[1] / size,
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


def _count_errors(
    query: PaperQuery, key: str, epsilon: float, delta: float
) -> tuple[Errors, float]:
    """How to draw errors of a count, and the largest error there can be."""
    width = query.inputs[1] - query.inputs[0]
    if key in PAIR_NAMES or (key == STAIRCASE and query.protocol == "paper"):
        mechanism: Mechanism = unit_mechanism(epsilon, key)
        position = 0.5 if query.protocol == "exact" else 0.0
        return _scaled(mechanism, position, width)[0], width * _furthest(mechanism, position)
    if key == STAIRCASE:
        mechanism = CompositeMechanism(
            epsilon, query.inputs, sensitivity=1.0, pair=STAIRCASE, spacing=1
        )
    elif query.protocol == "paper" and key != "truncated_discrete_laplace":
        return _scaled(_baseline(key, epsilon, UNIT, 1.0, delta), 0.0, 1.0)[0], math.inf
    else:
        mechanism = _baseline(key, epsilon, (0.0, query.answer), 1.0, delta)
    return _plain(mechanism, query)[0], _furthest(mechanism, query.answer)


def _furthest(mechanism: Mechanism, value: float) -> float:
    low, high = mechanism.outputs
    return max(value - low, high - value)


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
