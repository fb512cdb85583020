"""The browser's address follows the settings, so that it can be copied and reloaded.

The browser itself writes it, in place of the entry that was there. Written by the server, every
stop of a slider would be an entry of the history. The first change is written at once, so that a
reload right after it opens what was seen. What follows it quickly waits until the settings have
been quiet for a moment: browsers refuse a page that writes too often.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import streamlit as st

from pages.inputs.links import Setting, know, spoken

LONGEST = 2000
"""Characters that every browser and server takes; longer settings travel as a file."""

_write = st.components.v2.component(
    "address",
    js="""
    const QUIET_MS = 400;
    let waiting;
    let said; // What was to be written last, by which page, and since when.
    const write = (query) => {
      const here = new URL(location.href);
      if (here.search.slice(1) === query) return;
      here.search = query;
      history.replaceState(history.state, "", here);
    };
    export default function ({ key, data: { query } }) {
      clearTimeout(waiting);
      const now = performance.now();
      const entered = said?.key !== key;
      if (entered || said.query !== query) {
        if (!entered && now - said.since > QUIET_MS) write(query);
        said = { key, query, since: now };
      }
      waiting = setTimeout(() => write(query), QUIET_MS);
      return () => clearTimeout(waiting);
    }
    """,
)


def follow(page: str, settings: Sequence[Setting]) -> None:
    """Let the address say the settings as they are now; shows nothing itself.

    The earlier on the page, the sooner it is written.
    """
    said = spoken(settings)
    query = urlencode(said, safe=",")
    if len(query) > LONGEST:
        return
    # What the browser says of it later, also in an entry of its history, may be a moment old.
    know(page, said)
    with st.container(key=f"unseen-address-{page}"):
        _write(key=f"{page}.address", data={"query": query})
