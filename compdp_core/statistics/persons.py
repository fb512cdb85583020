"""What a statistic reads of each person: some rows, or one value made of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from compdp_core.adjacency import PerPerson, Person
from compdp_core.intervals import Interval
from compdp_core.randomness import Source, SystemSource, checked
from compdp_core.tables import Table
from compdp_core.tables.contributions import Mask, persons_of
from compdp_core.tables.sameness import Codes


def bounded(
    table: Table,
    person: Person,
    per_person: PerPerson,
    groups: Sequence[Mask],
    rules: Sequence[Mask],
    source: Source | None,
) -> Mask:
    """Which rows are read of those that meet all rules: so many of each person.

    First the groups of a person, where there are ``groups``, then the rows over all of these: with
    so many rows in each group, more would be read than sensitivity and cost allow.

    Raises :class:`~compdp_core.tables.contributions.TooManyRowsError` where more are refused.
    """
    persons = persons_of(table, person.by)
    persons.check(person)
    words = SystemSource() if source is None else checked(source)
    read = np.ones(table.row_count, dtype=np.bool_)
    for mask in rules:
        read &= mask
    if groups:
        place = np.full(table.row_count, -1)
        for at, rows in enumerate(groups):
            place[rows & read] = at
        read = persons.in_groups(place, person.groups, words)
    return persons.at_most(person, words, read) if per_person == "rows" else read


def one_each(
    values: NDArray[np.float64],
    missing: Mask,
    codes: Codes,
    kind: Literal["total", "mean"],
    bounds: Interval | None,
) -> NDArray[np.float64]:
    """The total or the mean of each person there is, in order of their ``codes``.

    Made of that person's values alone; the middle of the bounds for one without any.

    >>> values, missing = np.array([8.0, 4, 2, 0]), np.array([False, False, False, True])
    >>> one_each(values, missing, np.array([5, 5, 0, 2]), "mean", Interval(0, 6)).tolist()
    [2.0, 3.0, 5.0]
    """
    there = np.bincount(codes) > 0
    counts = np.bincount(codes[~missing], minlength=len(there))
    middle = 0.0
    if bounds is not None:
        middle = bounds.midpoint
        if kind == "mean":
            values = bounds.clamp(values)
    # Added up one after the other: no other person's values have a say in the rounding.
    totals = np.bincount(codes[~missing], values[~missing], minlength=len(there))
    parts = np.maximum(counts, 1) if kind == "mean" else 1
    made: NDArray[np.float64] = np.where(counts > 0, totals / parts, middle)[there]
    return made
