"""One more look at the same setting: only the chosen one is worked out and drawn."""

from __future__ import annotations

import streamlit as st

from compdp_core.privacy import PrivacyLoss
from pages.furniture.state import edits
from pages.labbing import settings as lab
from pages.labbing.bench import Bench, Result
from pages.labbing.feasible_chart import feasible_chart
from pages.labbing.loss_chart import loss_chart
from pages.labbing.numbers import numbers
from pages.labbing.variance_chart import variance_chart


def views(bench: Bench, result: Result, loss: PrivacyLoss) -> None:
    chosen = st.segmented_control(
        "Look at",
        list(lab.VIEWS),
        format_func=lab.VIEWS.__getitem__,
        required=True,
        **edits(lab.VIEW.name, lab.VIEW.default),
    )
    if chosen == "variance":
        variance_chart(bench, result).draw()
    elif chosen == "loss":
        loss_chart(bench, result, loss).draw()
    elif chosen == "feasible":
        feasible_chart(bench, result).draw()
    else:
        numbers(result)
