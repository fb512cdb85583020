r"""What several releases on the same rows cost together.

Sequential: releases that may use every row add up. Parallel: releases on disjoint groups of one
public grouping, of the same rows read the same way, are charged by what a single change can reach
(McSherry, *Privacy Integrated Queries*, SIGMOD 2009, theorem 4). Which groups that is depends on
the neighbour notion:

* add or remove one: the row lies in one group, so the cost is the largest group total;
* replace one: the old row leaves group ``g`` and the new one enters group ``h``. With ``r_g`` the
  costs stated for a replacement and ``s_g`` those stated for an addition or removal, moving costs
  ``(r_g + s_g) + (r_h + s_h)`` and staying in ``g`` costs ``r_g + 2 s_g``. The cost is the largest
  over all pairs and groups.

Outside groups, a release stated for addition or removal counts twice once the dataset also has a
release stated for replacement, since a replacement is one removal and one addition.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from compdp_core.accounting.spend import Spend
from compdp_core.adjacency import Neighbours

_ZERO = Fraction(0)


def protects(spends: Iterable[Spend]) -> Neighbours:
    """The strongest neighbour notion for which these releases have a joint finite cost."""
    notions = {spend.neighbours for spend in spends}
    if notions == {Neighbours.ADD_OR_REMOVE_ONE}:
        return Neighbours.ADD_OR_REMOVE_ONE
    return Neighbours.REPLACE_ONE


def total(spends: Iterable[Spend], notion: Neighbours | None = None) -> Fraction:
    """Cost of all ``spends`` on one dataset, under ``notion`` (default: as :func:`protects`)."""
    releases = tuple(spends)
    return _Sum.of(releases, protects(releases) if notion is None else notion).value


def running(spends: Iterable[Spend]) -> list[Fraction]:
    """:func:`total` of the first, the first two, … of the ``spends`` on one dataset."""
    releases, totals = tuple(spends), []
    so_far = _Sum(Neighbours.ADD_OR_REMOVE_ONE)
    for count, spend in enumerate(releases, start=1):
        if spend.neighbours is not so_far.notion and so_far.notion is not Neighbours.REPLACE_ONE:
            so_far = _Sum.of(releases[: count - 1], Neighbours.REPLACE_ONE)
        so_far.add(spend)
        totals.append(so_far.value)
    return totals


def room(spends: Iterable[Spend], asked: Spend, limit: Fraction) -> Fraction:
    """The largest ε at which ``asked`` could join ``spends`` without passing ``limit``, or 0."""
    releases = tuple(spends)
    notion = protects((*releases, asked))
    spent = total(releases, notion)
    if spent > limit:
        return _ZERO
    if asked.group is None:
        return (limit - spent) / _changes(asked, notion)
    rule = asked.group.rule
    grouping = _GroupCosts(notion)
    for spend in releases:
        if spend.group is not None and spend.group.rule == rule:
            grouping.add(spend.group.value, spend)
    left_for_grouping = limit - (spent - grouping.total())
    return max(grouping.room(asked.group.value, asked, left_for_grouping), _ZERO)


def _changes(spend: Spend, notion: Neighbours) -> int:
    """How many changes of the spend's own kind one change of kind ``notion`` is worth."""
    return 1 if spend.neighbours is notion else 2


class _Sum:
    """The cost of releases under one notion, as they come: one step each, however many."""

    def __init__(self, notion: Neighbours) -> None:
        self.notion = notion
        self.value = _ZERO
        self._groupings: dict[tuple[str, str, str], _GroupCosts] = {}

    @classmethod
    def of(cls, spends: Iterable[Spend], notion: Neighbours) -> _Sum:
        result = cls(notion)
        for spend in spends:
            result.add(spend)
        return result

    def add(self, spend: Spend) -> None:
        if spend.group is None:
            self.value += spend.epsilon * _changes(spend, self.notion)
            return
        tally = self._groupings.setdefault(spend.group.rule, _GroupCosts(self.notion))
        before = tally.total()
        tally.add(spend.group.value, spend)
        self.value += tally.total() - before


class _GroupCosts:
    """Per group of one grouping: the cost to a row that moves in or out, and to one replaced
    within it. Costs only grow, so the dearest ones are remembered as they come.
    """

    def __init__(self, notion: Neighbours) -> None:
        self.notion = notion
        self.moving: dict[str, Fraction] = {}
        self.staying: dict[str, Fraction] = {}
        self.dearest = ""
        self.first = self.second = self.longest = _ZERO

    def add(self, name: str, spend: Spend) -> None:
        cost = self.moving[name] = self.moving.get(name, _ZERO) + spend.epsilon
        stay = self.staying.get(name, _ZERO) + spend.epsilon * _changes(spend, self.notion)
        self.staying[name] = stay
        self.longest = max(self.longest, stay)
        if name == self.dearest:
            self.first = cost
        elif cost > self.first:
            self.dearest, self.first, self.second = name, cost, self.first
        else:
            self.second = max(self.second, cost)

    def total(self) -> Fraction:
        if self.notion is Neighbours.ADD_OR_REMOVE_ONE:
            return self.first
        return max(self.first + self.second, self.longest)

    def room(self, name: str, asked: Spend, left: Fraction) -> Fraction:
        """The largest ε at which ``asked`` could join that group, whose grouping has ``left``."""
        moving = left - self.moving.get(name, _ZERO)
        if self.notion is Neighbours.ADD_OR_REMOVE_ONE:
            return moving
        elsewhere = self.second if name == self.dearest else self.first
        staying = (left - self.staying.get(name, _ZERO)) / _changes(asked, self.notion)
        return min(moving - elsewhere, staying)
