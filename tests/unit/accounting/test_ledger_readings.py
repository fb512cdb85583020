"""Groups cost what the dearest ones do only where it is certain that they share no row."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from compdp_core.accounting import Ledger, Neighbours, Spend, read_as
from compdp_core.statistics import Grouping
from compdp_core.tables import Table, read

# One byte of a cell is another letter in each encoding, and an a is an a in both.
ENCODINGS = ("cp1252", "cp437")
ROWS = [cell + b",%d\n" % value for cell in (b"\xe4", b"\xf6", b"a") for value in (0, 1)]
BYTES = [rows for n in (1, 2) for rows in itertools.combinations_with_replacement(range(6), n)]
# Each group by its encoding and the cell that lies in it: six of them, two share every row.
GROUPS = list(itertools.product(ENCODINGS, (b"\xe4", b"\xf6", b"a")))


@cache
def table(rows: tuple[int, ...], encoding: str) -> Table:
    return read(b"class,n\n" + b"".join(ROWS[row] for row in rows), encoding=encoding)


def spend(encoding: str, cell: bytes, notion: Neighbours) -> Spend:
    """A release about one group of the table of one row of each cell."""
    at_hand, name = table((0, 2), encoding), cell.decode(encoding)
    group = Grouping("class", (name,), "leave out").group(name, at_hand)
    return Spend(
        "n", "statistic", at_hand.fingerprint, ["class"], 1, group=group, neighbours=notion
    )


@cache
def seen(rows: tuple[int, ...], encoding: str, cell: bytes) -> Counter[int]:
    """The rows that a release about a group reads, as the library picks them."""
    name = cell.decode(encoding)
    found = Grouping("class", (name,), "leave out").selections(table(rows, encoding).texts(0))
    return Counter(row for row, chosen in zip(rows, found[name].mask, strict=True) if chosen)


def neighbours(notion: Neighbours) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    changes = (1, 1) if notion is Neighbours.REPLACE_ONE else (0, 1)
    return [
        (one, two)
        for one, two in itertools.product(BYTES, repeat=2)
        if ((Counter(one) - Counter(two)).total(), (Counter(two) - Counter(one)).total()) == changes
    ]


def worst(asked: tuple[tuple[str, bytes], ...], notion: Neighbours) -> int:
    """The largest joint loss: 1 for each release that does not read the same rows of both."""
    return max(
        sum(seen(one, *each) != seen(two, *each) for each in asked)
        for one, two in neighbours(notion)
    )


def charged(spends: list[Spend]) -> Fraction:
    return Ledger().charge(*spends).total_by_dataset(spends[0].dataset)


@pytest.mark.parametrize("notion", list(Neighbours))
def test_no_reading_of_a_file_gives_more_away_than_is_charged(notion: Neighbours) -> None:
    """Every one to three releases about groups, over every pair of neighbours of up to two rows."""
    twins_caught = exact = 0
    for n in (1, 2, 3):
        for asked in itertools.combinations_with_replacement(GROUPS, n):
            spends = [spend(*each, notion) for each in asked]
            loss, cost = worst(asked, notion), charged(spends)
            assert cost >= loss, asked
            if len({encoding for encoding, _ in asked}) == 1:
                assert cost == loss, asked
                exact += 1
            # Broken twin: groups of one name of column, whatever was read.
            twin = [_by_name_alone(each) for each in spends]
            twins_caught += charged(twin) < loss
    assert exact == 2 * (3 + 6 + 10)
    assert twins_caught


def _by_name_alone(spend: Spend) -> Spend:
    assert spend.group is not None
    return replace(spend, group=replace(spend.group, read_as=""))


def test_the_same_reading_is_the_same_whether_found_or_said() -> None:
    content = b"class;n\n\xe4;1\n"
    found = read(content)
    form = found.format
    said = read(content, encoding=form.encoding, separator=form.separator, decimal=form.decimal)
    assert read_as(said, "class") == read_as(found, "class")
    others = [
        read_as(said, "n"),
        read_as(read(content, encoding="cp437"), "class"),
        read_as(read(content, missing=("1",)), "class"),
        read_as(read(content + b"a;2\n"), "class"),
        read_as(read(content + b"a;2\n").without([1]), "class"),
    ]
    assert len({read_as(found, "class"), *others}) == 6
