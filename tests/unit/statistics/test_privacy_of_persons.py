"""The exact privacy of released answers for drawn small tables with persons, by enumeration.

Of each table and a neighbour, the probability of every output is worked out in fractions: over all
choices of rows, and over all outputs of the very lattice that would be drawn from, of all groups
together. No ratio passes what the certificates prove of as many answers as are charged.
"""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from compdp_core.adjacency import PerPerson, Person
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.statistics import (
    Condition,
    Count,
    Grouping,
    Maximum,
    Mean,
    Median,
    Mode,
    Neighbours,
    QueryPlan,
    Statistic,
    Sum,
    Variance,
)
from compdp_core.statistics.query import MissingValues, Query
from tests.unit.mechanisms.lattice.enumeration import Enumerated
from tests.unit.statistics.persons import (
    OfEachGroup,
    Row,
    Unbounded,
    answers,
    choices,
    table_of,
)

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
TABLES = 500
EPSILON = 1.0
LOW, HIGH = 0, 3
MOST_ROWS = 6
VALUES = ["0", "1", "3", "7", "x"]
GROUPS = ["x", "y", "z", "elsewhere"]

Rows: TypeAlias = tuple[Row, ...]
Masses: TypeAlias = NDArray[Any]


@functools.cache
def made(inputs: tuple[float, float], sensitivity: float, whole: bool) -> CompositeMechanism:
    """Outputs a tenth apart where answers are not whole: few enough to look at each."""
    return CompositeMechanism(EPSILON, inputs, sensitivity=sensitivity, spacing=1 if whole else 0.1)


def mechanism_of(plan: QueryPlan) -> CompositeMechanism:
    return made(plan.range.as_tuple(), plan.float_sensitivity, plan.whole)


@functools.cache
def masses(mechanism: CompositeMechanism, value: float) -> tuple[Fraction, ...]:
    """The probability of every output, from the weights of the lattice."""
    lattice = mechanism.lattice
    shift = min(max(lattice.exact_shift(value), Fraction(0)), Fraction(lattice.span))
    enumerated = Enumerated.of(lattice)
    found = tuple(mass / enumerated.total for mass in enumerated.mixture(shift))
    assert sum(found) == 1
    return found


def laws(query: Query, tables: tuple[Rows, Rows]) -> tuple[Masses, Masses]:
    """How likely every output is for both tables, of all groups together, but for a factor.

    Two outputs of which one is as many times as likely as the other for every answer that occurs
    are one: their quotients are the same.
    """
    mechanism = mechanism_of(query.plan(table_of(tables[0]), "x" if query.grouping else None))
    ways: list[list[tuple[Fraction, list[float]]]] = []
    for rows in tables:
        table = table_of(rows)
        ways.append(
            [
                (probability, [each.value for each in answers(query, table, choice).values()])
                for choice, probability in choices(query, table).items()
            ]
        )
    values = sorted({value for way in ways for _, found in way for value in found})
    columns = zip(*(masses(mechanism, value) for value in values), strict=True)
    distinct = sorted(set(map(proportions, columns)))
    chances = math.lcm(*(probability.denominator for way in ways for probability, _ in way))
    of_value = {
        value: np.array([column[i] for column in distinct], dtype=object)
        for i, value in enumerate(values)
    }
    both = []
    for way in ways:
        total: Any = 0
        for probability, found in way:
            joint = functools.reduce(np.multiply.outer, [of_value[value] for value in found])
            total = total + joint * int(probability * chances)
        both.append(np.asarray(total).reshape(-1))
    return both[0], both[1]


