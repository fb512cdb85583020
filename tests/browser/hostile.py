"""Words that somebody could type, or have in a file, in the hope that they do something.

What works leaves a trace that :mod:`tests.browser.effects` finds: it calls ``effect``, asks for
``evil.example``, or puts an element that is marked, a formula, a link, an icon or a colour into
the page.
"""

from __future__ import annotations

import unicodedata

MARK = "Zq"
"""Stands in each of them, so that the places are found where they are shown."""

MARKUP = (
    "Zq<script>effect('script')</script>",
    "Zq</script><script>effect('closed script')</script>",
    "Zq<img src=x data-injected onerror=effect('img')>",
    "Zq<svg/onload=effect('svg') data-injected>",
    "Zq<iframe data-injected srcdoc=\"<script>parent.effect('frame')</script>\"></iframe>",
    "Zq<a data-injected href=\"javascript:effect('link')\">press</a>",
    "Zq<style data-injected>* { color: rgb(1, 2, 3) !important }</style>",
    "Zq<b data-injected onmouseover=effect('over')>bold</b><br><i>slanted</i>",
    "Zq\"><input data-injected autofocus onfocus=effect('focus')>",
    "Zq' data-injected onclick='effect(1)",
    "Zq<link rel=stylesheet data-injected href=//evil.example/x.css>",
    "Zq<meta data-injected http-equiv=refresh content='0;url=http://evil.example'>",
    "Zq&lt;b&gt; &amp; &#x3c; &nbsp;",
    "Zq<!-- comment --> <![CDATA[x]]>",
)
"""HTML."""
MARKDOWN = (
    "Zq :red[red] :blue-background[blue] :badge[badge] :small[small]",
    "Zq :material/skull: :streamlit: :smile: :material_skull:",
    "Zq $x^2$ and $$y_1$$ and \\(z\\)",
    "![Zq](http://evil.example/a.png)",
    "[Zq](http://evil.example) and [q](javascript:effect(2))",
    "Zq http://evil.example/a_b?c=d&e=f",
    "Zq www.evil.example or https://evil.example",
    "Zq someone@evil.example, xmpp:who@evil.example",
    "<http://evil.example/Zq>",
    "[Zq]: http://evil.example",
    "Zq `code` and ``more`` and ```",
    "**Zq** __strong__ *slanted* _too_ ~~struck~~ ==marked==",
    "# Zq heading",
    "- Zq item",
    "1. Zq item",
    "> Zq quoted",
    "|Zq|b| |-|-| |c|d|",
    "Zq[^1] - [ ] task",
    "```mermaid graph TD; Zq-->B```",
    "Zq a -> b <- c -- d >= e <= f ~= g <-> h",
    "Zq ::leaf[x] :::x",
    "Zq \\ \\* \\$ \\n \\\\",
)
"""What the framework reads in text."""
LETTERS = (
    "Zq\u202egnp.exe\u202c",
    "Zq\u2066first\u2069\u200bsecond\u00ad",
    "\ufeffZq\u200e",
    "Zq \u0430dmin p\u0430ypal",
    "Zq e\u0301 \U0001f469\u200d\U0001f52c \u4e2d\u6587 \u05d0\u05d1\u05d2",
)
"""Direction, invisible signs, look-alikes."""
CODE = (
    "Zq{{7*7}} ${7*7} #{7*7} <%= 7*7 %>",
    "Zq%s%n%(x)s {0} {0.__class__} {x!r}",
    'Zq""" + effect(3) + """',
    "Zq''' + __import__('os').getcwd() + '''",
    "Zq'); import os; os.mkdir('pwned'); ('",
    "Zq%{x} <extra>y</extra>",
    "=1+1+Zq",
    "+Zq",
    "-Zq",
    "@Zq",
    '=HYPERLINK("http://evil.example";"Zq")',
    "../../Zq/..\\x",
)
"""Templates, format strings, Python, spreadsheets, paths."""
HOSTILE = (*MARKUP, *MARKDOWN, *LETTERS, *CODE)


def as_shown(text: str) -> str:
    """How a page has to show it: letter by letter, with spaces as the browser folds them, and what
    nobody could see, or turns the line around, by its number.
    """
    joiner = "\u200d"
    folded = " ".join(text.split())
    return "".join(
        f"[U+{ord(c):04X}]" if unicodedata.category(c) in ("Cc", "Cf") and c != joiner else c
        for c in folded
    )
