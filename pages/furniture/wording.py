"""The one place numbers become text: sensible digits, a unit, and literal user text."""

from __future__ import annotations

import html
import math
import re

from compdp_core.numerals import SUPERSCRIPT, rounded_up, telling
from compdp_core.report.markup import visible

_MARKDOWN = r"\`*_{}[]()<>#+-.!|$:~&"
# Addresses, icons and arrows: the framework looks for these signs after the escapes are read.
_LATER = re.compile(r"(?::(?=\S)|@|(?<=www)\.|(?<=[-<>~])[-=>])+", re.IGNORECASE)


def number(value: float, digits: int = 3) -> str:
    """The number with that many significant digits, as a person would write it.

    >>> number(12345.678), number(0.0012345), number(-2.0)
    ('12,346', '0.00123', '−2')
    >>> number(1.5e-7), number(float("nan"))
    ('1.5 × 10⁻⁷', '–')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    size = abs(value)
    sign = "−" if value < 0 else ""
    # From a billion on with a power of ten, unless every place is asked for.
    if size != 0 and not 1e-4 <= size < max(1e9, min(10.0 ** (digits + 1), 1e16)):
        mantissa, exponent = f"{size:.{digits - 1}e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        return f"{sign}{mantissa} × 10{str(int(exponent)).translate(SUPERSCRIPT)}"
    if size == int(size):
        return f"{sign}{int(size):,}"
    decimals = max(0, digits - 1 - math.floor(math.log10(size)))
    return f"{sign}{size:,.{decimals}f}"


def brief(value: float) -> str:
    """Four digits and no zeros after them, as a budget is written.

    >>> brief(0.3), brief(0.001), brief(1.5e-7)
    ('0.3', '0.001', '1.5 × 10⁻⁷')
    """
    text = f"{value:.4g}"
    return number(value, 4) if "e" in text else text


def apart(first: float, second: float) -> tuple[str, str]:
    """Two numbers with digits enough to show how far they are apart, to a hundredth of it.

    >>> apart(0.0, 100.0), apart(49.995, 50.005)
    (('0', '100'), ('49.995', '50.005'))
    """
    digits = telling(first, second)
    return number(first, digits), number(second, digits)


def placed(value: float, ends: tuple[float, float], digits: int = 3) -> str:
    """A value between two ends, with digits enough to tell where between them it lies.

    >>> placed(50.0, (0.0, 100.0)), placed(1e12 + 0.25, (1e12, 1e12 + 1))
    ('50', '1,000,000,000,000.25')
    """
    size = max(abs(end) for end in ends)
    width = abs(ends[1] - ends[0])
    if 0.0 < width < 0.1 * size:
        digits = min(digits + math.floor(math.log10(size)) - math.floor(math.log10(width)), 17)
    return number(float(f"{value:.{digits}g}"), digits)


def exactly(value: float, decimals: int) -> str:
    """The number with that many decimals and no fewer.

    >>> exactly(-1234.5, 2)
    '−1,234.50'
    """
    return f"{value:,.{decimals}f}".replace("-", "−")


def quantity(value: float, unit: str = "", digits: int = 3) -> str:
    """A number with its unit.

    >>> quantity(5.25, "years")
    '5.25 years'
    """
    return f"{number(value, digits)} {unit}".rstrip()


def span(lower: float, upper: float, unit: str = "", digits: int = 4) -> str:
    """An interval with its unit, both ends to the same decimal.

    >>> span(-20, 120, "points"), span(-58.866, 158.866)
    ('−20 … 120 points', '−58.9 … 158.9')
    >>> span(1e12, 1e12 + 1), span(123456.71, 123456.78)
    ('1,000,000,000,000 … 1,000,000,000,001', '123,456.71 … 123,456.78')
    """
    digits = telling(lower, upper, digits)
    size = max(abs(lower), abs(upper))
    if (lower == int(lower) and upper == int(upper)) or not 1e-4 <= size < 1e9:
        ends = number(lower, digits), number(upper, digits)
    else:
        decimals = max(0, digits - 1 - math.floor(math.log10(size)))
        ends = exactly(lower, decimals), exactly(upper, decimals)
    return f"{ends[0]} … {ends[1]} {unit}".rstrip()


def together(text: str) -> str:
    """The text on one line, where a line end would part what is read as one.

    >>> together(span(0, 100)).split(" ")
    ['0\\xa0…\\xa0100']
    """
    return text.replace(" ", "\u00a0")


def percent(share: float, digits: int = 3) -> str:
    """A share as a percentage.

    >>> percent(0.731)
    '73.1 %'
    """
    return f"{number(100 * share, digits)} %"


def beyond_half(share: float) -> str:
    """What is reached at most, one half or more: never below itself, and with digits enough to
    show that it is more.

    >>> beyond_half(0.73106), beyond_half(0.500251), beyond_half(0.5)
    ('73.2 %', '50.026 %', '50 %')
    """
    return f"{rounded_up(100.0 * share, telling(50.0, 100.0 * share))} %"


def count(amount: int, noun: str) -> str:
    """An amount of things, in the right number.

    >>> count(1, "row"), count(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{amount:,} {noun}{'' if amount == 1 else 's'}"


def literal(text: str) -> str:
    r"""User text so that markdown shows it exactly as typed.

    Signs in a code span are left alone for good; the style sheet gives such spans no look.

    >>> literal('cost $USD *now*'), literal("e@mail.example")
    ('cost \\$USD \\*now\\*', 'e`@`mail\\.example')
    """
    flat = visible(" ".join(text.split()))
    parts, end = [], 0
    for found in _LATER.finditer(flat):
        parts += [_escaped(flat[end : found.start()]), f"`{found[0]}`"]
        end = found.end()
    return "".join(parts) + _escaped(flat[end:])


def _escaped(text: str) -> str:
    return "".join("\\" + c if c in _MARKDOWN else c for c in text)


_AS_TYPED = re.compile(r"\w[\w ,/%°'()²³µ-]{0,39}")
_CHANGED = re.compile(r"(?<![^\W_])_|_(?![^\W_])|--")


def in_label(name: str, otherwise: str) -> str:
    """A name for the label of a control, or other words for one that markdown would change.

    Signs that keep markdown off would be read out with the label.

    >>> [in_label(name, "column 4") for name in ("height (cm)", "a_b", "*a*", "_b")]
    ['height (cm)', 'a_b', 'column 4', 'column 4']
    """
    unchanged = _AS_TYPED.fullmatch(name) and not _CHANGED.search(name)
    return name if unchanged else otherwise


def in_chart(text: str, width: int = 48) -> str:
    """User text for a chart: Plotly reads pseudo-HTML, so escape it; cut what cannot fit."""
    flat = visible(" ".join(text.split()))
    # Quotes stay: Plotly shows their entities letter for letter.
    return html.escape(flat if len(flat) <= width else flat[: width - 1] + "…", quote=False)
