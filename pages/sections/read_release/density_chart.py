"""The estimated distribution with its band, over the released one, on one axis."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.likelihood.distribution import Distribution
from compdp_core.statistics.describe import Bins
from compdp_core.validation import Array
from pages.charts.chart import Chart
from pages.charts.theme import GREY, RELEASED, TRUE, lines, scatter, tint, upright
from pages.charts.time_ticks import in_time, time_axis
from pages.sections.read_release.subject import OpenRelease
from pages.text.values import ValueWords
from pages.text.wording import percent

SEEN, FOUND = "released cells, as they stand", "estimated true values"


def density_chart(opened: OpenRelease, place: int, found: Distribution) -> Chart:
    """Shares of rows per unit of the column: areas are shares, whatever the bins."""
    column, words = opened.columns[place], opened.words[place]
    channel = column.channel
    assert isinstance(channel, NumberChannel)
    cells = column.values[~np.isnan(column.values)]
    outer = Bins.around(channel.outputs, [channel.inputs], whole=channel.whole)
    seen = 100 * outer.counts(cells) / cells.size / outer.widths
    widths = np.diff(found.edges)
    middle, low, high = (100 * each / widths for each in (found.shares, found.low, found.high))
    level = round(100 * found.level)
    x = np.repeat(found.edges, 2)[1:-1]
    line: dict[str, Any] = {"color": GREY, "width": 1.5}
    rim = {"color": RELEASED.colour, "width": 1, "dash": "dot"}
    band: dict[str, Any] = {"line": rim, "hoverinfo": "skip", "mode": "lines"}
    edge: dict[str, Any] = {"color": TRUE.colour, "width": 1.5, "dash": "dot"}
    ends = channel.inputs.as_tuple()
    data = [
        scatter(
            np.repeat(outer.edges, 2), np.r_[0, np.repeat(seen, 2), 0], SEEN, line=line,
            fill="tozeroy", fillcolor=tint(GREY, 0.35), hovertemplate="%{y:.3g}", mode="lines",
        ),
        scatter(x, np.repeat(low, 2), "", showlegend=False, **band),
        scatter(
            x, np.repeat(high, 2), f"{level} % band of the estimate, bin by bin", fill="tonexty",
            fillcolor=tint(RELEASED.colour, 0.28), **band,
        ),
        lines(x, np.repeat(middle, 2), FOUND, RELEASED.line(2.5), hovertemplate="%{y:.3g}"),
        lines([None], [None], f"bounds of true values {words.span(*ends)}", edge),
    ]  # fmt: skip
    marks = time_axis(words, channel.outputs.lower, channel.outputs.upper)
    layout: dict[str, Any] = {
        "xaxis": {"range": list(channel.outputs.as_tuple()), **marks},
        "yaxis": {"rangemode": "tozero"},
        "shapes": [upright(end, "x", edge) for end in ends],
    }
    beyond = float(((cells < ends[0]) | (cells > ends[1])).mean())
    peak = int(np.argmax(middle))
    summary = (
        f"{percent(beyond)} of the released cells lie outside the bounds of true values "
        f"{words.span(*ends)}; no true value does. The estimated distribution is densest in "
        f"{words.span(found.edges[peak], found.edges[peak + 1])}, with "
        f"{percent(found.shares[peak])} of the rows, {percent(found.low[peak])} to "
        f"{percent(found.high[peak])}."
    )
    unit = words.unit if words.format is None else _step(words.step)
    return Chart(
        f"density-{place}",
        "The distribution of true values",
        opened.axis(place),
        f"rows (% per {unit})" if unit else "rows (% per unit)",
        in_time(data, words),
        layout,
        summary,
        lambda: _table(found, (middle, low, high), words),
        height=420,
    )


def _step(seconds: float) -> str:
    """What a step of a format is called."""
    return {86_400.0: "day", 3600.0: "hour", 60.0: "minute", 1.0: "second"}.get(seconds, "step")


def _table(found: Distribution, densities: tuple[Array, ...], words: ValueWords) -> pd.DataFrame:
    ends = found.edges.tolist()
    return pd.DataFrame(
        {
            words.named("from"): words.listed(ends[:-1]),
            words.named("to"): words.listed(ends[1:]),
            "share of rows (%)": 100 * found.shares,
            "band from (%)": 100 * found.low,
            "band to (%)": 100 * found.high,
            "density (% per unit)": densities[0],
        }
    )
