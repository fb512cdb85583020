"""The releases of two ledgers, where both know some of them under labels of their own."""

from __future__ import annotations

import math
from collections.abc import Iterable

from compdp_core.ledger.identity import is_label
from compdp_core.ledger.refusals import LedgerTooLargeError
from compdp_core.ledger.spend import Spend

MOST_DIGITS = 300
"""Of the common denominator of all amounts: exact sums of finer ones would grow without end."""


def agreed(mine: Iterable[Spend], theirs: Iterable[Spend]) -> list[Spend]:
    """All of mine, and of theirs what is not among mine.

    A release in both, under two labels, tells that both are labels of one table: from then on it
    goes by mine. Names that people gave are never taken for one another. A grouping keeps its two
    labels: its groups then add up, which is never too little.
    """
    known = {spend.id: spend for spend in mine}
    same: dict[str, str] = {}

    def final(label: str) -> str:
        while label in same:
            label = same[label]
        return label

    more = []
    for spend in theirs:
        twin = known.get(spend.id)
        if twin is None or not _alike(twin, spend):
            more.append(spend)
        elif (label := final(twin.dataset)) != (other := final(spend.dataset)):
            same[other] = label
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
    """Whether they are one release, but for labels."""
    if one == other:
        return True
    pairs = list(zip(one.names, other.names, strict=False))
    if len(one.names) != len(other.names) or not all(a == b or _labels(a, b) for a, b in pairs):
        return False
    mine = {theirs: own for own, theirs in pairs}
    return one == other.renamed(lambda text, _: mine.get(text, text))


def _labels(one: str, other: str) -> bool:
    return is_label(one) and is_label(other)
