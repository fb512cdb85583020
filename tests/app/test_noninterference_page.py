"""Two tables that differ in private cells, released on the page with the same noise.

Both hold whole numbers: what the page proposes for a column is part of its plan, and the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from unittest.mock import patch

import compdp_core.release.columns as module
from compdp_core.randomness import SeededSource
from tests.app.driving import Driven
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
