"""Persons of two readings of a file never lose more than a ledger says."""

from __future__ import annotations

import gzip
import itertools
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from compdp_core.accounting import (
    BudgetExceededError,
    Keys,
    Ledger,
    Neighbours,
    Person,
    Spend,
    persons_read_as,
)
from compdp_core.release import ColumnPlan, Plan
from compdp_core.statistics import Query
from compdp_core.tables import Table, read
from compdp_core.tables.affix import Affix

# Where quotes are ordinary characters, each of these is a person; else there are two of them.
CELLS = ('"a"', "a", '"b"', "b")
WORLDS = [
    rows for n in range(1, 5) for rows in itertools.combinations_with_replacement(range(4), n)
]
QUOTES = ('"', "")
TWO = Person("id", 2)
REMOVED = Neighbours.ADD_OR_REMOVE_ONE
Persons = frozenset[tuple[str, tuple[int, ...]]]


@cache
def table(rows: tuple[int, ...], quote: str) -> Table:
    content = "id,n\n" + "".join(f"{CELLS[row]},1\n" for row in rows)
    return read(content.encode(), quote=quote)


@cache
def persons(rows: tuple[int, ...], quote: str) -> Persons:
    """Each with the rows of the file that are theirs, as the library reads it."""
    texts = [text.strip() for text in table(rows, quote).texts(0)]
    return frozenset(
        (each, tuple(row for row, text in zip(rows, texts, strict=True) if text == each))
        for each in texts
    )


def distance(one: Persons, two: Persons, notion: Neighbours) -> int | None:
    """How many changes of one person lead from one to the other; None if none do."""
    if notion is REMOVED:
        return len(one ^ two)
    return len(one - two) if len(one) == len(two) else None


def worst(quotes: tuple[str, ...], notion: Neighbours) -> int:
    """The largest joint loss of a person with two rows at most, in any of the readings."""
    losses = []
    for one, two in itertools.product(WORLDS, repeat=2):
        far = {each: distance(persons(one, each), persons(two, each), notion) for each in quotes}
        for quote, changes in far.items():
            changed = persons(one, quote) ^ persons(two, quote)
            if changes == 1 and all(len(rows) <= TWO.at_most for _, rows in changed):
                losses.append(sum(far[each] or 0 for each in quotes))
    return max(losses)


def spends(quotes: tuple[str, ...], notion: Neighbours) -> list[Spend]:
    query = Query("count", 1, neighbours=notion, max_rows=9, person=TWO)
    return [each for quote in quotes for each in query.spends(table((0, 1), quote), 1)]


def total(spends: list[Spend]) -> Fraction:
    return Ledger().charge(*spends).total_by_dataset(spends[0].dataset)


@pytest.mark.parametrize("notion", list(Neighbours))
def test_no_reading_takes_more_of_a_person_than_is_charged(notion: Neighbours) -> None:
    """One to three releases, over every pair of neighbours of up to four rows."""
    caught = 0
    for n in (1, 2, 3):
        for quotes in itertools.combinations_with_replacement(QUOTES, n):
            asked, loss = spends(quotes, notion), worst(quotes, notion)
            assert total(asked) >= loss
            assert len(Ledger(asked).persons(asked[0].dataset)) == 1
            if len(set(quotes)) == 1:
                assert total(asked) == loss
            # Broken twin: persons by the name of the column, however it was read.
            caught += total([replace(each, persons_read_as="") for each in asked]) < loss
    assert worst(QUOTES, notion) == 3
    assert caught == 3


CONTENT = b"id;n;cost\na;1,5;3 EUR\nb;2,5;4 EUR\nTotal;4,0;7 EUR\n"
FILE = read(CONTENT)
ALIKE = {
    "as it is": FILE,
    "by another name": read(CONTENT, name="x.csv"),
    "said": read(CONTENT, separator=";", encoding="utf-8", header=True, skip_lines=0, columns=3),
    "another decimal mark": read(CONTENT, decimal="."),
    "other missing spellings": read(CONTENT, missing=("a", "2,5")),
    "without a total": FILE.without([2]),
    "units taken off": FILE.stripped(2, Affix("", " EUR")),
    "packed": read(gzip.compress(CONTENT)),
}


@pytest.mark.parametrize("other", ALIKE.values(), ids=ALIKE)
def test_further_releases_of_a_table_are_for_the_same_persons(other: Table) -> None:
    plan = Plan((ColumnPlan(1, inputs=(0, 9), epsilon=1),), person=TWO)
    query = Query("count", 1, person=TWO)
    for asked in (query.spends(FILE, 1), plan.spends(FILE)):
        assert total([*asked, *query.spends(other, "0.5")]) == asked[0].epsilon + Fraction(1, 2)


def test_a_reading_in_which_cells_have_other_texts_is_another() -> None:
    others = [
        read(CONTENT, quote=""),
        read(CONTENT, separator=","),
        read(CONTENT, encoding="cp437"),
        read(CONTENT, header=False),
        read(CONTENT, skip_lines=1),
        read(CONTENT, columns=2),
        *(read(CONTENT, columns=2, long_rows=each) for each in (0, 1)),
        read(CONTENT, columns=4, short_rows="complete"),
        read(CONTENT + b"c;1,0;2 EUR\n"),
    ]
    assert len({persons_read_as(each) for each in (FILE, *others)}) == len(others) + 1


def test_the_most_rows_hold_for_persons_of_each_reading() -> None:
    """What is said of whoever has three rows is true of those of either reading."""
    one, two = (Spend("x", "column", "f", ["n"], 1, person=Person("id", k), persons_read_as=f"{k}")
                for k in (1, 3))  # fmt: skip
    for book in (Ledger([one, two]), Ledger([two, one])):
        assert book.persons("f") == (Person("id", 3),)
        assert book.total_by_dataset("f") == 1 + 3 * 2
        assert book.to_csv().count(",7,") == 1
    book = Ledger([two], limit=7)
    assert book.room(one) == 1
    with pytest.raises(BudgetExceededError, match=r"of one reading of the file, count twice") as no:
        book.check(replace(one, epsilon=Fraction(2)))
    assert no.value.persons == (Person("id", 3),)


def test_a_reading_is_known_again_in_ledgers_of_other_sessions() -> None:
    asked = [spends(QUOTES[:1], REMOVED)[0] for _ in range(2)]
    mine, theirs = (Ledger([each], keys=Keys((bytes([n]) * 32,))) for n, each in enumerate(asked))
    dataset, reading = asked[0].names
    book = Ledger.from_json(mine.merge(theirs).to_json())
    for seen in (book.recognise(dataset, reading), book.foresee(*spends(QUOTES[:1], REMOVED))):
        assert seen.total_by_dataset(dataset) == len(seen.entries)
    # Without the keys nothing tells that they are one: never too little.
    handed = Ledger.from_json(book.to_json_to_hand_on()).recognise(dataset, reading)
    assert len(handed.datasets) == 2
