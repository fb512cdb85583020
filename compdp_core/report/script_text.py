"""The fixed text of the reproducing scripts; what is inserted is a literal or a call."""

from __future__ import annotations

from string import Template

_HEAD = '''\
"""$what release $identifier
of $when, made with $library.

Running this draws NEW noise: the result differs from that release, and it is a second spend of
epsilon = $epsilon on the same rows. Count both, or publish only one.

    python THIS_FILE.py INPUT.csv OUTPUT.$suffix

It needs the library: in the folder of the app, `pip install .` with the Python that runs this.
INPUT is laid out like the file of that release. Before anything is drawn, design and certificate
are compared with those on its privacy card. No value of the data is in this file.
"""

from __future__ import annotations

$standard
from pathlib import Path

$imports
'''

CHECKS = '''

def opened(path: str) -> Table:
    """The input, read like the file of the first release; stops where columns are not the same."""
    if not Path(path).is_file():
        sys.exit(f"There is no file called {ascii(path)}. Nothing was drawn.")
    table = read(Path(path).read_bytes(), **READING)
    for position, label in LABELS.items():
        here = table.columns[position].label if position < len(table.columns) else None
        if here != label:
            sys.exit(
                f"Column {position + 1} is called {ascii(here)} here and was {ascii(label)} then: "
                "this file is not laid out like the one of that release. Nothing was drawn."
            )
    for position, affix in STRIPPED.items():
        table = table.stripped(position, affix)
    return table.without(LEFT_OUT)


def compare(mechanisms: list[$mechanism]) -> None:
    """Stop unless designs and certificates are those on the privacy card."""
    found = [facts(mechanism) for mechanism in mechanisms]
    for expected, here in zip(EXPECTED, found, strict=True):
        different = differences(expected, here)
        if different:
            sys.exit("Not what the card says; nothing was drawn.\\n" + "\\n".join(different))
    print("Design and certificate are those on the privacy card.")


'''

_END = """

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
"""


def _head(suffix: str, standard: str) -> str:
    """The head for a kind of output and the modules of the standard library that it needs."""
    return _HEAD.replace("$suffix", suffix).replace("$standard", standard)


OF_A_TABLE = Template(
    _head("csv", "import sys\nfrom fractions import Fraction")
    + """
# How the file is laid out.
READING = $reading
# Columns by position, from 0, and the symbols or units that are read past.
LABELS = $labels
STRIPPED = $stripped
# Rows that are no people, from 0: totals and notes that were left out.
LEFT_OUT = $left_out

# What happens to each column: its public bounds or list, its budget, its shape.
PLAN = Plan(
    (
$plan
    )$more
)

# Design and certificate of each column, or the weights of its categories, as on the privacy card.
EXPECTED = $expected
"""
    + CHECKS.replace("$mechanism", "ColumnMechanism")
    + '''\
def main(source: str, target: str) -> None:
    """Check, draw once, write."""
    table = opened(source)
    compare([column.mechanism() for column in PLAN.columns])
    if Path(target).exists():
        sys.exit("The output exists already: name another file. Nothing was drawn.")
    try:
        drawn = release(table, PLAN)
    except CompdpError as refusal:
        sys.exit(f"{refusal}\\nNothing was drawn.")
    Path(target).write_bytes(drawn.csv(excel=$excel, guard_formulas=$guard_formulas, omit=$omit))
    print(f"Release {drawn.identifier}: epsilon = {drawn.epsilon} was spent once more.")
'''
    + _END
)

OF_AN_ANSWER = Template(
    _head("json", "import json\nimport sys").replace(
        "    python THIS_FILE.py INPUT.csv OUTPUT.json", "$usage"
    )
    + """
# How the file is laid out.
READING = $reading
# The columns that are read, by position, from 0, and the symbols or units that are read past.
LABELS = $labels
STRIPPED = $stripped
$left_out

# What is asked, with its public bounds.
INQUIRY = $inquiry
# Budget of the answer, or of the answer for each group.
BUDGETS = $budgets
# What was asked of the shape; None: the best one is worked out.
SHAPE = $shape

# Design and certificate of each answer, as on the privacy card.
EXPECTED = $expected
"""
    + CHECKS.replace("$mechanism", "CompositeMechanism")
    + '''\
def main(source: str, target: str) -> None:
    """Check, draw once, write."""
    table = opened(source)
    plans = {group: INQUIRY.plan(table, group) for group in BUDGETS}
    compare([mechanism_for(plan, BUDGETS[group], **SHAPE) for group, plan in plans.items()])
    if Path(target).exists():
        sys.exit("The output exists already: name another file. Nothing was drawn.")
    try:
        questions = INQUIRY.questions(table)
    except CompdpError as refusal:
        sys.exit(f"{refusal}\\nNothing was drawn.")
    said = []
    for group, question in questions.items():
        drawn = answer(question, BUDGETS[group], **SHAPE)
        said.append(
            {
                "question": drawn.plan.text,
                "group": group,
                "answer": drawn.value,
$written                "interval": drawn.interval,
                "level": drawn.level,
                "unit": drawn.plan.unit,
                "epsilon": str(drawn.epsilon),
                "identifier": drawn.identifier,
            }
        )
    Path(target).write_text(json.dumps(said, indent=2) + "\\n", encoding="utf-8")
    print("The budget was spent once more: epsilon = $epsilon.")
'''
    + _END.replace("len(sys.argv) != 3", "$unusual")
)

WRITTEN = """\
                "written": INQUIRY.written(drawn.value),
"""

LEFT_OUT_BY_POSITION = """\
# Rows that are no people, from 0: totals and notes that were left out.
LEFT_OUT = $rows"""

LEFT_OUT_AS_ARGUMENT = """\
# Rows that are no people, such as totals, are named when this is run: which ones there are would
# tell something of the number of rows, and that is protected.
LEFT_OUT = [int(row) - 1 for row in sys.argv[4:] if row.isdecimal() and int(row) > 0]"""

LEFT_OUT_BY_NUMBER = """\
# Rows of INPUT that are no people, such as totals, by their numbers, from 1. Name the same rows as
# then: which ones there are would tell something of the number of rows, and that is protected.
ROWS_LEFT_OUT: list[int] = []
LEFT_OUT = [row - 1 for row in ROWS_LEFT_OUT]"""

USAGE = "    python THIS_FILE.py INPUT.csv OUTPUT.json"
USAGE_WITH_ROWS = f"""\
{USAGE}
{USAGE} --leave-out 61 62

The second way leaves out rows of INPUT that are no people, such as totals and notes, by their
numbers, from 1. Leave out the same rows as then: how many rows there are is protected, so this
file does not say which ones they were."""

UNUSUAL = "len(sys.argv) != 3"
UNUSUAL_WITH_ROWS = """\
len(sys.argv) != 3 and (
        sys.argv[3:4] != ["--leave-out"] or len(LEFT_OUT) != len(sys.argv) - 4
    )"""
