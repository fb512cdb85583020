r"""What several releases on the same rows cost together.

Sequential: releases that may use every row add up. Parallel: releases on disjoint groups of one
public grouping, of the same rows read the same way, are charged by what a single change can reach
(McSherry, *Privacy Integrated Queries*, SIGMOD 2009, theorem 4). Which groups that is depends on
the neighbour notion. With :math:`r_i` the costs of group ``i`` that are stated for a replacement
and :math:`s_i` those for an addition or removal, and where a row or a person is read in at most
``g`` groups (a row in one):

* add or remove one: the cost is the sum of the ``g`` largest :math:`s_i`;
* replace one: the old one leaves ``g`` groups and the new one enters ``g``. A group that one of
  them is in costs :math:`r_i + s_i`, one that both are in :math:`r_i + 2 s_i`. The second of them
  never adds more than the first, so the cost is the sum of the ``2g`` largest among all
  :math:`r_i + s_i` and :math:`s_i`, and any ``2g`` can be reached: what is chosen twice goes to
  both, the others are shared out.

Outside groups, a release stated for addition or removal counts twice once the dataset also has a
release stated for replacement, since a replacement is one removal and one addition.

Persons: once a release is stated for persons, the total is what a person with at most ``k`` rows
may lose, ``k`` being the most that releases for persons told by the same columns allow. Their costs
compose as above. Whatever is stated for one row counts for each of the ``k``: changing them one
after the other costs ``k`` times what one change costs. One row may also leave one person of
another kind and enter a second one, so a release for those counts as one for a row at twice its ε,
whatever its groups. Persons told by the same columns are of two kinds where these were read in two
ways: ``"7"`` and ``7`` are one person, or two where quotes are ordinary characters. Of several
kinds of persons the dearest counts: the total holds for each of them. Nothing follows for somebody
with more rows from releases stated for one row, nor, where one of them is stated for a replacement,
for a person who is replaced by one with more or fewer rows. A row is taken for one row in every
reading of a file.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from compdp_core.accounting.spend import Spend
from compdp_core.adjacency import Neighbours, Person

_ZERO = Fraction(0)


@dataclass(frozen=True)
class Change:
    """What a total is stated for: how one row changes, or one person of each kind."""

    neighbours: Neighbours
    kinds: tuple[tuple[Person, str], ...] = ()
    """Of persons, told by their columns in any order and by how these were read, with the most rows
    that any release allows whoever is told by these columns; none where all is for one row."""

    @classmethod
    def of(cls, spends: Iterable[Spend]) -> Change:
        """The strongest for which these releases have a joint finite cost."""
        notions, persons = set(), dict[frozenset[str], Person]()
        kinds = dict[tuple[frozenset[str], str], None]()
        for spend in spends:
            notions.add(spend.neighbours)
            if (one := spend.person) is not None:
                known = persons.setdefault(frozenset(one.by), Person(one.by, one.at_most))
                if one.at_most > known.at_most:
                    persons[frozenset(one.by)] = Person(known.by, one.at_most)
                kinds[spend.whose] = None
        removed = notions == {Neighbours.ADD_OR_REMOVE_ONE}
        notion = Neighbours.ADD_OR_REMOVE_ONE if removed else Neighbours.REPLACE_ONE
        return cls(notion, tuple((persons[by], read_as) for by, read_as in kinds))

    @property
    def persons(self) -> tuple[Person, ...]:
        """One for the same columns, in however many ways they were read."""
        return tuple(dict.fromkeys(person for person, _ in self.kinds))


def total(spends: Iterable[Spend], change: Change | None = None) -> Fraction:
    """Cost of all ``spends`` on one dataset, of a ``change`` (default: as :meth:`Change.of`)."""
    releases = tuple(spends)
    return _Sum.of(releases, Change.of(releases) if change is None else change).value


def running(spends: Iterable[Spend]) -> list[Fraction]:
    """:func:`total` of the first, the first two, … of the ``spends`` on one dataset."""
    releases, totals = tuple(spends), []
    so_far = _Sum(Change(Neighbours.ADD_OR_REMOVE_ONE))
    for count, spend in enumerate(releases, start=1):
        if spend.neighbours is not so_far.notion and so_far.notion is not Neighbours.REPLACE_ONE:
            so_far = _Sum.of(releases[: count - 1], Change(Neighbours.REPLACE_ONE))
        so_far.add(spend)
        totals.append(so_far.value)
    return totals


def room(spends: Iterable[Spend], asked: Spend, limit: Fraction) -> Fraction:
    """The largest ε at which ``asked`` could join ``spends`` without passing ``limit``, or 0."""
    releases = tuple(spends)
    return _Sum.of(releases, Change.of((*releases, asked))).room(asked, limit)


def _changes(spend: Spend, notion: Neighbours) -> int:
    """How many changes of the spend's own kind one change of kind ``notion`` is worth."""
    return 1 if spend.neighbours is notion else 2


