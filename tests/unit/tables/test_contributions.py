"""Whose rows are one person's, and which of them are read: against the plain way, row by row."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.adjacency import Person
from compdp_core.errors import ParameterError
from compdp_core.randomness import SeededSource, SystemSource, Words
from compdp_core.tables import Table, read, sameness
from compdp_core.tables.contributions import Persons, TooManyRowsError, drawn, persons_of
from compdp_core.tables.sources import as_table

# Spaces of all kinds, quotes of all kinds, lengths around those of one and of eight words.
CELLS = [
    "", " ", "a", " a", "a\t", '"a"', '" a "', '"a""b"', 'a"b', '"a"b', '"a""b"c', '""', '""""',
    "12345678", "123456789", "x" * 16, "x" * 63, "x" * 64, "x" * 65, "x" * 64 + " ", '"x,y"',
    "é", "\xa0é", "é\u3000", "\xa0a", "a\x1f", "a\x7f", "e\u0301", "007", "7", "7.0", "A", "ab",
    "éa", "aéa", '"éa"', '"aéa"', "\xa0aéa",
]  # fmt: skip


def plainly(table: Table, labels: list[str]) -> list[int]:
    places = [[c.label for c in table.columns].index(label) for label in labels]
    names = zip(*([text.strip() for text in table.texts(place)] for place in places), strict=True)
    seen: dict[tuple[str, ...], int] = {}
    return [seen.setdefault(name, len(seen)) for name in names]


def checked(table: Table, labels: list[str]) -> None:
    found, plain = persons_of(table, labels), plainly(table, labels)
    assert found.codes.tolist() == plain
    assert found.count == max(plain) + 1
    assert dict(enumerate(found.rows.tolist())) == Counter(plain)


cells = st.sampled_from(CELLS) | st.text("ab \"\t'é\xa0", max_size=4).map(
    lambda text: '"' + text.replace('"', '""') + '"' if '"' in text or "\t" in text else text
)


