"""Budget: all releases, what they cost together, and the limit they must stay within."""

from __future__ import annotations

from pages.sections.budget.composing import composing
from pages.sections.budget.entries import entries
from pages.sections.budget.keeping import keeping
from pages.sections.budget.limit import limit
from pages.sections.budget.totals import totals
from pages.session.ledger import ledger
from pages.shell.frame import framed

with framed("budget"):
    limit()
    book = ledger()
    entries(book)
    totals(book)
    composing()
    keeping(book)
