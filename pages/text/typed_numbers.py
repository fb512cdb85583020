"""Numbers as people type them, read and written exactly."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from compdp_core.tables.spelled import plainly

LONGEST = 400
"""Characters, and decimals of the smallest number: more is no number that anyone means."""

DIGITS = 15
"""Decimals that a fraction is typed with."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_MINUS = str.maketrans({"−": "-"})
_SPACES = "\u00a0\u202f\u2009 "
_APART = re.compile(rf"(?<=\d)[{_SPACES}_'’](?=\d{{3}}(?:[^\d]|$))")
"""Marks of thousands that no one writes a decimal with."""
_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_OTHER_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_STRAY = re.compile(rf"([+-]?\d+)[_{_SPACES}](\d+)")


def parsed(text: str) -> Decimal | None:
    """The finite number, exactly, of a text as the app writes it; None where it is none.

    A point is the decimal mark, commas part thousands; a comma that cannot do that is one, too.

    >>> parsed(" 0,5 "), parsed("1e-6"), parsed("abc"), parsed("nan")
    (Decimal('0.5'), Decimal('0.000001'), None, None)
    >>> parsed("12,000"), parsed("1.234"), parsed("−3"), parsed("1_0")
    (Decimal('12000'), Decimal('1.234'), Decimal('-3'), None)
    >>> parsed("1e999999999"), parsed("1e-999999999"), parsed("9" * 1000), parsed("0e-999999999")
    (None, None, None, Decimal('0'))
    """
    return next(iter(readings(text)), None)


def readings(text: str) -> tuple[Decimal, ...]:
    """Every number that someone may mean by a typed text, first the one that the app would.

    Two only where a mark may part thousands or be the decimal mark, and where a sign stands
    between digits that parts no thousands.

    >>> readings("12,000"), readings("1.234"), readings("1_0")
    ((Decimal('12000'), Decimal('12.000')), (Decimal('1.234'), Decimal('1234')), ())
    >>> readings("12,000.5"), readings("0,125"), readings("12 000"), readings("1.234.567,5")
    ((Decimal('12000.5'),), (Decimal('0.125'),), (Decimal('12000'),), (Decimal('1234567.5'),))
    """
    if len(text) > LONGEST:
        return ()
    tidy = plainly(text.strip().translate(_MINUS))
    apart = _APART.search(tidy) is not None
    tidy = _APART.sub("", tidy)
    grouped = bool(_GROUPS.fullmatch(tidy)) and not apart
    dotted = bool(_OTHER_GROUPS.fullmatch(tidy)) and not apart
    forms = []
    if grouped:
        forms.append(tidy.replace(",", ""))
    if tidy.count(".") <= 1 and "," not in tidy:
        forms.append(tidy)
    if tidy.count(",") == 1 and "." not in tidy:
        forms.append(tidy.replace(",", "."))
    if dotted:
        forms.append(tidy.replace(".", "").replace(",", "."))
    return tuple(dict.fromkeys(value for form in forms if (value := _exact(form)) is not None))


def guesses(text: str) -> tuple[Decimal, ...]:
    """What may be meant by digits with a stray sign between them, which are no number.

    >>> guesses("1_0"), guesses("2 5"), guesses("abc")
    ((Decimal('10'), Decimal('1.0')), (Decimal('25'), Decimal('2.5')), ())
    """
    found = _STRAY.fullmatch(text.strip().translate(_MINUS)) if len(text) <= LONGEST else None
    forms = (f"{found[1]}{found[2]}", f"{found[1]}.{found[2]}") if found else ()
    return tuple(value for form in forms if (value := _exact(form)) is not None)


def in_two_ways(text: str) -> str:
    """Both numbers that a typed text can be read as, in words; empty where it is one, or none.

    >>> in_two_ways("12,000"), in_two_ways("12")
    ('“12,000” can be read as 12000 or as 12. Say which one you mean.', '')
    """
    found = readings(text) or guesses(text)
    if len(found) < 2:
        return ""
    one, other = map(plain, found)
    return f"“{text.strip()}” can be read as {one} or as {other}. Say which one you mean."


def _exact(text: str) -> Decimal | None:
    if not _NUMBER.fullmatch(text):
        return None
    try:
        value = Decimal(text)
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
