"""A ledger knows its tables again, and whoever has its files to hand on learns nothing of them."""

from __future__ import annotations

import hashlib
import json
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache

import pytest

from compdp_core.accounting import (
    Amount,
    BudgetExceededError,
    Group,
    Keys,
    KnownSpendError,
    Ledger,
    LedgerConflictError,
    LedgerTooLargeError,
    Person,
    Spend,
    exact_text,
    holds_hashes,
    is_label,
    persons_read_as,
    read_as,
)
from compdp_core.accounting.identity import HASH, MOST_KEYS
from compdp_core.errors import CompdpError
from compdp_core.statistics import Grouping, Query
from compdp_core.tables import Table, read

CANDIDATES = range(1000)
SECRET = 617
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ONE, TWO = Keys((bytes([1]) * 32,)), Keys((bytes([2]) * 32,))


def file(cell: int) -> bytes:
    """Everything but one cell is known to whoever tries."""
    return b"class,score\n9a,12\n9b,%d\n9a,40\n" % cell


TABLE = read(file(SECRET))


def spends(table: Table) -> list[Spend]:
    of = table.fingerprint
    grouping = Grouping("class", ("9a", "9b"))
    return [
        Spend("column", "column", of, ["score"], 1, when=NOON, id="c"),
        *(
            Spend("count", "statistic", of, ["class"], 1, group=group, when=NOON, id=group.value)
            for group in (grouping.group(each, table) for each in grouping.categories)
        ),
    ]


def of_persons(table: Table) -> tuple[Spend, ...]:
    query = Query("count", 1, person=Person("class", 2))
    spends = query.spends(table, 1, {None: "p"})
    return tuple(replace(each, when=NOON) for each in spends)


def first_version(*spends: Spend) -> str:
    """What the first version saved: hashes of whole tables stand in it."""
    entries = [
        {
            "id": each.id, "when": each.when.isoformat(), "what": each.what, "kind": each.kind,
            "dataset": each.dataset, "columns": list(each.columns),
            "group": each.group and {
                name: text for name, text in vars(each.group).items() if text and name != "draw"
            },
            "neighbours": "replace one", "epsilon": exact_text(each.epsilon),
        }
        for each in spends
    ]  # fmt: skip
    return json.dumps({"schema": "composite-dp/ledger/1", "limit": None, "entries": entries})


def old_file(table: Table) -> str:
    group = Group("class", "9a")
    return first_version(
        Spend("column", "column", table.fingerprint, ["score"], "0.5",
              group=group, when=NOON, id="old"),
    )  # fmt: skip


def release(dataset: str, epsilon: Amount = 1, id: str | None = None) -> Spend:
    return Spend("x", "column", dataset, ["a"], epsilon, when=NOON, id=id)


@cache
def candidates() -> list[tuple[int, str, list[str]]]:
    """Each cell there may be, with the hash of the table that has it and all other hashes."""
    found = []
    for cell in CANDIDATES:
        table, content = read(file(cell)), file(cell)
        kinds = ("md5", "sha1", "sha256", "sha512", "blake2b", "blake2s")
        others = [hashlib.new(kind, content).hexdigest() for kind in kinds]
        found.append(
            (cell, table.fingerprint, [read_as(table, "class"), persons_read_as(table), *others])
        )
    return found


def guessed(text: str) -> list[int]:
    """The cells that fit a text that somebody was handed, by all that the library can compute.

    By the hash itself, those of its beginnings that a page uses, the hash of a reading, and by
    opening the ledger and asking it what was spent on the table.
    """
    book = Ledger.from_json(text) if text.startswith("{") else None
    found = []
    for cell, fingerprint, others in candidates():
        fits = any(each[:16] in text for each in (fingerprint, *others))
        if fits or (book is not None and book.total_by_dataset(fingerprint)):
            found.append(cell)
    return found


def test_whoever_has_all_but_one_cell_finds_it_in_the_twin_and_not_in_ours() -> None:
    """Broken twin: the file of the first version, with an id that no key made."""
    assert guessed(old_file(TABLE)) == [SECRET]
    for book in (
        Ledger().charge(*spends(TABLE)),
        Ledger.from_json(old_file(TABLE)),
        Ledger().merge(Ledger.from_json(old_file(TABLE))).charge(*spends(TABLE)),
        Ledger(spends(TABLE)),
        Ledger().charge(*of_persons(TABLE)),
    ):
        assert book.keys.secrets
        assert guessed(book.to_json_to_hand_on()) == []
        assert guessed(book.to_csv()) == []
        assert guessed(repr(book)) == []
        # The owner's own file does tell it: it says so, and is not to be handed on.
        assert guessed(book.to_json()) == [SECRET]
        assert "keep it to yourself" in json.loads(book.to_json())["about"]


