"""Contribution bounding: which rows are one person's, and at most so many of them, drawn at random.

What is drawn depends on whose rows they are and on nothing else that stands in them. Each person's
rows are chosen without a look at anybody else's, so one person's change is bounded for all of a
release, whatever was drawn for the others.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from compdp_core.adjacency import Person
from compdp_core.errors import ParameterError, TableError
from compdp_core.randomness import Source
from compdp_core.tables.errors import some
from compdp_core.tables.sameness import Codes, same_texts
from compdp_core.tables.table import Table

Mask = NDArray[np.bool_]

_MOST_NAMED = 20


class TooManyRowsError(TableError):
    """Somebody has more rows than the person's declaration allows, and was to be refused.

    Who it is and how many rows there are stays unsaid. Attributes: ``by``, ``at_most``.
    """

    def __init__(self, person: Person) -> None:
        self.by = person.by
        self.at_most = person.at_most
        super().__init__(
            f"Somebody has more than {person.at_most} rows of one {person.text}, and such a table "
            "is to be refused. Allow more rows for a person, or have the rows beyond left out."
        )


@dataclass(frozen=True, eq=False)
class Persons:
    """Whose each row is."""

    codes: Codes = field(repr=False)
    """One number a row, from 0, in order of first appearance; equal for rows of one person."""
    count: int
    """How many persons there are."""

    @cached_property
    def rows(self) -> Codes:
        """How many rows each person has."""
        return np.bincount(self.codes, minlength=self.count)

    def check(self, person: Person) -> None:
        """Raise :class:`TooManyRowsError` where more rows of somebody are to be refused."""
        # Of the whole table: no condition has a say in it.
        if person.beyond == "refuse" and (self.rows > person.at_most).any():
            raise TooManyRowsError(person)

    def at_most(self, person: Person, source: Source, among: Mask | None = None) -> Mask:
        """Rows, of those ``among``, that are read: of each person ``person.at_most`` at random.

        Raises :class:`TooManyRowsError` where more are to be refused.
        """
        codes = self.codes if among is None else self.codes[among]
        if person.beyond == "refuse":
            self.check(person)
            chosen = np.ones(len(codes), dtype=np.bool_)
        else:
            chosen = drawn(codes, person.at_most, source)
        if among is None:
            return chosen
        read = among.copy()
        read[among] = chosen
        return read

    def in_groups(self, groups: Codes, most: int, source: Source) -> Mask:
        """Rows that are read in any group: of each person those in ``most`` groups at random.

        ``groups``: the number of each row's group, from 0, and -1 where a row is in none.
        """
        inside = groups >= 0
        read: Mask = np.zeros(len(groups), dtype=np.bool_)
        if not inside.any():
            return read
        many = int(groups.max()) + 1
        pairs, place = np.unique(self.codes[inside] * many + groups[inside], return_inverse=True)
        read[inside] = drawn(pairs // many, most, source)[place]
        return read


def drawn(codes: Codes, most: int, source: Source) -> Mask:
    """At most ``most`` entries of each code, every choice of so many equally likely.

    >>> from compdp_core.randomness import SeededSource
    >>> mask = drawn(np.array([0, 0, 0, 1]), 2, SeededSource(1))
    >>> int(mask[:3].sum()), bool(mask[3])
    (2, True)
    """
    read = np.ones(len(codes), dtype=np.bool_)
    if not len(codes):
        return read
    crowded = np.flatnonzero(np.bincount(codes)[codes] > most)
    if not len(crowded):
        return read
    owners = codes[crowded]
    order = _shuffled(owners, source)
    owners = owners[order]
    first = np.flatnonzero(np.append(True, owners[1:] != owners[:-1]))
    sizes = np.diff(np.append(first, len(owners)))
    rank = np.arange(len(owners)) - np.repeat(first, sizes)
    read[crowded[order[rank >= most]]] = False
    return read


def _shuffled(owners: Codes, source: Source) -> Codes:
    """Their order by owner, each owner's entries in random order."""
    words, bits = source.words(len(owners)), int(owners.max()).bit_length()
    if bits:
        keys = (owners.astype(np.uint64) << np.uint64(64 - bits)) | (words >> np.uint64(bits))
        order = np.argsort(keys)
        if (np.diff(keys[order]) > 0).all():
            return order
    # Equal keys would stand in the order of their rows: all bits of the words tell them apart.
    return np.lexsort((words, owners))


def persons_of(table: Table, by: Sequence[str]) -> Persons:
    """Whose each row of a table is, by the texts of these columns.

    Raises :class:`ParameterError` for a label that names no column.
    """
    labels = tuple(by)
    with _LOCK:
        known = _KNOWN.setdefault(table, {})
    if labels not in known:
        known[labels] = _found(table, labels)
    return known[labels]


_KNOWN: WeakKeyDictionary[Table, dict[tuple[str, ...], Persons]] = WeakKeyDictionary()
_LOCK = threading.Lock()


def _found(table: Table, labels: tuple[str, ...]) -> Persons:
    places = {column.label: column.position for column in table.columns}
    for label in labels:
        if label not in places:
            what = f"names no column of this table, which has {some(list(places), _MOST_NAMED)}"
            raise ParameterError("person", label, what)
    return Persons(*same_texts(table, [places[label] for label in labels]))
