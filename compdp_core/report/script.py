"""A Python script that repeats a release with this library.

Every text that came from a user or a file enters the script through :func:`ascii`, as the content
of a string literal in plain ASCII: nothing in it can end the literal, open a line or turn the
direction of what a reader sees.
"""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any

from compdp_core.accounting import exact_text
from compdp_core.release import TableRelease
from compdp_core.release.released import ColumnMechanism
from compdp_core.report import script_text
from compdp_core.report.answer_card import Answers, grouped, whole_budget
from compdp_core.report.proofs import facts
from compdp_core.report.script_text import OF_A_TABLE, OF_AN_ANSWER
from compdp_core.report.version import NAME, version
from compdp_core.shapes.custom import OwnActivation, OwnBase
from compdp_core.statistics import STATISTICS
from compdp_core.statistics.query import Query
from compdp_core.tables import Table
from compdp_core.tables.value_formats import FORMATS
from compdp_core.validation import flag

_ALWAYS = {
    "compdp_core.report": ["differences", "facts"],
    "compdp_core.tables": ["Table", "read"],
}
_FOR_A_TABLE = {
    **_ALWAYS,
    "compdp_core.errors": ["CompdpError"],
    "compdp_core.release": ["ColumnPlan", "Plan", "release"],
    "compdp_core.release.columns": ["ColumnMechanism"],
}
_FOR_AN_ANSWER = {
    **_ALWAYS,
    "compdp_core": ["CompositeMechanism"],
    "compdp_core.errors": ["CompdpError"],
    "compdp_core.release": ["answer", "mechanism_for"],
    "compdp_core.statistics": ["Query"],
}
_WHERE_USED = {
    "compdp_core.adjacency": ["Person"],
    "compdp_core.intervals": ["Interval"],
    "compdp_core.shapes": [
        "Constant", "Pair", "Quartic", "Rectangle", "Sine", "Staircase", "Triangle", "from_formula",
        "from_points",
    ],
    "compdp_core.statistics": [
        "Neighbours", "AllOf", "Condition", "Grouping", *(s.__name__ for s in STATISTICS.values()),
    ],
    "compdp_core.tables": ["Affix"],
    "compdp_core.tables.categories": ["Categories"],
    "compdp_core.tables.value_formats": [each.__name__ for each in FORMATS.values()],
}  # fmt: skip


def script_of_table(
    release: TableRelease,
    *,
    excel: bool = False,
    guard_formulas: bool = True,
    omit: Collection[int] = (),
) -> str:
    """The script of a release. Its bounds, budgets and shapes are those of the release.

    It reads a CSV file laid out in the same way, checks that design and certificate are those of
    the card before anything is drawn, and writes the table with new noise: a second spend.
    ``excel``, ``guard_formulas`` and ``omit`` as in :meth:`TableRelease.csv`.
    """
    return OF_A_TABLE.substitute(
        table_fields(release, excel=excel, guard_formulas=guard_formulas, omit=omit)
    )


def script_of_answer(answers: Answers, inquiry: Query, table: Table) -> str:
    """The script of a released statistic, or of one answer for each of several groups.

    Of the table only layout and labels are read, and, where the number of rows is public, which
    rows were left out. Where it is protected, they are an argument of the script.
    """
    return OF_AN_ANSWER.substitute(answer_fields(answers, inquiry, table))


def table_fields(
    release: TableRelease,
    *,
    excel: bool = False,
    guard_formulas: bool = True,
    omit: Collection[int] = (),
) -> dict[str, str]:
    """What script and notebook of a release are filled with: numbers, literals and calls."""
    columns = [
        f"        # Column {literal(each.label)}.\n        {_indented(_call(each.plan), 8)},"
        for each in release.columns
    ]
    stripped = _stripped(release.table, {each.plan.position for each in release.columns})
    table, plan = release.table, release.plan
    names = {each.plan.position: each.label for each in release.columns}
    if plan.person is not None:
        names |= {c.position: c.label for c in table.columns if c.label in plan.person.by}
    more = [
        f"\n    {name}={_indented(_call(said), 4)},"
        for name, said in (("person", plan.person), ("answered", plan.answered))
        if said is not None
    ]
    return dict(
        _common(release.identifier, release.when.isoformat()),
        what="Repeats",
        imports=_imports(_FOR_A_TABLE, "\n".join((*columns, *more, stripped))),
        epsilon=exact_text(release.epsilon),
        stripped=stripped,
        reading=literals(release.table.format.options),
        left_out=repr(list(release.table.left_out)),
        labels=literals(dict(sorted(names.items())) if more else names),
        plan="\n".join(columns),
        more="".join((",", *more)) if more else "",
        expected=_expected([each.mechanism for each in release.columns]),
        excel=repr(flag("excel", excel)),
        guard_formulas=repr(flag("guard_formulas", guard_formulas)),
        omit=repr(sorted(release.omitted(omit))),
    )


