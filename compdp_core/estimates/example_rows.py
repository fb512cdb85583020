"""Invented rows of a few shapes, the same at every call: for simulations, never data."""

from __future__ import annotations

from typing import Any

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.validation import Array, one_of, whole

SHAPES = {
    "humps": "two humps",
    "uniform": "evenly spread",
    "end": "near the lower end",
}
"""Each shape and what it is called."""
_HUMPS = ((0.6, 0.3, 0.08), (0.4, 0.75, 0.07))
"""Share, middle and standard deviation of each, in widths of the inputs."""
_DECAY = 0.12
"""Mean of the shape at an end, in widths of the inputs."""


def example_rows(shape: str, rows: int, inputs: Any) -> Array:
    """So many rows of the shape, ascending: its quantiles, without chance.

    >>> example_rows("uniform", 4, (0, 100)).tolist()
    [12.5, 37.5, 62.5, 87.5]

    Raises :class:`ParameterError` for an unknown shape.
    """
    from scipy.special import ndtri

    interval = Interval.checked("inputs", inputs)
    kind, count = one_of("shape", shape, SHAPES), whole("rows", rows, 1)
    if kind == "humps":
        first = round(_HUMPS[0][0] * count)
        parts = [
            middle + deviation * ndtri(_levels(many))
            for (_, middle, deviation), many in zip(_HUMPS, (first, count - first), strict=True)
        ]
        places = np.concatenate(parts)
    elif kind == "end":
        places = -_DECAY * np.log1p(-_levels(count))
    else:
        places = _levels(count)
    found: Array = np.sort(interval.lower + interval.width * np.clip(places, 0.0, 1.0))
    return found


def _levels(count: int) -> Array:
    return (np.arange(count) + 0.5) / max(count, 1)
