"""The paper's five queries on one column, with its own sensitivities and with exact ones.

The paper's Δ is local: how much the answer of *this* column changes when one row is removed. For
the variance of the Diabetes table's blood pressure that gives 3.1556, as printed. Such a Δ is
itself private information, and noise scaled by it protects nobody: where two rows share the
largest value, it is 0. The ``exact`` protocol uses the range and the Δ of
:mod:`compdp_core.statistics`, which follow from public bounds alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.experiments.comparison import true_values
from compdp_core.experiments.frames import frame
from compdp_core.experiments.paper.printed import FALLS
from compdp_core.intervals import Interval
from compdp_core.statistics import STATISTICS
from compdp_core.validation import one_of

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]

QUERIES = ("maximum", "minimum", "mean", "variance", "mode")
"""The summary statistics of the paper."""

Protocol = Literal["paper", "exact"]


@dataclass(frozen=True, eq=False)
class BoundedColumn:
    """A numeric column with public bounds. Its values are private."""

    name: str
    values: Array
    """Shape (n,), without missing values; clamped into the bounds."""
    bounds: Interval

    @classmethod
    def of(cls, name: str, values: Any, bounds: Any) -> BoundedColumn:
        """Checked: at least three values, so that one can be removed from any statistic."""
        interval = Interval.checked("bounds", bounds)
        array = interval.clamp(true_values(values))
        if array.size < 3:
            raise ParameterError("values", array.size, "must be at least 3 numbers")
        return cls(name, array, interval)


@dataclass(frozen=True)
class PaperQuery:
    """One query as an experiment: where the answer lies and how far neighbours are apart."""

    name: str
    """Such as ``maximum of distance (km)``."""
    statistic: str
    protocol: Protocol
    answer: float
    inputs: tuple[float, float]
    """The input interval of the mechanism (data units)."""
    sensitivity: float
    """Δ (data units); 0 where the paper's protocol would add no noise at all."""
    truncation: tuple[float, float] | None
    """The answer's public range, into which the truncated baseline moves its outputs. None where
    it is unknown."""
    basis: str
    """Where Δ comes from."""

    @property
    def runs(self) -> bool:
        """Whether there is any noise to draw."""
        return self.sensitivity > 0.0


def queries(column: BoundedColumn) -> list[PaperQuery]:
    """The five queries under both protocols."""
    found = []
    for statistic in QUERIES:
        question = STATISTICS[statistic]().ask(column.values, column.bounds, column=column.name)
        name = question.plan.text
        local = local_sensitivity(statistic, column.values, column.bounds)
        half, value = 0.5 * local, question.value
        reach = question.range.as_tuple()
        paper = (value - half, value + half), local, reach, "local: one row of this column removed"
        exact = reach, question.plan.float_sensitivity, reach, question.plan.formula
        found += [
            PaperQuery(name, statistic, "paper", value, *paper),
            PaperQuery(name, statistic, "exact", value, *exact),
        ]
    return found


def printed_queries() -> list[PaperQuery]:
    """The queries whose Δ the paper prints; its protocol needs nothing else of the data.

    The answers are unknown and stand at 0: only errors matter.
    """
    known = {each.query: each.sensitivity for each in FALLS}
    return [
        PaperQuery(
            name, name.split()[0], "paper", 0.0, (-0.5 * delta, 0.5 * delta), delta, None,
            "printed in the paper",
        )
        for name, delta in known.items()
    ]  # fmt: skip


def local_sensitivity(statistic: str, values: Array, bounds: Any) -> float:
    """``max_i |f(D) - f(D without row i)|`` of one of :data:`QUERIES`, in closed form.

    With ``d = x - mean``: ``|d|/(n - 1)`` for the mean and
    ``|Var/(n - 1) - n d²/(n - 1)²|`` for the variance (ddof 0). The largest and smallest value
    fall to the next one, the mode to the mode without one of its rows.

    >>> local_sensitivity("maximum", np.array([1.0, 5.0, 10.0, 20.0, 30.0]), (0, 100))
    10.0
    """
    one_of("statistic", statistic, QUERIES)
    n = values.size
    ordered = np.sort(values)
    if statistic == "maximum":
        return float(ordered[-1] - ordered[-2])
    if statistic == "minimum":
        return float(ordered[1] - ordered[0])
    if statistic == "mode":
        ask = STATISTICS["mode"]().ask
        mode = ask(values, bounds).value
        without = np.delete(values, int(np.argmax(values == mode)))
        return abs(ask(without, bounds).value - mode)
    deviations = values - values.mean()
    if statistic == "mean":
        return float(np.max(np.abs(deviations))) / (n - 1)
    spread = float(np.mean(deviations**2))
    changes = spread / (n - 1) - n * deviations**2 / (n - 1) ** 2
    return float(np.max(np.abs(changes)))


def query_table(asked: list[PaperQuery]) -> pd.DataFrame:
    """One row a query: answers and Δ. Private where the column is."""
    return frame(
        {
            "query": each.name,
            "statistic": each.statistic,
            "protocol": each.protocol,
            "answer": each.answer,
            "input_lower": each.inputs[0],
            "input_upper": each.inputs[1],
            "sensitivity": each.sensitivity,
            "basis": each.basis,
        }
        for each in asked
    )