@given(
    rows=st.lists(st.tuples(cells, cells), min_size=1, max_size=12),
    encoding=st.sampled_from(["utf-8", "cp1252", "utf-16"]),
    quote=st.sampled_from(['"', ""]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_persons_are_those_of_the_texts(
    rows: list[tuple[str, str]], encoding: str, quote: str, end: str
) -> None:
    lines = [("x", "y", "z"), *((*row, "1") for row in rows)]
    data = "".join(",".join(line) + end for line in lines).encode(encoding, "replace")
    how: dict[str, Any] = {"encoding": encoding, "separator": ",", "quote": quote, "header": True}
    how |= {"short_rows": "complete", "long_rows": "leave out", "trailing_cells": "keep"}
    table = read(data, columns=3, **how)
    for labels in (["x"], ["y"], ["x", "y"], ["y", "x", "z"]):
        checked(table, labels)


@given(rows=st.lists(st.tuples(cells, st.integers(-1, 1)), min_size=1, max_size=8))
def test_persons_of_a_frame(rows: list[tuple[str, int]]) -> None:
    frame = pd.DataFrame(rows, columns=["x", "y"])
    table = as_table(frame, [1])
    for labels in (["x"], ["y"], ["x", "y"]):
        checked(table, labels)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
@pytest.mark.parametrize("quote", ['"', ""])
def test_persons_of_all_kinds_of_cells(encoding: str, quote: str) -> None:
    mixed = [CELLS[i] for i in np.random.default_rng(1).permutation(2 * len(CELLS)) % len(CELLS)]
    lines = "".join(f"{cell};{other}\n" for cell, other in zip(CELLS * 2, mixed, strict=True))
    data = ("x;y\n" + lines).encode(encoding, "replace")
    table = read(data, encoding=encoding, separator=";", quote=quote, columns=2)
    for labels in (["x"], ["y"], ["x", "y"]):
        checked(table, labels)


def test_bytes_that_are_no_text_are_shown_alike() -> None:
    table = read(b"id;v\n" + "Bjørn é;1\n".encode() * 300 + b"a\xffb;1\na\xfeb;2\n")
    assert table.decoded.damaged
    checked(table, ["id"])
    assert persons_of(table, ["id"]).count == 2


def test_persons_of_many_rows_of_several_blocks() -> None:
    rng = np.random.default_rng(1)
    kinds = ["P{}", '"P{}"', " P{} ", "Ä{}", "{:064d}", "{:070d}"]
    picked = zip(rng.integers(0, 6, 150_000), rng.integers(0, 3000, 150_000), strict=True)
    lines = "\n".join(kinds[kind].format(owner) for kind, owner in picked)
    checked(read(f"id\n{lines}\n".encode()), ["id"])


@pytest.mark.parametrize("pattern", ["{}", "P{:06d}", '"{:032x}"', "{:040x}", "{:064x}"])
def test_usual_identifiers_are_not_read_one_by_one(
    pattern: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the digits of a SHA-256: a million of them would take seconds."""
    monkeypatch.setattr(sameness._Others, "words", None)
    lines = "".join(f"{pattern.format(row // 3)},1\n" for row in range(30))
    checked(read(b"id,v\n" + lines.encode()), ["id"])


def test_rows_left_out_are_no_persons() -> None:
    table = read(b"id,v\na,1\nb,2\nTotal,3\na,4\n").without([2])
    assert persons_of(table, ["id"]).codes.tolist() == [0, 1, 0]


def test_an_unknown_column_is_refused() -> None:
    what = "person names no column of this table, which has"
    with pytest.raises(ParameterError, match=rf"^{what} id, v, got 'x'$"):
        persons_of(read(b"id,v\na,1\n"), ["x"])
    twice = pd.DataFrame([[1, 2, 3]], columns=["id", "id", "v"])
    with pytest.raises(ParameterError, match=rf"^{what} id \(column 1\), id \(column 2\), v, got"):
        persons_of(as_table(twice), ["id"])


class Scripted:
    """Words that come in this order."""

    def __init__(self, words: list[int]) -> None:
        self._words = words

    def words(self, count: int) -> Words:
        assert count == len(self._words)
        return np.array(self._words, dtype=np.uint64)


@pytest.mark.parametrize("codes", [[0, 0, 0], [5, 5, 5], [0, 1, 0, 0, 2], [70_000, 3, 3, 3]])
def test_every_choice_is_equally_likely(codes: list[int]) -> None:
    """Over all orders of the words, also of those that differ in their last bits alone."""
    crowded = [i for i, code in enumerate(codes) if codes.count(code) > 2]
    for scale in (1, 2**61):
        seen = Counter(
            tuple(drawn(np.array(codes), 2, Scripted([scale * word for word in words])).tolist())
            for words in itertools.permutations(range(len(crowded)))
        )
        assert len(seen) == 3
        assert len(set(seen.values())) == 1
        for mask in seen:
            assert [c for c, kept in zip(codes, mask, strict=True) if kept] != codes
            assert all(kept for i, kept in enumerate(mask) if i not in crowded)


@given(
    codes=st.lists(st.integers(0, 4), min_size=1, max_size=30),
    most=st.integers(1, 4),
    seed=st.integers(0, 99),
)
def test_at_most_so_many_of_each_and_no_fewer(codes: list[int], most: int, seed: int) -> None:
    mask = drawn(np.array(codes), most, SeededSource(seed))
    for code in set(codes):
        kept = sum(chosen for c, chosen in zip(codes, mask, strict=True) if c == code)
        assert kept == min(most, codes.count(code))


def test_no_two_draws_of_a_release_are_the_same() -> None:
    persons = Persons(np.repeat(np.arange(50), 4), 50)
    source = SystemSource()
    person = Person("id", at_most=2)
    assert (persons.at_most(person, source) != persons.at_most(person, source)).any()


def test_groups_are_drawn_of_the_rows_in_some() -> None:
    persons = Persons(np.array([0, 0, 0, 1, 1, 1]), 2)
    groups = np.array([0, 1, 1, -1, 2, -1])
    for seed in range(20):
        read_ = persons.in_groups(groups, 1, SeededSource(seed)).tolist()
        assert read_[3:] == [False, True, False]
        assert read_[:3] in ([True, False, False], [False, True, True])
    assert persons.in_groups(groups, 2, SeededSource(1)).tolist() == (groups >= 0).tolist()
    assert not persons.in_groups(np.full(6, -1), 1, SeededSource(1)).any()


def test_more_rows_than_declared_can_be_refused_whatever_is_read() -> None:
    persons = Persons(np.array([0, 0, 1]), 2)
    for among in (None, np.array([True, False, True])):
        with pytest.raises(TooManyRowsError, match=r"^Somebody has more than 1 rows of one id,"):
            persons.at_most(Person("id", 1, "refuse"), SeededSource(1), among)
    person = Person("id", 2, "refuse")
    assert persons.at_most(person, SeededSource(1)).all()
