"""Numbers as people type them, read and written exactly."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction

LONGEST = 400
"""Characters, and decimals of the smallest number: more is no number that anyone means."""

DIGITS = 15
"""Decimals that a fraction is typed with."""

_TIDY = str.maketrans({"−": "-", "\u00a0": None, "\u202f": None, " ": None, "_": None})


def parsed(text: str) -> Decimal | None:
    """The finite number that was typed, exactly; None where it is none.

    >>> parsed(" 0,5 "), parsed("1e-6"), parsed("abc"), parsed("nan")
    (Decimal('0.5'), Decimal('0.000001'), None, None)
    >>> parsed("1e999999999"), parsed("1e-999999999"), parsed("9" * 1000), parsed("0e-999999999")
    (None, None, None, Decimal('0'))
    """
    if len(text) > LONGEST:
        return None
    tidy = text.strip().translate(_TIDY)
    if "," in tidy and "." not in tidy and tidy.count(",") == 1:
        tidy = tidy.replace(",", ".")
    try:
        value = Decimal(tidy)
    except InvalidOperation:
        return None
    # By its exponent: arithmetic on such a number may overflow, or never end.
    sensible = value.is_finite() and -LONGEST < value.adjusted() < 300
    return Decimal(0) if value == 0 else value if sensible else None


def plain(value: Decimal | float) -> str:
    """The number as one would type it.

    >>> plain(Decimal("1.50")), plain(100.0), plain(1e-6), plain(Decimal("1e2"))
    ('1.5', '100', '0.000001', '100')
    """
    exact = value if isinstance(value, Decimal) else Decimal(repr(float(value)))
    if exact != 0 and not -12 < exact.adjusted() < 15:
        return f"{exact.normalize():e}"
    text = f"{exact:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def as_decimal(number: float | Fraction) -> Decimal:
    """The number as it is typed: exactly, or a fraction a hair below, so that no budget grows.

    >>> as_decimal(0.1), as_decimal(Fraction(1, 4)), as_decimal(Fraction(2, 3))
    (Decimal('0.1'), Decimal('0.25'), Decimal('0.666666666666666'))
    """
    if isinstance(number, float):
        return Decimal(repr(number))
    shifted = number * 10**DIGITS
    whole = shifted.numerator // shifted.denominator
    return Decimal(whole).scaleb(-DIGITS).normalize()
