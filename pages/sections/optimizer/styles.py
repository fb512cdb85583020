"""How each algorithm is drawn, on every picture of the page alike."""

from __future__ import annotations

from pages.charts.theme import GREY, Role

# Each hue has a contrast of at least 3 : 1 on both backgrounds, as those of the theme.
_ALGORITHMS = {
    "exact": ("#7B61D1", "diamond"),
    "enumeration": ("#0072B2", "circle"),
    "target": ("#A67C00", "square"),
    "gradient": ("#009E73", "triangle-up"),
    "evolution": ("#B8649A", "x"),
}
_DASHES = ("solid", "dash", "dashdot", "longdash", "dot")
FLOOR = Role(GREY, "dot", "star", "")
"""The exact optimum, which no search can pass."""


def role_of(algorithm: str, number: int) -> Role:
    """Hue and symbol say which algorithm, the dash tells its runs apart."""
    colour, symbol = _ALGORITHMS[algorithm]
    return Role(colour, _DASHES[(number - 1) % len(_DASHES)], symbol, "")
