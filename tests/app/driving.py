"""Running a page without a browser and finding things on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]


def fresh(script: str) -> AppTest:
    """The page, drawn once in a session of its own, without any error."""
    at = AppTest.from_file(str(ROOT / script), default_timeout=60).run()
    assert not at.exception, at.exception
    return at


def chart(at: AppTest, key: str) -> Any:
    """What was sent to the browser for the chart of that key."""
    found = [
        element.proto
        for element in at.get("plotly_chart")
        if element.proto.id.endswith(f"-plot-{key}")
    ]
    assert len(found) == 1, f"{len(found)} charts of key {key}"
    return found[0]