def test_no_hash_and_no_key_is_in_what_is_handed_on() -> None:
    book = Ledger(limit=29).charge(*spends(TABLE), *of_persons(TABLE))
    (key,) = book.keys.secrets
    for text in (book.to_json_to_hand_on(), book.to_csv(), repr(book)):
        assert HASH.search(text) is None
        assert key.hex() not in text
        assert repr(key) not in text
    document = json.loads(book.to_json_to_hand_on())
    assert document["keys"] == []
    assert "May be handed on" in document["about"]
    own = json.loads(book.to_json())
    assert own.pop("keys") == [key.hex()]
    assert {**own, "keys": [], "about": document["about"]} == document


def test_two_tables_give_the_same_file_under_a_label_each() -> None:
    """Noninterference: but for labels, which nobody without the key can make, all bytes are equal.

    Labels of two keys differ for one table, too: that they differ tells nothing.
    """
    texts, labels = set(), set()
    for table in (TABLE, TABLE, read(file(SECRET + 1))):
        book = Ledger(limit=29).charge(*spends(table), *of_persons(table))
        text = book.to_json_to_hand_on() + book.to_csv()
        for name in {name for spend in book.entries for name in spend.names}:
            assert is_label(name)
            labels.add(name)
            text = text.replace(name, name.split("-")[0])
        texts.add(text)
    assert len(texts) == 1
    assert len(labels) == 9


@pytest.mark.parametrize("prefix", ["", "sha256:", "file "])
def test_whatever_looks_like_a_hash_is_kept_as_a_label(prefix: str) -> None:
    dataset = prefix + hashlib.sha256(file(SECRET)).hexdigest()
    book = Ledger().charge(release(dataset))
    assert is_label(book.datasets[0])
    assert book.total_by_dataset(dataset) == book.total_by_dataset(book.datasets[0]) == 1
    assert book.total_by_dataset(dataset.upper()) == 1
    assert dataset not in book.to_json()


def test_a_name_that_the_owner_gives_is_kept() -> None:
    book = Ledger().charge(release("grades 2026"))
    assert book.datasets == ("grades 2026",)
    assert book.keys == Keys()
    assert json.loads(book.to_json())["keys"] == []


def test_a_refusal_names_no_hash() -> None:
    with pytest.raises(BudgetExceededError) as caught:
        Ledger(limit="0.5").check(*spends(TABLE))
    assert is_label(caught.value.dataset)
    assert HASH.search(str(caught.value)) is None


# Known again


def test_the_owners_own_file_finds_the_spent_budget_again() -> None:
    saved = Ledger(limit=5).charge(*spends(TABLE)).to_json()
    again = Ledger.from_json(saved)
    assert again.to_json() == saved
    own = Ledger(limit=5).charge(Spend("x", "column", TABLE.fingerprint, ["score"], 1))
    for book, spent in (
        (again, 3),
        (Ledger().merge(again), 3),
        (own.merge(again), 4),
        (again.merge(own), 4),
    ):
        assert book.total_by_dataset(TABLE.fingerprint) == spent
        assert book.remaining(TABLE.fingerprint) == 5 - spent
        assert set(book.total_by_column(TABLE.fingerprint)) == {"score", "class"}
        assert book.total_by_dataset(read(file(SECRET + 1)).fingerprint) == 0
        with pytest.raises(BudgetExceededError):
            book.check(Spend("x", "column", TABLE.fingerprint, ["score"], 6 - spent))
        # Its groups are the same groups, too: a third one costs nothing beside the two there.
        third = Spend(
            "n", "statistic", TABLE.fingerprint, ["class"], 1,
            group=Group("class", "9c", read_as(TABLE, "class")),
        )  # fmt: skip
        assert book.room(third) == 6 - spent
        assert book.charge(third).total_by_dataset(TABLE.fingerprint) == spent


def test_a_file_of_the_first_version_is_known_again_and_loses_its_hash() -> None:
    old = old_file(TABLE)
    assert holds_hashes(old)
    book = Ledger().merge(Ledger.from_json(old))
    assert book.total_by_dataset(TABLE.fingerprint) == Fraction(1, 2)
    again = Ledger.from_json(old)
    assert again.total_by_dataset(TABLE.fingerprint) == Fraction(1, 2)
    for each in (book, again, book.merge(again), book.charge(*spends(TABLE))):
        for text in (each.to_json(), each.to_json_to_hand_on(), each.to_csv()):
            assert TABLE.fingerprint not in text
        assert not holds_hashes(each.to_json())
    # Opened once more it is one table still, and its key of that moment is not kept.
    twice = book.merge(again)
    assert twice.entries == book.entries
    assert len(twice.keys.secrets) == len(book.keys.secrets)


