"""Sums of floats without any rounding, so that a sensitivity holds for what is computed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MANTISSA_BITS = 53


def total(values: NDArray[np.float64]) -> Fraction:
    """The exact sum of finite floats.

    >>> total(np.array([1e16, 1.0, -1e16]))
    Fraction(1, 1)
    """
    integers, unit = _integers(values)
    return Fraction(int(integers.sum())) * unit


def squared_deviation(values: NDArray[np.float64]) -> Fraction:
    r"""``n Σx² − (Σx)²``, exactly: n² times the population variance.

    >>> squared_deviation(np.array([1e9, 1e9 + 1]))
    Fraction(1, 1)
    """
    integers, unit = _integers(values)
    plain, squares = int(integers.sum()), int((integers * integers).sum())
    return (len(values) * squares - plain**2) * unit**2


def _integers(values: NDArray[np.float64]) -> tuple[NDArray[Any], Fraction]:
    """Python integers and one power of two, whose products are the values."""
    mantissas, exponents = np.frexp(values)
    nonzero = exponents[mantissas != 0]
    lowest = int(nonzero.min()) if len(nonzero) else 0
    whole = np.ldexp(mantissas, _MANTISSA_BITS).astype(np.int64).astype(object)
    shifts = np.where(mantissas != 0, exponents - lowest, 0).astype(object)
    return whole << shifts, Fraction(2) ** (lowest - _MANTISSA_BITS)
