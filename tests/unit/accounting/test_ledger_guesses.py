"""Whoever wrote a ledger that the owner opened learns of no guess from what the owner hands on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import cache, reduce

import pytest

from compdp_core.accounting import (
    Group,
    Keys,
    Ledger,
    LedgerConflictError,
    Person,
    Spend,
    new_draw,
    persons_read_as,
    read_as,
)
from compdp_core.tables import Table, read
from tests.unit.accounting.test_identity import first_version

GUESSES = range(60, 80)
RIGHT, WRONG = 71, 517
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
THEIRS = Keys((bytes(range(32)),))
LABEL = re.compile(r"(?:table|rows)(?:-[0-9a-f]+){6}")
IDENTITY = re.compile(r"(?<![0-9a-f-])[0-9a-f]{32}(?![0-9a-f-])")


def file(cell: int) -> bytes:
    return b"class,score\n9a,%d\n9b,5\n" % cell


@cache
def draws(name: str) -> str:
    return new_draw()


def of(table: Table, name: str, epsilon: str = "0.001", minute: int = 0) -> list[Spend]:
    """A column and a group of the table, for persons."""
    group = Group("class", "9a", read_as(table, "class"), draws(name))
    when, data, person = NOON + timedelta(minutes=minute), table.fingerprint, Person("class", 1)
    return [
        Spend(
            what,
            "column",
            data,
            ["score"],
            epsilon,
            id=what,
            when=when,
            group=each,
            person=person,
            persons_read_as=persons_read_as(table),
        )
        for what, each in ((f"{name} all", None), (f"{name} some", group))
    ]


def labelled(handed_on: str = "", copied: int | None = None) -> str:
    """A ledger that somebody wrote under a key of his own, with a label for each guess.

    He may have been handed the owner's releases before. Then he lists one of them for a guess.
    """
    book = Ledger(keys=THEIRS).charge(
        *(each for guess in GUESSES for each in of(read(file(guess)), f"guess {guess}"))
    )
    if copied is not None:
        (known, *_) = Ledger.from_json(handed_on).entries
        guess = read(file(copied))
        hashes = {"table": guess.fingerprint, "rows": persons_read_as(guess)}
        copy = known.renamed(lambda _, kind: THEIRS.label(hashes[kind], kind))
        book = Ledger((*book.entries, copy), keys=THEIRS)
    return book.to_json()


def unkeyed() -> str:
    """The same as the first version wrote it: each guess is named by the hash of its table."""
    spends = []
    for guess in GUESSES:
        for each in of(read(file(guess)), f"guess {guess}"):
            whole = each.group is None or guess % 2
            spends.append(each if whole else replace(each, group=Group("class", "9a")))
    return first_version(*spends)


def keyless(text: str) -> str:
    return json.dumps({**json.loads(text), "keys": []})


Attack = Callable[[str], list[str]]
ATTACKS: dict[str, Attack] = {
    "a label for each guess": lambda handed_on: [labelled()],
    "hashes of the first version": lambda handed_on: [unkeyed()],
    "both": lambda handed_on: [labelled(), unkeyed().replace("guess", "again")],
    "a release of the owner's as one of the right guess": lambda it: [labelled(it, RIGHT)],
    "a release of the owner's as one of a wrong guess": lambda it: [labelled(it, RIGHT + 1)],
    "a key that comes later": lambda it: [keyless(labelled(it, 61)), labelled(it, 61)],
}


def shape(text: str) -> str:
    """The text with names that are drawn numbered as they come: what is equal stays equal."""
    for drawn in (LABEL, IDENTITY):
        names = dict.fromkeys(drawn.findall(text))
        for number, name in enumerate(names):
            text = text.replace(name, f"<{name.split('-')[0][:5] * ('-' in name)} {number}>")
    return text


def handed_on(cell: int, attack: Attack) -> tuple[str, list[Ledger]]:
    """All that an owner hands on whose table has that cell, in whatever order things are done."""
    table = read(file(cell))
    before = Ledger(limit=9).charge(*of(table, "mine", "1", 5))
    given = [Ledger.from_json(text) for text in attack(before.to_json_to_hand_on())]
    late = of(table, "late", "1", 9)
    after = reduce(Ledger.merge, given, before)
    books = [
        after,
        after.recognise(table.fingerprint),
        after.recognise(table.fingerprint).charge(*late),
        reduce(Ledger.merge, given, after.charge(*late)),
        after.charge(*late).merge(after),
        reduce(Ledger.merge, given, Ledger(limit=9)).charge(*late),
        Ledger().merge(Ledger.from_json(after.charge(*late).to_json())).charge(*of(table, "x")),
    ]
    texts = [each.to_json_to_hand_on() + each.to_csv() for each in books]
    return "\n".join(map(shape, texts)), books


def renaming(self: Ledger, *hashes: str) -> Ledger:
    """Broken twin: what is known again goes by the owner's label, also in what is saved."""
    own: dict[str, str] = {}
    for text in hashes:
        for kind in ("table", "rows"):
            first, *others = self.keys.labels(text, kind) or ("",)
            own.update(dict.fromkeys(others, first))
    entries = [spend.renamed(lambda text, _: own.get(text, text)) for spend in self.entries]
    return Ledger(entries, self.limit, self.keys)


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_no_guess_is_right_in_what_is_handed_on(
    attack: Attack, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, books = handed_on(RIGHT, attack)
    wrong, _ = handed_on(WRONG, attack)
    assert right == wrong
    assert "guess 71 some" in right
    # The owner's program did know the right guess, and counts it for the table.
    table = read(file(RIGHT)).fingerprint
    for book in books:
        own = book.keys.labels(table)[0]
        assert {"guess 71 all", "guess 71 some"} <= {s.what for s in book.known if s.dataset == own}
        assert book.total_by_dataset(table) == book.total_by_dataset(own)

    monkeypatch.setattr(Ledger, "recognise", renaming)
    assert handed_on(RIGHT, attack)[0] != handed_on(WRONG, attack)[0]


def test_totals_within_count_groups_of_all_sessions_as_the_same_groups() -> None:
    """Releases of two sessions about two groups of one reading, and the running totals handed on:
    within they are groups of one table, in the file those of two labels.
    """
    table = read(file(RIGHT))
    rows = read_as(table, "class")

    def count(value: str) -> Spend:
        return Spend("n", "statistic", table.fingerprint, ["class"], 1, when=NOON,
                     group=Group("class", value, rows))  # fmt: skip

    def last(text: str) -> str:
        return text.splitlines()[-1].split(",")[4]

    one, two = (Ledger().charge(count(value)) for value in ("9a", "9b"))
    book = Ledger.from_json(one.to_json()).merge(Ledger.from_json(two.to_json()))
    assert len(book.datasets) == 2
    after = book.charge(count("9c"), count("9d"))
    assert len(after.datasets) == 1
    assert after.total_by_dataset(table.fingerprint) == 2
    assert after.with_limit(2).room(count("9e")) == 1
    assert len({spend.dataset for spend in after.entries}) == 2
    assert last(after.to_csv()) == "2"
    lines = after.to_csv().splitlines()[1:]
    assert [line.split(",")[4] for line in lines] == ["1", "1", "2", "2"]


def test_a_conflict_does_not_depend_on_what_is_at_hand() -> None:
    """One release of the owner's under another label of the same key is a conflict, whether or not
    the table is known: else the refusal, and what it leaves undone, would tell.
    """
    said = []
    for cell in (RIGHT, WRONG):
        table = read(file(cell))
        book = Ledger().charge(*of(table, "mine", "1"))
        theirs = Ledger.from_json(labelled(book.to_json_to_hand_on(), RIGHT))
        book = book.merge(Ledger.from_json(labelled())).recognise(table.fingerprint)
        for _ in range(2):
            try:
                book = book.merge(theirs).recognise(table.fingerprint)
                said.append((cell, len(book.entries), len(book.keys.secrets)))
            except LedgerConflictError as conflict:
                said.append((cell, 0, len(conflict.id)))
    assert [each[1:] for each in said[:2]] == [each[1:] for each in said[2:]]


def test_what_is_at_hand_is_in_no_file_and_in_no_text() -> None:
    table = read(file(RIGHT))
    book = Ledger().charge(*of(table, "mine", "1"))
    assert table.fingerprint in book.keys.seen
    for text in (book.to_json(), book.to_json_to_hand_on(), book.to_csv(), repr(book)):
        assert table.fingerprint not in text
    assert not Ledger.from_json(book.to_json()).keys.seen
    assert not Ledger.from_json(unkeyed()).keys.seen
    assert book.total_by_dataset(table.fingerprint) == Fraction(2)
