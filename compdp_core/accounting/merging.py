"""The releases of two ledgers, where both know some of them under labels of their own."""

from __future__ import annotations

import math
from collections.abc import Iterable

from compdp_core.accounting.identity import Keys, key_of
from compdp_core.accounting.refusals import LedgerTooLargeError
from compdp_core.accounting.spend import Spend

MOST_DIGITS = 300
"""Of the common denominator of all amounts: exact sums of finer ones would grow without end."""


def agreed(mine: Iterable[Spend], theirs: Iterable[Spend], keys: Keys) -> list[Spend]:
    """All of mine, and of theirs what is not among mine.

    A release in both, under two labels, tells that both are labels of one table. Where one of them
    is of a key that nobody has any more, as in a file to hand on, all go by the other one. Where
    the keys of both are there, the labels stay: the table itself will tell. Names that people gave
    are never taken for one another, nor are two labels that one key made: it made them of two
    tables. A grouping keeps its two labels: its groups then add up, which is never too little.
    So does what tells persons, who are then of two kinds. What is finished in one of them is.
    """
    known = {spend.id: spend for spend in mine}
    same: dict[str, str] = {}
    marks = keys.marks

    def final(label: str) -> str:
        while label in same:
            label = same[label]
        return label

    more = []
    for spend in theirs:
        twin = known.get(spend.id)
        if twin is None or not _alike(twin, spend):
            more.append(spend)
            continue
        if not spend.unfinished:
            known[spend.id] = twin.finished
        label, other = final(twin.dataset), final(spend.dataset)
        if label != other and not {key_of(label), key_of(other)} <= marks:
            same.update({label: other} if key_of(other) in marks else {other: label})
    everything = [*known.values(), *more]
    return [spend.renamed(lambda text, _: final(text)) for spend in everything]


def exactly_summable(spends: Iterable[Spend]) -> None:
    """Raise :class:`LedgerTooLargeError` where exact sums of the amounts would take too long."""
    common = 1
    for denominator in {spend.epsilon.denominator for spend in spends}:
        common = math.lcm(common, denominator)
        if common > 10**MOST_DIGITS:
            raise LedgerTooLargeError(
                "the amounts have no common denominator that is short enough to add them exactly"
            )


def _alike(one: Spend, other: Spend) -> bool:
    """Whether they are one release, but for labels of two keys and for the mark of a run."""
    one, other = one.finished, other.finished
    if one == other:
        return True
    pairs = list(zip(one.names, other.names, strict=False))
    if len(one.names) != len(other.names):
        return False
    if not all(mine == theirs or _of_two_keys(mine, theirs) for mine, theirs in pairs):
        return False
    own = {theirs: mine for mine, theirs in pairs}
    return one == other.renamed(lambda text, _: own.get(text, text))


def _of_two_keys(one: str, other: str) -> bool:
    marks = key_of(one), key_of(other)
    return None not in marks and marks[0] != marks[1]
