"""The proved lower bound on ε against the number of draws, below the line of the claim."""

from __future__ import annotations

import pandas as pd

from compdp_core.auditing.sequential import DRAWS, Growth
from pages.charts.chart import Chart
from pages.charts.theme import BASE, OUTSIDE, RELEASED, lines, points
from pages.text.wording import number

TICKS = {1000: "1,000", 10_000: "10,000", 100_000: "100,000", 1_000_000: "1,000,000"}


def evidence_chart(name: str, growth: Growth) -> Chart:
    numbers = pd.DataFrame(
        {
            "draws": [look.draws for look in growth.looks],
            "lower bound on ε": [look.lower_bound for look in growth.looks],
            "hits, likelier input": [look.hits[0] for look in growth.looks],
            "hits, other input": [look.hits[1] for look in growth.looks],
            "refuted": [look.refuted for look in growth.looks],
        }
    )
    stands = numbers[~numbers["refuted"]]
    falls = numbers[numbers["refuted"]]
    line = lines(
        numbers["draws"].to_numpy(), numbers["lower bound on ε"].to_numpy(), "proved: ε at least",
        RELEASED.line(2), hovertemplate="%{x:,} draws: ε ≥ %{y:.3f}",
    )  # fmt: skip
    marks = [
        points(
            part["draws"].to_numpy(), part["lower bound on ε"].to_numpy(), label,
            {**role.marker(11), "symbol": symbol}, hoverinfo="skip",
        )
        for part, label, role, symbol in (
            (stands, "a look: not refuted", RELEASED, "circle"),
            (falls, "a look: refuted", OUTSIDE, "x"),
        )
        if len(part)
    ]  # fmt: skip
    claim = lines(
        [DRAWS[0], DRAWS[-1]], [growth.claimed] * 2, f"claimed: ε = {number(growth.claimed)}",
        {**BASE.line(2), "dash": "dash"}, hoverinfo="skip",
    )  # fmt: skip
    top = 1.15 * max(growth.claimed, growth.lower_bound)
    verdict = "refuted" if growth.refuted else "not refuted"
    return Chart(
        "audit-evidence",
        f"What draws prove: {name}",
        "draws (number, logarithmic)",
        "proved lower bound on ε (no unit)",
        [claim, line, *marks],
        {
            "xaxis": {
                "type": "log",
                "range": [2.5, 6.1],
                "tickvals": list(TICKS),
                "ticktext": list(TICKS.values()),
            },
            "yaxis": {"range": [-0.04 * top, top]},
            "hovermode": "closest",
        },
        f"After {int(numbers['draws'].iloc[-1]):,} draws ε is proved to be at least "
        f"{number(growth.lower_bound)}; the claim is {number(growth.claimed)}: {verdict}.",
        lambda: numbers,
        height=400,
    )
