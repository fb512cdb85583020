"""A list of answers as it is typed, there and back."""

from __future__ import annotations

from collections.abc import Sequence


def listed(text: str) -> tuple[str, ...]:
    r"""The answers that were typed, each once: one a line, or in one line with commas between.

    >>> listed("yes, no"), listed("never\nnow, and then\n\nnever"), listed("\nyes, no")
    (('yes', 'no'), ('never', 'now, and then'), ('yes, no',))
    """
    lines = [line for line in text.splitlines() if line.strip()]
    parts = lines if len(lines) > 1 or text.startswith("\n") else text.split(",")
    return tuple(dict.fromkeys(part.strip() for part in parts if part.strip()))


def typed(texts: Sequence[str]) -> str:
    r"""What :func:`listed` makes the same of.

    >>> listed(typed(["a, b"])), typed(["a", "b"])
    (('a, b',), 'a\nb')
    """
    return "\n" * (len(texts) == 1) + "\n".join(texts)
