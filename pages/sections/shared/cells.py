"""How the cells of a column are read and written: its decimal mark, and its missing cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from compdp_core.release.column_plan import LONGEST_MISSING, Missing, missing_text
from compdp_core.tables import Table
from pages.inputs.options import select
from pages.sections.shared.marks import in_doubt
from pages.sections.shared.setup import setting
from pages.session import faults
from pages.session.state import edits
from pages.shell.panels import private
from pages.text.wording import literal

Mark = Literal[".", ","]

POLICIES: dict[Missing, str] = {
    "fill": "Fill with the middle of the bounds",
    "keep": "Keep the cell missing",
    "drop": "Drop the row",
}
OF_ANSWERS = POLICIES | {"fill": "Fill with any answer, each as likely"}
OF_SCALES = POLICIES | {"fill": "Fill with the middle of the scale"}
SHOWS: dict[Missing, str] = {
    "fill": "Nothing shows which rows had no value.",
    "keep": "Shows which rows have no value, and nothing else of them: all are written alike.",
    "drop": "The number of rows shows how many had no value.",
}
MARKS: dict[Mark, str] = {".": "point", ",": "comma"}


@dataclass(frozen=True)
class CellSettings:
    decimal: Mark
    missing: Missing
    missing_as: str | None
    """None while what was typed cannot be used."""


def cells_of(
    table: Table,
    position: int,
    called: str,
    *,
    numbers: bool = True,
    policies: dict[Missing, str] = POLICIES,
) -> CellSettings:
    """Ask; every column of a kind is asked the same, so that being asked tells nothing.

    ``numbers``: whether they are written with a decimal mark.
    """
    named = partial(setting, table.fingerprint, position)
    if not numbers:
        mark: Mark = "," if table.format.decimal == "," else "."
        return CellSettings(mark, *_missing(named, called, policies))
    left, right = st.columns([2, 3])
    with left:
        decimal = _decimal(table, position, named("decimal"), called)
    with right:
        return CellSettings(decimal, *_missing(named, called, policies))


def _decimal(table: Table, position: int, name: str, called: str) -> Mark:
    """The mark the column is read and written with: as its cells speak for unless it is said.

    Where they leave it open nothing goes on before it is said.
    """
    column = table.columns[position]
    own: Mark = "," if column.decimal == "," else "."
    doubt = in_doubt(column)
    if doubt:
        with private(f"mark-{table.fingerprint[:16]}-{position}", "the decimal mark of your cells"):
            st.warning(literal(doubt), icon=":material/help:")
    mark: Mark | None = select(
        f"Decimal mark, {called}",
        MARKS,
        name,
        None if doubt else own,
        help="Its cells are read and written with this mark, whatever the other columns have.",
    )
    return mark or own


def _missing(
    named: Callable[[str], str], called: str, policies: dict[Missing, str]
) -> tuple[Missing, str | None]:
    policy: Missing = select(f"Missing values, {called}", policies, named("missing"), "fill")
    st.caption(SHOWS[policy])
    if policy != "keep":
        return policy, ""
    text = st.text_input(
        f"Missing cells are written as, {called}",
        max_chars=LONGEST_MISSING,
        placeholder="an empty cell",
        **edits(named("missing_as"), ""),
    )
    return policy, faults.attempt(lambda: missing_text(text))
