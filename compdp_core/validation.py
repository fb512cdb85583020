"""The border where numbers come in: for each kind of input one answer, whoever takes it.

*Data*, numbers of any shape (:func:`numbers`, :func:`floats`, :func:`figures`):

* Real numbers of any type are taken: whole ones, floats, ``Decimal``, ``Fraction``, flags as 0
  and 1; in lists, arrays, pandas columns (categories count as what they stand for). Each is the
  nearest float, whole ones beyond 2⁵³ included; what no float can hold is refused.
* Missing ones are refused as missing: NaN, None, pandas' NA, masked entries. A masked array that
  hides nothing is its data.
* Everything else is refused as no number: text and bytes, also such as could be read as numbers,
  dates, durations, complex numbers, records, rows of different lengths, sparse matrices, sets.
* Infinite ones are numbers: what clamps takes them, what computes a figure refuses them; so it is
  with no value at all.

*Settings*, one number each (:func:`real`, :func:`integer`): the same numbers, but finite, and a
flag is a mistake. Others are a choice (:func:`one_of`), a flag, a text or of a type (:func:`of`).

Data may be private: a refusal names its kind, never a value. A setting is public and is named.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Sequence
from decimal import Decimal
from numbers import Real
from operator import countOf
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import MissingValueError, ParameterError, Unquoted

Array = NDArray[np.float64]
T = TypeVar("T")

_AT_A_TIME = 2**15
_DEEPEST = 64  # dimensions that numpy knows
_PLAIN = frozenset((np.ndarray, np.float64, float, int))  # hide nothing, convert at once
_NOT_NUMBERS = "must be real numbers: turn text, dates and other things into such first"
_NO_FLOAT = f"must fit into floating point, that is within ±{sys.float_info.max:.4g}"


def numbers(name: str, values: Any, *, missing: Literal["refuse", "keep"] = "refuse") -> Any:
    """Real numbers of any shape, of any numeric type; an array of numbers is not copied.

    ``missing``: whether missing ones are refused, or kept as NaN.

    >>> numbers("values", [1, True, 2.5]).tolist()
    [1.0, 1.0, 2.5]

    Raises :class:`ParameterError` for what is not a real number, :class:`MissingValueError` for
    what is missing; see the top of this module.
    """
    array = np.asarray(values) if type(values) in _PLAIN else _opened_up(name, values)
    kind = array.dtype.kind
    if kind == "O":
        array, kind = _from_objects(name, array), "f"
    elif kind not in "fiub":
        raise ParameterError(name, array.dtype, _NOT_NUMBERS)
    elif kind == "f" and array.dtype.itemsize > 8:
        array = _from_long(name, array)
    if kind == "f" and missing == "refuse":
        _refuse_missing(name, array)
    return array


def floats(name: str, values: Any, *, missing: Literal["refuse", "keep"] = "refuse") -> Array:
    """:func:`numbers` as floats; an array of floats is not copied.

    >>> floats("values", (1, 2)).tolist()
    [1.0, 2.0]
    """
    array: Array = numbers(name, values, missing=missing).astype(np.float64, copy=False)
    return array


def figures(name: str, values: Any, *, largest: float = sys.float_info.max) -> Array:
    """:func:`floats` for a figure such as a mean: at least one, none beyond ``±largest``.

    >>> figures("values", [1, float("inf")])
    Traceback (most recent call last):
    compdp_core.errors.ParameterError: values must lie within ±1.79769e+308, got '1 beyond'
    """
    array = floats(name, values)
    if not array.size:
        raise ParameterError(name, (), "must hold at least one number")
    size = np.abs(array)
    if not np.max(size) <= largest:
        beyond = np.count_nonzero(size > largest)
        raise ParameterError(name, f"{beyond} beyond", f"must lie within ±{largest:g}")
    return array


def one_number(name: str, value: Any) -> float:
    """A single number of the data, such as one true value; it may be infinite.

    >>> one_number("value", 3)
    3.0
    """
    array = numbers(name, value)
    if array.ndim != 0:
        raise ParameterError(
            name, Unquoted(array.shape), "must be a single number, not an array of shape"
        )
    return float(array)


def is_number(value: object) -> bool:
    """Whether a setting is a real number, NaN and infinity included, and no flag."""
    # numpy counts a duration as a whole number.
    return isinstance(value, (Real, Decimal)) and not isinstance(value, (bool, np.timedelta64))


def real(value: object) -> float | None:
    """A setting as a finite float, or None where it is not a real number.

    >>> real(2), real(True), real("2"), real(float("nan"))
    (2.0, None, None, None)
    """
    if not is_number(value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def integer(value: object, least: int, most: int | None = None) -> int | None:
    """A setting as a whole number from ``least`` to ``most``, or None where it is none.

    >>> integer(3.0, 1), integer(3.5, 1), integer(0, 1), integer(True, 1)
    (3, None, None, None)
    """
    number = real(value)
    # A float rounds a fraction of many digits away, so the value itself is looked at as well.
    if number is None or number != math.floor(number) or value != math.floor(value):  # type: ignore[call-overload]
        return None
    return int(number) if least <= number and (most is None or number <= most) else None


def whole(name: str, value: object, least: int, most: int = 10**7) -> int:
    """A setting as a whole number of the range, or :class:`ParameterError`."""
    number = integer(value, least, most)
    if number is None:
        raise ParameterError(name, value, f"must be a whole number from {least:,} to {most:,}")
    return number


def is_one_of(value: object, choices: Collection[object]) -> bool:
    """Whether a setting is one of these texts, or the None among them.

    Arrays, series and pandas' NA are none: they would not even say whether they equal one.

    >>> is_one_of("drop", ("fill", "drop")), is_one_of(np.array(["drop"]), ("fill", "drop"))
    (True, False)
    """
    return (value is None or isinstance(value, str)) and value in choices


def one_of(name: str, value: object, choices: Collection[T]) -> T:
    """A setting that :func:`is_one_of` them, or :class:`ParameterError`.

    >>> one_of("decimal", ";", (".", ",", None))
    Traceback (most recent call last):
    compdp_core.errors.ParameterError: decimal must be one of '.', ',', None, got ';'
    """
    if is_one_of(value, choices):
        return value  # type: ignore[return-value]
    words = [each if str(each)[:1].isalpha() else repr(each) for each in choices]
    listed = " or ".join(map(str, words))
    if len(words) > 2:
        listed = f"one of {', '.join(map(str, words))}"
    raise ParameterError(name, value, f"must be {listed}")


def flag(name: str, value: object) -> bool:
    """A setting that is True or False, or :class:`ParameterError`: ``"no"`` would count as yes."""
    return bool(of(name, value, (bool, np.bool_), "must be True or False"))


def text(name: str, value: object) -> str:
    """A setting that is text, or :class:`ParameterError`."""
    return of(name, value, str, "must be text")


def of(name: str, value: object, kind: type[T] | tuple[type[T], ...], requirement: str) -> T:
    """A setting of a type, or :class:`ParameterError`."""
    if isinstance(value, kind):
        return value
    raise ParameterError(name, value, requirement)


def setting(name: str, value: object) -> float:
    """A setting as a finite float, or :class:`ParameterError`."""
    number = real(value)
    if number is None:
        raise ParameterError(name, value, "must be a number")
    return number


def two_settings(name: str, values: Sequence[Any]) -> tuple[float, float]:
    """Two settings such as a pair of inputs, or :class:`ParameterError`."""
    try:
        pair = [real(value) for value in values]
    except TypeError:  # nothing to go through
        pair = []
    if len(pair) != 2 or pair[0] is None or pair[1] is None:
        raise ParameterError(name, values, "must be two numbers")
    return pair[0], pair[1]


def function(name: str, value: object) -> None:
    """Raise :class:`ParameterError` for what cannot be called."""
    if not callable(value):
        raise ParameterError(name, value, "must be a function")


def _opened_up(name: str, values: Any) -> NDArray[Any]:
    if isinstance(values, bytearray):  # which numpy takes for whole numbers
        raise ParameterError(name, bytearray, _NOT_NUMBERS)
    try:
        return np.asarray(_unmasked(values))
    except (TypeError, ValueError):  # rows of different lengths, dates among numbers
        raise ParameterError(name, type(values), _NOT_NUMBERS) from None


def _unmasked(values: Any) -> Any:
    """Without masks, also in lists of masked arrays: what they hide is missing."""
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmask(values)
        if values.dtype.kind not in "fiubO" or not mask.any():
            return values.data
        shown = values.data.astype(object if values.dtype.kind == "O" else np.float64)
        shown[mask] = None if shown.dtype.kind == "O" else math.nan
        return shown
    if not isinstance(values, (list, tuple)):
        return values
    kinds = _kinds(values)
    if kinds == {float}:  # the fastest way for a long list
        return np.fromiter(values, np.float64, len(values))
    return _opened(values) if _hold_masked(values, kinds) else values


def _kinds(values: Sequence[Any]) -> set[type]:
    """Of what types the values of a list are: mostly of one."""
    first = {type(each) for each in values[:1]}
    same = sum(countOf(map(type, values), kind) for kind in first)
    return first if same == len(values) else set(map(type, values))


def _hold_masked(values: Sequence[Any], kinds: set[type], depth: int = 1) -> bool:
    if any(issubclass(kind, np.ma.MaskedArray) for kind in kinds):
        return True
    if depth > _DEEPEST or not any(issubclass(kind, (list, tuple)) for kind in kinds):
        return False
    rows = (each for each in values if isinstance(each, (list, tuple)))
    return any(_hold_masked(row, _kinds(row), depth + 1) for row in rows)


def _opened(values: Any) -> Any:
    if isinstance(values, (list, tuple)):
        return [_opened(each) for each in values]
    return _unmasked(values)


def _from_objects(name: str, array: NDArray[Any]) -> Array:
    gone, kinds = _missing_kinds(), set(map(type, array.flat))
    for kind in kinds - gone:
        known = issubclass(kind, (Real, Decimal, np.bool_))
        if not known or issubclass(kind, np.timedelta64):
            raise ParameterError(name, kind, _NOT_NUMBERS)
    kept = array
    if kinds & gone or Decimal in kinds:
        kept = array.copy()
        for place, value in enumerate(kept.flat):
            # A signaling NaN would not become a float.
            if type(value) in gone or (isinstance(value, Decimal) and value.is_nan()):
                kept.flat[place] = math.nan
    try:
        found: Array = kept.astype(np.float64)
    except (OverflowError, TypeError, ValueError):
        raise ParameterError(name, kept.dtype, _NO_FLOAT) from None
    for value in kept[np.isinf(found)].flat:  # of Decimal("1e400"), but not of "Infinity"
        if abs(value) != math.inf:
            raise ParameterError(name, type(value), _NO_FLOAT)
    return found


def _missing_kinds() -> set[type]:
    pandas = sys.modules.get("pandas")  # where it was never loaded, nothing is its NA
    return {type(None), type(np.ma.masked), *([type(pandas.NA)] if pandas else [])}


def _from_long(name: str, array: NDArray[Any]) -> Array:
    with np.errstate(over="ignore"):
        found: Array = array.astype(np.float64)
    if (np.isinf(found) & np.isfinite(array)).any():
        raise ParameterError(name, array.dtype, _NO_FLOAT)
    return found


def _refuse_missing(name: str, array: NDArray[Any]) -> None:
    if array.ndim == 0:
        if np.isnan(array):
            raise MissingValueError(name, 1, 0)
        return
    flat = array.reshape(-1)
    for start in range(0, flat.size, _AT_A_TIME):
        missing = np.isnan(flat[start : start + _AT_A_TIME])
        if missing.any():
            count = int(np.isnan(flat).sum())
            raise MissingValueError(name, count, start + int(missing.argmax()))
