"""What is broken, named before anything else; then the table of all constraints."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from compdp_core.design.constraints import Constraint, unmet_first
from pages.sections.function_lab.trial import Bench
from pages.session import faults
from pages.text.wording import count, lettered, literal, number

TITLES = {
    "height": "Height of the activation",
    "width": "Width of the activation",
    "base": "Height of the base",
    "mass": "Mass of the activation",
    "input": "Input",
    "peak": "Peak",
    "privacy": "Privacy",
    "steps": "Levels",
    "top": "Top level",
    "distance": "Sensitivity",
}


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
        why = literal(lettered(faults.sentence(bench.why)))
        st.error(f"**Not feasible.** {why}", icon=":material/block:")
    else:
        st.success(
            f"**Feasible: all {len(bench.rows)} constraints hold.** Unbiased for every input "
            "between the bounds.",
            icon=":material/check_circle:",
        )


def constraint_table(rows: Sequence[Constraint]) -> None:
    """Written as text: a table of the framework costs a slider several milliseconds."""
    head = ("constraint", "formula", "margin", "why it holds, or what to change")
    lines = [head, ("---", "---", "--:", "---"), *(_cells(row) for row in unmet_first(rows))]
    with st.container(key="table-constraints"):
        st.markdown("\n".join(f"| {' | '.join(line)} |" for line in lines))


def _cells(row: Constraint) -> tuple[str, str, str, str]:
    return (
        f"{'✓' if row.met else '✗'} {TITLES[row.name]}",
        literal(lettered(row.formula)),
        number(row.margin),
        literal(lettered(row.reason)),
    )


def _line(row: Constraint) -> str:
    formula = literal(lettered(row.formula))
    return f"{TITLES[row.name]} ({formula}): {literal(lettered(row.reason))}."
