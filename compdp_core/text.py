"""Numbers as text: the one rule for pages, card and charts, and digits enough for what is told.

:func:`number` is the rule; all others choose its digits. Files that machines read have numbers with
all their digits and without separators, and are not written from here.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Translates the exponent of a power."""

ALL = 17
"""Digits that tell every number from every other."""

_SMALL = Decimal("0.0001")
_LARGE = Decimal(10**9)
_LARGEST = Decimal(10**16)
_FINEST = 1e-8


def number(value: float | Decimal, digits: int = 3) -> str:
    """The number with that many significant digits, as a person would write it.

    - The places before the point are always shown in full.
    - A number that has fewer digits is not filled up; a zero at the end is one of those asked for.
    - Below 0.0001 and from a billion on with a power of ten, unless every place is asked for.

    >>> number(12345.678), number(0.0012345), number(-2.0)
    ('12,346', '0.00123', '−2')
    >>> number(0.5), number(0.1 + 0.2), number(0.50049), number(0.99999)
    ('0.5', '0.3', '0.500', '1.00')
    >>> number(1.5e-7), number(float("nan")), number(float("-inf"))
    ('1.5 × 10⁻⁷', '–', '−∞')
    """
    exact = _decimal(value, digits)
    if exact.is_nan():
        return "–"
    sign = "−" if exact < 0 else ""
    if exact.is_infinite():
        return f"{sign}∞"
    size = abs(exact)
    if size == 0 or _SMALL <= size < max(_LARGE, min(Decimal(10) ** (digits + 1), _LARGEST)):
        return f"{sign}{_rounded(size, digits):,f}"
    return f"{sign}{_scientific(_rounded(size, digits, whole=False))}"


def plain(value: float | Decimal) -> str:
    """The number with all its digits.

    >>> plain(12345.5), plain(-2.0), plain(1e-7)
    ('12,345.5', '−2', '1 × 10⁻⁷')
    """
    return number(value, ALL)


def brief(value: float | Decimal) -> str:
    """Four digits, as a budget is written.

    >>> brief(0.3), brief(0.001), brief(1.5e-7)
    ('0.3', '0.001', '1.5 × 10⁻⁷')
    """
    return number(value, 4)


def nearest(value: float, digits: int = 3) -> float:
    """The number that :func:`number` shows.

    >>> nearest(12345.678), nearest(0.50049)
    (12346.0, 0.5)
    """
    return float(_rounded(_decimal(value, digits), digits)) if math.isfinite(value) else value


def percent(share: float, digits: int = 3) -> str:
    """A share as a percentage.

    >>> percent(0.731), percent(0.07)
    ('73.1 %', '7 %')
    """
    exact = _decimal(share, digits)
    return f"{number(exact.scaleb(2) if exact.is_finite() else exact, digits)} %"


