"""Every sensitivity against an exhaustive search over small tables, cells that do not fit included.

What is searched is the whole way from the bytes of a file to the exact answer: reading, kinds,
conditions, groups and missing values. Broken twins that look up in all cells what a column is, as
this library once did, must fall.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from compdp_core.errors import CompdpError
from compdp_core.intervals import Interval
from compdp_core.statistics import (
    AllOf,
    Condition,
    Count,
    Grouping,
    Mean,
    Neighbours,
    Statistic,
    Sum,
)
from compdp_core.statistics.query import Query
from compdp_core.tables import Numbers, Table, read
from tests.unit.statistics.test_sensitivity import ADD, REPLACE, located, variances

Row: TypeAlias = tuple[str, str]
Rows: TypeAlias = tuple[Row, ...]

BOUNDS = Interval(-5, 10)
MOST_ROWS = 3
# Numbers at and beyond the bounds and between them, text, a word for missing, a blank, infinity.
CELLS = ["-5", "10.0", "99", "x", "NaN", "", "1e400"]
ROWS: list[Row] = [*((cell, "a") for cell in CELLS), ("10.0", "b")]

SEVERAL: list[Statistic] = [Count(), Sum(), *located]
EVERY: list[Statistic] = [*SEVERAL, Mean(), Mean(at_least=2), *variances]
GROUPINGS = [Grouping("v", ("99", "x", "NaN")), Grouping("w", ("a", "b", "z"))]
CONDITIONS: list[Condition | AllOf | None] = [
    None,
    Condition("v", ">=", 10),
    Condition("v", "!=", 99),
    Condition("v", "==", "10.0"),
    Condition("v", "!=", "NaN"),
    AllOf((Condition("v", "<", 99), Condition("w", "==", "a"))),
]


@cache
def table_of(rows: Rows) -> Table:
    text = "v;w\n" + "".join(f"{value};{group}\n" for value, group in rows)
    how: dict[str, Any] = {"encoding": "utf-8", "separator": ";", "decimal": ".", "header": True}
    return read(text.encode(), **how)


@pytest.fixture(autouse=True, scope="module")
def _each_column_read_once() -> Iterator[None]:
    """What a column holds depends on the table and the decimal mark alone, not on who asks."""
    readings = Table.readings

    @cache
    def read_once(table: Table, *said: Any) -> Numbers:
        found = readings(table, *said)
        found.values.setflags(write=False)
        found.missing.setflags(write=False)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "readings", lambda table, *said: read_once(table, *said))
        yield


@cache
def tables() -> tuple[Rows, ...]:
    """All tables of one to three rows, up to the order, which no statistic reads."""
    sizes = range(1, MOST_ROWS + 1)
    return tuple(
        rows for n in sizes for rows in itertools.combinations_with_replacement(sorted(ROWS), n)
    )


@cache
def neighbours(rows: Rows, notion: Neighbours) -> tuple[Rows, ...]:
    """Each once; under addition the larger ones, since every pair is seen from its smaller one."""
    if notion is REPLACE:
        places = itertools.product(range(len(rows)), ROWS)
        found = {tuple(sorted((*rows[:i], row, *rows[i + 1 :]))) for i, row in places}
    else:
        found = {tuple(sorted((*rows, row))) for row in ROWS if len(rows) < MOST_ROWS}
    return tuple(sorted(found))


def excess(asked: Query) -> Fraction:
    """The largest change of an answer between neighbours, less what is declared."""
    worst = Fraction(-1)
    plans = {}
    for n in range(1, MOST_ROWS + 1):
        try:
            plans[n] = asked.plan(table_of((ROWS[0],) * n))
        except CompdpError:  # by public facts, such as a variance of one row
            continue
    # What is not refused by public facts is not refused at all.
    found = {rows: asked.ask(table_of(rows)).exact for rows in tables() if len(rows) in plans}
    for rows, answer in found.items():
        for other in {found[other] for other in neighbours(rows, asked.neighbours)}:
            worst = max(worst, abs(answer - other) - plans[len(rows)].sensitivity)
    return worst


def inquiries(statistic: Statistic, notion: Neighbours) -> Iterator[Query]:
    for missing, where, whole in itertools.product(
        ("fill", "leave out"), CONDITIONS, (False, True)
    ):
        counting = isinstance(statistic, Count)
        if whole and (counting or where is not None):
            continue
        for kind in ("number", "text") if counting else ("number",):
            yield Query(
                statistic, 0, BOUNDS, notion, MOST_ROWS, where,
                missing=missing, whole_numbers=whole, kind=kind,  # type: ignore[arg-type]
            )  # fmt: skip


@pytest.mark.parametrize("notion", list(Neighbours), ids=lambda notion: notion.name)
@pytest.mark.parametrize("statistic", EVERY, ids=str)
def test_no_neighbouring_table_changes_an_answer_by_more(
    statistic: Statistic, notion: Neighbours
) -> None:
    for asked in inquiries(statistic, notion):
        assert excess(asked) <= 0, asked


class KindLookedUp(Query):
    """Broken twin: text, once a cell of the column is no number."""

    def _values(self, table: Table) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        kind = "number" if table.columns[self.position].numeric else "text"
        honest = Query(Count(), self.column, missing=self.missing, kind=kind)  # type: ignore[arg-type]
        return honest._values(table)


class ConditionLookedUp(Query):
    """Broken twin: compared as texts, once a cell of the column is no number."""

    def _rules(self, table: Table, missing: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        (where,) = self.conditions
        (column,) = (each for each in table.columns if each.label == where.column)
        constant = where.constant if column.numeric else f"{where.constant:g}"
        looked_up = Condition(where.column, where.comparison, constant)
        return dataclasses.replace(Query(**vars(self)), where=looked_up)._rules(table, missing)


@pytest.mark.parametrize(
    "twin",
    [
        KindLookedUp(Count(), 0, None, ADD, MOST_ROWS, missing="leave out"),
        KindLookedUp(Count(), 0, None, REPLACE, missing="leave out"),
        ConditionLookedUp(Count(), 0, None, ADD, MOST_ROWS, Condition("v", "==", 10)),
        ConditionLookedUp(Count(), 0, None, REPLACE, None, Condition("v", "==", 10)),
    ],
    ids=lambda twin: f"{type(twin).__name__} {twin.neighbours.name}",
)
def test_the_search_catches_what_is_looked_up_in_all_cells(twin: Query) -> None:
    assert excess(twin) > 0
    assert excess(Query(**vars(twin))) <= 0


@pytest.mark.parametrize("grouping", GROUPINGS, ids=lambda grouping: grouping.by)
@pytest.mark.parametrize("statistic", [*SEVERAL, Mean(at_least=1)], ids=str)
@pytest.mark.parametrize(("notion", "most"), [(REPLACE, 2), (ADD, 1)], ids=["REPLACE", "ADD"])
def test_no_more_groups_change_than_are_charged(
    statistic: Statistic, notion: Neighbours, most: int, grouping: Grouping
) -> None:
    asked = Query(statistic, 0, BOUNDS, notion, MOST_ROWS, grouping=grouping)
    assert grouping.cost(1, notion) == most
    found = {rows: asked.ask_each(table_of(rows)) for rows in tables()}
    worst = 0
    for rows, answers in found.items():
        for other in neighbours(rows, notion):
            changes = [
                abs(answers[name].exact - found[other][name].exact) for name in grouping.categories
            ]
            assert max(changes) <= answers[grouping.categories[0]].sensitivity
            worst = max(worst, sum(change > 0 for change in changes))
    assert worst <= most
    # By its texts a group of numbers is of one number: another row need not change its answer.
    if isinstance(statistic, Count) or grouping.by == "w":
        assert worst == most
        # Broken twin: one ε for all groups, as the textbook says of the other notion.
        assert (grouping.cost(1, ADD) < worst) == (notion is REPLACE)
