"""Step 1: what is spent, the limit the owner sets, and what is left of it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import streamlit as st

from compdp_core.accounting import Ledger, exact
from compdp_core.errors import ParameterError
from pages.inputs import entry
from pages.sections.budget.entries import table_names
from pages.session.ledger import ledger, set_limit
from pages.session.state import recall
from pages.shell.panels import private, step
from pages.text.typed_numbers import plain
from pages.text.wording import budget, literal, whose

NAME = "budget.limit"
MOST_TABLES = 20


def limit() -> None:
    with step(1, "Limit", "The largest ε that all releases of one table may cost together."):
        _follow(ledger())
        field, words = st.columns([1, 2], vertical_alignment="bottom")
        below = st.container()
        with field:
            entry.exact(
                NAME,
                "Limit for each table (empty: none)",
                check=_problem,
                then=set_limit,
                optional=True,
                placeholder="such as 2",
                faults_in=below,
            )
        words.caption(
            "A release that would pass it is refused before anything is drawn. Raising the limit "
            "weakens what was promised to the people in the table."
        )
        _state(ledger())


def _follow(book: Ledger) -> None:
    """Show the limit in force, also one that another window or a file has set."""
    wanted = None if book.limit is None else _decimal(book.limit)
    if recall(NAME) != wanted:
        entry.set_exact(NAME, wanted)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _problem(value: Decimal) -> str | None:
    try:
        exact(value, "the limit")
    except ParameterError as refusal:
        return f"The limit {refusal.requirement}, not {plain(value)}."
    return None


def _state(book: Ledger) -> None:
    if not book.entries:
        st.info(
            "Nothing is released yet. Releases of Privatize and Release a statistic appear here.",
            icon=":material/info:",
        )
        return
    with private("budget-tables", "what is spent on each table"):
        _tables(book)


def _tables(book: Ledger) -> None:
    names = table_names(book)
    if len(names) > MOST_TABLES:
        st.caption(f"The last {MOST_TABLES} of {len(names):,} tables; the others are in step 3.")
    for place, (dataset, name) in enumerate([*names.items()][-MOST_TABLES:]):
        spent, left = book.total_by_dataset(dataset), book.remaining(dataset)
        persons = book.persons(dataset)
        with st.container(border=True, key=f"table-{place}"):
            st.markdown(f":material/description: **{literal(name)}**")
            if persons:
                st.caption(f"Counted for {literal(whose(*persons))}.")
            with st.container(key=f"row-spent-{place}"):
                tiles = st.columns(3)
            allowed = "none" if book.limit is None else budget(book.limit)
            rest = "–" if left is None else budget(left, "down")
            unit = "person" if persons else "row"
            tiles[0].metric(f"Spent on every {unit}", budget(spent))
            tiles[1].metric("Limit", allowed)
            tiles[2].metric("Left", rest)
            if book.limit is not None:
                share = min(Fraction(1), spent / book.limit)
                # Whole percent that are surely spent: 100 only where nothing is left.
                st.progress(float(share), f"{100 * share // 1} % of the limit is spent")
                if spent > book.limit:
                    st.warning(
                        "More is spent than the limit allows: it was lowered later, or a saved "
                        "ledger brought more releases. Nothing more is released.",
                        icon=":material/warning:",
                    )
