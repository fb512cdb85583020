"""Repeated releases of one value, averaged: the error falls while the spent ε rises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.auditing.attacks import Averaging, Splitting, average_repeats, split_budget
from compdp_core.mechanisms.baselines import Mechanism
from pages.charts.chart import Chart
from pages.charts.theme import OUTSIDE, RELEASED, TRUE, lines, points, scatter
from pages.charts.ticks import log_axis
from pages.inputs.mechanisms import mechanism_factories
from pages.sections.audit import settings as to
from pages.sections.audit.controls import beside
from pages.session.state import edits, memo
from pages.text.wording import number, quantity

MOST = 10_000
STOPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
PARTS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
VALUE, INPUTS, EPSILON = 37.0, (0.0, 100.0), 1.0


def repeats() -> None:
    st.markdown(
        f"One true value, {number(VALUE)} of 0 … 100, is released again and again at ε = 1 by "
        "Composite A1B1, and the attacker takes the mean. Noise without bias cancels."
    )
    build = next(iter(mechanism_factories(["A1B1"], INPUTS).values()))
    seed = int(to.value(to.START))
    seen, split = memo(f"{to.PAGE}.repeats", seed, lambda: _both(build, seed))
    count = st.select_slider(
        "Releases that the attacker has seen",
        STOPS,
        format_func=lambda n: f"{n:,}",
        **edits(f"{to.PAGE}.seen", 100, allowed=STOPS),
    )
    place = int(np.argmin(np.abs(seen.repeats - count)))
    _chart(seen, split, place).draw()
    parts = min(count, PARTS[-1])
    once, many = (float(np.interp(n, split.repeats, split.expected)) for n in (1, parts))
    beside(
        f"**The attack.** After {count:,} releases the mean is typically off by "
        f"{quantity(float(np.interp(count, seen.repeats, seen.expected)), to.UNIT)}, "
        f"here by {quantity(float(seen.error[place]), to.UNIT)}. They cost "
        f"**ε = {number(count * EPSILON)}** together, which protects "
        f"{'hardly anyone' if count > 5 else 'little' if count > 1 else 'as promised'}.",
        f"**The fix.** One budget for all releases: {parts:,} within ε = 1 leave "
        f"{number(EPSILON / parts)} each, and their mean is off by {quantity(many, to.UNIT)}, "
        f"not less than the {number(once)} of a single release. The page Budget adds up every "
        "release and refuses the one that would pass the limit; publish one release and reuse it.",
    )


def _both(build: Any, seed: int) -> tuple[Averaging, Splitting]:
    mechanism: Mechanism = build(EPSILON)
    seen = average_repeats(mechanism, VALUE, most=MOST, seed=seed)
    return seen, split_budget(build, VALUE, EPSILON, PARTS)


def _chart(seen: Averaging, split: Splitting, place: int) -> Chart:
    x = seen.repeats
    data = [
        lines(
            x, seen.expected, "expected, ε = 1 each", {"color": OUTSIDE.colour, "width": 2},
            hovertemplate="%{y:.3g}",
        ),
        points(
            x, np.maximum(seen.error, 1e-3), "one attacker, ε = 1 each", TRUE.marker(6),
            hovertemplate="%{y:.3g}",
        ),
        scatter(
            split.repeats, split.expected, "expected, ε = 1 in all: the fix", mode="lines+markers",
            line={**RELEASED.line(2), "dash": "dash"},
            marker={**RELEASED.marker(8), "symbol": "square"}, hovertemplate="%{y:.3g}",
        ),
        points(
            [int(x[place])], [float(seen.expected[place])],
            f"ε = {number(float(seen.epsilon[place]))} spent here",
            {"symbol": "x", "size": 14, "color": OUTSIDE.colour}, hoverinfo="skip",
        ),
    ]  # fmt: skip
    return Chart(
        "audit-repeats",
        "Averaging repeated releases",
        "releases averaged (number, logarithmic)",
        f"error of the mean ({to.UNIT})",
        data,
        {"xaxis": log_axis(0.9, 1.1 * MOST), "yaxis": _errors_axis(data)},
        f"The error of the mean falls from {number(float(seen.expected[0]))} to "
        f"{number(float(seen.expected[-1]))} over {MOST:,} releases, which spend ε = {MOST:,}. "
        f"Within one budget it rises to {number(float(split.expected[-1]))} instead.",
        lambda: pd.DataFrame(
            {
                "releases": x,
                "ε spent": seen.epsilon,
                "expected error": seen.expected,
                "error of one attacker": seen.error,
            }
        ),
        height=420,
    )


def _errors_axis(data: list[dict[str, Any]]) -> dict[str, Any]:
    heights = np.concatenate([np.asarray(trace["y"], dtype=float) for trace in data])
    seen = heights[heights > 0]
    return log_axis(float(seen.min()) / 1.3, float(seen.max()) * 1.3)
