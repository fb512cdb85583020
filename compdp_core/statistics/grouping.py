"""The same statistic for each group of a public list.

The groups share no row. So under *add or remove one* a row changes one group's answer, and all of
them together cost one ε. Under *replace one* the old row may lie in one group and the new one in
another: two answers change, and all together cost 2 ε (McSherry 2009, theorem 4, holds for the
first notion only). The ledger counts it so.

Where a person has several rows, each person is read in at most ``g`` groups: as many answers change
where a person appears or disappears, and twice as many where one is replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from compdp_core.accounting import Amount, Group, exact, read_as
from compdp_core.adjacency import Neighbours
from compdp_core.errors import ParameterError
from compdp_core.statistics.errors import UnlistedCategoryError
from compdp_core.statistics.statistic import Selection
from compdp_core.validation import one_of, text

if TYPE_CHECKING:
    from compdp_core.tables import Table


@dataclass(frozen=True)
class Grouping:
    """A column whose categories are known without looking at the data.

    >>> classes = Grouping("class", ("9a", "9b"))
    >>> [each.mask.tolist() for each in classes.selections(["9b", "9a", "9b"]).values()]
    [[False, True, False], [True, False, True]]
    """

    by: str
    """Name of the column."""
    categories: tuple[str, ...]
    """Its categories, from public knowledge, each once."""
    unlisted: Literal["refuse", "leave out"] = "leave out"
    """What to do with rows of other categories. To leave them out tells nothing. To refuse tells
    whoever hears of it that there are some, without any noise, and to answer that there are none:
    it is for lists of which that is known to everybody."""

    def __post_init__(self) -> None:
        text("by", self.by)
        object.__setattr__(self, "categories", _texts(self.categories))
        if not self.categories:
            raise ParameterError("categories", (), "must name at least one category")
        if len(set(self.categories)) < len(self.categories):
            twice = max(self.categories, key=self.categories.count)
            raise ParameterError("categories", twice, "must name each category once")
        one_of("unlisted", self.unlisted, ("refuse", "leave out"))

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
        if self.unlisted == "refuse" and (index < 0).any():
            raise UnlistedCategoryError(self.by, self.categories)
        return {
            category: Selection(index == position, f'{self.by} == "{category}"')
            for category, position in positions.items()
        }

    def group(self, category: str, table: Table, draw: str = "") -> Group:
        """How the ledger names one group of the table's rows.

        Groups share no row where the same rows were read the same way. Read in another encoding, a
        row has another text in its cell, and may lie in a group of another name, too. ``draw``
        names the draw of the groups in which each person is read, where there are persons.
        """
        if category not in self.categories:
            raise ParameterError("category", category, "must be in the list of categories")
        return Group(self.by, category, read_as(table, self.by), draw)

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


def _texts(categories: object) -> tuple[str, ...]:
    if isinstance(categories, list | tuple) and all(isinstance(each, str) for each in categories):
        return tuple(categories)
    raise ParameterError("categories", categories, "must be a list of texts")
