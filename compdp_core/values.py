"""The border where values come in: numbers of any shape and type, none of them missing."""

from __future__ import annotations

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import MissingValueError, ParameterError

_AT_A_TIME = 2**15

_REQUIREMENT = "must be real numbers"


def numbers(name: str, values: Any) -> NDArray[Any]:
    """Real numbers of any shape, free of NaN; an array of numbers is not copied.

    Lists, numpy arrays, pandas Series, objects such as ``Decimal``; infinite ones are numbers too.
    What a text or a date would mean as a number is not guessed. No value appears in a message.

    >>> numbers("values", [1, True, 2.5]).tolist()
    [1.0, 1.0, 2.5]

    Raises :class:`ParameterError` for what is not a real number, :class:`MissingValueError` for
    NaN, None and masked entries.
    """
    if isinstance(values, np.ma.MaskedArray):
        mask, values = np.ma.getmaskarray(values), values.data.astype(object)
        values[mask] = None
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise ParameterError(name, type(values), _REQUIREMENT) from None
    if array.dtype.kind == "O":
        array = _from_objects(name, array)
    elif array.dtype.kind not in "fiub":
        raise ParameterError(name, array.dtype, _REQUIREMENT)
    if array.dtype.kind == "f":
        flat = array.reshape(-1)
        for start in range(0, flat.size, _AT_A_TIME):
            missing = np.isnan(flat[start : start + _AT_A_TIME])
            if missing.any():
                count = int(np.isnan(flat).sum())
                raise MissingValueError(name, count, start + int(missing.argmax()))
    return array


def one_number(name: str, value: Any) -> float:
    """A single number."""
    array = numbers(name, value)
    if array.ndim != 0:
        raise ParameterError(name, value, "must be a single number")
    return float(array)


def _from_objects(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    for value in array.flat:
        known = value is None or isinstance(value, (Real, Decimal, np.bool_))
        if not known or isinstance(value, np.timedelta64):  # numpy counts a duration as a number
            raise ParameterError(name, type(value), _REQUIREMENT)
    try:
        return array.astype(np.float64)
    except OverflowError:
        raise ParameterError(name, int, "must fit into floating point") from None
