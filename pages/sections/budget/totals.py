"""Step 3: what all releases cost together, by row or person and by column."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pandas as pd
import streamlit as st

from compdp_core.accounting import Ledger, decimal_text
from pages.charts.chart import Chart
from pages.charts.theme import GAUSSIAN, RELEASED, level_bars, lines
from pages.inputs.options import select
from pages.sections.budget.entries import table_names
from pages.sections.shared.figures import records
from pages.shell.panels import private, step
from pages.text.wording import NEIGHBOURS, OF_PERSONS, budget, count, in_chart, literal, whose

MOST_BARS = 40
UNCHANGED = (
    ", the same in every column that a released file left unchanged. Such a column is not "
    "protected at all: the file shows a person's cells in it as they are, and no ε counts for that"
)


def totals(book: Ledger) -> None:
    hint = "By row or person: all releases together. By column: one property alone."
    with step(3, "Totals", hint):
        if not book.entries:
            st.info("Nothing to add up yet.", icon=":material/info:")
            return
        with private("budget-totals", "what all releases of a table cost together"):
            _added_up(book)


def _added_up(book: Ledger) -> None:
    names = table_names(book)
    dataset = book.datasets[-1]
    if len(names) > 1:
        dataset = select("Table", names, "budget.table", dataset)
    whole, columns = book.total_by_dataset(dataset), book.total_by_column(dataset)
    persons = book.persons(dataset)
    unit, where = ("person", OF_PERSONS) if persons else ("row", NEIGHBOURS)
    st.markdown(
        f"**By {unit}:** all releases about {literal(names[dataset])} together cost "
        f"**{budget(whole)}** for any {literal(whose(*persons))}; tables are neighbours "
        f"where {where[book.protects(dataset).value]}{_unless(book, dataset)}."
        f"{_more(book, dataset)}"
    )
    dearest = sorted(columns, key=columns.__getitem__, reverse=True)[:MOST_BARS]
    if len(columns) > MOST_BARS:
        st.caption(f"The chart shows the {MOST_BARS} columns with the largest ε.")
    shown = {name: cost for name, cost in columns.items() if name in dearest}
    _chart(unit, whole, shown, book.limit).draw()
    listed = [{"column": name, "ε": decimal_text(cost)} for name, cost in columns.items()]
    records(listed, "Total ε of each column")
    st.caption(
        "A column's total counts the releases that read it, also as a condition or to make "
        "groups; one that reads several columns counts in full for each of them, so this is an "
        f"upper limit. The {unit}'s total counts every release: it is what protects a person in "
        "these columns."
    )


def _unless(book: Ledger, dataset: str) -> str:
    """What the row's total says nothing about, where a file may have been released."""
    files = any(each.dataset == dataset and each.kind == "column" for each in book.known)
    return UNCHANGED if files else ""


def _more(book: Ledger, dataset: str) -> str:
    """What a person's total says nothing about, where not all releases are for such persons."""
    of = [each.person for each in book.known if each.dataset == dataset]
    kinds = {None if each is None else frozenset(each.by) for each in of}
    return " Whoever has more rows may lose more." if len(kinds) > 1 else ""


def _chart(
    unit: str, whole: Fraction, columns: dict[str, Fraction], limit: Fraction | None
) -> Chart:
    names = [f"whole {unit}", *columns]
    costs = [float(each) for each in (whole, *columns.values())]
    places = list(range(len(names)))
    data: list[dict[str, Any]] = [
        level_bars(
            costs,
            places,
            "spent",
            RELEASED.bar(),
            [f" {decimal_text(each)}" for each in (whole, *columns.values())],
            hovertemplate="ε = %{x:.6g}<extra></extra>",
        )
    ]
    if limit is not None:
        at = float(limit)
        data.append(
            lines(
                [at, at],
                [-0.5, len(names) - 0.5],
                f"limit {decimal_text(limit)}",
                GAUSSIAN.line(3),
                hoverinfo="skip",
            )
        )
    reach = 1.15 * max([*costs, 0 if limit is None else float(limit)])
    layout = {
        "hovermode": "closest",
        "bargap": 0.45,
        "showlegend": limit is not None,
        "xaxis": {"range": [0, reach]},
        "yaxis": {
            "tickmode": "array",
            "tickvals": places,
            "ticktext": [in_chart(name, 22) for name in names],
            "range": [len(names) - 0.4, -0.6],
        },
    }
    table = {"of": names, "epsilon": costs}
    said = "" if limit is None else f" The limit is {decimal_text(limit)}."
    return Chart(
        "spent",
        f"Budget spent, by {unit} and by column",
        "privacy budget ε spent",
        "what was read",
        data,
        layout,
        f"The whole {unit} has spent {budget(whole)}, over {count(len(columns), 'column')}.{said}",
        lambda: pd.DataFrame(table),
        height=190 + 34 * len(names),
    )
