"""Words of the pages: numbers with their units, and literal user text.

How a number becomes text is said in :mod:`compdp_core.text`, for card and charts as well.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from compdp_core.accounting import decimal_text, exact_text
from compdp_core.adjacency import Neighbours, Person
from compdp_core.report.wording import visible
from compdp_core.text import ALL, SUPERSCRIPT, nearest, rounded_up, telling
from compdp_core.text import brief as brief
from compdp_core.text import count as count
from compdp_core.text import number as number
from compdp_core.text import percent as percent
from compdp_core.text import span as span
from compdp_core.text import to_error as to_error

NEIGHBOURS = {
    Neighbours.REPLACE_ONE.value: "one row is replaced by another",
    Neighbours.ADD_OR_REMOVE_ONE.value: "one row is added or removed",
}
OF_PERSONS = {
    Neighbours.REPLACE_ONE.value: "one person is replaced by another, with all rows",
    Neighbours.ADD_OR_REMOVE_ONE.value: "one person is added or removed, with all rows",
}

STAYS = "A table stays in this session's memory, on the computer that runs this app."
WHO_SEES = (
    "Who sees the true values: the computer that runs this app, and so whoever runs it, if that is "
    "not you. Whoever gets the files sees only what is released."
)
"""As true where the app is served to others as where each starts their own."""

_MARKDOWN = r"\`*_{}[]()<>#+-.!|$:~&"
# Addresses, icons and arrows: the framework looks for these signs after the escapes are read.
_LATER = re.compile(r"(?::(?=\S)|@|(?<=www)\.|(?<=[-<>~])[-=>])+", re.IGNORECASE)


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
    return number(nearest(value, digits), digits)


_SHORT = 7


def budget(epsilon: Fraction, rounding: Literal["nearest", "down"] = "nearest") -> str:
    """A privacy budget, as a sentence has it: exactly where that is short.

    >>> budget(Fraction(3, 10)), budget(Fraction(1, 3)), budget(Fraction(1000, 7001))
    ('ε = 0.3', 'ε = 1/3 ≈ 0.333333', 'ε ≈ 0.142837')
    """
    exact, decimal = exact_text(epsilon), decimal_text(epsilon, rounding=rounding)
    if decimal == exact:
        return f"ε = {exact}"
    return f"ε = {exact} {decimal}" if len(exact) <= _SHORT else f"ε {decimal}"


def quantity(value: float, unit: str = "", digits: int = 3) -> str:
    """A number with its unit.

    >>> quantity(5.25, "years")
    '5.25 years'
    """
    return f"{number(value, digits)} {unit}".rstrip()


def whose(*persons: Person) -> str:
    """Whom a cost is about: a person of any of these kinds, or a row where there is none.

    >>> whose(), whose(Person("patient", 3), Person(("school", "class"), 1))
    ('one row', 'one person with at most 3 rows of the same patient, or 1 row of the same school \
and class')
    """
    kinds = (f"{count(each.at_most, 'row')} of the same {each.text}" for each in persons)
    return f"one person with at most {', or '.join(kinds)}" if persons else "one row"


def together(text: str) -> str:
    """The text on one line, where a line end would part what is read as one.

    >>> together(span(0, 100)).split(" ")
    ['0\\xa0…\\xa0100']
    """
    return text.replace(" ", "\u00a0")


def beyond_half(share: float) -> str:
    """What is reached at most, one half or more: never below itself, and with digits enough to
    show that it is more, and less than all.

    >>> beyond_half(0.73106), beyond_half(0.500251), beyond_half(0.5), beyond_half(0.99966)
    ('73.2 %', '50.026 %', '50 %', '99.97 %')
    """
    digits = telling(50.0, 100.0 * share)
    while share < 1.0 and digits < ALL and rounded_up(100.0 * share, digits) == "100":
        digits += 1
    return f"{rounded_up(100.0 * share, digits)} %"


def enumeration(names: Sequence[str]) -> str:
    """All of them in a sentence.

    >>> enumeration(["a"]), enumeration(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


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


_LETTERS = (
    (r"\btail_ratio\b", "the tail ratio τ"),
    (r"\bepsilon\b", "ε"),
    (r"\balpha\b", "α"),
    (r"\bgamma\b", "γ"),
    (r"\btau\b", "τ"),
    (r"\bDelta\b", "Δ"),
    (r"\bS1\b", "S₁"),
    ("<=", "≤"),
    (">=", "≥"),
    (" - ", " − "),
    (r"(?<=[\s\[(,^])-(?=[\d.(ε])", "−"),
)
_POWER = re.compile(r"(?<=\d)e([+-]?\d+)\b")


def lettered(text: str) -> str:
    """The text with Greek letters and the signs of mathematics.

    >>> lettered("S1 = k alpha m < 1"), lettered("|C_p| <= C"), lettered("within [-0.2, 0.2]")
    ('S₁ = k α m < 1', '|C_p| ≤ C', 'within [−0.2, 0.2]')
    >>> lettered("lower k to at most 1.7e-09")
    'lower k to at most 1.7 × 10⁻⁹'
    """
    for pattern, letter in _LETTERS:
        text = re.sub(pattern, letter, text)
    return _POWER.sub(_raised, text)


def _raised(power: re.Match[str]) -> str:
    return f" × 10{str(int(power[1])).translate(SUPERSCRIPT)}"
