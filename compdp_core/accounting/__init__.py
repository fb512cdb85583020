"""What was released, what it cost, and what is left: the privacy budget, kept exactly."""

from __future__ import annotations

from compdp_core.accounting.amounts import (
    Amount,
    decimal_text,
    exact,
    exact_text,
    rounded_text,
    split,
)
from compdp_core.accounting.files import LedgerFormatError, holds_hashes
from compdp_core.accounting.identity import Keys, is_label, read_as
from compdp_core.accounting.ledger import Ledger
from compdp_core.accounting.refusals import (
    BudgetExceededError,
    KnownSpendError,
    LedgerConflictError,
    LedgerTooLargeError,
)
from compdp_core.accounting.spend import Group, Spend
from compdp_core.adjacency import Neighbours

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
