"""Open the settings of an earlier release: bounds, ε and shape, for the table at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction

import streamlit as st

from compdp_core.ledger import split
from compdp_core.own_shapes import OwnActivation, OwnBase
from compdp_core.release import ColumnPlan
from compdp_core.report.settings import TableSettings
from compdp_core.report.settings_reading import from_json
from compdp_core.report.statement import Statement
from compdp_core.shapes import Pair
from compdp_core.table import Table
from compdp_core.table.columns import Column
from pages.furniture.drawer import drawer
from pages.furniture.links import put
from pages.furniture.own_shapes import has_tail_ratio, keep_shape, own_shapes, pair_choices
from pages.furniture.state import keep, recall
from pages.furniture.wording import literal
from pages.privatizing.setup import BY_HAND, EPSILON_NAME, chosen_columns, setting

NAME = "privatize.settings"
DIGITS = 15
ADVICE = (
    "Open the file “Settings” that step 6 offers beside a release of this table, or of one with "
    "columns of the same names."
)
MOST_NOTICES = 20
Row = tuple[ColumnPlan, str, Statement]
Take = Callable[[Table, bytes], list[str]]
"""Sets what a file says, and tells what had to be left out."""


def settings_file(table: Table, name: str = NAME, take_over: Take | None = None) -> None:
    """The box, and what could not be taken over from the last file."""
    drawer(
        name,
        "Open the settings of an earlier release",
        ":material/upload_file:",
        lambda: _uploader(table, name, take_over or take),
    )
    notices = recall(f"{name}.notices", [])
    if notices:
        with st.container(horizontal=True, vertical_alignment="center"):
            shown = list(map(literal, notices))
            if len(shown) > MOST_NOTICES:
                left_out = f"And {len(shown) - MOST_NOTICES} more."
                shown = [*shown[: MOST_NOTICES - 1], left_out, shown[-1]]
            st.warning("  \n".join(shown), icon=":material/rule:")
            st.button("Dismiss", key=f"{name}.dismiss", on_click=keep, args=(f"{name}.notices", []))


def _uploader(table: Table, name: str, take_over: Take) -> None:
    key = f"{name}.file.{recall(f'{name}.files', 0)}"
    st.file_uploader(
        "Settings file",
        type="json",
        key=key,
        max_upload_size=2,
        help="The file “Settings” beside a release. It holds no value of a table.",
        on_change=_take,
        args=(table, key, name, take_over),
    )


def _take(table: Table, key: str, name: str, take_over: Take) -> None:
    """Callback of the upload field."""
    file = st.session_state.get(key)
    if file is not None:
        keep(f"{name}.files", recall(f"{name}.files", 0) + 1)
        keep(f"{name}.notices", take_over(table, file.getvalue()))


def take(table: Table, document: bytes) -> list[str]:
    """Set what the file says of columns that this table has; what was left out, in sentences.

    Where nothing could be taken, that comes first and the way out last: between them the list of
    what was left out may be long, and is then shown in part.
    """
    reading = from_json(document)
    notices = list(reading.notices)
    found = reading.settings
    if found is None:
        return [*notices, ADVICE]
    if not isinstance(found, TableSettings):
        wrong = "These are settings of a statistic: the page Release a statistic opens them."
        return [wrong, *notices, ADVICE]
    rows = dict(_matched(table, found, notices))
    if not rows:
        return ["No column of this table has a name that the file speaks of.", *notices, ADVICE]
    put(chosen_columns(table), list(rows))
    for position, (plan, _, statement) in rows.items():
        _column(table, position, plan, statement, notices)
    _budget(table, {position: plan.epsilon for position, (plan, _, _) in rows.items()})
    _shape([plan for plan, _, _ in rows.values()], notices)
    return notices


def _matched(table: Table, found: TableSettings, notices: list[str]) -> Iterator[tuple[int, Row]]:
    """Columns by their place where the name agrees, or else by their name alone."""
    taken: set[int] = set()
    by_name: dict[str, list[Column]] = {}
    for column in table.columns:
        by_name.setdefault(column.label, []).append(column)
    for plan, label, statement in zip(
        found.plan.columns, found.labels, found.statements, strict=True
    ):
        named = by_name.get(label, [])
        here = [column for column in named if column.position == plan.position] or named
        if len(here) != 1 or here[0].position in taken:
            notices.append(f"{label or 'A column without a name'} is not in this table: left out.")
        elif not here[0].usable and plan.strip is None:
            notices.append(f"{label} holds no numbers here: left out.")
        else:
            taken.add(here[0].position)
            yield here[0].position, (plan, label, statement)


def _column(
    table: Table, position: int, plan: ColumnPlan, statement: Statement, notices: list[str]
) -> None:
    def named(name: str) -> str:
        return setting(table.fingerprint, position, name)

    for name, end in zip(("lower", "upper"), plan.inputs.as_tuple(), strict=True):
        put(named(name), as_decimal(end))
    put(named("unit"), statement.unit)
    put(named("source"), statement.source)
    put(named("whole"), plan.whole)
    put(named("missing"), plan.missing)
    put(named("hard"), plan.outputs is not None)
    outputs = plan.outputs.as_tuple() if plan.outputs is not None else (None, None)
    for name, bound in zip(("out.lower", "out.upper"), outputs, strict=True):
        put(named(name), None if bound is None else as_decimal(bound))
    if plan.strip is not None:
        column = table.columns[position]
        if column.affix == plan.strip:
            stripped = [*recall("reading.strip", []), position]
            put("reading.strip", list(dict.fromkeys(stripped)))
        else:
            notices.append(f"The cells of {column.label} do not carry “{plan.strip}” alone.")


def _budget(table: Table, parts: dict[int, Fraction]) -> None:
    total = sum(parts.values(), Fraction(0))
    exact = as_decimal(total)
    equal = list(parts.values()) == list(split(exact, len(parts)))
    put(BY_HAND, not equal and len(parts) > 1)
    put(EPSILON_NAME, exact)
    for position, part in parts.items():
        put(setting(table.fingerprint, position, "epsilon"), None if equal else as_decimal(part))


def _shape(plans: list[ColumnPlan], notices: list[str]) -> None:
    """The page knows one shape for all columns: that of the first."""
    first = plans[0]
    shapes = {(str(plan.pair), plan.objective, plan.tail_ratio) for plan in plans}
    if len(shapes) > 1:
        notices.append("The file gives its columns different shapes: that of the first holds here.")
    name = first.pair.name if isinstance(first.pair, Pair) else first.pair or "A1B1"
    if isinstance(first.pair, Pair):
        for part in (first.pair.activation, first.pair.base):
            if isinstance(part, OwnActivation | OwnBase):
                if own_shapes().setdefault(part.name, part) != part:
                    notices.append(f"Another shape is called {part.name} here: A1B1 is used.")
                    name = "A1B1"
                elif part.name not in own_shapes():
                    keep_shape(part)
    if name not in pair_choices():
        notices.append(f"The function pair {name} is not offered here: A1B1 is used.")
        name = "A1B1"
    put("privatize.pair", name)
    put("privatize.objective", first.objective)
    tail = first.tail_ratio if has_tail_ratio(name) else None
    put("privatize.tail_ratio", None if tail is None else as_decimal(tail))


def as_decimal(number: float | Fraction) -> Decimal:
    """Exactly, where that is possible; otherwise a hair below, so that no budget grows."""
    if isinstance(number, float):
        return Decimal(repr(number))
    shifted = number * 10**DIGITS
    whole = shifted.numerator // shifted.denominator
    return Decimal(whole).scaleb(-DIGITS).normalize()
