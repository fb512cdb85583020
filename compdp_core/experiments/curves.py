"""Error against ε, and bias against the input: the closed form as a line, draws as points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.experiments.comparison import by_name, measured
from compdp_core.experiments.frames import frame, stacked
from compdp_core.experiments.mechanism_list import Factory
from compdp_core.experiments.progress import Cancelled, Progress, Task
from compdp_core.mechanisms.baselines import Mechanism
from compdp_core.parameters import EPSILON
from compdp_core.validation import one_number, whole

if TYPE_CHECKING:
    import pandas as pd


def error_curve(
    factories: Mapping[str, Factory],
    epsilons: Iterable[float],
    *,
    repetitions: int,
    seed: int,
    value: float | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pd.DataFrame:
    """Error of one released value against ε, one row a mechanism and ε.

    ``factories`` build a mechanism for an ε (see :func:`~compdp_core.experiments.factories`).
    ``value`` is the true value, the midpoint of the inputs where left out. ``MSE_theory`` and
    ``RMSE_theory`` are closed forms; ``MSE``, ``RMSE``, ``RE`` and ``bias`` come from
    ``repetitions`` draws, with standard errors (that of the RMSE by the delta method).
    ``outside`` is the closed-form probability of an output outside the inputs.

    Where a mechanism cannot be built at an ε, its numbers are NaN and ``refused`` says why.
    """
    budgets = [EPSILON.check(epsilon) for epsilon in epsilons]
    rounds, task, rows = whole("repetitions", repetitions, 1), Task(progress, cancelled), []
    if not factories or not budgets:
        raise ParameterError("factories", list(factories), "and epsilons must not be empty")
    total = len(factories) * len(budgets)
    for index, (name, build) in enumerate(factories.items()):
        for place, epsilon in enumerate(budgets):
            task.tell((index * len(budgets) + place) / total, f"{name} at epsilon {epsilon:g}")
            row: dict[str, Any] = {"mechanism": name, "epsilon": epsilon}
            try:
                mechanism = build(epsilon)
            except CompdpError as refusal:
                rows.append(row | dict.fromkeys(_FIGURES, math.nan) | {"refused": str(refusal)})
                continue
            at = sum(mechanism.inputs) / 2.0 if value is None else one_number("value", value)
            # A stream for each ε: else the same luck would bend the whole curve.
            stream = f"{name} at {epsilon!r}"
            rows.append(row | _point(stream, mechanism, at, rounds, seed) | {"refused": ""})
    task.tell(1.0, "done")
    return frame(rows)


_FIGURES = (
    "value", "MSE_theory", "RMSE_theory", "bias_theory", "MSE", "MSE_se", "RMSE", "RMSE_se",
    "RE", "RE_se", "bias", "bias_se", "outside",
)  # fmt: skip


def _point(
    stream: str, mechanism: Mechanism, value: float, repetitions: int, seed: int
) -> dict[str, float]:
    raw = measured(stream, mechanism, np.array([value]), repetitions, seed, None, Task())[0]
    rmse = math.sqrt(raw["MSE"])
    found = {
        **raw,
        "value": value,
        "RMSE": rmse,
        "RMSE_se": 0.5 * raw["MSE_se"] / rmse if rmse > 0.0 else math.nan,
        "RMSE_theory": math.sqrt(raw["MSE_theory"]),
        "outside": raw["outside_theory"],
    }
    return {figure: found[figure] for figure in _FIGURES}


def bias_curve(
    mechanisms: Mapping[str, Mechanism] | Sequence[Mechanism],
    *,
    positions: int = 41,
    repetitions: int = 0,
    seed: int = 0,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pd.DataFrame:
    """Bias and spread against the true value, one row a mechanism and value.

    The values lie evenly over each mechanism's inputs; ``position`` runs from 0 (lower end) to 1.
    ``bias_theory`` and ``deviation_theory`` (standard deviation) are closed forms. With
    ``repetitions`` each value is also released that often: ``bias`` and ``bias_se``.
    """
    named = by_name(mechanisms)
    count = whole("positions", positions, 2, 10_000)
    rounds = whole("repetitions", repetitions, 0)
    task, parts = Task(progress, cancelled), []
    for index, (name, mechanism) in enumerate(named.items()):
        task.tell(index / len(named), name)
        shares = np.linspace(0.0, 1.0, count)
        lower, upper = mechanism.inputs
        values = np.clip(lower + shares * (upper - lower), lower, upper)
        seen = [
            measured(f"{name} at {i}", mechanism, values[[i]], rounds, seed, None, Task())[0]
            for i in range(count if rounds else 0)
        ]
        parts.append(
            {
                "mechanism": name,
                "position": shares,
                "value": values,
                "bias_theory": mechanism.bias(values),
                "deviation_theory": np.sqrt(mechanism.variance(values)),
                "bias": [each["bias"] for each in seen] or math.nan,
                "bias_se": [each["bias_se"] for each in seen] or math.nan,
            }
        )
    task.tell(1.0, "done")
    return stacked(parts)
