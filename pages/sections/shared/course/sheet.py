"""The privacy card of an invented class, on a sheet of paper on the page."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import streamlit as st

from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, release
from compdp_core.report import Card, Statement, card_of_table
from compdp_core.tables import read
from pages.sections.shared.course.examples.noise import EPSILONS, INPUTS, UNIT

TABLE = b"desk,result\n1,30\n2,70\n3,85\n4,52\n5,61\n6,44\n7,93\n8,58\n"
"""An invented class: where each pupil sits, and the result."""
RESULT = 1
"""Place of the column that gets noise."""
SEED = 1
WHEN = datetime(2026, 1, 15, 10, 0, tzinfo=UTC)


# Of an invented table alone: nothing of the user's reaches it.
@lru_cache(maxsize=len(EPSILONS))
def card(epsilon: str) -> Card:
    table = read(TABLE, name="class.csv")
    column = ColumnPlan(RESULT, Interval(*INPUTS), Fraction(epsilon), whole=True)
    made = release(table, Plan((column,)), source=SeededSource(SEED))
    made = replace(made, identifier="invented-for-the-course", when=WHEN)
    said = Statement(source="the test has 0 to 100 points", unit=UNIT)
    return card_of_table(made, {RESULT: said}, title="Results of a test (invented)")


_sheet = st.components.v2.component(
    "sheet",
    html='<iframe sandbox="allow-same-origin"></iframe>',
    css="""
    iframe {
      box-sizing: border-box;
      display: block;
      width: 100%;
      height: 30rem;
      border: 1px solid color-mix(in srgb, currentColor 25%, transparent);
      border-radius: 0.6rem;
      box-shadow: 0 2px 10px color-mix(in srgb, currentColor 12%, transparent);
    }
    """,
    js=Path(__file__).with_name("sheet.js").read_text(encoding="utf-8"),
)


def sheet(key: str, html: str, title: str) -> None:
    _sheet(key=key, data={"html": html, "title": title})
