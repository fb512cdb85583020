"""From the accuracy that an answer needs to the smallest ε that gives it."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.release.statistic import epsilon_for_accuracy
from pages.inputs.entry import set_exact
from pages.sections.shared import target_epsilon
from pages.sections.statistic import settings as said
from pages.sections.statistic.query import Asked
from pages.text.wording import quantity


def epsilon_of_accuracy(asked: Asked, pair: str | None) -> None:
    def solve(wanted: Decimal) -> str:
        epsilon = epsilon_for_accuracy(asked.plan, float(wanted), pair=pair)
        set_exact(said.BUDGET.name, epsilon)
        # Another number of steps than the best would need another ε.
        set_exact(said.STAIRS.name, None)
        within = quantity(float(wanted), asked.plan.unit)
        return f"ε = {epsilon} puts 95 % of answers within ±{within}; it is set above."

    target_epsilon.target_epsilon(
        said.PAGE,
        "I want 95 % of answers within ± this of the truth (unit of the answer)",
        "2",
        "It",
        (asked.plan, pair),
        solve,
        lambda: (said.value(said.BUDGET), said.value(said.STAIRS)),
    )
