"""What was released, what it cost, and what is left: the privacy budget, kept exactly."""

from __future__ import annotations

from compdp_core.ledger.amounts import (
    Amount,
    decimal_text,
    exact,
    exact_text,
    rounded_text,
    split,
)
from compdp_core.ledger.book import Ledger
from compdp_core.ledger.files import LedgerFormatError, holds_hashes
from compdp_core.ledger.identity import Keys, is_label, read_as
from compdp_core.ledger.refusals import (
    BudgetExceededError,
    KnownSpendError,
    LedgerConflictError,
    LedgerTooLargeError,
)
from compdp_core.ledger.spend import Group, Spend
from compdp_core.neighbours import Neighbours

__all__ = [
    "Amount",
    "BudgetExceededError",
    "Group",
    "Keys",
    "KnownSpendError",
    "Ledger",
    "LedgerConflictError",
    "LedgerFormatError",
    "LedgerTooLargeError",
    "Neighbours",
    "Spend",
    "decimal_text",
    "exact",
    "exact_text",
    "holds_hashes",
    "is_label",
    "read_as",
    "rounded_text",
    "split",
]