class _Sum:
    """The cost of releases under one notion, as they come: one step each, however many."""

    def __init__(self, change: Change) -> None:
        self.notion = change.neighbours
        self._rows = _Costs(self.notion)
        self._kinds: dict[tuple[frozenset[str], str], _Kind] = {}
        self._at_most: dict[frozenset[str], int] = {}
        self._crossing = _ZERO
        for person, read_as in change.kinds:
            self._kind(person, read_as)

    @classmethod
    def of(cls, spends: Iterable[Spend], change: Change) -> _Sum:
        result = cls(change)
        for spend in spends:
            result.add(spend)
        return result

    def add(self, spend: Spend) -> None:
        if spend.person is None:
            self._rows.add(spend)
            return
        kind = self._kind(spend.person, spend.persons_read_as)
        crossing = self._row_cost(spend) * spend.epsilon
        kind.own.add(spend)
        kind.crossing += crossing
        self._crossing += crossing

    @property
    def value(self) -> Fraction:
        each = (
            kind.own.value + self._at_most[by] * self._a_row(kind)
            for (by, _), kind in self._kinds.items()
        )
        return max(each, default=self._rows.value)

    def room(self, asked: Spend, limit: Fraction) -> Fraction:
        """The largest ε at which ``asked`` could join, or 0; its kind of persons counts already."""
        if self.value > limit:
            return _ZERO
        # What a row may cost for each kind of persons, beyond what it costs as it is.
        of_row = {
            whose: (limit - kind.own.value) / self._at_most[whose[0]] - self._a_row(kind)
            for whose, kind in self._kinds.items()
        }
        if asked.person is None:
            spare = min(of_row.values(), default=limit - self._rows.value)
            return max(self._rows.room(asked, self._rows.value + spare), _ZERO)
        whose = asked.whose
        kind = self._kinds[whose]
        own = kind.own.room(asked, limit - self._at_most[whose[0]] * self._a_row(kind))
        others = (spare / self._row_cost(asked) for each, spare in of_row.items() if each != whose)
        return max(min((own, *others)), _ZERO)

    def _row_cost(self, spend: Spend) -> int:
        """How often a release for persons counts for a row that leaves one and enters another."""
        return 2 * _changes(spend, self.notion)

    def _a_row(self, kind: _Kind) -> Fraction:
        """What one row of such a person costs: all releases but those for its own kind."""
        return self._rows.value + self._crossing - kind.crossing

    def _kind(self, person: Person, read_as: str) -> _Kind:
        by = frozenset(person.by)
        self._at_most[by] = max(self._at_most.get(by, 1), person.at_most)
        return self._kinds.setdefault((by, read_as), _Kind(_Costs(self.notion)))


@dataclass
class _Kind:
    """Releases for one kind of persons."""

    own: _Costs
    crossing: Fraction = field(default=_ZERO)
    """What they cost together for one row that changes persons."""


class _Costs:
    """The cost of releases that are all for one row, or all for one kind of persons."""

    def __init__(self, notion: Neighbours) -> None:
        self.notion = notion
        self.value = _ZERO
        self._groupings: dict[object, _GroupCosts] = {}

    def add(self, spend: Spend) -> None:
        if spend.group is None:
            self.value += spend.epsilon * _changes(spend, self.notion)
            return
        tally = self._grouping(spend)
        before = tally.value
        tally.add(spend.group.value, spend)
        self.value += tally.value - before

    def room(self, asked: Spend, left: Fraction) -> Fraction:
        """The largest ε at which ``asked`` could join while all cost ``left`` at most."""
        if asked.group is None:
            return (left - self.value) / _changes(asked, self.notion)
        tally = self._grouping(asked)
        return tally.room(asked.group.value, asked, left - (self.value - tally.value))

    def _grouping(self, spend: Spend) -> _GroupCosts:
        groups = 1 if spend.person is None else spend.person.groups
        # What reads a person in another number of groups was drawn anew, whatever it says.
        key = None if spend.group is None else spend.group.rule, groups
        return self._groupings.setdefault(key, _GroupCosts(self.notion, groups))


class _GroupCosts:
    """Per group of one grouping: the cost where a change leaves or enters it, and what it costs
    more where it does both. Costs only grow, so the largest are kept in order as they come.
    """

    def __init__(self, notion: Neighbours, groups: int) -> None:
        self.notion = notion
        self.most = groups if notion is Neighbours.ADD_OR_REMOVE_ONE else 2 * groups
        self.value = _ZERO
        self._moving: dict[str, Fraction] = {}
        self._again: dict[str, Fraction] = {}
        self._ordered: list[Fraction] = []

    def add(self, name: str, spend: Spend) -> None:
        self._grow(self._moving, name, spend.epsilon)
        if spend.neighbours is not self.notion:
            self._grow(self._again, name, spend.epsilon)

    def room(self, name: str, asked: Spend, left: Fraction) -> Fraction:
        """The largest ε at which ``asked`` could join that group, whose grouping has ``left``."""
        costs = (self._moving.items(), self._again.items())
        elsewhere = sorted((cost for of in costs for group, cost in of if group != name))
        largest = elsewhere[::-1]
        moving = left - self._moving.get(name, _ZERO)
        once = moving - sum(largest[: self.most - 1])
        if self.most == 1:
            return once
        twice = moving - self._again.get(name, _ZERO) - sum(largest[: self.most - 2])
        return min(once, twice / _changes(asked, self.notion))

    def _grow(self, costs: dict[str, Fraction], name: str, by: Fraction) -> None:
        before = costs.get(name)
        after = costs[name] = by + (before or _ZERO)
        if before is not None:
            place, first = bisect_left(self._ordered, before), self._first(len(self._ordered))
            if place >= first:
                self.value += (self._ordered[first - 1] if first else _ZERO) - before
            del self._ordered[place]
        insort(self._ordered, after)
        first = self._first(len(self._ordered))
        if bisect_left(self._ordered, after) >= first:
            self.value += after - (self._ordered[first - 1] if first else _ZERO)

    def _first(self, count: int) -> int:
        """The place of the first of so many, in order, that counts."""
        return max(count - self.most, 0)
