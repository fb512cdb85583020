"""Release a drawn case twice and say what tells the two apart, or is not what was drawn."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.errors import CompdpError
from compdp_core.release import TableRelease
from compdp_core.tables import Table, read
from tests.noninterference.drawing import Case
from tests.noninterference.leaving import leaving, released


def differences(case: Case, *, files: bool = True) -> list[str]:
    """What an outsider could tell the two tables apart by; empty where there is nothing.

    ``files``: compare all files and not only those of the table, which takes three times as long.
    """
    first = read(case.files[0], **case.said) if files else None
    # The plan holds what was found in the first table, as settings and script do.
    told = first.format.options if first else case.said
    tables = [read(data, **told).without(case.left_out) for data in case.files]
    (one, drawn), (two, _) = (_outcome(case, table, files=files) for table in tables)
    found = [name for name in sorted(one.keys() | two.keys()) if one.get(name) != two.get(name)]
    if drawn is not None:
        found += _unexpected(case, tables[0], drawn)
        if first is not None:
            again = released(first.without(case.left_out), case.plan)
            if again.csv() != drawn.csv():
                found.append("the table read as found, and as its settings say")
    return found


def _outcome(
    case: Case, table: Table, *, files: bool
) -> tuple[dict[str, bytes], TableRelease | None]:
    try:
        drawn = released(table, case.plan)
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
    return problems


def expected(case: Case, drawn: TableRelease) -> bytes:
    """The released file: raw cells as they came, released numbers by :class:`Decimal`."""
    values = {column.plan.position: iter(column.values.tolist()) for column in drawn.columns}
    plans = {column.plan.position: column for column in drawn.columns}
    text = case.top
    for line in case.lines:
        if line.kept == "stays":
            text += line.texts[0] + line.end
        if line.kept != "row":
            continue
        new = {position: next(each) for position, each in values.items()}
        if any(plans[p].plan.missing == "drop" for p in line.missing):
            continue
        cells = []
        for position, raw in enumerate(line.cells):
            if raw is not None:
                cells.append(raw)
                continue
            column = plans[position]
            mark = column.plan.decimal or case.decimal
            kept_empty = position in line.missing
            cell = (
                column.plan.missing_as
                if kept_empty
                else _number(new[position], column.mechanism.decimals, mark)
            )
            cells.append(_quoted(cell, case))
        text += case.separator.join(cells) + line.tail + line.end
    return text.encode(case.encoding)


def _number(value: float, decimals: int, mark: str) -> str:
    exact = Decimal(value).quantize(Decimal(1).scaleb(-decimals))
    return f"{abs(exact) if exact == 0 else exact:f}".replace(".", mark)


def _quoted(cell: str, case: Case) -> str:
    alone = case.columns == 1 and not cell
    if alone or any(mark in cell for mark in (case.separator, '"')):
        return '"' + cell.replace('"', '""') + '"'
    return cell
