"""Step 2: every release, oldest first."""

from __future__ import annotations

import itertools
from collections import Counter

import streamlit as st

from compdp_core.accounting import Ledger, decimal_text
from pages.sections.shared.figures import records
from pages.session import ledger as spending
from pages.shell.panels import private, step
from pages.text.wording import count, whose


def entries(book: Ledger) -> None:
    with step(2, "Releases", "Nothing here is ever changed or removed: what is out stays out."):
        if not book.entries:
            st.info("Nothing is released yet.", icon=":material/info:")
            return
        with private("budget-releases", "every release, oldest first"):
            _listed(book)
        st.markdown(
            f"{count(len(book.entries), 'release')}. A release counts once, however often its "
            "files are downloaded or looked at: they are written from the stored result. Releasing "
            "the same thing again draws new noise and counts again."
        )
        unfinished = sum(spend.unfinished for spend in book.known)
        if unfinished:
            st.warning(
                f"{count(unfinished, 'release')} in the list "
                f"{'is' if unfinished == 1 else 'are'} unfinished: a run on the command line that "
                "has not ended, or broke off. Nobody knows how much of it is out, so it counts "
                "in full.",
                icon=":material/warning:",
            )


def _listed(book: Ledger) -> None:
    """The list as it can also be saved from its corner: which labels are one table is in it."""
    names = table_names(book)
    marked = any(spend.unfinished for spend in book.known)
    rows = [
        {
            # First of all: what stands further to the right may be out of sight.
            **({"state": "unfinished" if spend.unfinished else "all out"} if marked else {}),
            "when (UTC)": f"{spend.when:%Y-%m-%d %H:%M:%S}",
            "what": spend.what,
            "ε": decimal_text(spend.epsilon),
            "for": whose(spend.person) if spend.person else whose(),
            "columns": ", ".join(spend.columns),
            "group": f"{spend.group.by} = {spend.group.value}" if spend.group else "all rows",
            "neighbours": spend.neighbours.value,
            "table": names[spend.dataset],
            "id": spend.id[:8],
        }
        for spend in book.known
    ]
    records(rows, "All releases with time, content and cost")


def table_name(label: str) -> str:
    """The file's name, else the beginning of the label that the ledger has for it."""
    known = spending.table_name(label)
    return f"table {label.removeprefix('table-')[:8]}…" if known is None else known


def table_names(book: Ledger) -> dict[str, str]:
    """A name for each table of the ledger; files of equal names are told apart."""
    names = {each: table_name(each) for each in book.datasets}
    twice = {name for name, times in Counter(names.values()).items() if times > 1}
    # A ledger from a file may hold any labels, also some that begin alike.
    length = next(n for n in itertools.count(8) if len({each[:n] for each in names}) == len(names))
    return {
        each: f"{name} ({each[:length]}…)" if name in twice else name
        for each, name in names.items()
    }
