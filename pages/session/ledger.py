"""The ledger: what was released in this browser and what it cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import streamlit as st

from compdp_core.accounting import Amount, BudgetExceededError, Ledger, Spend, decimal_text
from pages.session import faults
from pages.session.ledger_store import BOOKS, browser
from pages.session.state import kept
from pages.text.wording import count

_NAME, _OF = "ledger", "ledger.of"
_TABLE, _PERSONS = "table_name.", "persons_read_as."
MOST_TOTALS = 10
MORE = "That is more than this release by itself: {}. "
DOUBLED = (
    "what was stated for adding or removing a {} counts twice beside releases for replacing one"
)
BY_ROW = "what was released for one row counts for each of the {} that a person may have"
CROSSED = (
    "what was released for persons of another kind, or of another reading of the file, counts "
    "twice for each row"
)
LESS = (
    "That is less than this release by itself: its groups share no row with others that were "
    "answered before, and only the dearest count. "
)


def ledger() -> Ledger:
    """All releases of this browser, or, where it cannot be told from others, of this session."""
    return _changed(lambda book: book)


def charge(*spends: Spend, keeping: Mapping[str, Any] = MappingProxyType({})) -> Ledger:
    """The ledger with these releases. Raises `BudgetExceededError`, and then nothing is charged.

    `keeping` is what the session remembers of them, by name. It is kept in the same step: a click
    elsewhere ends a run wherever it next touches the session, and what was charged would be lost.

    One draw has one set of spends. Where a run ended after it had charged them, the next one comes
    with the very same, and only keeps.
    """

    def charged(book: Ledger) -> Ledger:
        known = {each.id for each in book.entries}
        return book if all(each.id in known for each in spends) else book.charge(*spends)

    after = _changed(charged, keeping)
    if (name := browser()) is not None:
        BOOKS.call(name, _names(after))
    return after


def together(*spends: Spend) -> tuple[Fraction, Fraction, str]:
    """What the spends' one table has cost before and after them, and why it grows by another
    amount than they cost by themselves, where it does. Charges nothing and heeds no limit.
    """
    book, dataset = ledger(), spends[0].dataset
    foreseen = book.foresee(*spends)
    after = foreseen.total_by_dataset(dataset)
    before, alone = book.total_by_dataset(dataset), Ledger(spends).total_by_dataset(dataset)
    if after - before > alone:
        return before, after, MORE.format("; ".join(_reasons(foreseen, dataset)))
    return before, after, LESS if after - before < alone else ""


def _reasons(book: Ledger, dataset: str) -> Iterator[str]:
    """Why releases on the table of the last one count more than by themselves."""
    persons, of = book.persons(dataset), book.known[-1].dataset
    every = [each for each in book.known if each.dataset == of]
    most = max((each.at_most for each in persons), default=1)
    if any(each.neighbours is not book.protects(dataset) for each in every):
        yield DOUBLED.format("person" if persons else "row")
    if most > 1 and any(each.person is None for each in every):
        yield BY_ROW.format(count(most, "row"))
    if len({each.whose for each in every if each.person is not None}) > 1:
        yield CROSSED


def affordable(*spends: Spend) -> bool:
    """Whether they fit within the limit; a refusal is told, with the way to the limit."""
    try:
        ledger().check(*spends)
    except BudgetExceededError as refusal:
        faults.tell(faults.sentence(str(refusal)))
        st.page_link("pages/budget.py", label="Open the budget", icon=":material/savings:")
        return False
    return True


def table_name(label: str) -> str | None:
    """The name of a table's file: of this session, or as it was when something was released."""
    here = _names(ledger()).get(label)
    if here is not None:
        return here
    name = browser()
    return None if name is None else BOOKS.names(name).get(label)


def set_limit(limit: Amount | None) -> Ledger:
    return _changed(lambda book: book.with_limit(limit))


def join(other: Ledger) -> Ledger:
    """Take over the releases of a saved ledger, each once. Raises `LedgerConflictError`."""
    return _changed(lambda book: book.merge(other))


def outlives_the_session() -> bool:
    """Whether the ledger is still there after a reload of the page."""
    return browser() is not None


def spent_line() -> None:
    """What was spent so far, for the menu. Tables have budgets of their own, and how many they are
    is the owner's to know: a saved ledger that was opened may have several labels for one.
    """
    book = ledger()
    if not book.entries:
        st.caption("Nothing released yet.")
        return
    datasets = book.datasets
    totals = [book.total_by_dataset(each) for each in datasets[-MOST_TOTALS:]]
    text = ", ".join(decimal_text(total) for total in totals)
    tables = "one table" if len(datasets) == 1 else f"each of {len(datasets)} tables"
    if len(datasets) > MOST_TOTALS:
        text = f"…, {text}"
    limit = "" if book.limit is None else f" · limit {decimal_text(book.limit)}"
    st.caption(f":material/lock: Spent on {tables}: ε = {text}{limit}")


def _changed(
    change: Callable[[Ledger], Ledger], keeping: Mapping[str, Any] = MappingProxyType({})
) -> Ledger:
    """Both copies, the session's and the browser's, after a change. Tables that were opened here
    are known again under whatever label a saved ledger has them.
    """
    name, everything = browser(), kept()
    # From here on the session is not touched: the run cannot end between the changes.
    own: Ledger = everything.get(_NAME, Ledger())
    readings = (each for each in everything if each.startswith(_PERSONS))
    opened = (*_opened(everything), *(each.removeprefix(_PERSONS) for each in readings))

    def changed(book: Ledger) -> Ledger:
        return change(book).recognise(*opened)

    if name is None:
        after = changed(own)
    else:
        # The token may come in mid-session, or another one: then this is news to its ledger.
        after = BOOKS.changed(name, own, changed, copy=everything.get(_OF) == name)
    everything.update({**keeping, _NAME: after, _OF: name})
    return after


def _opened(everything: Mapping[str, Any]) -> dict[str, str]:
    """The names of the files that were opened in this session, by the hash of their content."""
    return {
        each.removeprefix(_TABLE): name
        for each, name in everything.items()
        if each.startswith(_TABLE) and name
    }


def _names(book: Ledger) -> dict[str, str]:
    """The same by the labels that the ledger has for them."""
    opened = _opened(kept())
    return {label: name for each, name in opened.items() for label in book.keys.labels(each)}
