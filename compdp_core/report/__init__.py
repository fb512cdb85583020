"""What leaves the house with a release: the privacy card, script and notebook that repeat it, its
settings.

All of them are made of public settings alone. None holds a value of the data, or anything counted
or measured in it.
"""

from __future__ import annotations

from compdp_core.report.answer_card import card_of_answer as card_of_answer
from compdp_core.report.card import Card as Card
from compdp_core.report.card_schema import schema as schema
from compdp_core.report.notebook import notebook_of_answer as notebook_of_answer
from compdp_core.report.notebook import notebook_of_table as notebook_of_table
from compdp_core.report.proofs import differences as differences
from compdp_core.report.proofs import facts as facts
from compdp_core.report.script import script_of_answer as script_of_answer
from compdp_core.report.script import script_of_table as script_of_table
from compdp_core.report.statement import Statement as Statement
from compdp_core.report.table_card import card_of_table as card_of_table
