"""What was released, what it cost, and what is left: the privacy budget, kept exactly."""

from __future__ import annotations

from compdp_core.accounting.amounts import Amount as Amount
from compdp_core.accounting.amounts import decimal_text as decimal_text
from compdp_core.accounting.amounts import exact as exact
from compdp_core.accounting.amounts import exact_text as exact_text
from compdp_core.accounting.amounts import rounded_text as rounded_text
from compdp_core.accounting.amounts import split as split
from compdp_core.accounting.files import UNFINISHED as UNFINISHED
from compdp_core.accounting.files import LedgerFormatError as LedgerFormatError
from compdp_core.accounting.files import holds_hashes as holds_hashes
from compdp_core.accounting.identity import Keys as Keys
from compdp_core.accounting.identity import is_label as is_label
from compdp_core.accounting.identity import persons_read_as as persons_read_as
from compdp_core.accounting.identity import read_as as read_as
from compdp_core.accounting.ledger import Ledger as Ledger
from compdp_core.accounting.ledger_file import LedgerFile as LedgerFile
from compdp_core.accounting.ledger_file import LedgerFileError as LedgerFileError
from compdp_core.accounting.refusals import BudgetExceededError as BudgetExceededError
from compdp_core.accounting.refusals import KnownSpendError as KnownSpendError
from compdp_core.accounting.refusals import LedgerConflictError as LedgerConflictError
from compdp_core.accounting.refusals import LedgerTooLargeError as LedgerTooLargeError
from compdp_core.accounting.spend import Group as Group
from compdp_core.accounting.spend import Spend as Spend
from compdp_core.accounting.spend import new_draw as new_draw
from compdp_core.adjacency import Neighbours as Neighbours
from compdp_core.adjacency import Person as Person
