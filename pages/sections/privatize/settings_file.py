"""Open the settings of an earlier release: bounds, ε and shape, for the table at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from compdp_core.release import ColumnPlan
from compdp_core.report.settings import TableSettings
from compdp_core.report.statement import Statement
from compdp_core.shapes import Pair
from compdp_core.shapes.custom import OwnActivation, OwnBase
from compdp_core.tables import Table
from compdp_core.tables.column import Column
from pages.inputs.custom_shapes import has_tail_ratio, keep_shape, own_shapes, pair_choices
from pages.inputs.links import put
from pages.sections.privatize.offered import is_left, offer_all
from pages.sections.privatize.omitted import omit_by_label
from pages.sections.privatize.settings_budget import put_budget
from pages.sections.privatize.settings_column import put_column
from pages.sections.shared import missing, person_answer
from pages.sections.shared.alignment_questions import JOINABLE, QUESTIONS, name_of
from pages.sections.shared.settings_box import opened
from pages.sections.shared.setup import chosen_columns
from pages.text.typed_numbers import as_decimal

NAME = "privatize.settings"
ADVICE = (
    "Open the file “Settings” that step 6 offers beside a release of this table, or of one with "
    "columns of the same names."
)
ELSEWHERE = "These are settings of a statistic: the page Release a statistic opens them."
Row = tuple[ColumnPlan, str, Statement]


def take(table: Table, document: bytes) -> list[str]:
    """Set what the file says of columns that this table has; what was left out, in sentences."""
    found, notices, said = opened(document, TableSettings, ELSEWHERE, ADVICE)
    if found is None:
        return notices
    rows = dict(_matched(table, found, notices))
    if not rows:
        return ["No column of this table has a name that the file speaks of.", *notices, ADVICE]
    person_answer.take(table, found.plan.person, said=said, notices=notices)
    if any(is_left(table, table.columns[position]) for position in rows):
        put(offer_all(table), True)
    put(chosen_columns(table), list(rows))
    for position, (plan, _, statement) in rows.items():
        put_column(table, position, plan, statement, notices)
    _reading(table, found.reading)
    omit_by_label(table, found.omitted, rows)
    put_budget(table, {position: plan for position, (plan, _, _) in rows.items()}, found.plan)
    shape_of([plan for plan, _, _ in rows.values()], notices)
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
        elif _needs_numbers(plan) and not (here[0].usable or here[0].mostly_numbers):
            notices.append(f"{label} holds no numbers here: it is not privatized, and no ε set.")
        else:
            taken.add(here[0].position)
            yield here[0].position, (plan, label, statement)


def _needs_numbers(plan: ColumnPlan) -> bool:
    return plan.reads_numbers and plan.strip is None


def _reading(table: Table, said: Mapping[str, Any]) -> None:
    """Which rows are none and which spellings stand for no value: as it was said there.

    How the bytes are cut into cells is not taken over: this table is open, and read already.
    """
    for kind, question in QUESTIONS.items():
        choice = said.get(question.option)
        fits = choice in question.answers or (
            kind in JOINABLE and isinstance(choice, int) and choice < len(table.columns)
        )
        if fits:
            put(name_of(kind), choice)
    if said.get("header_rows", 1) > 1 and table.format.header:
        put("reading.header_rows", said["header_rows"])
    if "missing" in said:
        missing.choose(said["missing"])


def shape_of(plans: list[ColumnPlan], notices: list[str]) -> None:
    """The page knows one shape for all columns of numbers: that of the first. Answers have none."""
    plans = [plan for plan in plans if not plan.is_category]
    if not plans:
        return
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
