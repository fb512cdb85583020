"""Numbers as text, with digits enough to tell what they are to tell."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, Context, Decimal

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Translates the exponent of a power."""


def plain(value: float) -> str:
    """A number with all its digits, as a person would write it.

    >>> plain(12345.5), plain(-2.0), plain(1e-7)
    ('12,345.5', '−2', '1 × 10⁻⁷')
    """
    decimal = Decimal(repr(float(value)))
    if decimal == 0:
        return "0"
    if -7 < decimal.adjusted() < 15:
        text = f"{abs(decimal):,f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    else:
        text = _scientific(abs(decimal))
    return ("−" if decimal < 0 else "") + text


def rounded(value: float, digits: int = 3) -> str:
    """A number with that many significant digits.

    >>> rounded(12345.678), rounded(0.0012345), rounded(5.0)
    ('12,300', '0.00123', '5')
    """
    if not math.isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "–"
    return plain(float(f"{value:.{digits - 1}e}"))


def telling(first: float, second: float, digits: int = 3) -> int:
    """How many digits show the distance of two numbers to a hundredth: at least as many as given.

    >>> telling(0.0, 100.0), telling(1e12, 1e12 + 1)
    (3, 13)
    """
    while digits < 17:
        shown = float(f"{second:.{digits}g}") - float(f"{first:.{digits}g}")
        if abs(shown - (second - first)) <= 0.01 * abs(second - first):
            break
        digits += 1
    return digits


def rounded_up(value: float, digits: int) -> str:
    """A bound with that many significant digits, never below itself.

    >>> rounded_up(0.12341, 4)
    '0.1235'
    """
    return plain(float(Context(prec=digits, rounding=ROUND_CEILING).plus(Decimal(value))))


def _scientific(size: Decimal) -> str:
    mantissa = f"{size.scaleb(-size.adjusted()).normalize():f}"
    return f"{mantissa} × 10{str(size.adjusted()).translate(SUPERSCRIPT)}"