def test_labels_of_several_sessions_become_one_when_the_table_is_seen() -> None:
    sessions = [Ledger(keys=keys).charge(release(TABLE.fingerprint)) for keys in (ONE, TWO, Keys())]
    saved = [Ledger.from_json(each.to_json()) for each in sessions]
    book = saved[0].merge(saved[1]).merge(saved[2])
    assert len(book.datasets) == 3
    assert book.total_by_dataset(TABLE.fingerprint) == 3
    at_once = sessions[0].merge(sessions[1]).merge(sessions[2])
    for seen in (book.recognise(TABLE.fingerprint), book.charge(*spends(TABLE)), at_once):
        assert seen.datasets == sessions[0].datasets
        assert seen.total_by_dataset(book.datasets[2]) == seen.total_by_dataset(book.datasets[0])
        # What each is known as stays, and all keys are needed.
        assert seen.entries[:3] == book.entries
        assert seen.keys == book.keys
    assert book.recognise(read(file(1)).fingerprint) is book
    assert len(book.keys.secrets) == 3


def test_a_release_in_both_tells_that_two_labels_are_one_table() -> None:
    own = [release(TABLE.fingerprint, id="same")]
    late = release(TABLE.fingerprint, id="late")
    mine, theirs = Ledger(own, keys=ONE), Ledger(own, keys=TWO).charge(late)
    theirs = Ledger.from_json(theirs.to_json_to_hand_on())
    for book in (mine.merge(theirs), mine.merge(theirs).merge(theirs)):
        assert book.datasets == mine.datasets
        assert book.total_by_dataset(TABLE.fingerprint) == 2
    # The other way round, too: the label goes by which the table can be known again.
    for book in (theirs.merge(mine), Ledger().merge(theirs).merge(mine)):
        assert book.total_by_dataset(TABLE.fingerprint) == 2
    # Names that people gave are two tables, whatever the file says.
    named = [Ledger([release(name, id="same")]) for name in "pq"]
    with pytest.raises(LedgerConflictError):
        named[0].merge(named[1])
    with pytest.raises(LedgerConflictError):
        mine.merge(named[0])


def test_no_edited_file_takes_a_table_its_releases() -> None:
    """What says that one release was of another table never moves what was spent on either."""
    tables = [TABLE.fingerprint, read(file(1)).fingerprint]
    spent = [release(each, id=str(place)) for place, each in enumerate(tables)]
    for second in (ONE, TWO):
        book = Ledger(spent[:1], keys=ONE).merge(Ledger(spent[1:], keys=second))
        labels = [entry.dataset for entry in book.entries]
        edited = Ledger.from_json(
            book.to_json_to_hand_on().replace(labels[0], "?").replace(labels[1], labels[0])
        )
        edited = Ledger(edited.entries[1:])
        assert edited.entries[0].dataset == labels[0]
        assert edited.entries[0].id == "1"
        if second is ONE:  # One key made both labels: it made them of two tables.
            with pytest.raises(LedgerConflictError):
                book.merge(edited)
        else:
            book = book.merge(edited)
        assert [book.total_by_dataset(each) for each in tables] == [1, 1]


def test_a_key_that_came_with_a_file_makes_no_label() -> None:
    """Whoever gave the owner the file has its key: it must not test what the owner hands on."""
    given = Ledger([release("0" * 64)], keys=TWO)
    book = Ledger().merge(Ledger.from_json(given.to_json())).charge(*spends(TABLE))
    names = {name for spend in book.entries for name in spend.names}
    assert names.isdisjoint(TWO.labels(TABLE.fingerprint))
    assert names.isdisjoint(TWO.labels(read_as(TABLE, "class"), "rows"))
    assert book.keys.secrets[0] != TWO.secrets[0]


def test_what_is_merged_can_be_saved_and_opened() -> None:
    keys = [Keys((number.to_bytes(32),)) for number in range(MOST_KEYS - 1)]
    each = [release(TABLE.fingerprint, "0.01").renamed(key.label) for key in keys]
    others = Ledger(each, keys=Keys(tuple(key.secrets[0] for key in keys)))
    book = Ledger().charge(*spends(TABLE)).merge(others)
    assert book.total_by_dataset(book.datasets[0]) == 3 + (MOST_KEYS - 1) * Fraction("0.01")
    again = Ledger.from_json(book.to_json())
    assert again == book
    assert len(again.keys.secrets) == MOST_KEYS
    with pytest.raises(LedgerTooLargeError, match="keys together"):
        book.merge(Ledger([release("f" * 64)]))


# Once


def test_a_known_spend_is_refused() -> None:
    (spend, *_) = spends(TABLE)
    book = Ledger().charge(spend)
    for again in (
        lambda: book.charge(spend),
        lambda: book.check(spend),
        lambda: book.foresee(spend),
        lambda: Ledger().charge(spend, spend, spend),
        lambda: book.charge(*spends(TABLE)),
        lambda: Ledger.from_json(book.to_json()).charge(spend),
    ):
        with pytest.raises(KnownSpendError, match="needs a Spend of its own") as caught:
            again()
        assert caught.value.id == spend.id
        assert isinstance(caught.value, CompdpError)
        assert copy(caught.value).id == spend.id  # as a pool of workers sends it home
    assert book.total_by_dataset(TABLE.fingerprint) == 1
    # Two ledgers that know one release are no second charge.
    assert book.merge(book).entries == book.entries
