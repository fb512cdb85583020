"""The browser's address follows the settings, so that it can be copied and reloaded.

The browser itself writes it, once the settings have been quiet for a moment, in place of the entry
that was there. Written by the server, every stop of a slider would be an entry of the history.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from pages.furniture.links import Setting, spoken, take
from pages.furniture.state import entered, keep, recall

LONGEST = 2000
"""Characters that every browser and server takes; longer settings travel as a file."""

_write = st.components.v2.component(
    "address",
    js="""
    const QUIET_MS = 400;
    let waiting;
    export default function ({ data }) {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        const here = new URL(location.href);
        if (here.search.slice(1) === data.query) return;
        here.search = data.query;
        history.replaceState(history.state, "", here);
      }, QUIET_MS);
      return () => clearTimeout(waiting);
    }
    """,
)


def arrive(page: str, settings: Sequence[Setting]) -> None:
    """Take over what the address says when the page is entered, before any widget is drawn.

    Later it only says what `follow` has written. What it says then may be a moment old.
    """
    said = st.query_params.to_dict()
    if said and (entered() or said not in recall(f"{page}.written", [])):
        take(page, settings, said)
        keep(f"{page}.written", [said])


def follow(page: str, settings: Sequence[Setting]) -> None:
    """Let the address say the settings as they are now."""
    said = spoken(settings)
    query = urlencode(said, safe=",")
    if len(query) > LONGEST:
        return
    written = recall(f"{page}.written", [])
    if said not in written:
        keep(f"{page}.written", [*written[-99:], said])
    _write(key=f"{page}.address", data={"query": query})
