"""Budget: all releases, what they cost together, and the limit they must stay within."""

from __future__ import annotations

from pages.budgeting.composing import composing
from pages.budgeting.entries import entries
from pages.budgeting.keeping import keeping
from pages.budgeting.limit import limit
from pages.budgeting.totals import totals
from pages.furniture.frame import framed
from pages.furniture.spending import ledger

with framed("budget"):
    limit()
    book = ledger()
    entries(book)
    totals(book)
    composing()
    keeping(book)
