"""Release a drawn case twice and say what tells the two apart, or is not what was drawn."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from math import isnan

from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError
from compdp_core.release import Plan, ReleasedColumn, TableRelease
from compdp_core.tables import Table, read
from tests.noninterference.drawing import Case, Line
from tests.noninterference.leaving import leaving, released


def differences(case: Case, *, files: bool = True) -> list[str]:
    """What an outsider could tell the two tables apart by; empty where there is nothing.

    ``files``: compare all files and not only those of the table, which takes three times as long.
    """
    first = read(case.files[0], **case.said) if files else None
    # The plan holds what was found in the first table, as settings and script do.
    told = first.format.options if first else case.said
    tables = [read(data, **told).without(case.left_out) for data in case.files]
    plan = _plan(case, tables[0])
    (one, drawn), (two, _) = (_outcome(case, table, plan, files=files) for table in tables)
    found = [name for name in sorted(one.keys() | two.keys()) if one.get(name) != two.get(name)]
    if drawn is not None:
        found += _unexpected(case, tables[0], drawn)
        if first is not None:
            again = released(first.without(case.left_out), plan)
            if again.csv() != drawn.csv():
                found.append("the table read as found, and as its settings say")
    return found


def _plan(case: Case, table: Table) -> Plan:
    """With whose the rows are: which columns there are, their header says."""
    if case.whose is None:
        return case.plan
    position, most = case.whose
    return replace(case.plan, person=Person(table.columns[position].label, most))


def _outcome(
    case: Case, table: Table, plan: Plan, *, files: bool
) -> tuple[dict[str, bytes], TableRelease | None]:
    try:
        drawn = released(table, plan)
        return leaving(drawn, case.omit, files=files), drawn
    except CompdpError as refusal:
        return {f"refused: {type(refusal).__name__}": str(refusal).encode()}, None


def _unexpected(case: Case, table: Table, drawn: TableRelease) -> list[str]:
    """How the file differs from what was drawn, put together without the library."""
    wanted = expected(case, drawn)
    made = drawn.csv(guard_formulas=False)
    problems = [] if made == wanted else [f"file is {made!r}, expected {wanted!r}"]
    kept = [line for line in case.lines if line.kept == "row"]
    if table.row_count != len(kept):
        problems.append(f"{table.row_count} rows, expected {len(kept)}")
    return problems + _of_persons(case, kept, table, drawn) + _of_samples(case, kept, drawn)


def _of_persons(case: Case, lines: list[Line], table: Table, drawn: TableRelease) -> list[str]:
    """Persons of whom other than so many rows were read, where rows without a value were not."""
    if case.whose is None or drawn.kept is None:
        return []
    position, most = case.whose
    dropping = {column.plan.position for column in drawn.columns if column.plan.missing == "drop"}
    dropped = [bool(dropping & line.missing) for line in lines]
    owners = [text.strip() for text in table.texts(position)]
    problems = []
    for owner in {*owners}:
        rows = [row for row, other in enumerate(owners) if other == owner]
        here = sum(bool(drawn.kept[row]) for row in rows)
        gone = sum(dropped[row] for row in rows)
        if not min(most, len(rows)) - gone <= here <= min(most, len(rows) - gone):
            problems.append(f"{here} of {len(rows)} rows of {owner!r}, {gone} had no value")
    return problems


def _of_samples(case: Case, lines: list[Line], drawn: TableRelease) -> list[str]:
    """Rows that have values in other than so many columns."""
    many = case.plan.answered or len(drawn.columns)
    problems = []
    for row, line in enumerate(lines):
        if drawn.kept is not None and not drawn.kept[row]:
            continue
        here = sum(not isnan(column.values[row]) for column in drawn.columns)
        gone = sum(c.plan.position in line.missing for c in drawn.columns)
        if not many - gone <= here <= min(many, len(drawn.columns) - gone):
            problems.append(f"row {row} has {here} values, {gone} had none")
    return problems


def expected(case: Case, drawn: TableRelease) -> bytes:
    """The released file: raw cells as they came, released numbers by :class:`Decimal`."""
    values = {column.plan.position: iter(column.values.tolist()) for column in drawn.columns}
    plans = {column.plan.position: column for column in drawn.columns}
    text, row = case.top, -1
    for line in case.lines:
        if line.kept == "stays":
            text += line.texts[0] + line.end
        if line.kept != "row":
            continue
        row += 1
        new = {position: next(each) for position, each in values.items()}
        if any(plans[p].plan.missing == "drop" for p in line.missing):
            continue
        if case.whose is not None and drawn.kept is not None and not drawn.kept[row]:
            continue
        cells = []
        for position, raw in enumerate(line.cells):
            if raw is not None:
                cells.append(raw)
                continue
            column = plans[position]
            mark = column.plan.decimal or case.decimal
            kept_empty = position in line.missing
            if case.plan.answered is not None and isnan(new[position]):
                kept_empty = True
            cell = column.plan.missing_as if kept_empty else _cell(column, new[position], mark)
            cells.append(_quoted(cell, case))
        text += case.separator.join(cells) + line.tail + line.end
    return text.encode(case.encoding)


def _cell(column: ReleasedColumn, value: float, mark: str) -> str:
    plan = column.plan
    if plan.categories is not None and plan.is_category:
        return plan.categories.names[int(value)]
    if plan.is_written and plan.format is not None:
        return plan.format.text(value)
    return _number(value, column.composite.decimals, mark)


def _number(value: float, decimals: int, mark: str) -> str:
    exact = Decimal(value).quantize(Decimal(1).scaleb(-decimals))
    return f"{abs(exact) if exact == 0 else exact:f}".replace(".", mark)


def _quoted(cell: str, case: Case) -> str:
    alone = case.columns == 1 and not cell
    if alone or any(mark in cell for mark in (case.separator, '"')):
        return '"' + cell.replace('"', '""') + '"'
    return cell
