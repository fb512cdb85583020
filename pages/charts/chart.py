"""The one chart component: picture, words for those who cannot see it, numbers, downloads."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from pages.charts import export
from pages.charts.theme import dress
from pages.session.downloads import download
from pages.text.wording import literal, number

DIGITS = 5
"""Of the numbers behind a chart."""


@dataclass(frozen=True)
class Chart:
    """Everything one chart shows. It holds binned or computed points, never raw values."""

    key: str
    title: str
    x: str
    """Name of the horizontal axis with its unit, literally."""
    y: str
    data: Sequence[dict[str, Any]]
    """Traces. Plotly reads pseudo-HTML in their names and in annotations: text of the user goes
    through `in_chart`."""
    layout: dict[str, Any]
    """What is special about the layout."""
    summary: str
    """What the picture shows, in one or two sentences, for a screen reader."""
    numbers: Callable[[], pd.DataFrame]
    """The numbers drawn, as a table; asked for only when someone wants to see them."""
    height: int = 380

    def draw(self) -> None:
        figure = self.figure()
        with st.container(key=f"chart-{self.key}", gap="xsmall"):
            st.plotly_chart(
                figure,
                key=f"plot-{self.key}",
                alt=f"{self.title}. {self.summary}",
                config=_config(self.key),
            )
            self._behind()

    def figure(self, *, paper: bool = False) -> go.Figure:
        return dress(
            self.data, self.layout, self.title, self.x, self.y, height=self.height, paper=paper
        )

    def _behind(self) -> None:
        more = behind(self.key)
        if more.open:
            with more:
                st.caption(literal(self.summary))
                shown, columns = _in_words(self.numbers())
                st.dataframe(
                    shown,
                    hide_index=True,
                    height=240,
                    column_config=columns,
                    alt=f"Numbers of the chart {self.key}",
                )
                with st.container(horizontal=True):
                    self._files(self.figure(paper=True))

    def _files(self, figure: go.Figure) -> None:
        download("CSV", lambda: export.as_csv(self.numbers()), f"{self.key}.csv")
        download("HTML", lambda: export.as_html(figure), f"{self.key}.html")
        if export.can_draw():
            download("SVG", lambda: export.as_image(figure, "svg"), f"{self.key}.svg")
            download("PNG", lambda: export.as_image(figure, "png"), f"{self.key}.png")
        else:
            st.caption("For a picture, use the camera button at the chart's corner.")


def behind(key: str) -> Any:
    """A button with a box behind it, whose content is built only while it is open: a slider above
    the chart stays quick.
    """
    return st.popover(
        "Numbers and files",
        icon=":material/table_chart:",
        type="tertiary",
        key=f"more-{key}",
        on_change="rerun",
    )


def _in_words(numbers: pd.DataFrame) -> tuple[Any, dict[str, Any]]:
    """The table with its numbers written as everywhere, and formats for the browser where those
    write the same but for zeros at the end. They stay numbers, to be put in order.

    Writing takes its time, so very long tables go without.
    """
    found = numbers.select_dtypes("number")
    sizes = found.abs().to_numpy(dtype=float, na_value=math.nan)
    if numbers.size <= 10_000 and ((sizes >= 1e3) | (sizes > 0.0) & (sizes < 1e-4)).any():
        return numbers.style.format(_written, subset=list(found)), {}
    short = st.column_config.NumberColumn(format=f"%.{DIGITS}g")
    return numbers, {str(name): short for name in found}


def _written(value: Any) -> str:
    return number(value, DIGITS)


def _config(name: str) -> dict[str, Any]:
    return {
        "displaylogo": False,
        "showSendToCloud": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "png", "scale": 2, "filename": name},
        "scrollZoom": False,
    }
