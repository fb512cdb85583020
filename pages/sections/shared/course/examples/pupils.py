"""An invented class of any size: results of a test, and the hours that each pupil studied."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from compdp_core.estimates.example_rows import example_rows
from pages.sections.shared.course.examples.noise import INPUTS

Array = NDArray[np.float64]

SIZES = (50, 200, 1000, 5000, 20_000, 100_000)
"""Pupils that took the test."""
SEED = 1


def results(rows: int) -> Array:
    """Invented results, ascending: many weak ones, and fewer strong ones."""
    return example_rows("humps", rows, INPUTS)


def hours_studied(results: Array) -> Array:
    """Hours that each pupil studied, published as they are: more, mostly, for better results."""
    luck: Array = np.random.default_rng(SEED).normal(0.0, 2.2, results.size)
    return np.maximum(1.0 + results / 12.0 + luck, 0.0)
