"""Formulas and reasons of the library in the letters of the field."""

from __future__ import annotations

import re

from compdp_core.text import SUPERSCRIPT

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
