"""Formulas and reasons of the library in the letters of the field."""

from __future__ import annotations

import re

TITLES = {
    "height": "Height of the activation",
    "width": "Width of the activation",
    "base": "Height of the base",
    "mass": "Mass of the activation",
    "input": "Input",
    "peak": "Peak",
    "privacy": "Privacy",
    "steps": "Levels",
    "top": "Top level",
    "distance": "Sensitivity",
}
_LETTERS = (
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


def lettered(text: str) -> str:
    """The text with Greek letters and the signs of mathematics.

    >>> lettered("S1 = k alpha m < 1"), lettered("|C_p| <= C"), lettered("within [-0.2, 0.2]")
    ('S₁ = k α m < 1', '|C_p| ≤ C', 'within [−0.2, 0.2]')
    """
    for pattern, letter in _LETTERS:
        text = re.sub(pattern, letter, text)
    return text
