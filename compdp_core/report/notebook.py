"""A Jupyter notebook that repeats a release with this library: the script, step by step."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from compdp_core.accounting import exact_text
from compdp_core.release import ColumnPlan, TableRelease
from compdp_core.report import notebook_text, script_text
from compdp_core.report.answer_card import Answers, grouped
from compdp_core.report.notebook_file import NotebookCell
from compdp_core.report.notebook_file import notebook_text as as_file
from compdp_core.report.script import answer_fields, table_fields
from compdp_core.statistics.query import Query
from compdp_core.tables import Table
from compdp_core.text import count, number


def notebook_of_table(
    release: TableRelease,
    *,
    excel: bool = False,
    guard_formulas: bool = True,
    omit: Collection[int] = (),
) -> str:
    """The notebook of a release, as the text of an ``.ipynb`` file.

    It does what :func:`~compdp_core.report.script.script_of_table` does, and takes the same: it
    runs from top to bottom, checks before it draws, and draws anew, a second spend, in one cell
    that stands apart. Then it writes the card.
    """
    fields = table_fields(release, excel=excel, guard_formulas=guard_formulas, omit=omit)
    fields["overview"] = "\n".join(_of_a_column(each.plan) for each in release.columns)
    return _filled(notebook_text.OF_A_TABLE, fields)


def notebook_of_answer(answers: Answers, inquiry: Query, table: Table) -> str:
    """The notebook of a released statistic, or of one answer for each of several groups.

    It does what :func:`~compdp_core.report.script.script_of_answer` does, and takes the same.
    """
    fields = answer_fields(answers, inquiry, table)
    if fields["usage"] != script_text.USAGE:
        fields["left_out"] = script_text.LEFT_OUT_BY_NUMBER
    each = grouped(answers, inquiry)
    low, high = each[0].mechanism.inputs
    fields["overview"] = (
        f"{count(len(each), 'answer')}, each between {number(low)} and {number(high)} before the "
        f"noise and at ε = {exact_text(each[0].epsilon)}."
        if len({(a.mechanism.inputs, a.epsilon) for a in each}) == 1
        else f"{count(len(each), 'answer')}, with the budgets below."
    )
    return _filled(notebook_text.OF_AN_ANSWER, fields)


def _filled(cells: Iterable[NotebookCell], fields: dict[str, str]) -> str:
    """The file. A refusal is shown by the notebook as it is, so the error's class is not needed."""
    lines = fields["imports"].splitlines()
    fields["imports"] = "\n".join(line for line in lines if not line.endswith(" CompdpError"))
    return as_file(cell.filled(fields) for cell in cells)


def _of_a_column(plan: ColumnPlan) -> str:
    """A line of the list of columns, without a word of the file's own."""
    if plan.categories is not None:
        within = f"one of {len(plan.categories):,} in the list below"
    elif plan.reads_numbers:
        within = f"numbers from {number(plan.inputs.lower)} to {number(plan.inputs.upper)}"
    else:
        within = "values between the bounds below, in the steps of their format"
    return f"- Column {plan.position + 1}: {within}, at ε = {exact_text(plan.epsilon)}"
