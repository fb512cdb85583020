"""The privacy budget: that of one person or of one row, and what each cell gets of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

import streamlit as st

from compdp_core.accounting import decimal_text
from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError
from compdp_core.numerics import not_above
from compdp_core.parameters import EPSILON
from pages.inputs.entry import exact, set_exact, within
from pages.inputs.options import segments
from pages.inputs.slider import epsilon_slider
from pages.sections.privatize.row_budget import row_for
from pages.sections.privatize.split import HAND, Cells, cells_of, way_of
from pages.sections.privatize.split_choice import choose_split
from pages.sections.shared.budget import LADDER, warn_of
from pages.sections.shared.setup import EPSILON_NAME, SPLIT, ChosenColumn
from pages.session import faults
from pages.session.state import recall
from pages.text.wording import budget, count, in_label, number, together

PER = "privatize.per"
UNITS = {"person": "one person", "row": "one row"}
USUAL = Decimal(1)


@dataclass(frozen=True)
class Unit:
    """Whose budget it is that one sets: a row's or a person's."""

    person: Person | None

    @property
    def name(self) -> str:
        per: str = "row" if self.person is None else recall(PER, "person")
        return per

    @property
    def rows(self) -> int:
        """Among how many rows what is set is divided."""
        return 1 if self.person is None or self.name == "row" else self.person.at_most

    @property
    def most_rows(self) -> int:
        return 1 if self.person is None else self.person.at_most


def ask_budget(columns: Sequence[ChosenColumn], person: Person | None, rows: int) -> Cells | None:
    """Ask; what each cell of a row gets. None after saying why it cannot be."""
    if person is not None and not person.one_row:
        segments("The budget is set for", UNITS, PER, "person")
    unit = Unit(person)
    if way_of(columns) != HAND:
        epsilon_slider(EPSILON_NAME, f"Privacy budget ε for one {unit.name}", LADDER, USUAL)
        st.caption("Smaller ε: more noise, more privacy. Larger ε: less of both.")
    if len(columns) > 1:
        choose_split(columns, set_total(unit), rows)
        if way_of(columns) == HAND:
            _by_hand(columns, unit)
    found = faults.attempt(lambda: cells_of(columns, set_total(unit), unit.rows))
    if found is None:
        return None
    if not EPSILON.contains(not_above(min(found.epsilons))):
        faults.tell(
            f"A value would get {budget(min(found.epsilons))}, and {number(EPSILON.lower)} is the "
            "least there is. Set a larger budget, choose fewer columns, or allow a person fewer "
            "rows."
        )
        return None
    _told(found, unit, len(columns))
    warn_of(unit.most_rows * found.row)
    return found


def set_total(unit: Unit) -> Fraction:
    """ε of one row, as it is set."""
    return Fraction(recall(EPSILON_NAME, USUAL)) / unit.rows


def put_total(total: Fraction) -> None:
    """Put a total into slider and entry, from a callback; rounded up so that no wish is missed."""
    decimal = Decimal(total.numerator) / Decimal(total.denominator)
    rounded = decimal.quantize(Decimal("1e-12"), rounding=ROUND_CEILING).normalize()
    set_exact(EPSILON_NAME, rounded)


def put_epsilon(
    columns: Sequence[ChosenColumn],
    column: ChosenColumn,
    error: Decimal,
    epsilon: Decimal,
    unit: Unit,
) -> None:
    """Set the budget so that a cell of this column gets that ε, from a callback."""
    if way_of(columns) == HAND:
        set_exact(column.setting("epsilon"), epsilon * unit.rows)
        return
    total = unit.rows * row_for(columns, column, float(error), Fraction(epsilon))
    if not EPSILON.contains(float(total)):
        raise CompdpError(
            f"epsilon {epsilon} in this column needs more than {number(EPSILON.upper)} for one "
            f"{unit.name}: ask for less, or choose fewer columns"
        )
    put_total(total)


def set_now(column: ChosenColumn) -> object:
    """Changes whenever the budget of the column may."""
    names = (EPSILON_NAME, SPLIT, PER, column.setting("epsilon"))
    return tuple(map(recall, names))


def _by_hand(columns: Sequence[ChosenColumn], unit: Unit) -> None:
    equal = set_total(unit) * unit.rows / len(columns)
    for column in columns:
        name, entry = st.columns([3, 1], vertical_alignment="bottom")
        below = st.container()
        name.text(column.label)
        with entry:
            exact(
                column.setting("epsilon"),
                "ε of " + in_label(column.label, f"column {column.position + 1}"),
                check=within(EPSILON),
                optional=True,
                placeholder=decimal_text(equal),
                faults_in=below,
            )


def _told(found: Cells, unit: Unit, columns: int) -> None:
    """What a row and a person spend, both, whichever of them is set."""
    each, whole = (together(budget(n * found.row)) for n in (1, unit.most_rows))
    if unit.person is not None:
        rows = count(unit.most_rows, "row")
        st.markdown(f"One row spends **{each}**, one person with {rows} **{whole}**.")
    elif columns > 1:
        st.markdown(f"Together one row spends **{each}**.")
