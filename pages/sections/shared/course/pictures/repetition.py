"""The mean of all releases, over the budget that they spend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.accounting import exact
from pages.charts.chart import Chart
from pages.charts.theme import GAUSSIAN, OUTSIDE, RELEASED, TRUE, bars, lines, points, scatter, tint
from pages.sections.shared.course.examples.noise import UNIT
from pages.sections.shared.course.examples.repeats import (
    ATTACKERS,
    MOST,
    NO_LIMIT,
    averaging,
    books,
)
from pages.text.wording import budget, count, number, quantity


def means_and_budget(wished: int, epsilon: str, limit: str) -> Chart:
    kept, attackers = books(wished, epsilon, limit), averaging(epsilon)
    out, seen = kept.published, attackers[0]
    every = seen.repeats
    costs = [float(exact(epsilon) * int(n)) for n in every]
    below = {"yaxis": "y2", "hovertemplate": "%{y:.4g}"}
    data: list[dict[str, Any]] = [
        points(
            np.tile(every[:out], ATTACKERS), np.ravel([each.error[:out] for each in attackers]),
            f"{ATTACKERS} attackers, simulated", {**TRUE.marker(6), "symbol": "diamond-open"},
            hoverinfo="skip",
        ),
        scatter(
            every[:out], seen.expected[:out], "typical error of the mean", mode="lines+markers",
            line={"color": OUTSIDE.colour, "width": 3},
            marker={"color": OUTSIDE.colour, "size": 4}, hovertemplate="%{y:.3g}",
        ),
        lines(
            every[out - 1 :], seen.expected[out - 1 :], "with more releases",
            {"color": OUTSIDE.colour, "width": 2, "dash": "dot"}, hoverinfo="skip",
        ),
        bars(every[:out], costs[:out], "ε spent so far", RELEASED.bar(), **below),
    ]  # fmt: skip
    if out < wished:
        asked = slice(out, wished)
        data.append(bars(every[asked], costs[asked], "refused", OUTSIDE.bar(), **below))
    highest = max(float(each.error.max()) for each in attackers)
    top = max(costs[wished - 1], costs[4])
    if limit != NO_LIMIT:
        most = float(exact(limit))
        top = max(top, most)
        data.append(
            lines(
                [0, MOST + 1], [most, most], f"limit {limit}", GAUSSIAN.line(3), yaxis="y2",
                hoverinfo="skip",
            )
        )  # fmt: skip
    return Chart(
        "repetition",
        "The mean of all releases, and what they cost",
        "releases of the same result",
        f"error ({UNIT})",
        data,
        {
            "bargap": 0.25,
            "barmode": "overlay",
            "xaxis": {"range": [0, MOST + 1], "anchor": "y2"},
            "yaxis": {"domain": [0.45, 1], "range": [-0.06 * highest, 1.1 * highest]},
            "yaxis2": {"domain": [0, 0.36], "range": [0, 1.15 * top], "title": {"text": "ε spent"}},
            "shapes": _refused(out) if out < wished else [],
        },
        f"After {count(out, 'release')} the mean is typically off by "
        f"{quantity(float(seen.expected[out - 1]), UNIT)}, and {budget(kept.spent)} is "
        f"spent. After {MOST} it would be {quantity(float(seen.expected[-1]), UNIT)} and ε = "
        f"{number(costs[-1])}.",
        lambda: pd.DataFrame(
            {
                "releases": every,
                f"typical error of the mean ({UNIT})": seen.expected,
                f"of {ATTACKERS} simulated attackers ({UNIT})": np.sqrt(
                    np.mean([each.error**2 for each in attackers], axis=0)
                ),
                "ε": costs,
            }
        ),
        height=520,
    )


def _refused(out: int) -> list[dict[str, Any]]:
    """A shade over all that the limit keeps from being published."""
    return [
        {
            "type": "rect", "xref": "x", "x0": out + 0.5, "x1": MOST + 1, "yref": "paper",
            "y0": 0, "y1": 1, "line": {"width": 0}, "fillcolor": tint(OUTSIDE.colour, 0.1),
        }
    ]  # fmt: skip
