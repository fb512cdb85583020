"""Privacy budgets as exact rationals: nine ninths of one are one.

Binary floats cannot hold 0.1, and their sums drift: three times 0.1 is 0.30000000000000004. A
budget is therefore a :class:`~fractions.Fraction`, and a float means the decimal it prints as.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Literal, TypeAlias

from compdp_core.errors import ParameterError
from compdp_core.validation import is_number

Amount: TypeAlias = Fraction | Decimal | int | float | str

# Far outside any meaningful budget, near enough that no exact sum grows without limit.
SMALLEST, LARGEST = Fraction(1, 10**12), Fraction(10**6)
_REQUIREMENT = "must be a finite number above 0, from 1e-12 to 1000000"
_LONGEST_TEXT = 2000
_DECIMAL = re.compile(r"[+]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?")
_RATIO = re.compile(r"[+]?\d+/\d+")

_ROUNDINGS = {"nearest": ROUND_HALF_EVEN, "down": ROUND_FLOOR, "up": ROUND_CEILING}


def exact(value: object, name: str = "epsilon") -> Fraction:
    """A positive budget, exactly: ``0.1``, ``"0.1"``, ``Decimal("0.1")`` and 1/10 are equal.

    Raises :class:`ParameterError` naming ``name`` for anything that is not a number (booleans
    and empty text included), not finite, not above zero, or outside 1e-12 … 1e6.

    >>> 3 * exact(0.1) == exact("0.3"), exact("1/9")
    (True, Fraction(1, 9))
    """
    rational = _rational(value)
    if rational is None or not SMALLEST <= rational <= LARGEST:
        raise ParameterError(name, value, _REQUIREMENT)
    return rational


def _rational(value: object) -> Fraction | None:
    if isinstance(value, str):
        return _from_decimal_text(value.strip())
    if not is_number(value):
        return None
    if isinstance(value, Fraction):
        return value
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Decimal):
        return _from_decimal_text(str(value))
    if isinstance(value, Real):  # float and the numpy floats
        return _from_decimal_text(repr(float(value)))
    return None


def _from_decimal_text(text: str) -> Fraction | None:
    """A text's value, or None. The pattern is checked first: ``Fraction("1e999999999")`` would
    build a number of a billion digits.
    """
    if len(text) > _LONGEST_TEXT:
        return None
    if _DECIMAL.fullmatch(text):
        return Fraction(text)
    if _RATIO.fullmatch(text) and not re.search(r"/0+$", text):
        return Fraction(text)
    return None


def split(total: Amount, parts: int | Iterable[Amount]) -> tuple[Fraction, ...]:
    """``total`` cut into ``parts`` equal parts, or in proportion to weights; the sum is exact.

    >>> split(1, 3), sum(split("0.1", [2, 1])) == exact("0.1")
    ((Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)), True)

    Raises :class:`ParameterError` for fewer than one part or a weight that is not above zero.
    """
    whole = exact(total, "total")
    if isinstance(parts, bool | str) or not isinstance(parts, int | Iterable):
        raise ParameterError("parts", parts, "must be a whole number or a list of weights")
    if isinstance(parts, int):
        if parts < 1:
            raise ParameterError("parts", parts, "must be at least 1: choose something to release")
        weights = [Fraction(1)] * parts
    else:
        weights = [exact(weight, "weight") for weight in parts]
        if not weights:
            raise ParameterError("parts", (), "must hold at least one weight")
    return tuple(exact(whole * weight / sum(weights), "part") for weight in weights)


def exact_text(value: Fraction) -> str:
    """The shortest text that :func:`exact` reads back unchanged.

    >>> exact_text(Fraction(1, 8)), exact_text(Fraction(1, 9)), exact_text(Fraction(50))
    ('0.125', '1/9', '50')
    """
    decimals = _decimal_places(value.denominator)
    if decimals is None:
        return f"{value.numerator}/{value.denominator}"
    digits = value.numerator * 10**decimals // value.denominator
    return f"{Decimal(f'{digits}e-{decimals}'):f}"


def _decimal_places(denominator: int) -> int | None:
    """How many decimals end the expansion of 1/denominator; None where it never ends."""
    twos = fives = 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    return max(twos, fives) if denominator == 1 else None


def decimal_text(
    value: Fraction, digits: int = 6, rounding: Literal["nearest", "down", "up"] = "nearest"
) -> str:
    """A budget to show: its decimal where that ends within 15 places, else ``≈`` and ``digits``.

    Round what is left ``"down"``, so that asking for the number shown is never refused.

    >>> decimal_text(Fraction(3, 10)), decimal_text(Fraction(1, 9)), decimal_text(Fraction(2, 3))
    ('0.3', '≈ 0.111111', '≈ 0.666667')
    """
    decimals = _decimal_places(value.denominator)
    if decimals is not None and decimals <= 15:
        return exact_text(value)
    return f"≈ {rounded_text(value, digits, rounding)}"


def rounded_text(
    value: Fraction, digits: int = 6, rounding: Literal["nearest", "down", "up"] = "nearest"
) -> str:
    """``value`` to ``digits`` significant digits as plain decimal text that :func:`exact` reads.

    >>> rounded_text(Fraction(2, 3), 4, "down")
    '0.6666'
    """
    context = Context(prec=digits, rounding=_ROUNDINGS[rounding])
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{quotient:f}"
