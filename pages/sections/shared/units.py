"""The unit of a column, as its header says."""

from __future__ import annotations

import re

_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,24})[)\]]\s*$")


def unit_of(label: str) -> str:
    """What stands in brackets at the end of a name.

    >>> unit_of("height (cm)"), unit_of("score"), unit_of("score (column 3)")
    ('cm', '', '')
    """
    found = _IN_BRACKETS.search(label)
    if found is None or re.fullmatch(r"column \d+", found[1]):
        return ""
    return found[1].strip()
