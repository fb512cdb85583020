"""Parts that the pictures of several lessons draw alike."""

from __future__ import annotations

from typing import Any

from pages.charts.theme import TRUE, scatter, tint
from pages.text.wording import number


def area(
    x: Any, y: Any, name: str, colour: str, opacity: float, line: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """A curve with the area down to the axis, or to what `fill` says, tinted in that colour."""
    return scatter(
        x, y, name, mode="lines", line=line, fillcolor=tint(colour, opacity), hoverinfo="skip",
        **{"fill": "tozeroy"} | more,
    )  # fmt: skip


def average(at: float, name: str, colour: str, **more: Any) -> dict[str, Any]:
    """A triangle under the axis: where what comes out balances."""
    return scatter(
        [at], [0], name, mode="markers", hoverinfo="skip", cliponaxis=False,
        marker={"symbol": "triangle-up", "size": 20, "color": colour,
                "line": {"width": 1.5, "color": "#ffffff"}},
        **more,
    )  # fmt: skip


def true(value: float, what: str) -> dict[str, Any]:
    """The word in the legend for an upright dashed line at the true value."""
    return scatter([None], [None], f"true {what} {number(value)}", mode="lines", line=TRUE.line(2))
