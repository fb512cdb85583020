"""The fixed cells of the notebooks that repeat a release; what is filled in are numbers, literals
and calls, and literals stand in code alone.

What is checked before anything is drawn is the text of the scripts.
"""

from __future__ import annotations

from compdp_core.report.notebook_file import NotebookCell, code, prose
from compdp_core.report.script_text import CHECKS

_STOPPING = CHECKS.replace("sys.exit(", "raise RuntimeError(")

_FIRST = """
# Release again

This notebook repeats release `$identifier` of $when, made with $library.

**Running it to the end draws new noise.** The result differs from that release, and it is a second
spend of ε = $epsilon on the same rows. Count both in your ledger, or publish only one. Where you
name a ledger it is charged before anything is drawn, and refuses what passes its limit.

Until the cell under “Draw” nothing is drawn and nothing is spent. No value of the data is in this
notebook. It needs the library: in the folder of the app, `pip install .` with the Python of its
kernel.
"""

_FILES = """
## Files

What is read, and what is written: neither output may exist yet. A ledger that is named is your own,
as the app or `Ledger.to_json` saves it; left empty, none is charged.
"""

_LAYOUT = """
## How the file is laid out

Columns count from 0. What stands before or after a number, such as a unit, is read past.
"""

_CHECK = """
## Check

The file must be laid out like that of the release, and each mechanism must have the design and the
certificate of the privacy card. The certificate is an exact upper bound of ε, proved for the very
probabilities that are drawn from. Where anything differs, the notebook stops and nothing is drawn.
"""

_DRAW = """
## Draw

**Each run of the next cell is a release of its own and spends ε = $epsilon once more.** Several
releases of the same rows can be averaged, so they protect less than one. The cell stops where its
output exists already.
"""

_CARD = """
## Privacy card

What was released and what is guaranteed, of the release above: this draws and spends nothing. Say
where the bounds come from, if that is to be on the card.
"""


_FREE_PLACE = """
if Path(OUTPUT).exists():
    raise RuntimeError("The output exists already: name another file. Nothing was drawn.")
if not Path(OUTPUT).parent.is_dir():
    raise RuntimeError("The output has no folder to lie in: make it first. Nothing was drawn.")
"""


def _checks(mechanism: str) -> NotebookCell:
    return code(_STOPPING.replace("$mechanism", mechanism))


OF_A_TABLE: tuple[NotebookCell, ...] = (
    prose(_FIRST),
    prose(_FILES),
    code('INPUT = "input.csv"\nOUTPUT = "released.csv"\nCARD = "card.html"\nLEDGER = ""'),
    code(
        """
from fractions import Fraction
from pathlib import Path

$imports
from compdp_core.accounting.ledger_file import LedgerFile
from compdp_core.release.columns import certified
from compdp_core.report import Statement, card_of_table
"""
    ),
    prose(_LAYOUT),
    code(
        """
READING = $reading
# Columns by position, from 0, and the symbols or units that are read past.
LABELS = $labels
STRIPPED = $stripped
# Rows that are no people, from 0: totals and notes that were left out.
LEFT_OUT = $left_out
"""
    ),
    prose(
        """
## What is released

$overview

A value beyond a bound is moved to it, and one that is in no list counts as missing. Bounds and
lists are public: they must come from what is known without the data. All else in the table stays
as it came.
"""
    ),
    code("PLAN = Plan(\n    (\n$plan\n    )$more\n)"),
    prose(_CHECK),
    code("# Of each column, or the weights of its categories.\nEXPECTED = $expected"),
    _checks("ColumnMechanism"),
    code("table = opened(INPUT)\ncompare(certified(table, PLAN))"),
    prose(_DRAW),
    code(
        _FREE_PLACE
        + """\
spends = PLAN.spends(table)
if LEDGER:
    LedgerFile(LEDGER).charge(*spends)
drawn = release(table, PLAN)
Path(OUTPUT).write_bytes(drawn.csv(excel=$excel, guard_formulas=$guard_formulas, omit=$omit))
if LEDGER:  # it is out: the mark of an unfinished release is taken off
    LedgerFile(LEDGER).finish(*(spend.id for spend in spends))
print(f"Release {drawn.identifier}: epsilon = {drawn.epsilon} was spent once more.")
"""
    ),
    prose(_CARD),
    code(
        """
# By position of the column, as in {0: Statement(source="a definition, an instrument, a law")}.
STATEMENTS: dict[int, Statement] = {}
if Path(CARD).exists():
    raise RuntimeError("The card exists already: name another file.")
card = card_of_table(drawn, STATEMENTS, omit=$omit)
Path(CARD).write_text(card.to_html(), encoding="utf-8")
print(f"Card of release {drawn.identifier}: {CARD}")
"""
    ),
)

