"""The same statistic for each group of a public list.

The groups share no row. So under *add or remove one* a row changes one group's answer, and all of
them together cost one ε. Under *replace one* the old row may lie in one group and the new one in
another: two answers change, and all together cost 2 ε (McSherry 2009, theorem 4, holds for the
first notion only). The ledger counts it so.

Where a person has several rows, each person is read in at most ``g`` groups: as many answers change
where a person appears or disappears, and twice as many where one is replaced.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from compdp_core.accounting import Amount, Group, exact, read_as
from compdp_core.adjacency import Neighbours
from compdp_core.errors import ParameterError
from compdp_core.statistics.cells import place_of, texts
from compdp_core.statistics.errors import UnlistedCategoryError
from compdp_core.statistics.statistic import Selection
from compdp_core.tables.value_formats import UnwritableError, ValueFormat
from compdp_core.tables.value_formats.bounds import WHAT, end_in
from compdp_core.text import number as number_of
from compdp_core.validation import of, one_of, setting, text

if TYPE_CHECKING:
    from compdp_core.tables import Table


@dataclass(frozen=True)
class Grouping:
    """A column whose categories, or bins, are known without looking at the data.

    >>> classes = Grouping("class", ("9a", "9b"))
    >>> [each.mask.tolist() for each in classes.selections(["9b", "9a", "9b"]).values()]
    [[False, True, False], [True, False, True]]
    >>> Grouping("age", edges=(0, 18, 65, 120)).categories
    ('[0, 18)', '[18, 65)', '[65, 120]')
    """

    by: str
    """Name of the column."""
    categories: tuple[str, ...] = ()
    """Its categories, from public knowledge, each once; of bins their names, which may be left
    out."""
    unlisted: Literal["refuse", "leave out"] = "leave out"
    """What to do with rows of other categories. To leave them out tells nothing. To refuse tells
    whoever hears of it that there are some, without any noise, and to answer that there are none:
    it is for lists of which that is known to everybody."""
    edges: tuple[float, ...] = ()
    """Of bins of a column of numbers: where they begin and end, rising. Each holds its lower edge,
    the last one both. Of a column with a ``format`` in its steps, or as the bounds of one."""
    format: ValueFormat | None = field(
        default=None, metadata={"instead": "the cells are read as numbers"}
    )
    """How the cells of a column of bins are written, where they are no plain numbers."""

    def __post_init__(self) -> None:
        text("by", self.by)
        object.__setattr__(self, "categories", _texts(self.categories))
        self._set_edges()
        if not self.categories:
            raise ParameterError("categories", (), "must name at least one category")
        if len(set(self.categories)) < len(self.categories):
            twice = max(self.categories, key=self.categories.count)
            raise ParameterError("categories", twice, "must name each category once")
        one_of("unlisted", self.unlisted, ("refuse", "leave out"))

    def _set_edges(self) -> None:
        if self.format is not None:
            of("format", self.format, ValueFormat, "must be a ValueFormat, or left out")
        edges = tuple(_edge(edge, self.format) for edge in _listed(self.edges))
        object.__setattr__(self, "edges", edges)
        if not edges:
            return
        if len(edges) < 2 or not all(a < b for a, b in pairwise(edges)):
            raise ParameterError("edges", edges, "must be two or more that rise")
        shown = number_of if self.format is None else self.format.text
        try:
            ends = [shown(edge) for edge in edges]
        except UnwritableError as error:
            raise ParameterError("edges", self.edges, f"must be within {error}") from None
        if len(set(ends)) < len(ends):
            raise ParameterError("edges", edges, "must be written in different ways")
        names = [f"[{a}, {b})" for a, b in pairwise(ends)]
        names[-1] = names[-1][:-1] + "]"
        if self.categories not in ((), tuple(names)):
            raise ParameterError("categories", self.categories, "must be left out for bins")
        object.__setattr__(self, "categories", tuple(names))

    def read(self, table: Table) -> dict[str, Selection]:
        """For each category, in the order of the list, the rows of a table that have it.

        Raises :class:`ParameterError` where the table has no such column.
        """
        if not self.edges:
            return self.selections(texts(table, self.by, "grouping"))
        column = place_of(table, self.by, "grouping")
        numbers = (
            table.readings(column) if self.format is None else table.values(column, self.format)
        )
        return self.bins(numbers.values)

    def bins(self, values: NDArray[np.float64]) -> dict[str, Selection]:
        """For each bin the rows whose number lies in it; NaN lies in none.

        >>> ages = Grouping("age", edges=(0, 18, 65))
        >>> [each.mask.tolist() for each in ages.bins(np.array([17.0, 18, 65, np.nan])).values()]
        [[True, False, False, False], [False, True, True, False]]
        """
        edges = np.array(self.edges)
        place = np.searchsorted(edges, values, side="right") - 1
        place[values == edges[-1]] = len(edges) - 2
        place[~((values >= edges[0]) & (values <= edges[-1]))] = -1
        return self._selected(place)

    def selections(self, labels: Sequence[Any] | NDArray[Any]) -> dict[str, Selection]:
        """For each category, in the order of the list, the rows that have it.

        A category without rows is kept. Where other rows are to be refused, raises
        :class:`UnlistedCategoryError`, which does not say which category, row or number.
        """
        positions = {category: index for index, category in enumerate(self.categories)}
        index = np.fromiter(
            (positions.get(label, -1) if isinstance(label, str) else -1 for label in labels),
            dtype=np.int64,
            count=len(labels),
        )
        return self._selected(index)

    def _selected(self, index: NDArray[np.int64]) -> dict[str, Selection]:
        if self.unlisted == "refuse" and (index < 0).any():
            raise UnlistedCategoryError(self.by, self.categories)
        return {
            category: Selection(index == position, self.rule(category))
            for position, category in enumerate(self.categories)
        }

    def rule(self, category: str) -> str:
        """Which rows one of the categories has, in words."""
        return f"{self.by} in {category}" if self.edges else f'{self.by} == "{category}"'

    def group(self, category: str, table: Table, draw: str = "") -> Group:
        """How the ledger names one group of the table's rows.

        Groups share no row where the same rows were read the same way. Read in another encoding, a
        row has another text in its cell, and may lie in a group of another name, too. ``draw``
        names the draw of the groups in which each person is read, where there are persons.
        """
        if category not in self.categories:
            raise ParameterError("category", category, "must be in the list of categories")
        # Bins of other edges, or of another format, may share rows with these.
        bins = (self.edges, self.format) if self.edges else ()
        return Group(self.by, category, read_as(table, self.by, *bins), draw)

    def changed(self, neighbours: Neighbours, groups: int = 1) -> int:
        """How many answers one change can reach, where a row or a person is in so many groups."""
        return min(groups * (2 if neighbours.n_is_public else 1), len(self.categories))

    def cost(self, epsilon: Amount, neighbours: Neighbours, groups: int = 1) -> Fraction:
        """ε of one release per category at ``epsilon`` each.

        ``groups``: in how many of them a row is (one), or a person is read at most.

        >>> classes = Grouping("class", ("9a", "9b", "9c"))
        >>> classes.cost(0.5, Neighbours.REPLACE_ONE), classes.cost(0.5, Neighbours.REPLACE_ONE, 2)
        (Fraction(1, 1), Fraction(3, 2))
        """
        return self.changed(neighbours, groups) * exact(epsilon)


def _edge(edge: object, form: ValueFormat | None) -> float:
    if form is None or form.kind not in WHAT:
        return setting("edges", edge)
    found = end_in(form.kind, edge, form, "edges")
    if found is None or not math.isfinite(found):
        raise ParameterError("edges", edge, f"must be {WHAT[form.kind]}")
    return found


def _listed(edges: object) -> tuple[Any, ...]:
    if isinstance(edges, list | tuple | np.ndarray):
        return tuple(edges)
    raise ParameterError("edges", edges, "must be a list of numbers")


def _texts(categories: object) -> tuple[str, ...]:
    if isinstance(categories, list | tuple) and all(isinstance(each, str) for each in categories):
        return tuple(categories)
    raise ParameterError("categories", categories, "must be a list of texts")
