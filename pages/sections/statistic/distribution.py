"""Step 4: the distribution of a made-up answer and of a neighbour's, from the lattice itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.intervals import Interval
from compdp_core.release.statistic import half_width
from pages.charts.chart import Chart
from pages.charts.theme import GREY, LAPLACE, RELEASED, interval, scatter, tint, truth, upright
from pages.charts.time_ticks import in_time, time_axis
from pages.inputs.options import segments
from pages.inputs.slider import made_up, made_up_in_words
from pages.sections.statistic.drawn_curves import Curves, curves
from pages.sections.statistic.query import ReadyQuery
from pages.session.fragments import fragment
from pages.shell.panels import fold, step
from pages.text.wording import in_chart, number

REACH = 2.5
"""How far the close view reaches, in half-widths of the 95 % interval."""
ZOOMS = ("close by", "all possible outputs")


def picture(ready: ReadyQuery, value: float, *, near: bool) -> Chart:
    mechanism, plan, words = ready.mechanism, ready.asked.plan, ready.asked.words
    delta = mechanism.sensitivity
    other = value + delta if value + delta <= plan.range.upper else value - delta
    half = half_width(mechanism, value)
    low, high = mechanism.outputs
    if near:
        reach = max(REACH * half, 3.0 * delta, 5.0 * mechanism.lattice.spacing)
        low, high = max(low, value - reach), min(high, value + reach)
    drawn = curves(mechanism, Interval(low, high), (value, other))
    peak = float(max(drawn.here.max(), drawn.there.max()))
    here, there = words.value(value), words.value(other)
    if here == there:  # less than a step of the column apart
        there = f"{here} {'−' if other < value else '+'} {words.amount(delta)}"
    off = number(half) if words.format is None else words.amount(half)
    said = f"95 % of releases: ± {off}"
    data = [
        _outputs(drawn, drawn.here, "outputs", RELEASED.line(2.5), 0.3),
        _outputs(drawn, drawn.there, f"of a neighbour, {there}", LAPLACE.line(1.5), None),
        truth(value, 1.1 * peak, in_chart(f"true answer {here} = mean of outputs")),
        interval((value - half, value + half), -0.07 * peak, said, RELEASED.colour),
    ]
    layout = _layout(ready, (low, high), peak)
    layout["xaxis"] |= time_axis(words, low, high)
    x = 0.5 * (drawn.x[1:] + drawn.x[:-1]) if drawn.steps else drawn.x
    outputs = x if words.format is None else [words.value(each) for each in x.tolist()]
    table = {
        "output": outputs,
        f"for {here}": drawn.here,
        f"for the neighbour {there}": drawn.there,
    }
    per = f" (1/{plan.unit})" if plan.unit and not drawn.steps else ""
    return Chart(
        "answer",
        "What one true answer may turn into",
        f"released {with_unit(ready.asked.question, words.of_axis)}",
        f"{drawn.height}{per}",
        in_time(data, words),
        layout,
        f"For the true answer {here}, 95 % of releases lie within {words.amount(half)} of it, "
        f"and all lie in {words.span(*mechanism.outputs)}. No output is more than "
        f"{number(float(mechanism.certificate.ratio))} times as likely for this answer as for "
        f"that of a neighbouring table, {there}.",
        lambda: pd.DataFrame(table),
        height=420,
    )


def with_unit(text: str, unit: str) -> str:
    """The text with its unit, unless it says so itself.

    >>> with_unit("mean of height (cm)", "cm"), with_unit("number of rows", "rows")
    ('mean of height (cm)', 'number of rows (rows)')
    """
    return text if not unit or f"({unit})" in text else f"{text} ({unit})"


def _outputs(
    drawn: Curves, heights: Any, name: str, line: dict[str, Any], fill: float | None
) -> dict[str, Any]:
    filled = {} if fill is None else {"fill": "tozeroy", "fillcolor": tint(line["color"], fill)}
    x, y = drawn.x, heights
    if drawn.steps:
        x, y = np.repeat(x, 2), np.r_[0, np.repeat(heights, 2), 0]
    return scatter(x, y, in_chart(name), line=line, hovertemplate="%{y:.3g}", **filled)


def _layout(ready: ReadyQuery, shown: tuple[float, float], peak: float) -> dict[str, Any]:
    """The ends of the range, where the window shows them, as dotted lines."""
    margin = 0.02 * (shown[1] - shown[0])
    line = {"color": GREY, "width": 1.5, "dash": "dot"}
    ends = [end for end in ready.asked.plan.range.as_tuple() if shown[0] <= end <= shown[1]]
    return {
        "xaxis": {"range": [shown[0] - margin, shown[1] + margin]},
        "yaxis": {"range": [-0.12 * peak, 1.2 * peak]},
        "shapes": [upright(end, "x", line) for end in ends],
    }


def see_step(ready: ReadyQuery, released: bool) -> None:
    with step(4, "See it", "Made-up answers only: no value of your table is used here."):
        label = "What one true answer may turn into"
        fold("statistic.see", released, label, lambda: _live(ready))


@fragment
def _live(ready: ReadyQuery) -> None:
    # Only this part runs again when the slider moves.
    plan = ready.asked.plan
    words, label = ready.asked.words, "A true answer, made up"
    if words.format is None:
        value = made_up(label, plan.range, "statistic.see", whole=plan.whole)
    else:
        value = made_up_in_words(label, plan.range, "statistic.see", words.value)
    near = segments("Show", {each: each for each in ZOOMS}, "statistic.see.zoom", ZOOMS[0])
    picture(ready, value, near=near == ZOOMS[0]).draw()
