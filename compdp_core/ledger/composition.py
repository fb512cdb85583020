r"""What several releases on the same rows cost together.

Sequential: releases that may use every row add up. Parallel: releases on disjoint groups of one
public grouping are charged by what a single change can reach (McSherry, *Privacy Integrated
Queries*, SIGMOD 2009, theorem 4). Which groups that is depends on the neighbour notion:

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
from dataclasses import dataclass
from fractions import Fraction

from compdp_core.ledger.spend import Spend
from compdp_core.neighbours import Neighbours

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
    if notion is None:
        notion = protects(releases)
    everywhere = (each.epsilon * _changes(each, notion) for each in releases if each.group is None)
    groupings = {each.group.by for each in releases if each.group is not None}
    return sum(everywhere, _ZERO) + sum(
        (_Grouping.of(releases, by, notion).total() for by in groupings), _ZERO
    )


def room(spends: Iterable[Spend], asked: Spend, limit: Fraction) -> Fraction:
    """The largest ε at which ``asked`` could join ``spends`` without passing ``limit``, or 0."""
    releases = tuple(spends)
    notion = protects((*releases, asked))
    spent = total(releases, notion)
    if spent > limit:
        return _ZERO
    if asked.group is None:
        return (limit - spent) / _changes(asked, notion)
    grouping = _Grouping.of(releases, asked.group.by, notion)
    left_for_grouping = limit - (spent - grouping.total())
    return max(grouping.room(asked, left_for_grouping), _ZERO)


def _changes(spend: Spend, notion: Neighbours) -> int:
    """How many changes of the spend's own kind one change of kind ``notion`` is worth."""
    return 1 if spend.neighbours is notion else 2


@dataclass(frozen=True)
class _Grouping:
    """Per group: the cost to a row that moves in or out, and to one replaced within it."""

    notion: Neighbours
    moving: dict[str, Fraction]
    staying: dict[str, Fraction]

    @classmethod
    def of(cls, spends: Iterable[Spend], by: str, notion: Neighbours) -> _Grouping:
        moving: dict[str, Fraction] = {}
        staying: dict[str, Fraction] = {}
        for spend in spends:
            if spend.group is not None and spend.group.by == by:
                name, epsilon = spend.group.value, spend.epsilon
                moving[name] = moving.get(name, _ZERO) + epsilon
                staying[name] = staying.get(name, _ZERO) + epsilon * _changes(spend, notion)
        return cls(notion, moving, staying)

    def total(self) -> Fraction:
        largest = sorted(self.moving.values(), reverse=True)
        if self.notion is Neighbours.ADD_OR_REMOVE_ONE:
            return max(largest, default=_ZERO)
        return max(sum(largest[:2], _ZERO), *self.staying.values(), _ZERO)

    def room(self, asked: Spend, left: Fraction) -> Fraction:
        assert asked.group is not None
        name = asked.group.value
        moving = left - self.moving.get(name, _ZERO)
        if self.notion is Neighbours.ADD_OR_REMOVE_ONE:
            return moving
        elsewhere = max((cost for each, cost in self.moving.items() if each != name), default=_ZERO)
        staying = (left - self.staying.get(name, _ZERO)) / _changes(asked, self.notion)
        return min(moving - elsewhere, staying)
