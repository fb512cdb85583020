"""The two joiners that are part of a word: invisible by themselves, and yet to be kept."""

from __future__ import annotations

import unicodedata

JOINERS = frozenset("\u200c\u200d")
_EMOJI_SIGNS = frozenset("\u2194\u2195\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
_VARIANT = "\ufe0f"
_JOINING_SCRIPTS = ((0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x18AF))
"""Arabic and its kin; the scripts of India; of Tibet and Burma; Khmer and Mongolian."""


def joins(text: str, place: int) -> bool:
    r"""Whether the sign at this place is a joiner between what it joins.

    That is two emoji, or two letters of scripts that are written with joiners. Anywhere else it
    shows nothing and could make two names look alike.

    >>> joins("\U0001f469\u200d\U0001f52c", 1), joins("\u0915\u094d\u200d\u0937", 2)
    (True, True)
    >>> joins("a\u200db", 1), joins("ab\u200d", 2)
    (False, False)
    """
    if text[place] not in JOINERS or not 0 < place < len(text) - 1:
        return False
    before, after = text[max(0, place - 2) : place].rstrip(_VARIANT)[-1:], text[place + 1]
    if not before:
        return False
    emoji = text[place] == "\u200d" and _emoji(before) and _emoji(after)
    return emoji or (_joining(before) and _joining(after))


def _emoji(sign: str) -> bool:
    return unicodedata.category(sign) == "So" or sign in _EMOJI_SIGNS


def _joining(sign: str) -> bool:
    letter = unicodedata.category(sign)[0] in "LM"
    return letter and any(first <= ord(sign) <= last for first, last in _JOINING_SCRIPTS)
