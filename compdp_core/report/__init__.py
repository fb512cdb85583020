"""What leaves the house with a release: the privacy card, a script that repeats it, its settings.

All three are made of public settings alone. None holds a value of the data, or anything counted
or measured in it.
"""

from __future__ import annotations

from compdp_core.report.answer_card import card_of_answer
from compdp_core.report.card import Card
from compdp_core.report.card_schema import schema
from compdp_core.report.proofs import differences, facts
from compdp_core.report.script import script_of_answer, script_of_table
from compdp_core.report.statement import Statement
from compdp_core.report.table_card import card_of_table

__all__ = [
    "Card",
    "Statement",
    "card_of_answer",
    "card_of_table",
    "differences",
    "facts",
    "schema",
    "script_of_answer",
    "script_of_table",
]
