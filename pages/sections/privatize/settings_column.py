"""One column of a settings file: what it holds, and all that step 2 asks of that."""

from __future__ import annotations

from functools import partial
from typing import Any

from compdp_core.intervals import Interval
from compdp_core.release import ColumnPlan
from compdp_core.report.statement import Statement
from compdp_core.tables import Table
from compdp_core.tables.value_formats import Classes, Limits, ValueFormat
from pages.inputs.links import put
from pages.sections.privatize.answers import answer_settings
from pages.sections.privatize.column import USUAL
from pages.sections.privatize.kinds import measure_of
from pages.sections.privatize.lists import TAKEN
from pages.sections.shared.formats import format_setting, rule_settings
from pages.sections.shared.proposed import Holds
from pages.sections.shared.setup import setting
from pages.sections.shared.upload import strip_too
from pages.sections.shared.written_values import typed_as
from pages.text.typed_numbers import as_decimal


def put_column(
    table: Table, position: int, plan: ColumnPlan, statement: Statement, notices: list[str]
) -> None:
    """Set everything that the plan says of it."""
    named = partial(setting, table.fingerprint, position)
    put(named("kind"), _holds(plan))
    put(named("measure"), measure_of(_holds(plan)))  # of the output bounds below
    put(named("whole"), plan.whole)
    put(named("source"), statement.source)
    put(named("unit"), statement.unit)
    put(named("missing"), plan.missing)
    put(named("missing_as"), plan.missing_as)
    for name, value in _of_kind(table, position, plan, statement).items():
        put(name, value)
    decimal = plan.decimal or getattr(plan.format, "decimal", None)
    if decimal is not None:
        put(named("decimal"), decimal)
    if plan.reads_numbers or isinstance(plan.format, Limits | Classes):
        put(named("digits"), plan.digits or USUAL)
    put(named("hard"), plan.outputs is not None)
    outputs = plan.outputs.as_tuple() if plan.outputs is not None else (None, None)
    for name, bound in zip(("out.lower", "out.upper"), outputs, strict=True):
        put(named(name), None if bound is None else as_decimal(bound))
    if plan.strip is not None:
        column = table.columns[position]
        if column.affix == plan.strip:
            strip_too(position)
        else:
            notices.append(
                f"The cells of {column.label} do not carry “{plan.strip}” alone: unless you choose "
                "it in step 2, it is not privatized and leaves without noise."
            )


def _holds(plan: ColumnPlan) -> Holds:
    return "limits" if isinstance(plan.format, Limits | Classes) else plan.kind


def _of_kind(table: Table, position: int, plan: ColumnPlan, statement: Statement) -> dict[str, Any]:
    """List, format and bounds, each as it is asked, by the full name of its setting."""
    named = partial(setting, table.fingerprint, position)
    if plan.categories is not None:
        listed = answer_settings(plan.categories)
        taken: dict[str, Any] = {"need": "means", "list.taken": TAKEN in statement.source}
        # The mark of a leak is added to the source as long as it is one.
        taken["source"] = statement.source.removesuffix(TAKEN).removesuffix("; ")
        return {named(name): value for name, value in (listed | taken).items()}
    if plan.format is None or isinstance(plan.format, Limits | Classes):
        rule = rule_settings(plan.format) if plan.format is not None else {}
        ends = zip(("lower", "upper"), map(as_decimal, plan.inputs.as_tuple()), strict=True)
        return {named(name): value for name, value in (rule | dict(ends)).items()}
    return {
        format_setting(table, position, plan.kind): plan.format,
        **{named(name): text for name, text in _written(plan.inputs, plan.format).items()},
    }


def _written(inputs: Interval, form: ValueFormat) -> dict[str, str]:
    ends = zip(("lower", "upper"), inputs.as_tuple(), strict=True)
    return {f"{name}.{form.kind}": typed_as(end, form) for name, end in ends}
