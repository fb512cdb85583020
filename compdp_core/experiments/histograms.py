"""Histograms of several mechanisms on common bins, with the mass beyond the bounds apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.experiments.comparison import blocks, by_name, true_values
from compdp_core.experiments.frames import stacked
from compdp_core.experiments.progress import Cancelled, Progress, Task
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import Mechanism
from compdp_core.validation import flag, whole

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]

TRUE_VALUES = "true values"
"""Name of the rows that show the values before any noise."""

SHOWN = 0.99
"""Share of every mechanism's draws that lies in bins of finite width, if the reach allows."""


def histograms(
    mechanisms: Mapping[str, Mechanism] | Sequence[Mechanism],
    values: Any,
    *,
    seed: int,
    bins: int = 40,
    reach: float = 3.0,
    bounds: Any = None,
    repetitions: int = 1,
    whole_numbers: bool = False,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pd.DataFrame:
    """Released values counted in bins that are the same for all mechanisms.

    ``bounds`` (the inputs, which must then be equal, where left out) are cut into ``bins`` bins.
    Bins of the same width continue on both sides as far as 99 % of the draws of each mechanism
    lie, but at most ``reach`` widths of the bounds; what lies further out is counted in an open
    bin at either end, whose ``lower`` or ``upper`` is infinite. ``outside`` marks bins beyond
    the bounds. With ``whole_numbers`` the bins end halfway between whole numbers.

    One row a mechanism and bin, ``true values`` first: ``count``, ``share`` and its standard
    error, ``density`` (share per data unit; 0 for open bins).
    """
    named, truth = by_name(mechanisms), true_values(values)
    inner = _bounds(named, bounds)
    count, rounds = whole("bins", bins, 1, 10_000), whole("repetitions", repetitions, 1)
    if not 0.0 <= reach <= 100.0:
        raise ParameterError("reach", reach, "must be a number from 0 to 100")
    task, drawn = Task(progress, cancelled), {TRUE_VALUES: truth}
    for index, (name, mechanism) in enumerate(named.items()):
        task.tell(index / len(named), f"draws of {name}")
        parts = [part.reshape(-1) for part in blocks(mechanism, truth, rounds, seed, name)]
        drawn[name] = np.concatenate(parts)
    edges, first, last = _edges(inner, count, reach, list(drawn.values()), whole_numbers)
    task.tell(1.0, "done")
    return stacked(_bins(name, sample, edges, first, last) for name, sample in drawn.items())


def _bounds(named: Mapping[str, Mechanism], bounds: Any) -> Interval:
    if bounds is not None:
        return Interval.checked("bounds", bounds)
    inputs = {mechanism.inputs for mechanism in named.values()}
    if len(inputs) > 1:
        raise ParameterError(
            "bounds", sorted(inputs), "must be given where mechanisms have different inputs"
        )
    return Interval.checked("bounds", inputs.pop())


def _edges(
    inner: Interval, count: int, reach: float, samples: Sequence[Array], whole_numbers: bool
) -> tuple[Array, int, int]:
    """All finite edges, and the positions of those at the bounds."""
    lower, upper = inner.as_tuple()
    if flag("whole_numbers", whole_numbers):
        lower, upper = math.ceil(lower) - 0.5, math.floor(upper) + 0.5
        step = float(max(1, math.ceil((upper - lower) / count)))
        within = np.append(np.arange(lower, upper - 1e-9, step), upper)
    else:
        step = (upper - lower) / count
        within = np.linspace(lower, upper, count + 1)
    tail = 0.5 * (1.0 - SHOWN)
    low = min(float(np.quantile(sample, tail)) for sample in samples)
    high = max(float(np.quantile(sample, 1.0 - tail)) for sample in samples)
    furthest = reach * (upper - lower)
    below = math.ceil(max(0.0, min(lower - low, furthest)) / step)
    above = math.ceil(max(0.0, min(high - upper, furthest)) / step)
    edges = np.concatenate(
        [lower - step * np.arange(below, 0, -1), within, upper + step * np.arange(1, above + 1)]
    )
    return edges, below, below + within.size - 1


def _bins(name: str, sample: Array, edges: Array, first: int, last: int) -> dict[str, Any]:
    """Bins hold their lower edge; the last one within the bounds both edges."""
    cuts = edges.copy()
    cuts[last] = math.nextafter(cuts[last], math.inf)
    counts = np.bincount(np.searchsorted(cuts, sample, side="right"), minlength=edges.size + 1)
    lowers = np.concatenate([[-math.inf], edges])
    uppers = np.concatenate([edges, [math.inf]])
    shares = counts / sample.size
    places = np.arange(edges.size + 1)
    return {
        "mechanism": name,
        "lower": lowers,
        "upper": uppers,
        "count": counts,
        "share": shares,
        "share_se": np.sqrt(shares * (1.0 - shares) / sample.size),
        "density": shares / (uppers - lowers),
        "outside": ~((first < places) & (places <= last)),
    }
