"""Small tables with persons, and every way in which their rows can be drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from compdp_core.adjacency import Person
from compdp_core.randomness import Source, Words
from compdp_core.statistics import ExactAnswer
from compdp_core.statistics.query import Query
from compdp_core.tables import Table, read

Row: TypeAlias = tuple[str, str, str]
"""Whose it is, the value and the group, as typed."""
Mask: TypeAlias = NDArray[np.bool_]
Choice: TypeAlias = tuple[bool, ...]
Answers: TypeAlias = tuple[Fraction, ...]


def table_of(rows: tuple[Row, ...]) -> Table:
    data = "id;v;g\n" + "".join(f"{';'.join(row)}\n" for row in rows)
    return read(data.encode(), encoding="utf-8", separator=";", decimal=".", header=True)


class Orders:
    """Words in every order there is, one order after the other: each is equally likely."""

    def __init__(self) -> None:
        self._digits: list[int] = []
        self._bases: list[int] = []
        self._at = 0

    def __iter__(self) -> Iterator[Fraction]:
        """Yield what to hand out words for; the probability of each, once its words are out."""
        while True:
            self._at = 0
            yield Fraction(1)
            while self._digits and self._digits[-1] + 1 == self._bases[-1]:
                self._digits.pop()
                self._bases.pop()
            if not self._digits:
                return
            self._digits[-1] += 1

    @property
    def probability(self) -> Fraction:
        return Fraction(1, math.prod(self._bases))

    def words(self, count: int) -> Words:
        if self._at == len(self._digits):
            self._digits.append(0)
            self._bases.append(math.factorial(count))
        digit, left = self._digits[self._at], list(range(count))
        self._at += 1
        order = []
        for size in range(count, 0, -1):
            digit, place = divmod(digit, size)
            order.append(left.pop(place))
        return np.array([word << 58 for word in order], dtype=np.uint64)


def groups_of(query: Query, table: Table) -> dict[str | None, Mask | None]:
    if query.grouping is None:
        return {None: None}
    rows = query.grouping.selections(table.texts(2))
    return {name: each.mask for name, each in rows.items()}


def choices(query: Query, table: Table) -> dict[Choice, Fraction]:
    """The rows that are read, with the probability of each such choice."""
    assert query.person is not None
    _, missing = query._values(table)
    rules = query._rules(table, missing)
    groups = [rows for rows in groups_of(query, table).values() if rows is not None]
    found: dict[Choice, Fraction] = {}
    orders = Orders()
    for _ in orders:
        mask = query._bounded(table, query.person, groups, rules, orders)
        choice = tuple(mask.tolist())
        found[choice] = found.get(choice, Fraction(0)) + orders.probability
    assert sum(found.values()) == 1
    return found


def answers(query: Query, table: Table, choice: Choice) -> dict[str | None, ExactAnswer]:
    """The answers where these rows are read."""
    values, missing = query._values(table)
    read = np.array(choice)
    return {
        name: query._answer(table, name, values, missing, read if rows is None else read & rows)
        for name, rows in groups_of(query, table).items()
    }


class Unbounded(Query):
    """Broken twin: takes the number of rows before they are bounded."""

    def _bounded(
        self,
        table: Table,
        person: Person,
        groups: Sequence[Mask],
        rules: Sequence[Mask],
        source: Source | None,
    ) -> Mask:
        everything = Person(person.by, 10**6, groups=person.groups)
        return super()._bounded(table, everything, groups, rules, source)


class OfEachGroup(Query):
    """Broken twin: counts a person's rows in each group by itself."""

    def _bounded(
        self,
        table: Table,
        person: Person,
        groups: Sequence[Mask],
        rules: Sequence[Mask],
        source: Source | None,
    ) -> Mask:
        read = np.zeros(table.row_count, dtype=np.bool_)
        for rows in groups:
            read |= super()._bounded(table, person, groups, [*rules, rows], source)
        return read


class LooksAround(Query):
    """Broken twin: which rows of a person are read depends on the values of the others."""

    def _bounded(
        self,
        table: Table,
        person: Person,
        groups: Sequence[Mask],
        rules: Sequence[Mask],
        source: Source | None,
    ) -> Mask:
        values = table.readings(1).values
        order = np.arange(table.row_count)[:: 1 if np.nansum(values) > 0 else -1]
        words = np.empty(table.row_count, dtype=np.uint64)
        words[order] = np.arange(table.row_count, dtype=np.uint64) << np.uint64(58)
        return super()._bounded(table, person, groups, rules, _Given(words))


class _Given:
    def __init__(self, words: Words) -> None:
        self._words = words

    def words(self, count: int) -> Words:
        return self._words[:count]
