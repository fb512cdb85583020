"""Steps 2 and 4: the claim against the very probabilities, and the mechanism checks itself."""

from __future__ import annotations

import json

import pandas as pd
import streamlit as st

from compdp_core.auditing.privacy_loss import LogRatio, log_ratio_curve
from compdp_core.auditing.self_check import DRAWS, Check, self_check
from compdp_core.mechanisms.composite import CompositeMechanism
from pages.charts import export
from pages.sections.audit import settings as to
from pages.sections.audit.loss_picture import loss_chart
from pages.sections.audit.settings import AuditSubject
from pages.session.downloads import download
from pages.session.state import memo
from pages.text.wording import apart, count, literal, number


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


_MET = {True: "✓", False: "✗ Not met:", None: "– Not promised:"}


def checks(subject: AuditSubject) -> None:
    seed = int(to.value(to.START))
    found: tuple[Check, ...] = memo(
        f"{to.PAGE}.checks",
        (*subject.question, seed),
        lambda: self_check(subject.mechanism, subject.neighbours, seed=seed),
    )
    failed = [check.name for check in found if check.met is False]
    promised = sum(check.met is not None for check in found)
    if failed:
        st.error(literal(f"Not met: {', '.join(failed)}."), icon=":material/gpp_bad:")
    else:
        st.success(f"All {count(promised, 'check')} met.", icon=":material/check_circle:")
    st.markdown("\n".join(f"- {_line(check)}" for check in found))
    st.caption(
        f"From {DRAWS:,} draws of each neighbour, seed {seed}. A sound mechanism fails a check "
        "that rests on draws once in 500 million."
    )
    _files(subject, found)


def _line(check: Check) -> str:
    """A list reads on a phone, where a table of as many words would not."""
    return (
        f"{_MET[check.met]} **{check.name}** · found {number(check.result)}, at most "
        f"{number(check.limit)} {check.unit}: {literal(check.checked)}"
    )


def _files(subject: AuditSubject, found: tuple[Check, ...]) -> None:
    with st.container(horizontal=True):
        rows = [check.row() for check in found]
        download("Self-check as JSON", lambda: as_json(subject, found), "self-check.json")
        download("Self-check as CSV", lambda: export.as_csv(pd.DataFrame(rows)), "self-check.csv")


def as_json(subject: AuditSubject, found: tuple[Check, ...]) -> bytes:
    content = {
        "mechanism": subject.name,
        "epsilon": subject.claimed,
        "delta": subject.delta,
        "neighbours": subject.neighbours,
        "checks": [check.row() for check in found],
    }
    return json.dumps(content, indent=1, ensure_ascii=False).encode()
