"""An input mapped outside the valid interval, as the authors' released program does it."""

from __future__ import annotations

import streamlit as st

from compdp_core.auditing.attacks import FAULTY, Faulty
from compdp_core.auditing.privacy_loss import LogRatio, log_ratio_curve
from pages.sections.audit import settings as to
from pages.sections.audit.loss_picture import loss_chart
from pages.session.state import edits
from pages.text.wording import number, span

DISTANCE = 10.0
ANSWERS = tuple(n / 5 for n in range(100, 128))
"""Lower of two answers; valid ones begin at 24.4."""


def outside() -> None:
    faulty = FAULTY["outside"]()
    valid = faulty.valid
    assert valid is not None
    st.markdown(
        f"The example of the authors' program: ε = 1, Δ = 10, outputs from 0. Only answers in "
        f"{span(*valid, digits=3)} are mapped into the domain; the program lets any through."
    )
    answer = st.select_slider(
        "Answer, and its neighbour 10 above",
        ANSWERS,
        format_func=lambda a: f"{number(a)} and {number(a + DISTANCE)}",
        **edits(f"{to.PAGE}.answer", 23.0, allowed=ANSWERS),
    )
    pair = float(answer), float(answer) + DISTANCE
    clamped = tuple(min(max(x, valid[0]), valid[1]) for x in pair)
    broken = log_ratio_curve(faulty, pair)
    fixed = log_ratio_curve(faulty, (clamped[0], clamped[1]))
    left, right = st.columns(2)
    with left:
        loss_chart("audit-outside", "As in their program", broken, to.UNIT, height=340).draw()
        _attack(faulty, broken)
    with right:
        loss_chart("audit-inside", "Clamped first", fixed, to.UNIT, height=340).draw()
        st.success(
            f"**The fix.** Clamp into {span(*valid, digits=3)} before mapping: "
            f"{number(pair[0])} and {number(pair[1])} become {number(clamped[0])} and "
            f"{number(clamped[1])}, and the loss is {number(fixed.largest)} at most. Here the "
            "input interval comes first and the outputs follow from it, so this cannot happen.",
            icon=":material/build:",
        )


def _attack(faulty: Faulty, curve: LogRatio) -> None:
    first, second = curve.neighbours
    means = curve.table.means
    loss = f"The loss of {number(first)} and {number(second)} reaches {number(curve.largest)}, "
    loss += (
        f"within ε = {number(faulty.claimed)} for these two. "
        if curve.kept
        else f"above the claimed ε = {number(faulty.claimed)}. "
    )
    if abs(means[0] - first) + abs(means[1] - second) < 1e-3:
        st.info(
            f"**No attack here.** {loss}Both answers are valid, and the means are right.",
            icon=":material/check_circle:",
        )
        return
    st.error(
        f"**The attack.** {loss}The activation sticks out of the domain, and what is cut off makes "
        f"the rest likelier. The means are {number(means[0])} and {number(means[1])} instead of "
        f"{number(first)} and {number(second)}: biased, though the mechanism promises none.",
        icon=":material/bug_report:",
    )
