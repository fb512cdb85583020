"""What is broken, named before anything else; then the table of all constraints."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from compdp_core.constraints import Constraint, unmet_first
from pages.furniture.wording import count, literal, number
from pages.labbing.bench import Bench
from pages.labbing.wording import TITLES, lettered


def verdict(bench: Bench) -> None:
    """One box that is always there, so that nothing jumps while a slider moves."""
    broken = [row for row in bench.rows if not row.met]
    known = [row for row in broken if not math.isnan(row.margin)]
    if broken:
        lines = [_line(row) for row in known or broken]
        left = len(broken) - len(known)
        if known and left:
            lines.append(f"{count(left, 'other')} cannot be checked until then.")
        st.error(
            f"**Not feasible: {len(broken)} of {len(bench.rows)} constraints.** "
            + "  \n".join(lines),
            icon=":material/block:",
        )
    elif bench.result is None:
        st.error(literal(lettered(bench.why)), icon=":material/block:")
    else:
        st.success(
            f"**Feasible: all {len(bench.rows)} constraints hold.** Unbiased for every input "
            "between the bounds.",
            icon=":material/check_circle:",
        )


def constraint_table(rows: Sequence[Constraint]) -> None:
    st.table(
        pd.DataFrame(
            {
                "constraint": [
                    f"{'✓' if row.met else '✗'} {TITLES[row.name]}" for row in unmet_first(rows)
                ],
                "formula": [literal(lettered(row.formula)) for row in unmet_first(rows)],
                "margin": [number(row.margin) for row in unmet_first(rows)],
                "why it holds, or what to change": [
                    literal(lettered(row.reason)) for row in unmet_first(rows)
                ],
            }
        ),
        border="horizontal",
        hide_index=True,
        alt="Constraints with formula, margin and reason, broken ones first",
    )


def _line(row: Constraint) -> str:
    formula = literal(lettered(row.formula))
    return f"{TITLES[row.name]} ({formula}): {literal(lettered(row.reason))}."