OF_AN_ANSWER: tuple[NotebookCell, ...] = (
    prose(_FIRST),
    prose(_FILES),
    code('INPUT = "input.csv"\nOUTPUT = "answer.json"\nCARD = "card.html"\nLEDGER = ""'),
    code(
        """
import json
from fractions import Fraction
from pathlib import Path

$imports
from compdp_core.accounting.ledger_file import LedgerFile
from compdp_core.report import card_of_answer
"""
    ),
    prose(_LAYOUT),
    code(
        """
READING = $reading
# The columns that are read, by position, from 0, and the symbols or units that are read past.
LABELS = $labels
STRIPPED = $stripped
$left_out
"""
    ),
    prose(
        """
## What is asked

$overview

The noise hides the largest change that one of those who are protected can make to an answer within
the bounds. Bounds are public: they must come from what is known without the data.
"""
    ),
    code(
        """
INQUIRY = $inquiry
# Budget of the answer, or of the answer for each group.
BUDGETS = $budgets
# What was asked of the shape; None: the best one is worked out.
SHAPE = $shape
"""
    ),
    prose(_CHECK),
    code("# Of each answer.\nEXPECTED = $expected"),
    _checks("CompositeMechanism"),
    code(
        """
table = opened(INPUT)
plans = {group: INQUIRY.plan(table, group) for group in BUDGETS}
compare([mechanism_for(plan, BUDGETS[group], **SHAPE) for group, plan in plans.items()])
"""
    ),
    prose(_DRAW),
    code(
        _FREE_PLACE
        + """\
questions = INQUIRY.questions(table)
# Where budgets differ, each answer is charged the largest.
spends = INQUIRY.spends(table, max(map(Fraction, BUDGETS.values())))
if LEDGER:
    LedgerFile(LEDGER).charge(*spends)
drawn = {group: answer(each, BUDGETS[group], **SHAPE) for group, each in questions.items()}
said = [
    {
        "question": each.plan.text,
        "group": group,
        "answer": each.value,
        "written": INQUIRY.written(each.value),
        "interval": each.interval,
        "level": each.level,
        "unit": each.plan.unit,
        "epsilon": str(each.epsilon),
        "identifier": each.identifier,
    }
    for group, each in drawn.items()
]
Path(OUTPUT).write_text(json.dumps(said, indent=2) + "\\n", encoding="utf-8")
if LEDGER:  # it is out: the mark of an unfinished release is taken off
    LedgerFile(LEDGER).finish(*(spend.id for spend in spends))
for each in said:
    print(ascii(each["group"] or each["question"]), each["answer"], each["interval"])
print("The budget was spent once more: epsilon = $epsilon.")
"""
    ),
    prose(_CARD),
    code(
        """
# Where the bounds come from: a definition, an instrument, a law.
SOURCE = ""
if Path(CARD).exists():
    raise RuntimeError("The card exists already: name another file.")
answers = drawn[None] if INQUIRY.grouping is None else drawn
card = card_of_answer(answers, INQUIRY, table, SOURCE)
Path(CARD).write_text(card.to_html(), encoding="utf-8")
print(f"Card: {CARD}")
"""
    ),
)
