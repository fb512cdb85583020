"""Parts that the pictures of several lessons draw alike."""

from __future__ import annotations

from typing import Any

from pages.charts.theme import TRUE, lines, points, tint
from pages.text.wording import number


def area(
    x: Any, y: Any, name: str, colour: str, opacity: float, line: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """A curve with the area down to the axis, or to what `fill` says, tinted in that colour."""
    return lines(
        x, y, name, line, fillcolor=tint(colour, opacity), hoverinfo="skip",
        **{"fill": "tozeroy"} | more,
    )  # fmt: skip


def average(at: float, name: str, colour: str, **more: Any) -> dict[str, Any]:
    """A triangle under the axis: where what comes out balances."""
    look: dict[str, Any] = {"symbol": "triangle-up", "size": 20, "color": colour}
    look["line"] = {"width": 1.5, "color": "#ffffff"}
    return points([at], [0], name, look, hoverinfo="skip", cliponaxis=False, **more)


def true(value: float, what: str) -> dict[str, Any]:
    """The word in the legend for an upright dashed line at the true value."""
    return lines([None], [None], f"true {what} {number(value)}", TRUE.line(2))
