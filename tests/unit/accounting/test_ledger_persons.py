"""What persons lose is never more than a ledger says, by enumeration of small worlds."""

from __future__ import annotations

import itertools
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest

from compdp_core.accounting import (
    BudgetExceededError,
    Group,
    Ledger,
    LedgerTooLargeError,
    Neighbours,
    Person,
    Spend,
    composition,
    new_draw,
)
from compdp_core.accounting.amounts import Amount
from compdp_core.accounting.ledger import MOST_KINDS, MOST_RELEASES

FILE = "patients 2026"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
REMOVED, REPLACED = Neighbours.ADD_OR_REMOVE_ONE, Neighbours.REPLACE_ONE
NAMES = "abcd"
BY = (("patient",), ("school", "class"))
"""Two kinds of persons: which patient a row is of says nothing about its school and class."""
TINY = Fraction(1, 10**9)


def spend(
    epsilon: Amount = 1,
    person: Person | None = None,
    group: Group | None = None,
    notion: Neighbours = REPLACED,
    column: str = "bmi",
) -> Spend:
    return Spend(
        "x", "column", FILE, [column], epsilon,
        group=group, neighbours=notion, when=NOON, person=person,
    )  # fmt: skip


def total(spends: Iterable[Spend]) -> Fraction:
    return Ledger(spends).total_by_dataset(FILE)


def kind(spend: Spend) -> frozenset[str]:
    return frozenset(() if spend.person is None else spend.person.by)


# The oracle: persons, their rows, the groups of those and what is drawn of them, one by one.


class Release(NamedTuple):
    """A spend in whole numbers, which are added up fast."""

    kind: frozenset[str]
    """Whose rows it reads, by their columns; empty for one row."""
    removed: bool
    cost: int
    by: str = ""
    name: str = ""
    draw: tuple[str, int] = ("", 1)


def worst(spends: Iterable[Spend]) -> Fraction:
    """The largest joint loss of any one person of any kind, or of any one row."""
    unit = math.lcm(*(each.epsilon.denominator for each in spends))
    releases, most = [], dict[frozenset[str], int]()
    for each in spends:
        kind, draw = frozenset[str](), ("", 1)
        if each.person is not None:
            kind = frozenset(each.person.by)
            most[kind] = max(most.get(kind, 1), each.person.at_most)
            draw = (each.group.draw if each.group else "", each.person.groups)
        release = Release(kind, each.neighbours is REMOVED, int(each.epsilon * unit), draw=draw)
        if each.group is not None:
            release = release._replace(by=each.group.by, name=each.group.value)
        releases.append(release)
    losses = (of_kind(releases, *each) for each in (most or {frozenset[str](): 1}).items())
    return Fraction(max(losses), unit)


def of_kind(releases: list[Release], kind: frozenset[str], most: int) -> int:
    """The largest joint loss of any change of one person of that kind with so many rows at most.

    Which groups the rows lie in, for each grouping, and who else's they are, for each other kind,
    are chosen independently: so only the numbers of rows tie their losses to each other.
    """
    own = [each for each in releases if each.kind == kind] if kind else []
    rows = [each for each in releases if not each.kind]
    groupings = {each.by for each in (*own, *rows) if each.by}
    others = {each.kind for each in releases} - {kind, frozenset()}
    losses = []
    for old, new in sizes(releases, most, alone=len(own) == len(releases)):
        if old != new and not all(each.removed for each in rows):
            continue  # The number of rows is public.
        loss = sum(whole(each, old, new) for each in (*own, *rows))
        for by in groupings:
            persons = [each for each in own if each.by == by]
            loss += in_groups(persons, [each for each in rows if each.by == by], old, new)
        for other in others:
            loss += crossing([each for each in releases if each.kind == other], old, new)
        losses.append(loss)
    return max(losses)


def sizes(releases: list[Release], most: int, *, alone: bool) -> list[tuple[int, int]]:
    """How many rows the person had and has. Where every release is for such persons it may be any
    number, since each of them reads so many only: a row in each group makes all draws possible.
    """
    numbers = (len(NAMES),) if alone else range(1, most + 1)
    if all(each.removed for each in releases):
        return [(old, 0) for old in numbers]
    return [(old, new) for old in numbers for new in numbers]


def whole(release: Release, old: int, new: int) -> int:
    """The loss of a release without groups."""
    if release.by:
        return 0
    if release.kind:
        return release.cost * ((old > 0) + (new > 0) if release.removed else 1)
    # All rows of the person go, or come, or are replaced one by one.
    return release.cost * (old + new if release.removed else max(old, new))


