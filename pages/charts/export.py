"""Files of a chart: its numbers, a page that opens offline, and pictures where they can be drawn.

Pictures on the server need a Chromium; without one the chart's own camera button remains, and
the HTML file, whose camera saves an SVG.
"""

from __future__ import annotations

import shutil
from functools import cache
from importlib.util import find_spec
from typing import Any, Literal

import pandas as pd
import plotly.graph_objects as go

from compdp_core.accounting.files import not_a_formula
from pages.text.typed_numbers import parsed

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_NO_WAY_OUT = "http://127.0.0.1:9"
"""A proxy that is not there: whatever goes through it ends on this machine."""
_WIDTH, _HEIGHT = 960, 520


def as_csv(table: pd.DataFrame) -> bytes:
    """UTF-8 with a mark, so that a spreadsheet reads it right. None of its text is run there as a
    formula; numbers are never touched.
    """
    safe = table.rename(columns=_harmless)
    words = safe.select_dtypes(exclude="number").columns
    safe[words] = safe[words].map(_harmless)
    return safe.to_csv(index=False).encode("utf-8-sig")


def _harmless(cell: Any) -> Any:
    """An apostrophe in front of text that a spreadsheet would run."""
    return not_a_formula(cell) if isinstance(cell, str) and parsed(cell) is None else cell


def as_html(figure: go.Figure) -> bytes:
    """One file with everything in it; no button of it reaches a network."""
    config: dict[str, Any] = {
        "displaylogo": False,
        "showSendToCloud": False,
        "toImageButtonOptions": {"format": "svg"},
    }
    text = _on_paper(figure).to_html(include_plotlyjs=True, full_html=True, config=config)
    return str(text).encode()


@cache
def can_draw() -> bool:
    """Whether this machine can turn a figure into a picture."""
    return find_spec("kaleido") is not None and any(shutil.which(name) for name in _BROWSERS)


@cache
def _server() -> None:
    # One browser kept running: 0.2 s a picture instead of 3 s. Left alone, it would fetch a
    # formula renderer from an outside host, and call its makers and its start page.
    import kaleido

    kaleido.start_sync_server(n=1, mathjax=False, silence_warnings=True, proxy_server=_NO_WAY_OUT)


def as_image(figure: go.Figure, kind: Literal["svg", "png"]) -> bytes:
    import kaleido

    _server()
    scale = 2 if kind == "png" else 1
    size = {"format": kind, "width": _WIDTH, "height": _HEIGHT, "scale": scale}
    picture: bytes = kaleido.calc_fig_sync(_on_paper(figure).to_plotly_json(), opts=size)
    return picture


def _on_paper(figure: go.Figure) -> go.Figure:
    paper = go.Figure(figure)
    paper.update_layout(template="plotly_white", height=None, font={"family": "Arial, sans-serif"})
    return paper