def count(amount: int, noun: str) -> str:
    """An amount of things, in the right number.

    >>> count(1, "row"), count(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{amount:,} {noun}{'' if amount == 1 else 's'}"


def span(lower: float, upper: float, unit: str = "", digits: int = 4) -> str:
    """An interval with its unit, both ends to the same decimal.

    >>> span(-20, 120, "points"), span(-58.866, 158.866), span(0, 0.5)
    ('−20 … 120 points', '−58.9 … 158.9', '0 … 0.5')
    >>> span(1e12, 1e12 + 1), span(123456.71, 123456.78)
    ('1,000,000,000,000 … 1,000,000,000,001', '123,456.71 … 123,456.78')
    """
    digits = telling(lower, upper, digits)
    size = max(abs(lower), abs(upper))
    ends = [number(end, digits) for end in (lower, upper)]
    if 1e-4 <= size < 1e9:
        decimals = max(0, digits - 1 - math.floor(math.log10(size)))
        ends = [_to_decimal(_decimal(end, digits), decimals) for end in (lower, upper)]
    return f"{ends[0]} … {ends[1]} {unit}".rstrip()


def telling(first: float, second: float, digits: int = 3) -> int:
    """How many digits show the distance of two numbers to a hundredth: at least as many as given.

    >>> telling(0.0, 100.0), telling(1e12, 1e12 + 1)
    (3, 13)
    """
    while digits < ALL:
        shown = float(f"{second:.{digits}g}") - float(f"{first:.{digits}g}")
        if abs(shown - (second - first)) <= 0.01 * abs(second - first):
            break
        digits += 1
    return digits


def to_error(value: float, error: float, digits: int = 2) -> str:
    """A number with as many digits as its standard error gives sense to: to so many of the error.

    >>> to_error(168.2371, 1.43), to_error(0.3333, 0.02), to_error(12345.678, 250.0)
    ('168.2', '0.333', '12,346')
    >>> to_error(5.25, 0.0), to_error(0.001, 12.0)
    ('5.25', '0.001')
    """
    if value == 0.0 or not error > 0.0 or not math.isfinite(value + error):
        return number(value)
    wanted = math.floor(math.log10(abs(value))) - math.floor(math.log10(error)) + digits
    return number(value, min(max(wanted, 1), 8))


def alike(within: float, *values: float) -> list[str]:
    """A figure, the ends of its interval and what is beside them, all to the same decimal: to two
    digits of half the width of the interval.

    >>> alike(3.9, 162.0, 158.12, 165.9), alike(0.188, 4.506, 4.318, 4.694)
    (['162', '158.1', '165.9'], ['4.51', '4.32', '4.69'])
    >>> alike(0.5, 3.0, 2.0, 4.0), alike(0.0, 0.05, 0.05)
    (['3', '2', '4'], ['0.05', '0.05'])
    """
    if not (_FINEST < within < float(_LARGE)):
        return [number(each, 4) for each in values]
    decimals = max(0, 1 - math.floor(math.log10(float(f"{within:.1e}"))))
    return [
        _to_decimal(_decimal(each, 12), decimals) if math.isfinite(each) else number(each)
        for each in values
    ]


def rounded_up(value: float, digits: int) -> str:
    """A bound with that many significant digits, never below itself.

    >>> rounded_up(0.12341, 4), rounded_up(12345.678, 4), rounded_up(1.8177e24, 3)
    ('0.1235', '12,346', '1.82 × 10²⁴')
    """
    # Of the very number: the decimal that a float prints as may lie below it.
    exact = Decimal(value)
    if not exact.is_finite():
        return number(value)
    whole = abs(exact) < _LARGEST
    return plain(_rounded(exact, digits, whole=whole, rounding=ROUND_CEILING).normalize())


def _decimal(value: float | Decimal, digits: int) -> Decimal:
    """The number that is meant: what sums of floats leave in the last two places is none of it,
    unless all places are asked for.
    """
    if isinstance(value, Decimal):
        return value
    value = float(value)
    return Decimal(f"{value:.15g}" if digits <= 12 else repr(value))


def _rounded(
    value: Decimal, digits: int, *, whole: bool = True, rounding: str = ROUND_HALF_EVEN
) -> Decimal:
    """To so many digits, or with all places before the point; never with more than it has."""
    digits = max(digits, value.adjusted() + 1) if whole else digits
    return Context(prec=digits, rounding=rounding).plus(_shortest(value))


def _shortest(value: Decimal) -> Decimal:
    """Without zeros at its end."""
    return value.normalize(Context(prec=max(len(value.as_tuple().digits), 1)))


def _to_decimal(value: Decimal, decimals: int) -> str:
    """With so many decimals at most."""
    exact = _shortest(value)
    short = max(exact, exact.quantize(Decimal(1).scaleb(-decimals)), key=_exponent)
    return f"{'−' if short < 0 else ''}{abs(short):,f}"


def _exponent(value: Decimal) -> int:
    return int(value.as_tuple().exponent)


def _scientific(size: Decimal) -> str:
    mantissa = f"{size.scaleb(-size.adjusted()):f}"
    return f"{mantissa} × 10{str(size.adjusted()).translate(SUPERSCRIPT)}"
