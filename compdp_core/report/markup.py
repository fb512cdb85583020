"""Pieces of HTML, every text in them escaped."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable

from compdp_core.tables.joiners import joins

_LAYOUT = frozenset("\n\t ")


def visible(words: str) -> str:
    """Words in which what would be invisible or turn the line around is named instead.

    Joiners stay where they join: between emoji, and in scripts that are written with them.

    >>> visible("a \u202e b")
    'a [U+202E] b'
    """
    return "".join(
        f"[U+{ord(c):04X}]"
        if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn")
        and c not in _LAYOUT
        and not joins(words, i)
        else c
        for i, c in enumerate(words)
    )


def text(words: str) -> str:
    """Words as HTML text, all of them visible.

    >>> text("a < b & \u202e")
    'a &lt; b &amp; [U+202E]'
    """
    return html.escape(visible(words), quote=True)


def name(words: str) -> str:
    """A name that a user typed: its letters do not turn the words around it."""
    return f"<bdi>{text(words)}</bdi>"


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph of plain words."""
    return f'<p class="{kind}">{text(words)}</p>' if kind else f"<p>{text(words)}</p>"


def facts(caption: str, rows: Iterable[tuple[str, str]]) -> str:
    """A table of names and values; the values are HTML already."""
    body = "".join(
        f'<tr><th scope="row">{text(label)}</th><td>{value}</td></tr>\n' for label, value in rows
    )
    return (
        f'<table class="facts"><caption>{text(caption)}</caption>\n<tbody>\n{body}</tbody></table>'
    )


def grid(label: str, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table with a row of heads, in a frame that scrolls; cells are HTML already.

    The first cell of each row names it.
    """
    head = "".join(f'<th scope="col">{text(each)}</th>' for each in heads)
    body = "".join(_row(tuple(cells)) for cells in rows)
    return (
        f'<div class="scroll" role="region" aria-label="{text(label)}" tabindex="0">\n'
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table></div>"
    )


def _row(cells: tuple[str, ...]) -> str:
    first, *rest = cells
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{c}</td>" for c in rest)}</tr>\n'


def tiles(pairs: Iterable[tuple[str, str, str]]) -> str:
    """The few numbers to see first: name, value, and a line below it."""
    inner = "".join(
        f"<div><dt>{text(label)}</dt><dd>{text(value)}"
        f"{f'<small>{text(below)}</small>' if below else ''}</dd></div>\n"
        for label, value, below in pairs
    )
    return f'<dl class="tiles">\n{inner}</dl>'
