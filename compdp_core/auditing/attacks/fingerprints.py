"""Low-order bits of floating-point noise tell inputs apart (Mironov, CCS 2012).

Textbook Laplace noise is ``x - b ln u`` with ``u`` one of 2⁵³ floats. The sums that ``x`` can reach
are not those that ``x'`` can: many outputs are possible for one input only, and an attacker who
knows the program can tell which, whatever ε says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.validation import floats, setting, whole

Array = NDArray[np.float64]

_NEIGHBOURS = np.arange(-2, 3)


@dataclass(frozen=True)
class Fingerprints:
    """How many draws under one input are impossible under the other."""

    draws: int
    told_apart: int

    @property
    def share(self) -> float:
        """Share of draws that give the input away for certain."""
        return self.told_apart / self.draws


def textbook_fingerprints(
    value: float, other: float, scale: float, *, draws: int = 20_000, seed: int = 1
) -> Fingerprints:
    """Draws of ``value`` plus textbook Laplace noise that ``other`` could not have given.

    >>> textbook_fingerprints(0.0, 1.0, 1.0, draws=2000).share > 0.2
    True

    Raises :class:`ParameterError`.
    """
    x, y, b = setting("value", value), setting("other", other), setting("scale", scale)
    if not b > 0.0:
        raise ParameterError("scale", scale, "must be above 0")
    count = whole("draws", draws, 1)
    rng = np.random.default_rng(seed)
    uniform = rng.integers(1, 2**53, count).astype(np.float64)
    sign = rng.choice([-1.0, 1.0], count)
    outputs = x + sign * _noise(uniform, b)
    return Fingerprints(count, int(np.count_nonzero(~_possible(outputs, y, b))))


def lattice_fingerprints(outputs: Array, spacing_exponent: int) -> Fingerprints:
    """Outputs that are not on the common lattice, and so could give an input away: none may be.

    Every input can give every point of the lattice, since the base weights are positive.
    """
    array = floats("outputs", outputs)
    power = 10.0 ** abs(spacing_exponent)
    index = np.round(array * power if spacing_exponent < 0 else array / power)
    again = index / power if spacing_exponent < 0 else index * power
    return Fingerprints(array.size, int(np.count_nonzero(again != array)))


def _noise(uniform: Array, scale: float) -> Array:
    return -scale * np.log(uniform * 2.0**-53)


def _possible(outputs: Array, value: float, scale: float) -> NDArray[np.bool_]:
    """Whether some ``u`` gives exactly this output for ``value``: the nearest few are tried."""
    distance = outputs - value
    nearest = np.round(np.exp(-np.abs(distance) / scale) * 2.0**53)
    # Far out, one step of u moves the logarithm by more than rounding does; near 1 by less, so
    # that several u give the same output and any of the nearest will do.
    found = np.zeros(outputs.shape, dtype=bool)
    for step in _NEIGHBOURS:
        uniform = np.clip(nearest + step, 1.0, 2.0**53)
        found |= value + np.sign(distance) * _noise(uniform, scale) == outputs
    return found
