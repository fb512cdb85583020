"""A document of the library's own, such as a privacy card, as a sheet of paper on the page.

The framework's own frame lets what is in it run scripts, and needs one to know its height. Here
nothing runs, and the sheet is as high as what is on it.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_sheet = st.components.v2.component(
    "sheet",
    html='<iframe sandbox="allow-same-origin"></iframe>',
    css="""
    iframe {
      box-sizing: border-box;
      display: block;
      width: 100%;
      height: 30rem;
      border: 1px solid color-mix(in srgb, currentColor 25%, transparent);
      border-radius: 0.6rem;
      box-shadow: 0 2px 10px color-mix(in srgb, currentColor 12%, transparent);
    }
    """,
    js=Path(__file__).with_name("sheet.js").read_text(encoding="utf-8"),
)


def sheet(key: str, html: str, title: str) -> None:
    """Show a document; its title is for screen readers."""
    _sheet(key=key, data={"html": html, "title": title})