@cache
def lying(rows: int) -> tuple[tuple[str, ...], ...]:
    """Every way in which so many rows lie in groups; "-" for in none."""
    return tuple(itertools.combinations_with_replacement((*NAMES, "-"), rows))


def in_groups(own: list[Release], rows: list[Release], old: int, new: int) -> int:
    """The largest loss of releases about groups of one grouping."""
    draws = {each.draw for each in own}
    tallies = [[each for each in own if each.draw == draw] for draw in draws]

    @cache
    def of_persons(was: frozenset[str], will_be: frozenset[str]) -> int:
        return sum(drawn(each, was - {"-"}, will_be - {"-"}) for each in tallies)

    def of_rows(was: tuple[str, ...], will_be: tuple[str, ...]) -> int:
        loss = 0
        for each in rows:
            gone, come = was.count(each.name), will_be.count(each.name)
            loss += each.cost * (gone + come if each.removed else max(gone, come))
        return loss

    return max(
        of_persons(frozenset(was), frozenset(will_be)) + of_rows(was, will_be)
        for was, will_be in itertools.product(lying(old), lying(new))
    )


def drawn(tally: list[Release], was: frozenset[str], will_be: frozenset[str]) -> int:
    """The largest loss of releases of one draw, whichever groups the two draws may take."""
    _, most = tally[0].draw
    choices = (
        [set(some) for n in range(most + 1) for some in itertools.combinations(sorted(here), n)]
        for here in (was, will_be)
    )
    return max(
        sum(
            each.cost * ((each.name in left) + (each.name in entered))
            if each.removed
            else each.cost * (each.name in left | entered)
            for each in tally
        )
        for left, entered in itertools.product(*choices)
    )


def crossing(releases: list[Release], old: int, new: int) -> int:
    """The largest loss of releases for persons of another kind, some of whom the rows are of.

    Each of these persons may have other rows, so as to stay, or none. A release that is stated for
    a replacement says nothing of two tables with more persons in one of them.
    """
    removed = sum(each.cost for each in releases if each.removed)
    replaced = sum(each.cost for each in releases if not each.removed)
    losses = [0]
    for both in range(min(old, new) + 1):
        for left, entered in itertools.product(range(old - both + 1), range(new - both + 1)):
            for staying, known in itertools.product(range(left + 1), range(entered + 1)):
                before, after = left + known + both, entered + staying + both
                if before == after or not replaced:
                    losses.append(removed * (before + after) + replaced * before)
    return max(losses)


# Drawn ledgers


def person(pick: random.Random, by: tuple[str, ...], *, few: bool = True) -> Person:
    at_most = pick.choice((1, 2, 2, 3) if few else (1, 2, 3, 4))
    named = by if pick.random() < 0.5 else by[::-1]
    return Person(named, at_most, groups=pick.randint(1, min(2, at_most)))


def a_spend(pick: random.Random, persons: list[Person | None], notions: list[Neighbours]) -> Spend:
    who, group = pick.choice(persons), None
    if pick.random() < 0.6:
        draw = "" if who is None else pick.choice(("", "1", "2"))
        group = Group(pick.choice(("ward", "sex", "ward")), pick.choice(NAMES), draw=draw)
    return spend(Fraction(pick.randint(1, 9), 10), who, group, pick.choice(notions))


def books(seed: int, count: int) -> Iterator[list[Spend]]:
    """Releases for one kind alone, for rows and one kind, and for rows and both kinds."""
    pick = random.Random(seed)
    for _ in range(count):
        alone = pick.random() < 0.3
        kinds = BY[:1] if alone else BY[: pick.randint(1, 2)]
        some = [person(pick, by, few=not alone) for by in kinds for _ in range(2)]
        persons = [*some, *([] if alone else [None, None])]
        notions = pick.choice(([REMOVED], [REPLACED], [REMOVED, REPLACED]))
        yield [a_spend(pick, persons, notions) for _ in range(pick.randint(1, 6))]


def tight(spends: list[Spend]) -> bool:
    """Whether the total is to be reached: no groups of persons are mixed with anything else."""
    persons = [each for each in spends if each.person is not None]
    alone = len(persons) == len(spends) and len({kind(each) for each in spends}) == 1
    return alone or all(each.group is None for each in persons)


@cache
def drawn_books() -> tuple[tuple[list[Spend], Fraction], ...]:
    """Some with what is lost at worst."""
    return tuple((spends, worst(spends)) for spends in books(20261129, 1000))


def changed(spends: list[Spend], **fields: Any) -> list[Spend]:
    return [
        each if each.person is None else replace(each, person=replace(each.person, **fields))
        for each in spends
    ]


def one_draw(spends: list[Spend]) -> list[Spend]:
    return [
        each if each.group is None else replace(each, group=replace(each.group, draw=""))
        for each in spends
    ]


