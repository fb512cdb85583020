"""A table with a column of every kind, its plans, and its releases."""

from __future__ import annotations

from functools import cache

from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, TableRelease, release
from compdp_core.tables import Table, read
from compdp_core.tables.value_formats import DateFormat

HEADER = b"name,smokes,mood,visit,kids,note\n"
ROWS = (
    b"Ada,yes,good,2024-03-01,2,x\n"
    b"Ben,No,bad,2024-12-24,,\n"
    b"Cid,perhaps,fair,,0,y\n"
    b"Dot,,great,2023-07-15,1,\n"
    b"Eve,n,,someday,3,z\n"
) * 8
DATA = HEADER + ROWS
SMOKES = {"yes": ["yes", "y"], "no": ["no", "No", "n"], "silent": [""], "other": []}
MOODS = ["bad", "fair", "good", "great"]
PLANS = (
    ColumnPlan(1, epsilon="1/2", kind="category", categories=SMOKES, missing="fill"),
    ColumnPlan(2, epsilon=1, kind="scale", categories=MOODS, missing="keep"),
    ColumnPlan(
        3, inputs=("2022-01-01", "2024-12-31"), epsilon=2, kind="date", missing="keep",
        missing_as="none", format=DateFormat(),
    ),
    ColumnPlan(4, inputs=(0, 12), epsilon=1, kind="whole", missing="keep"),
)  # fmt: skip


def table() -> Table:
    return read(DATA, header=True)


def plan() -> Plan:
    return Plan(PLANS)


@cache
def drawn() -> TableRelease:
    return release(table(), plan(), source=SeededSource(4))