def answer_fields(answers: Answers, inquiry: Query, table: Table) -> dict[str, str]:
    """What script and notebook of a statistic are filled with."""
    each = grouped(answers, inquiry)
    first = each[0]
    used = [column for column in table.columns if column.label in inquiry.columns(table)]
    names = (None,) if inquiry.grouping is None else inquiry.grouping.categories
    stripped = _stripped(table, {column.position for column in used})
    return dict(
        _common(first.identifier, first.when.isoformat()),
        what="Repeats the statistic of",
        imports=_imports(_FOR_AN_ANSWER, f"{_call(inquiry)}\n{stripped}"),
        epsilon=exact_text(whole_budget(each, inquiry)[0]),
        reading=literals(table.format.options),
        **_left_out(table, inquiry),
        labels=literals({column.position: column.label for column in used}),
        stripped=stripped,
        written=script_text.WRITTEN if inquiry.written(first.value) else "",
        inquiry=_indented(_call(inquiry), 0),
        budgets=literals(
            {name: exact_text(a.epsilon) for name, a in zip(names, each, strict=True)}
        ),
        shape=literals({"pair": first.pair, "steps": first.steps}),
        expected=_expected([answer.mechanism for answer in each]),
    )


def _left_out(table: Table, inquiry: Query) -> dict[str, str]:
    """Which rows are left out, or how they are named: parts of the script of an answer."""
    # Of persons only their number is public, and a total's place tells how many rows there are.
    if inquiry.neighbours.n_is_public and inquiry.person is None:
        rows = script_text.LEFT_OUT_BY_POSITION.replace("$rows", repr(list(table.left_out)))
        return {"usage": script_text.USAGE, "left_out": rows, "unusual": script_text.UNUSUAL}
    return {
        "usage": script_text.USAGE_WITH_ROWS,
        "left_out": script_text.LEFT_OUT_AS_ARGUMENT,
        "unusual": script_text.UNUSUAL_WITH_ROWS,
    }


def literal(value: Any) -> str:
    r"""A Python literal in ASCII for a text, a number, or a container of them.

    >>> print(literal('a"b\n' + chr(0x202E)))
    'a"b\n\u202e'
    """
    return ascii(value)


def _common(identifier: str, when: str) -> dict[str, str]:
    return {"identifier": identifier, "when": when, "library": f"{NAME} {version()}"}


def _imports(always: dict[str, list[str]], code: str) -> str:
    """Import lines for what a script needs in any case, and for what its settings call."""
    lines = []
    for module in sorted({*always, *_WHERE_USED}):
        used = [name for name in _WHERE_USED.get(module, ()) if re.search(rf"\b{name}[(.]", code)]
        names = sorted({*always.get(module, ()), *used})
        if names:
            lines.append(f"from {module} import {', '.join(names)}")
    return "\n".join(lines)


def _stripped(table: Table, positions: set[int]) -> str:
    """The symbols and units that the table itself reads past, a dict display by column.

    By name, so that no cell of the file that the script is run on has a say in them.
    """
    found = {p: table.columns[p].stripped for p in sorted(positions)}
    lines = [f"    {p}: {_indented(_call(a), 4)},\n" for p, a in found.items() if a is not None]
    return "{\n" + "".join(lines) + "}"


def _expected(mechanisms: Sequence[ColumnMechanism]) -> str:
    parts = [_indented(literals(facts(mechanism)), 4) for mechanism in mechanisms]
    return "[\n" + "".join(f"    {part},\n" for part in parts) + "]"


def literals(values: dict[Any, Any]) -> str:
    """A dict display, one entry a line."""
    lines = "".join(f"    {literal(key)}: {literal(value)},\n" for key, value in values.items())
    return "{\n" + lines + "}"


def _indented(code: str, spaces: int) -> str:
    """The code with all lines but the first moved to the right."""
    return code.replace("\n", "\n" + " " * spaces)


def _call(value: Any) -> str:
    """The call that makes a value of settings again, one argument a line, defaults left out."""
    if isinstance(value, OwnActivation | OwnBase):
        # A recipe is made of reprs: escaping what is not ASCII changes only how it is written.
        return value.recipe.encode("ascii", "backslashreplace").decode("ascii")
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, Fraction):
        return f"Fraction({literal(exact_text(value))})"
    if isinstance(value, tuple):
        return "(" + "".join(f"{_call(each)}, " for each in value).rstrip(" ") + ")"
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return literal(value)
    arguments = [
        f"{field.name}={_call(content)}"
        for field in dataclasses.fields(value)
        if field.init and not _is_default(field, content := getattr(value, field.name))
    ]
    inner = ", ".join(arguments)
    short = f"{type(value).__name__}({inner})"
    if len(short) <= 80 and "\n" not in short:
        return short
    lines = "".join(f"    {_indented(argument, 4)},\n" for argument in arguments)
    return f"{type(value).__name__}(\n{lines})"


def _is_default(field: dataclasses.Field[Any], content: Any) -> bool:
    return field.default is not dataclasses.MISSING and field.default == content