def as_rows(spends: list[Spend]) -> list[Spend]:
    """Another kind of persons counts as rows, once."""
    return [
        each if kind(each) == frozenset(BY[0]) else replace(each, person=None) for each in spends
    ]


TWINS: dict[str, Callable[[list[Spend]], list[Spend]]] = {
    "k forgotten for what is stated for one row": lambda it: changed(it, at_most=1),
    "side by side over two draws": one_draw,
    "in one group, whatever is said": lambda it: changed(it, groups=1),
    "all persons of one kind": lambda it: changed(it, by=("x",)),
    "another kind counts as rows, once": as_rows,
    "all for rows": lambda it: [replace(each, person=None) for each in it],
}


def test_a_person_never_loses_more_than_the_total_and_without_mixing_just_as_much() -> None:
    exact = 0
    for spends, loss in drawn_books():
        cost = total(spends)
        assert cost >= loss, spends
        if tight(spends):
            assert cost == loss, spends
            exact += 1
    assert len(drawn_books()) / 4 < exact < len(drawn_books())


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS)
def test_the_check_rejects_a_broken_twin(twin: Callable[[list[Spend]], list[Spend]]) -> None:
    assert sum(total(twin(spends)) < loss for spends, loss in drawn_books()) > 10


def test_the_check_rejects_groups_that_are_left_or_entered_but_not_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Broken twin: the 2g dearest groups, each once, although one may be left and entered."""
    grow = composition._GroupCosts._grow

    def once(self: object, costs: object, name: str, by: Fraction) -> None:
        if costs is not self._again:  # type: ignore[attr-defined]
            grow(self, costs, name, by)  # type: ignore[arg-type]

    monkeypatch.setattr(composition._GroupCosts, "_grow", once)
    assert sum(total(spends) < loss for spends, loss in drawn_books()) > 10


def test_running_totals_are_those_of_the_beginnings() -> None:
    for spends, _ in drawn_books()[::4]:
        beginnings = [total(spends[: i + 1]) for i in range(len(spends))]
        assert composition.running(spends) == beginnings


def test_order_and_spelling_of_a_kind_do_not_matter() -> None:
    for spends, _ in drawn_books()[::8]:
        assert total(spends[::-1]) == total(spends)
        assert {len(Ledger(each).persons(FILE)) for each in (spends, spends[::-1])} == {
            len({kind(each) for each in spends} - {frozenset()})
        }


def test_room_is_the_largest_that_fits() -> None:
    pick = random.Random(7)
    fitted = 0
    for spends, _ in drawn_books()[::5]:
        some = [person(pick, by) for by in BY] if pick.random() < 0.5 else [spends[0].person]
        asked = a_spend(pick, [*some, None], [REMOVED, REPLACED])
        limit = Fraction(pick.randint(1, 120), 10)
        book = Ledger(spends, limit)
        room = book.room(asked)
        assert room is not None
        with pytest.raises(BudgetExceededError) as caught:
            book.check(replace(asked, epsilon=room + TINY))
        assert caught.value.left == room
        if room:
            fitted += 1
            after = book.charge(replace(asked, epsilon=room))
            assert worst(after.entries) <= after.total_by_dataset(FILE) <= limit
    assert fitted > len(drawn_books()) / 15


def test_what_is_left_for_several_fits() -> None:
    """At most what is left, all of them together, is never refused."""
    pick = random.Random(8)
    fitted = 0
    for one, two in itertools.pairwise(spends for spends, _ in drawn_books()[::3]):
        book, asked = Ledger(one, Fraction(pick.randint(1, 200), 10)), [*two, spend(100)]
        with pytest.raises(BudgetExceededError) as caught:
            book.check(*asked)
        assert caught.value.together
        if share := caught.value.left / caught.value.asked:
            book.check(*(replace(each, epsilon=each.epsilon * share) for each in asked))
            fitted += 1
    assert fitted > 50


# Cases by hand


PATIENT = Person("patient", 3)
COMPOSED: list[tuple[list[Spend], int]] = [
    ([spend(1), spend(1, PATIENT)], 4),
    ([spend(3, PATIENT)], 3),
    ([spend(1, PATIENT), spend(1, Person("patient", 5))], 2),
    ([spend(1), spend(1, PATIENT), spend(1, Person("patient", 5))], 7),
    ([spend(1), spend(1, Person("patient", 1))], 2),
    # Of two kinds, what is for the other counts twice for each row: 1 + 2 * 2, 1 + 3 * 2.
    ([spend(1, PATIENT), spend(1, Person("school", 2))], 7),
    # It counts twice again beside a replacement: 3 * (1 + 2 * 2), and 2 + 0.
    ([spend(1), spend(1, PATIENT, notion=REMOVED), spend(1, Person("school", 2))], 2 + 3 * (1 + 2)),
    # One draw of two groups of four: the two dearest of the old person and two more of the new one.
    (
        [spend(e, Person("p", 2, groups=2), Group("g", str(e), draw="1")) for e in (1, 2, 3, 4, 5)],
        5 + 4 + 3 + 2,
    ),
    (
        [
            spend(e, Person("p", 2, groups=2), Group("g", str(e), draw="1"), REMOVED)
            for e in (1, 2, 3, 4, 5)
        ],
        5 + 4,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("spends", "cost"), COMPOSED)
def test_composed_by_hand(spends: list[Spend], cost: int) -> None:
    assert total(spends) == cost


def test_a_column_costs_what_it_costs_the_same_person() -> None:
    book = Ledger([spend(1, column="a"), spend("0.5", PATIENT, column="b")])
    assert book.total_by_column(FILE) == {"a": 3, "b": Fraction(1, 2)}
    assert book.total_by_dataset(FILE) == Fraction(7, 2)
    for spends, _ in drawn_books()[::8]:
        named = [replace(each, columns=(NAMES[n % 3],)) for n, each in enumerate(spends)]
        book = Ledger(named)
        whole, columns = book.total_by_dataset(FILE), book.total_by_column(FILE)
        assert max(columns.values()) <= whole <= sum(columns.values())


def test_it_says_for_whom_a_total_holds() -> None:
    book = Ledger([spend()])
    assert book.persons(FILE) == book.persons("other") == ()
    two = Person(("school", "class"), 2, "refuse", groups=2)
    book = book.charge(spend(1, PATIENT), spend(1, two), spend(1, Person(("class", "school"), 4)))
    assert book.persons(FILE) == (Person("patient", 3), Person(("school", "class"), 4))


REFUSED: list[tuple[list[Spend], Spend, str | None]] = [
    ([spend(1)], spend(9), None),
    ([spend(1, PATIENT)], spend(9, PATIENT), None),
    ([spend(1)], spend(9, PATIENT), "a person here, because this dataset also has releases for a "
     "person with at most 3 rows"),
    ([spend(1, PATIENT)], spend(9), "Releases for one row count for each row of a person here"),
    ([spend(1, PATIENT)], spend(9, Person("school", 2)), "count twice for each row of the other"),
    ([spend(1, PATIENT)], spend(9, PATIENT, notion=REMOVED), "adding or removing one count twice"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "asked", "why"), REFUSED)
def test_a_refusal_says_why_more_is_spent(
    before: list[Spend], asked: Spend, why: str | None
) -> None:
    book = Ledger(before, limit=8)
    with pytest.raises(BudgetExceededError) as caught:
        book.check(asked)
    assert caught.value.left == book.room(asked) != 0
    said = str(caught.value)
    if why is None:
        assert said.endswith("weakens the promise made for these data")
    else:
        assert why in said
    assert len(caught.value.persons) == len(book.foresee(asked).persons(FILE))


def test_a_draw_has_a_name_of_its_own() -> None:
    assert len({new_draw() for _ in range(100)}) == 100


def test_many_groups_in_many_draws_of_many_kinds_add_up_at_once() -> None:
    """What a file brings may not take for ever, however many groups a person is said to be in."""
    kinds = [Person(f"p{i}", i + 1, groups=10**9 if i % 2 else i + 1) for i in range(MOST_KINDS)]
    spends = [
        Spend("n", "statistic", FILE, [f"c{i % 50}"], "0.1", group=Group(f"g{i % 3}", f"{i}"),
              person=kinds[i % MOST_KINDS if i % 3 else 1],
              neighbours=(REMOVED, REPLACED)[i % 5 > 0])
        for i in range(MOST_RELEASES)
    ]  # fmt: skip
    start = time.process_time()
    book = Ledger().merge(Ledger(spends))
    assert Counter(book.to_csv())["\n"] == MOST_RELEASES + 1
    assert max(book.total_by_column(FILE).values()) < book.total_by_dataset(FILE)
    # It takes 3 s.
    assert time.process_time() - start < 30
    more = spend(1, Person("one more", 1))
    with pytest.raises(LedgerTooLargeError, match="kinds of persons together are more than 50"):
        Ledger().merge(Ledger([*spends[1000:], more]))
    # Each table has persons of its own, as it was read.
    of_tables = [
        replace(more, dataset=f"t{i}", persons_read_as=f"{i}", id=f"{i}") for i in range(60)
    ]
    assert len(Ledger().merge(Ledger(of_tables)).datasets) == 60
