"""Step 2: the claim against the very probabilities, in one picture and one sentence."""

from __future__ import annotations

import streamlit as st

from compdp_core.auditing.privacy_loss import LogRatio, log_ratio_curve
from compdp_core.mechanisms.composite import CompositeMechanism
from pages.sections.audit import settings as to
from pages.sections.audit.loss_picture import loss_chart
from pages.sections.audit.subject import AuditSubject
from pages.session.state import memo
from pages.text.wording import apart, literal, number


def claimed(subject: AuditSubject) -> None:
    curve: LogRatio = memo(
        f"{to.PAGE}.curve",
        subject.question,
        lambda: log_ratio_curve(subject.mechanism, subject.neighbours),
    )
    composite = subject.mechanism if isinstance(subject.mechanism, CompositeMechanism) else None
    loss_chart("audit-loss", "Privacy loss at every output", curve, to.UNIT, composite).draw()
    _verdict(curve)
    if composite is not None:
        st.caption(
            f"Taken from the {composite.lattice.points:,} outputs that are drawn from, each with "
            "its exact probability. The dotted line is the worst of any two inputs at most "
            f"Δ = {number(composite.sensitivity)} apart; its certificate proves "
            f"ε = {number(composite.certificate.epsilon, 4)} for all of them at once."
        )


def _verdict(curve: LogRatio) -> None:
    first, second = apart(*curve.neighbours)
    if curve.delta > 0.0:
        words = (
            f"Far out the ratio passes e^ε; δ allows for that. For {first} and {second} the least "
            f"δ that keeps ε is {number(curve.excess)}, the claimed one is {number(curve.delta)}: "
        )
    else:
        words = (
            f"For {first} and {second} the loss is {number(curve.largest, 4)} at most, the claim "
            f"is {number(curve.claimed)}: "
        )
    if curve.kept:
        st.success(literal(words + "kept."), icon=":material/check_circle:")
    else:
        st.error(literal(words + "broken."), icon=":material/gpp_bad:")
