"""Many rows: a histogram at two budgets, and why they may look alike."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd
import streamlit as st

from compdp_core.experiments.paper.counting import noisy_counts
from compdp_core.parameters import EPSILON
from pages.charts.chart import Chart
from pages.charts.theme import BASE, LAPLACE, RELEASED, bars, error_bars, points, tint
from pages.inputs.entry import set_exact, within
from pages.sections.compare_mechanisms import settings as to
from pages.session.state import memo
from pages.text.wording import brief, count, number, percent

SMALL = Decimal(30)
LARGE = Decimal(1000)
INVISIBLE = 0.01
"""Of the tallest bar: less than that is about the width of a line."""


def many_rows(asked: to.ComparedSettings) -> None:
    left, right = st.columns(2, vertical_alignment="bottom")
    below = st.container()
    with left:
        to.field(
            to.TABLE_ROWS, "Rows of the example table", check=within(to.ROWS),
            faults_in=below,
        )  # fmt: skip
    with right:
        to.field(
            to.OTHER, "A second ε beside the one above", check=within(EPSILON),
            faults_in=below,
        )  # fmt: skip
    rows, other = int(to.value(to.TABLE_ROWS)), float(to.value(to.OTHER))
    with st.container(horizontal=True):
        for size in (SMALL, LARGE):
            asking = (to.TABLE_ROWS.name, size)
            st.button(f"Show {size:,} rows", on_click=set_exact, args=asking, disabled=rows == size)
    epsilons = tuple(sorted({asked.epsilon, other}))
    table: pd.DataFrame = memo(
        f"{to.PAGE}.counts",
        (rows, epsilons, asked.seed),
        lambda: noisy_counts(rows, epsilons, seed=asked.seed),
    )
    st.markdown(why_alike(table, rows))
    rows_chart(table, rows).draw()
    st.caption(
        "The example table is made up: normal values in 10 bins, simulated noise. One person more "
        "or less changes one bin by 1, so the noise has the same size whatever the number of rows. "
        "Noise on every single value, as on the page Privatize, is another matter: there the "
        "error of a mean shrinks only with the square root of the number of rows."
    )


def why_alike(table: pd.DataFrame, rows: int) -> str:
    lines = []
    for epsilon, part in table.groupby("epsilon"):
        error, share = float(part.expected_error.iloc[0]), float(part.share_of_tallest.iloc[0])
        seen = "too small to see" if share < INVISIBLE else "visible"
        lines.append(
            f"- **ε = {brief(float(str(epsilon)))}**: every bin is off by about 1/ε = "
            f"{number(error)} {'row' if error == 1 else 'rows'}, {percent(share, 2)} of the "
            f"tallest bar: {seen}."
        )
    shares = table.share_of_tallest
    if table.epsilon.nunique() == 1:
        end = "Choose a second ε that differs, to compare."
    elif shares.max() < INVISIBLE:
        end = (
            f"With {count(rows, 'row')} the bars look alike at both, though one ε gives far more "
            f"privacy than the other. Take {SMALL} rows to see the difference."
        )
    elif shares.min() < INVISIBLE <= shares.max():
        end = "Only the smaller ε shows; its error bars are the longer ones."
    else:
        end = "Both errors show. With many rows they would shrink beside the bars."
    return "\n".join([*lines, "", end])


def rows_chart(table: pd.DataFrame, rows: int) -> Chart:
    first = table[table.epsilon == table.epsilon.iloc[0]]
    middles = ((first.lower + first.upper) / 2).tolist()
    width = float(first.upper.iloc[0] - first.lower.iloc[0])
    data = [
        bars(
            middles, first["count"].tolist(), "true count",
            {"color": tint(BASE.colour, 0.45), "line": {"width": 1, "color": BASE.colour}},
            width=width * 0.96, hovertemplate="true count %{y:,}",
        )
    ]  # fmt: skip
    parts = list(table.groupby("epsilon"))
    for (epsilon, part), role, side in zip(parts, (LAPLACE, RELEASED), (-1, 1), strict=False):
        data.append(
            points(
                [x + side * 0.17 * width for x in middles],
                part.released.tolist(),
                f"ε = {brief(float(str(epsilon)))}",
                role.marker(9),
                error_y=error_bars(part.deviation.tolist(), role.colour, 2, width=6),
                hovertemplate="%{y:.2f} ± %{error_y.array:.2g}",
            )
        )
    return Chart(
        "rows",
        f"Counts of {count(rows, 'row')} at two budgets",
        "value (standard deviations)",
        "rows",
        data,
        {"bargap": 0},
        "Bars are true counts; points are simulated releases with error bars of one standard "
        f"deviation. {why_alike(table, rows).replace('**', '').replace('- ', '')}",
        lambda: table.drop(columns="share_of_tallest"),
        height=430,
    )
