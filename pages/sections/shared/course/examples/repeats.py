"""One result published again and again: what the ledger says, and what the mean gives away."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache

from compdp_core.accounting import BudgetExceededError, Ledger, Spend, exact
from compdp_core.auditing.attacks import Averaging, average_repeats
from compdp_core.numerics import not_above
from pages.sections.shared.course.examples.noise import composite

MOST = 40
"""Releases at most."""
ADA = 30.0
"""Ada's result (points)."""
EPSILONS = ("0.5", "1", "2")
NO_LIMIT = "none"
LIMITS = (NO_LIMIT, "2", "4", "8", "16")
ATTACKERS = 12
"""Simulations in the picture, with seeds from 1."""
TABLE = "Ada's test"


@dataclass(frozen=True)
class InventedLedger:
    """A ledger of invented releases: no release of the session is in it."""

    ledger: Ledger
    refusal: BudgetExceededError | None
    """Of the first release that did not fit; none after it was tried."""

    @property
    def published(self) -> int:
        return len(self.ledger.entries)

    @property
    def spent(self) -> Fraction:
        return self.ledger.total_by_dataset(TABLE)


def books(wished: int, epsilon: str, limit: str) -> InventedLedger:
    """Charge one release after the other, until all are out or one is refused."""
    ledger = Ledger(limit=None if limit == NO_LIMIT else limit)
    for place in range(1, wished + 1):
        spend = Spend(
            f"release {place}",
            "column",
            TABLE,
            ["result"],
            epsilon,
            when=datetime(2026, 1, 1, tzinfo=UTC),
            id=str(place),
        )
        try:
            ledger = ledger.charge(spend)
        except BudgetExceededError as refusal:
            return InventedLedger(ledger, refusal)
    return InventedLedger(ledger, None)


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=len(EPSILONS))
def averaging(epsilon: str) -> tuple[Averaging, ...]:
    """Attackers, each of whom sees more and more releases of Ada's result."""
    mechanism = composite(not_above(exact(epsilon)))
    return tuple(
        average_repeats(mechanism, ADA, most=MOST, seed=seed) for seed in range(1, ATTACKERS + 1)
    )