def proportions(column: tuple[Fraction, ...]) -> tuple[int, ...]:
    """The smallest whole numbers that are to each other as these."""
    whole = math.lcm(*(mass.denominator for mass in column))
    parts = [int(mass * whole) for mass in column]
    common = math.gcd(*parts)
    return tuple(part // common for part in parts)


def excess(query: Query, one: Rows, other: Rows) -> Fraction:
    """The largest ratio of probabilities over what is proved of as many answers as are charged."""
    mechanism = mechanism_of(query.plan(table_of(one), "x" if query.grouping else None))
    assert mechanism.certificate.epsilon <= EPSILON
    proved = mechanism.certificate.ratio ** int(query.cost(1))
    one_way, other_way = laws(query, (one, other))
    quotients = (one_way / other_way).astype(np.float64)  # of whole numbers, each rounded once
    steepness = np.maximum(quotients, 1 / quotients)
    steepest = np.flatnonzero(steepness >= steepness.max() * (1 - 1e-9))
    pairs = [(one_way[at], other_way[at]) for at in steepest]
    return max(Fraction(max(pair), min(pair)) for pair in pairs) / proved


def drawn_rows(chance: random.Random, name: str, most: int) -> list[Row]:
    return [
        (name, chance.choice(VALUES), chance.choice(GROUPS)) for _ in range(chance.randint(1, most))
    ]


def drawn_query(chance: random.Random) -> Query:
    """Of any statistic, with or without a condition and groups."""
    several = chance.random() < 0.4
    k = chance.choice([1, 2, 2, 3])
    per_person: PerPerson = chance.choice(["rows", "rows", "total", "mean"])
    where = Condition("v", ">", 0) if chance.random() < 0.3 else None
    missing: MissingValues = chance.choice(["fill", "leave out"])
    notion = chance.choice([REPLACE, ADD])
    ruled = several or where is not None or missing == "leave out"
    offered: list[Statistic] = [Count(), Sum()]
    if not several:  # one answer has few outputs, several together have many
        offered += [Mean(at_least=2), Maximum(), Median(), Median("mid"), Mode()]
        if not ruled and notion is REPLACE:
            offered += [Mean(), Mean()]
            offered += [Variance()] if k == 1 or per_person != "rows" else []
    grouping = Grouping("g", ("x", "y", "z")[: chance.choice([2, 2, 2, 2, 3])]) if several else None
    return Query(
        chance.choice(offered), 1, (LOW, HIGH), notion, MOST_ROWS, where, grouping, missing,
        whole_numbers=True, person=Person("id", k, groups=chance.choice([1, 2])),
        per_person=per_person,
    )  # fmt: skip


def neighbours(chance: random.Random, query: Query) -> tuple[Rows, Rows]:
    """A table of two or three persons, and one in which the first is another one or is gone."""
    others = [row for name in "bc"[: chance.randint(1, 2)] for row in drawn_rows(chance, name, 2)]
    one, instead = drawn_rows(chance, "a", 3), drawn_rows(chance, "z", 3)
    both = []
    for rows in (one, instead if query.neighbours is REPLACE else []):
        mixed = [*others]
        for row in rows:
            mixed.insert(chance.randint(0, len(mixed)), row)
        both.append(tuple(mixed))
    return both[0], both[1]


def test_nothing_is_told_that_is_not_charged() -> None:
    chance = random.Random(14)
    largest = Fraction(0)
    for _ in range(TABLES):
        query = drawn_query(chance)
        one, other = neighbours(chance, query)
        found = excess(query, one, other)
        assert found <= 1, (query, one, other)
        largest = max(largest, found)
    assert largest == 1  # some come up to it


def test_a_twin_that_takes_rows_before_they_are_bounded_tells_more() -> None:
    assert tells_more(lambda query: Unbounded(**vars(query)))


def test_a_twin_that_counts_rows_of_each_group_tells_more() -> None:
    one_row, groups = Person("id", 1, groups=2), Grouping("g", ("x", "y"))
    assert tells_more(
        lambda query: OfEachGroup(
            **(vars(query) | {"person": one_row, "grouping": groups, "neighbours": ADD})
        )
    )


def tells_more(twin: Callable[[Query], Query]) -> bool:
    """Whether a table shows it within so many."""
    chance = random.Random(14)
    for _ in range(TABLES):
        query = drawn_query(chance)
        one, other = neighbours(chance, query)
        if not isinstance(query.statistic, Count) or query.per_person != "rows":
            continue
        if excess(twin(query), one, other) > math.exp(0.2):
            return True
    return False
