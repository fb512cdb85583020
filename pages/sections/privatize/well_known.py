"""Lists of answers that anyone knows, to be taken with one press."""

from __future__ import annotations

_PAIRS = (
    "yes, no / Yes, No / Y, N / y, n / 1, 0 / true, false / True, False / TRUE, FALSE / "
    "ja, nein / Ja, Nein / oui, non / Oui, Non / sí, no / Sí, No / positive, negative / "
    "present, absent / pass, fail / M, F / male, female / Male, Female"
)
_SCALES = (
    "1, 2, 3, 4, 5 / 1, 2, 3, 4, 5, 6, 7 / 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 / 1, 2, 3 / "
    "1, 2, 3, 4 / "
    "Strongly disagree, Disagree, Neutral, Agree, Strongly agree / "
    "Strongly disagree, Disagree, Neither agree nor disagree, Agree, Strongly agree / "
    "Never, Rarely, Sometimes, Often, Always / "
    "Very dissatisfied, Dissatisfied, Neutral, Satisfied, Very satisfied / "
    "Very poor, Poor, Fair, Good, Very good / Poor, Fair, Good, Very good, Excellent / "
    "Low, Medium, High / None, Mild, Moderate, Severe / Not at all, A little, Somewhat, Very / "
    "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday / "
    "A, B, C, D, E, F"
)


def _lists(text: str) -> dict[tuple[str, ...], str]:
    found = (tuple(each.strip().split(", ")) for each in text.split(" / "))
    return {each: ", ".join(each) if len(each) < 4 else f"{each[0]} … {each[-1]}" for each in found}


PAIRS = _lists(_PAIRS)
SCALES = _lists(_SCALES)
"""Each list, and what it is called."""
