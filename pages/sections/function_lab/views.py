"""One more look at the same setting: only the chosen one is worked out and drawn."""

from __future__ import annotations

import streamlit as st

from compdp_core.design.privacy_loss import PrivacyLoss
from pages.inputs.options import segments
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.feasible_chart import feasible_chart
from pages.sections.function_lab.loss_chart import loss_chart
from pages.sections.function_lab.numbers import numbers
from pages.sections.function_lab.trial import Bench
from pages.sections.function_lab.variance_chart import variance_chart

NONE_TO_SEE = "As long as the numbers make no density, there is none to look at."


def views(bench: Bench, loss: PrivacyLoss | None) -> None:
    """Without a density, what is feasible is what one needs to see."""
    chosen = segments("Look at", lab.VIEWS, lab.VIEW.name, lab.VIEW.default)
    if bench.result is None and chosen != "feasible":
        st.caption(f"{NONE_TO_SEE} Here is what is feasible instead.")
    if bench.result is None or loss is None or chosen == "feasible":
        feasible_chart(bench).draw()
    elif chosen == "variance":
        variance_chart(bench, bench.result).draw()
    elif chosen == "loss":
        loss_chart(bench, bench.result, loss).draw()
    else:
        numbers(bench.result)
