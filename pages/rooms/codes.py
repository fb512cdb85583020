"""Codes of rooms: few letters to type, and a longer key that travels in links."""

from __future__ import annotations

import re
import secrets

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no code is a word; none that looks like a digit, or like another one."""
LENGTH = 6
_CODE = re.compile(rf"[0-9]{{0,2}}[{LETTERS}]{{{LENGTH}}}")
_KEY = re.compile(r"[A-Za-z0-9_-]*")
_PROCESS = re.compile(r"[0-9]{1,2}$")


def new_code(process: str = "") -> str:
    """A code of letters; in front of them the number of the process, where there are several.

    ``process``: its name, as a proxy's cookie says it. Only its last two digits count.
    """
    number = _PROCESS.search(process)
    letters = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    return (number[0] if number else "") + letters


def new_key() -> str:
    """What nobody guesses."""
    return secrets.token_urlsafe(16)


def spoken(code: str) -> str:
    """The code as it is read out.

    >>> spoken("KTRPMX"), spoken("2KTRPMX")
    ('KTR PMX', '2 KTR PMX')
    """
    number, letters = code[:-LENGTH], code[-LENGTH:]
    return " ".join(filter(None, (number, letters[:3], letters[3:])))


def typed(text: object) -> tuple[str, str] | None:
    """Code and key of what somebody typed or a link says; None where it can be none. The key is
    empty where a code was typed.

    >>> typed(" ktr-pmx "), typed("KTRPMX.a_b-C"), typed("hello")
    (('KTRPMX', ''), ('KTRPMX', 'a_b-C'), None)
    """
    if not isinstance(text, str) or len(text) > 100:
        return None
    before, _, key = text.strip().partition(".")
    code = re.sub(r"[\s-]+", "", before).upper()
    return (code, key) if _CODE.fullmatch(code) and _KEY.fullmatch(key) else None
