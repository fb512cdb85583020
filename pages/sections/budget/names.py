"""Tables by the name of their file, where it is known."""

from __future__ import annotations

from collections import Counter
from itertools import count

from compdp_core.accounting import Ledger
from pages.session import ledger as spending


def table_name(label: str) -> str:
    """The file's name, else the beginning of the label that the ledger has for it."""
    known = spending.table_name(label)
    return f"table {label.removeprefix('table-')[:8]}…" if known is None else known


def table_names(book: Ledger) -> dict[str, str]:
    """A name for each table of the ledger; files of equal names are told apart."""
    names = {each: table_name(each) for each in book.datasets}
    twice = {name for name, times in Counter(names.values()).items() if times > 1}
    # A ledger from a file may hold any labels, also some that begin alike.
    length = next(n for n in count(8) if len({each[:n] for each in names}) == len(names))
    return {
        each: f"{name} ({each[:length]}…)" if name in twice else name
        for each, name in names.items()
    }
