"""Mean, total, variance and standard deviation of true values, from their readings."""

from __future__ import annotations

import numpy as np

from compdp_core.estimates.estimate import About, Estimate
from compdp_core.estimates.reading import Reading, Sampling


def mean(reading: Reading, sampling: Sampling, about: About, level: float) -> Estimate:
    """The mean."""
    from scipy.special import ndtri

    values = reading.values[~np.isnan(reading.values)]
    n, z = values.size, float(ndtri(0.5 + 0.5 * level))
    error = float(np.sqrt(np.nanmean(reading.noise) / n))
    found = float(values.mean())
    return Estimate(found, error, found - z * error, found + z * error, level, n, "", "", about)


def total(reading: Reading, sampling: Sampling, about: About, level: float) -> Estimate:
    """The sum."""
    raise NotImplementedError


def variance(reading: Reading, sampling: Sampling, about: About, level: float) -> Estimate:
    """The variance."""
    raise NotImplementedError


def std(reading: Reading, sampling: Sampling, about: About, level: float) -> Estimate:
    """The standard deviation."""
    raise NotImplementedError
