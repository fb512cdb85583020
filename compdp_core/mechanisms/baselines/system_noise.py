"""Released noise of the unbounded baselines: OpenDP draws it from the operating system.

Floating-point Laplace and Gaussian noise of the textbook kind leaks the true value through its
low-order bits (Mironov, CCS 2012). OpenDP draws on a fine grid with exact arithmetic instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.errors import CertificateError
from compdp_core.validation import Array

if TYPE_CHECKING:
    from opendp.mod import Measurement

Progress = Callable[[int, int], object]
"""Called with ``(done, total)`` after every chunk."""

# About a tenth of a second of work at OpenDP's speed.
CHUNK = 2_000
# The scale is rounded up until OpenDP's own map proves the budget.
_ATTEMPTS = 64


def release_laplace(
    values: Array, sensitivity: float, epsilon: float, progress: Progress | None
) -> Array:
    """``values`` plus Laplace noise for which OpenDP itself proves ε.

    Raises :class:`CertificateError` where it cannot.
    """
    dp = _opendp()
    scale = sensitivity / epsilon
    for _ in range(_ATTEMPTS):
        measurement = dp.m.make_laplace(
            dp.vector_domain(dp.atom_domain(T=float, nan=False)),
            dp.l1_distance(T=float),
            scale=scale,
        )
        if measurement.map(sensitivity) <= epsilon:
            return _in_chunks(measurement, values, progress)
        scale = math.nextafter(scale, math.inf)
    raise CertificateError(
        f"OpenDP proves more than epsilon {epsilon!r} at scale {scale!r}: choose other inputs"
    )


def release_gaussian(
    values: Array, sensitivity: float, sigma: float, progress: Progress | None
) -> Array:
    """``values`` plus Gaussian noise of standard deviation ``sigma``.

    The caller knows which (ε, δ) this σ gives; OpenDP confirms ``ρ = (Δ/σ)²/2`` of zCDP.
    Raises :class:`CertificateError` where it does not.
    """
    dp = _opendp()
    measurement = dp.m.make_gaussian(
        dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float), scale=sigma
    )
    rho = 0.5 * (sensitivity / sigma) ** 2
    if not measurement.map(sensitivity) <= rho * (1.0 + 1e-12):
        raise CertificateError(
            f"OpenDP proves no better than rho {measurement.map(sensitivity)!r} at sigma {sigma!r}"
        )
    return _in_chunks(measurement, values, progress)


def _opendp() -> Any:
    # Two seconds to import: only a release pays for it.
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp


def _in_chunks(measurement: Measurement, values: Array, progress: Progress | None) -> Array:
    flat = values.ravel()
    released = np.empty(flat.shape)
    for start in range(0, flat.size, CHUNK):
        stop = min(start + CHUNK, flat.size)
        released[start:stop] = measurement(flat[start:stop].tolist())
        if progress is not None:
            progress(stop, flat.size)
    return released.reshape(values.shape)
