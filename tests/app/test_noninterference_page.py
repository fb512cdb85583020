"""Two tables that differ in private cells, released on the page with the same noise.

Both hold whole numbers: what the page proposes for a column is part of its plan, and the same.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import compdp_core.release.columns as module
from compdp_core.randomness import SeededSource
from pages.shell.panels import is_open
from tests.app.driving import WORDS, Driven
from tests.app.kinds import ANSWERS, SIZES, table
from tests.noninterference.leaving import WHEN, leaving, scripted_noise

ONE = b'who,mark,town\nEl,11,Ulm\nFay,"",Bonn\nGus,+15,Bonn\nHal,NA,Jena\n'
TWO = b'who,mark,town\nEl,"7",Ulm\nFay,9,Bonn\nGus,,Bonn\nHal, 12 ,Jena\n'


def journey(data: bytes) -> tuple[dict[str, bytes], list[Any]]:
    """What leaves of the release that the page keeps, and what its ledger says."""
    with scripted_noise(), patch.object(module, "SystemSource", lambda: SeededSource(7)):
        app = Driven("pages/privatize.py").upload("marks.csv", data)
        app.choose("Columns to privatize", [1]).bounds(2, "0", "20").press("Release").awaited()
    (kept,) = app.releases
    drawn = replace(kept, identifier="0" * 32, when=WHEN)
    # What the table is called there is a name, not its content: the ledger has its own tests.
    spends = [replace_name(vars(spend)) for spend in app.kept["ledger"].entries]
    return leaving(drawn), spends


def replace_name(spend: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in spend.items() if name not in ("dataset", "when", "id")}


def test_what_the_page_keeps_and_offers_is_the_same_for_other_private_cells() -> None:
    one, two = journey(ONE), journey(TWO)
    assert one == two
    assert len(one[1]) == 1
    assert sum("('marks_" in name for name in one[0]) >= 6


def test_outside_of_private_panels_the_page_is_the_same_for_other_answers_and_dates() -> None:
    one, two = (public_words(everything_released(shift)) for shift in (0, 5))
    assert one == two
    charts = [words for kind, words in one if kind == "plotly_chart"]
    assert len(charts) == 1  # of step 4: all others are private
    assert len(one) > 40


def everything_released(shift: int) -> Driven:
    """A column of every kind, set alike, whatever the cells are."""
    app = Driven("pages/privatize.py").upload("t.csv", table(shift))
    app.choose("Columns to privatize", range(5))
    for label, kind in (("answer", "category"), ("size", "scale"), ("time", "time")):
        app.select(f"What this column holds, {label}", kind)
    for box, answers in zip(app.every("text_area"), (ANSWERS, SIZES), strict=True):
        box.set_value("\n".join(answers))
    for label, ends in (("day", ("2024-01-01", "2024-12-31")), ("time", ("07:00", "19:00"))):
        for which, end in zip(("Earliest", "Latest"), ends, strict=True):
            app.text(f"{which} value anyone may expect, {label}", end)
    app.bounds(5, "0", "20").kept[is_open("privatize.see")] = True
    return app.press("Release").awaited()


def public_words(app: Driven) -> list[tuple[str, str]]:
    """Texts, numbers and charts in their order, but for the size of the file and the time."""
    found: list[tuple[str, str]] = []

    def look(block: Any) -> None:
        inside = list(block.children.values())
        if any("Private, for the owner only" in str(getattr(e, "value", "")) for e in inside):
            return
        for each in inside:
            if hasattr(each, "children"):
                look(each)
            elif each.type == "plotly_chart":
                found.append((each.type, each.proto.spec + each.proto.alt))
            elif each.type in (*WORDS, "metric", "arrow_data_frame"):
                said = each.value.to_csv() if hasattr(each.value, "to_csv") else str(each.value)
                if not re.search("description: |Released at", said):
                    found.append((each.type, said))

    look(app.at.main)
    return found
