"""A person's rows are bounded before the answer, in all small tables and for every choice of rows.

Three facts make up the proof that the answers of one call cost what is declared: which rows of one
person are read is independent of which rows of the others are; what is read of the others does not
depend on that person; and with the others' rows fixed, any two persons change no more answers, and
none by more, than declared. Broken twins, each a mistake that is easily made, must fall.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from compdp_core.adjacency import Person
from compdp_core.statistics import Count, Grouping, Neighbours, Statistic, Sum
from compdp_core.statistics.query import Query
from tests.unit.statistics.persons import (
    Answers,
    Choice,
    LooksAround,
    OfEachGroup,
    Row,
    Unbounded,
    answers,
    choices,
    table_of,
)

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
KINDS = [(value, group) for value in ("-1", "2") for group in ("x", "y", "z")]
OTHERS = [
    [("2", "x")],
    [("-1", "x"), ("2", "y")],
    [("-1", "x"), ("2", "x")],
]
MOST_ROWS = 8


@dataclass
class Found:
    """What a search found."""

    dependent: bool = False
    """Some choice of rows depends on somebody else's."""
    changed: int = 0
    """The most answers that one person changes."""
    by: Fraction = field(default=Fraction(0))
    """The most by which an answer changes."""


def asked(
    statistic: Statistic, notion: Neighbours, k: int, g: int, kind: type[Query] = Query
) -> Query:
    return kind(
        statistic, 1, (-1, 2), notion, MOST_ROWS,
        grouping=Grouping("g", ("x", "y", "z")), person=Person("id", k, groups=g),
        whole_numbers=True,
    )  # fmt: skip


def searched(query: Query, kinds: list[tuple[str, str]] = KINDS) -> Found:
    """Over all persons of up to three rows of these kinds beside some others."""
    found = Found()
    sizes = range(1 if query.neighbours is REPLACE else 0, 4)
    ones = [each for n in sizes for each in itertools.combinations_with_replacement(kinds, n)]
    for others in OTHERS:
        laws: set[tuple[tuple[Choice, Fraction], ...]] = set()
        reached: dict[Choice, set[Answers]] = defaultdict(set)
        without: dict[Choice, set[Answers]] = defaultdict(set)
        for one in ones:
            # Between rows of the others, so that no order of rows helps.
            rows: list[Row] = [("o", *row) for row in others]
            rows[1:1] = [("p", *row) for row in one]
            own = slice(1, 1 + len(one))
            table = table_of(tuple(rows))
            joint = choices(query, table)
            of_others: dict[Choice, Fraction] = defaultdict(Fraction)
            of_one: dict[Choice, Fraction] = defaultdict(Fraction)
            for choice, probability in joint.items():
                other, mine = choice[: own.start] + choice[own.stop :], choice[own]
                of_others[other] += probability
                of_one[mine] += probability
                made = tuple(each.exact for each in answers(query, table, choice).values())
                reached[other].add(made)
                if not one:
                    without[other].add(made)
            laws.add(tuple(sorted(of_others.items())))
            found.dependent |= any(
                joint.get((*other[: own.start], *mine, *other[own.start :])) != p * q
                for other, p in of_others.items()
                for mine, q in of_one.items()
            )
        found.dependent |= len(laws) > 1
        for other, every in reached.items():
            before = every if query.neighbours is REPLACE else without[other]
            for one_way, other_way in itertools.product(before, every):
                changes = [abs(x - y) for x, y in zip(one_way, other_way, strict=True)]
                found.changed = max(found.changed, sum(change > 0 for change in changes))
                found.by = max(found.by, *changes)
    return found


@pytest.mark.parametrize("statistic", [Count(), Sum()], ids=str)
@pytest.mark.parametrize("notion", [REPLACE, ADD])
@pytest.mark.parametrize(("k", "g"), [(1, 1), (1, 2), (2, 1), (2, 2)])
def test_no_person_changes_more_than_is_declared_and_one_attains_it(
    statistic: Statistic, notion: Neighbours, k: int, g: int
) -> None:
    query = asked(statistic, notion, k, g)
    # A count looks at no value.
    found = searched(query, KINDS if isinstance(statistic, Sum) else KINDS[3:])
    declared = query.plan(table_of((("o", "2", "x"), ("p", "2", "x"))), "x").sensitivity
    assert not found.dependent
    assert found.by == declared
    assert found.changed == query.cost(1)


@pytest.mark.parametrize(
    ("kind", "k", "g", "fault"),
    [
        (Unbounded, 2, 1, "by"),
        (OfEachGroup, 1, 2, "changed"),
        (LooksAround, 1, 1, "dependent"),
    ],
)
@pytest.mark.parametrize("notion", [REPLACE, ADD])
def test_the_search_catches_a_broken_twin(
    kind: type[Query], k: int, g: int, fault: str, notion: Neighbours
) -> None:
    kinds = [("2", "x"), ("-1", "y"), ("2", "z")]
    honest, twin = (searched(asked(Count(), notion, k, g, each), kinds) for each in (Query, kind))
    assert getattr(twin, fault) > getattr(honest, fault)
