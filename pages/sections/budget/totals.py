"""Steps 3 and 4: what all releases cost together, by row and by column, and how costs add up."""

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
from pages.text.wording import NEIGHBOURS, count, in_chart, literal

MOST_BARS = 40
UNCHANGED = (
    ", the same in every column that a released file left unchanged. Such a column is not "
    "protected at all: the file shows a person's cells in it as they are, and no ε counts for that"
)


def totals(book: Ledger) -> None:
    with step(3, "Totals", "By row: all releases together. By column: one property alone."):
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
    st.markdown(
        f"**By row:** all releases about {literal(names[dataset])} together cost "
        f"**ε = {decimal_text(whole)}** for any one row; tables are neighbours "
        f"where {NEIGHBOURS[book.protects(dataset).value]}{_unless(book, dataset)}."
    )
    dearest = sorted(columns, key=columns.__getitem__, reverse=True)[:MOST_BARS]
    if len(columns) > MOST_BARS:
        st.caption(f"The chart shows the {MOST_BARS} columns with the largest ε.")
    _chart(whole, {n: c for n, c in columns.items() if n in dearest}, book.limit).draw()
    listed = [{"column": name, "ε": decimal_text(cost)} for name, cost in columns.items()]
    records(listed, "Total ε of each column")
    st.caption(
        "A column's total counts the releases that read it, also as a condition or to make "
        "groups; one that reads several columns counts in full for each of them, so this is an "
        "upper limit. The row's total counts every release: it is what protects a person in "
        "these columns."
    )


def _unless(book: Ledger, dataset: str) -> str:
    """What the row's total says nothing about, where a file may have been released."""
    files = any(each.dataset == dataset and each.kind == "column" for each in book.known)
    return UNCHANGED if files else ""


def _chart(whole: Fraction, columns: dict[str, Fraction], limit: Fraction | None) -> Chart:
    names = ["whole row", *columns]
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
        "Budget spent, by row and by column",
        "privacy budget ε spent",
        "what was read",
        data,
        layout,
        f"The whole row has spent ε = {decimal_text(whole)}, over "
        f"{count(len(columns), 'column')}.{said}",
        lambda: pd.DataFrame(table),
        height=190 + 34 * len(names),
    )


SEQUENTIAL = """**One after the other: costs add up.** Each release says a little about every row.
Two releases at ε = 0.5 say together as much as one at ε = 1 may, whatever they are about, for
they are about the same people. That also holds for two columns of one table, and for the same
question asked twice."""
PARALLEL = """**Side by side: the largest counts.** Releases about groups that share no row, such
as one answer for each class of a school, each speak about other people. When a row is *added or
removed*, it lies in one group: the dearest group is what it costs. When a row is *replaced*, it
may leave one group and enter another: the two dearest groups count. The groups must come from a
public list, and from one reading of the table: read in another encoding or with other rows left
out, a row may lie in other groups, too, and both costs add up."""
MIXED = """**Two kinds of neighbours.** A replacement is a removal and an addition. Once a table has
releases of both kinds, those for adding or removing a row count twice."""


def composing() -> None:
    with step(4, "How costs add up"):
        left, right = st.columns(2, gap="large")
        left.markdown(SEQUENTIAL)
        right.markdown(PARALLEL)
        st.markdown(MIXED)
        st.caption(
            "Amounts are exact fractions, never rounded: three times 0.1 is 0.3. Amounts with ≈ "
            "have no short decimal; the file below holds them exactly."
        )
