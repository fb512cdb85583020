"""The session's ledger: what was released and what it cost."""

from __future__ import annotations

import streamlit as st

from compdp_core.ledger import Ledger, decimal_text
from pages.furniture.state import keep, recall

_NAME = "ledger"


def ledger() -> Ledger:
    """All releases of this session."""
    book: Ledger = recall(_NAME, Ledger())
    return book


def spend(after: Ledger) -> None:
    """Replace the ledger by the one that holds a new charge."""
    keep(_NAME, after)


def spent_line() -> None:
    """What was spent so far, for the menu. Tables have budgets of their own."""
    book = ledger()
    if not book.entries:
        st.caption("Nothing released yet.")
        return
    totals = [book.total_by_dataset(each) for each in book.datasets]
    text = ", ".join(decimal_text(total) for total in totals)
    tables = "this table" if len(totals) == 1 else f"each of {len(totals)} tables"
    st.caption(f"Spent on {tables}: ε = {text}")
