"""Typed refusals: each carries the offending values and says what to change.

All derive from :class:`CompdpError`, a :class:`ValueError`, so that a caller who knows nothing
of this library still catches them, and a caller who does can read the values instead of the text.
"""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from enum import Enum
from numbers import Number
from typing import Any

_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60


def shown(value: object) -> str:
    """A value as it stands in a message: short, however long it is, and never data.

    >>> shown(10**5000), shown((0, 5)), shown([5, 6, 7])
    ('a very long int', '(0, 5)', 'a list of 3')
    """
    try:
        return _SHORT.repr(quotable(value))
    except ValueError:  # Python refuses to write whole numbers of thousands of digits
        return f"a very long {type(value).__name__}"


class Unquoted(str):
    """What stands for a value that is not to be quoted."""

    __slots__ = ()
    __repr__ = str.__str__


_ONE = (str, Number, Decimal, Enum, type, type(None), date, time, timedelta)


def quotable(value: object) -> object:
    """What a refusal may quote and keep: one value, or a pair of numbers; else its kind alone.

    What stands in the place of a setting by mistake may be the data.

    >>> quotable({"Ada": 21.5}), quotable(b"21.5")
    (a dict, bytes)
    """
    of_numpy = type(value).__module__.partition(".")[0] == "numpy"
    if isinstance(value, _ONE) or (of_numpy and getattr(value, "shape", None) == ()):
        return value
    name = type(value).__name__
    if isinstance(value, list | tuple):
        if len(value) <= 2 and all(isinstance(each, Number | Decimal) for each in value):
            return value
        return Unquoted(f"a {name} of {len(value)}")
    article = "an" if name[0] in "AEIOUaeiou" else "a"
    return Unquoted({"bytes": "bytes", "ndarray": "an array"}.get(name, f"{article} {name}"))


class CompdpError(ValueError):
    """Anything this library refuses. The text names the argument, the value and the way out."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled with all attributes, so that the workers of a pool can raise it at home."""
        return _restored, (type(self), self.args, vars(self))


def _restored(kind: type[CompdpError], args: Any, attributes: dict[str, Any]) -> CompdpError:
    error = kind.__new__(kind, *args)
    vars(error).update(attributes)
    return error


class ParameterError(CompdpError):
    """One parameter lies outside its domain.

    >>> str(ParameterError("epsilon", -1, "must be a number from 0.001 to 50"))
    'epsilon must be a number from 0.001 to 50, got -1'
    """

    def __init__(self, name: str, value: object, requirement: str) -> None:
        self.name = name
        self.value = quotable(value)
        self.requirement = requirement
        super().__init__(f"{name} {requirement}, got {shown(value)}")


class BoundsError(CompdpError):
    """A pair of bounds is not an interval of finite, positive width."""

    def __init__(self, name: str, lower: object, upper: object, requirement: str) -> None:
        self.name = name
        self.lower = quotable(lower)
        self.upper = quotable(upper)
        self.requirement = requirement
        whole = isinstance(self.lower, Unquoted) and upper is None
        got = shown(lower) if whole else f"({shown(lower)}, {shown(upper)})"
        super().__init__(f"{name} {requirement}, got {got}")


class MissingValueError(CompdpError):
    """Values contain NaN. A mechanism cannot guess what a missing value should be."""

    def __init__(self, name: str, count: int, first: int) -> None:
        self.name = name
        self.count = count
        self.first = first
        super().__init__(
            f"{name} contain {count} missing (NaN) of which the first is at position {first}: "
            "drop them or fill them with a public constant first"
        )


class UnknownPairError(CompdpError):
    """No function pair of that name."""

    def __init__(self, value: object, known: Sequence[str]) -> None:
        self.value = quotable(value)
        self.known = tuple(known)
        super().__init__(f"pair {shown(value)} is unknown: choose one of {', '.join(self.known)}")


def _printed(bounds: tuple[float, float], lower: str, upper: str) -> tuple[float, float]:
    """Bounds to about six digits of their width, each rounded the given way."""
    width = bounds[1] - bounds[0]
    return _rounded(bounds[0], lower, width), _rounded(bounds[1], upper, width)


def _rounded(value: float, way: str, width: float | None = None) -> float:
    """To a decimal that still works when it is typed in."""
    unit = Decimal(1).scaleb(Decimal(abs(value) if width is None else width).adjusted() - 5)
    return float((Decimal(value) / unit).to_integral_value(way) * unit)


@dataclass(kw_only=True, eq=False, repr=False)
class InfeasibleOutputsError(CompdpError):
    """The inputs do not fit into the hard output bounds at this ε.

    A bounded and unbiased mechanism needs the outputs to be wider than the inputs by a factor
    that depends on ε. The three ways out carry their numbers.

    Attributes: ``needed_fraction`` (input width over output width that is asked for, 2w/(u-l)),
    ``largest_fraction`` (what ε allows), ``smallest_epsilon`` (None where no ε in range works),
    ``narrowest_outputs`` and ``widest_inputs`` (None where none exists), in data units.
    """

    epsilon: float
    inputs: tuple[float, float]
    outputs: tuple[float, float]
    needed_fraction: float
    largest_fraction: float
    smallest_epsilon: float | None
    narrowest_outputs: tuple[float, float] | None
    widest_inputs: tuple[float, float] | None

    def __post_init__(self) -> None:
        ways = []
        if self.smallest_epsilon is not None:
            least = _rounded(self.smallest_epsilon, ROUND_CEILING)
            ways.append(f"raise epsilon to at least {least}")
        if self.narrowest_outputs is not None:
            low, high = _printed(self.narrowest_outputs, ROUND_FLOOR, ROUND_CEILING)
            ways.append(f"widen the outputs to at least ({low}, {high})")
        if self.widest_inputs is not None:
            low, high = _printed(self.widest_inputs, ROUND_CEILING, ROUND_FLOOR)
            ways.append(f"narrow the inputs to at most ({low}, {high})")
        super().__init__(
            f"outputs {self.outputs!r} are too narrow for inputs {self.inputs!r} at epsilon "
            f"{self.epsilon:g}: the inputs fill {self.needed_fraction:.4g} of the outputs and at "
            f"most {self.largest_fraction:.4g} is possible without bias; {', or '.join(ways)}"
        )


class LatticeError(CompdpError):
    """The outputs cannot be laid on exactly representable points."""


class CertificateError(CompdpError):
    """The integer weights do not prove the declared ε. Nothing is released."""


class TableError(CompdpError):
    """A table cannot be read, or does not hold what is asked of it."""
