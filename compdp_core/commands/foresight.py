"""What a release will cost and how far off its values will be, before anything is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from compdp_core.accounting import Ledger, Spend, decimal_text
from compdp_core.commands.output import aligned, safe
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release.accuracy import Meaning
from compdp_core.release.plan import Plan
from compdp_core.release.released import CertifiedColumn, Released
from compdp_core.text import number, percent, span


def whom(plan: Plan) -> str:
    """Who loses at most ε: any one of them."""
    if plan.person is None:
        return "each row"
    return f"each person with at most {plan.person.at_most} rows"


def cost_lines(released: Released, rows: int) -> list[str]:
    """Cost, and error of each column, in lines."""
    plan = released.plan
    lines = [f"costs {whom(plan)}: epsilon {decimal_text(plan.epsilon)}"]
    if plan.answered is not None:
        lines.append(f"each row answers {plan.answered} of {len(plan.columns)} columns")
    answering = math.floor(rows * plan.share)
    for column in released.columns:
        lines += [
            f"{safe(column.label)}: epsilon {decimal_text(column.plan.epsilon)}",
            aligned([*error_rows(column, max(1, answering)), *_filled(column)], "    "),
        ]
    return lines


def error_rows(column: CertifiedColumn, rows: int) -> list[tuple[str, str]]:
    """How far off released values of a column are, from its settings alone."""
    mechanism, unit = column.mechanism, column.plan.format
    if isinstance(mechanism, RandomizedResponse):
        share = mechanism.typical_error / math.sqrt(rows)
        return [
            ("a true category stays", percent(mechanism.probability_kept)),
            (f"typical error of a share of {rows:,} rows", percent(share)),
        ]
    return _of_numbers(mechanism, rows, "" if unit is None else unit.unit)


def _filled(column: CertifiedColumn) -> list[tuple[str, str]]:
    """What stands in for missing values, where any are."""
    if column.plan.missing != "fill":
        return []
    mechanism, plain = column.mechanism, column.plan.format is None
    middle = None if isinstance(mechanism, RandomizedResponse) else 0.5 * sum(mechanism.inputs)
    return [("a missing value counts as", stand_in(middle, plain=plain))]


def stand_in(middle: float | None, *, plain: bool) -> str:
    """What a missing value is taken for: the middle of the bounds, or any category where there is
    none. ``plain``: whether its number says something, as that of a date does not.
    """
    if middle is None:
        return "any of all categories alike"
    return f"{number(middle, 6)}, the middle of the bounds" if plain else "the middle of the bounds"


def _of_numbers(mechanism: CompositeMechanism, rows: int, unit: str) -> list[tuple[str, str]]:
    meaning, middle = Meaning(mechanism), 0.5 * sum(mechanism.inputs)
    low, high = meaning.interval(middle)
    return [
        ("typical error of a value", f"{number(meaning.typical_error)} {unit}".rstrip()),
        ("the largest, at a bound", f"{number(meaning.worst_error)} {unit}".rstrip()),
        (f"95 % of releases of {number(middle, 6)}", span(low, high, unit)),
        (f"typical error of a mean of {rows:,} rows", number(meaning.error_of_mean(rows))),
    ]


def unchanged_lines(released: Released, gone: Iterable[int]) -> list[str]:
    """Which columns would leave as they are, and which not at all."""
    planned = {column.plan.position for column in released.columns}
    left = set(gone)
    same = [
        safe(column.label)
        for column in released.table.columns
        if column.position not in planned | left
    ]
    out = [safe(released.table.columns[place].label) for place in sorted(left)]
    lines = [f"left out of the file: {', '.join(out)}"] if out else []
    if same:
        lines.append(
            f"as they are, without any protection: {', '.join(same)} (--omit leaves columns out)"
        )
    return lines


def ledger_line(ledger: Ledger | None, spends: Sequence[Spend], tense: str) -> str:
    """What is spent on the table and left of its limit."""
    if ledger is None or not spends:
        return "no ledger is charged: nobody adds up what releases of this table cost together"
    table = spends[0].dataset
    spent, left = ledger.total_by_dataset(table), ledger.remaining(table)
    rest = "there is no limit" if left is None else f"{decimal_text(left, rounding='down')} is left"
    here = f"on this table{_known_as(ledger, table)}"
    return f"ledger: {decimal_text(spent)} {tense} spent {here}, {rest}"


def _known_as(ledger: Ledger, table: str) -> str:
    """The beginning of the label under which the ledger shows it."""
    labels = ledger.keys.labels(table)
    found = next((each for each in ledger.datasets if each in labels), None)
    return "" if found is None else f" ({safe(found[:14])}…)"
