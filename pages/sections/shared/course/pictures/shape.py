"""What each pair costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import pandas as pd

from compdp_core.design.design import Design
from compdp_core.design.optimize import optimize
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import PAIR_NAMES, pair_named
from pages.charts.chart import Chart
from pages.charts.theme import RELEASED, level_bars
from pages.sections.shared.course.examples.noise import INPUTS, UNIT
from pages.text.wording import number

EPSILON = 2.0
MIDDLE = 50.0
"""The true value of the pictures (points)."""


@dataclass(frozen=True)
class PairCost:
    design: Design
    mechanism: CompositeMechanism

    @property
    def error(self) -> float:
        """Root mean square error in the middle of the results (points)."""
        return math.sqrt(self.mechanism.variance(MIDDLE))


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=256)
def cost(name: str, tau: float | None = None) -> PairCost:
    """The pair of that name, on B2 at that tail ratio or the usual one."""
    tail = tau if name.endswith("B2") else None
    design = optimize(EPSILON, pair_named(name, EPSILON, tail))
    return PairCost(design, CompositeMechanism.from_design(design, INPUTS))


def ranking(chosen: str, tau: float) -> Chart:
    errors = {name: cost(name, tau).error for name in PAIR_NAMES}
    data = [
        level_bars(
            [errors[name] for name in names],
            names,
            title,
            marker,
            [f" {number(errors[name])}" for name in names],
            hovertemplate="%{x:.3g}",
        )
        for title, names, marker in (
            ("chosen", [chosen], {"color": RELEASED.colour}),
            (
                "others",
                [name for name in PAIR_NAMES if name != chosen],
                {"color": "rgba(0, 0, 0, 0)", "line": {"color": RELEASED.colour, "width": 1.5}},
            ),
        )
    ]
    return Chart(
        "shape-ranking",
        "What each pair costs",
        f"typical error ({UNIT})",
        "pair",
        data,
        {
            "hovermode": "closest",
            "barmode": "overlay",
            "bargap": 0.4,
            "xaxis": {"range": [0, 1.2 * max(errors.values())]},
            "yaxis": {
                "type": "category",
                "categoryorder": "array",
                "categoryarray": list(PAIR_NAMES[::-1]),
                "title": {"text": ""},
                "showgrid": False,
            },
        },
        f"Typical errors in {UNIT}: "
        + ", ".join(f"{name} {number(error)}" for name, error in errors.items())
        + f". {chosen} is chosen.",
        lambda: pd.DataFrame({"pair": list(errors), f"typical error ({UNIT})": errors.values()}),
        height=430,
    )
