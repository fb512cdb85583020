"""Step 3: what draws alone prove, more of it the more are drawn."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from compdp_core.auditing.sequential import DRAWS, Growth, audit_growth
from compdp_core.parameters import SEED
from pages.inputs.entry import within
from pages.inputs.options import segments
from pages.sections.audit import settings as to
from pages.sections.audit.evidence_chart import evidence_chart
from pages.sections.audit.settings import AuditSubject
from pages.session import jobs
from pages.session.state import keep, recall
from pages.text.wording import apart, literal, number

JOB, FOUND = f"{to.PAGE}.job", f"{to.PAGE}.found"


@dataclass(frozen=True)
class FoundEvidence:
    name: str
    growth: Growth
    setting: tuple[object, ...]


def collect() -> None:
    def then(found: FoundEvidence) -> None:
        if found.growth.looks:  # else it was stopped before the first, and the last run stays
            keep(FOUND, found)

    jobs.collect(JOB, then)


def evidence(subject: AuditSubject) -> None:
    st.markdown(
        "Half of the draws pick the outputs that give the input away, the other half count how "
        "often they come up under either neighbour. The counts bound ε from below."
    )
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    with left:
        segments("Confidence of all looks together", to.CONFIDENCES, to.CONFIDENCE)
    with right:
        to.field(to.START, "Seed", check=within(SEED), help=SEED.meaning)
    setting = (*subject.question, to.value(to.CONFIDENCE), to.value(to.START))
    if recall(JOB) is None and st.button(
        f"Draw up to {DRAWS[-1]:,} times", type="primary", icon=":material/casino:"
    ):
        _begin(subject, setting)
        st.rerun()
    if jobs.progress(JOB, _so_far):
        return
    found: FoundEvidence | None = recall(FOUND)
    if found is None or not found.growth.looks:
        st.caption("Takes a moment; it can be stopped. Nothing is released, no privacy is spent.")
        return
    if found.setting != setting:
        st.caption(
            f":material/history: This is the last run, about {literal(found.name)}. The settings "
            "have changed since; draw again to see them."
        )
    _show(found)


def _begin(subject: AuditSubject, setting: tuple[object, ...]) -> None:
    confidence, seed = float(to.value(to.CONFIDENCE)), int(to.value(to.START))

    def work(job: jobs.Job[FoundEvidence]) -> FoundEvidence:
        def look(growth: Growth) -> None:
            done = len(growth.looks)
            job.part = FoundEvidence(subject.name, growth, setting)
            job.tell(done / len(DRAWS), f"{growth.looks[-1].draws:,} draws looked at")

        job.tell(0.0, f"{DRAWS[0]:,} draws")
        growth = audit_growth(
            subject.simulate,
            subject.claimed,
            subject.neighbours,
            seed=seed,
            confidence=confidence,
            delta=subject.delta,
            look=look,
            cancelled=job.cancelled,
        )
        return FoundEvidence(subject.name, growth, setting)

    jobs.start(JOB, work)


def _so_far(job: jobs.Job[FoundEvidence]) -> None:
    if job.part is not None:
        _show(job.part)


def _show(found: FoundEvidence) -> None:
    evidence_chart(found.name, found.growth).draw()
    growth = found.growth
    level = to.CONFIDENCES.get(f"{growth.confidence:.6f}".rstrip("0"), str(growth.confidence))
    most = f"{growth.looks[-1].draws:,}"
    if growth.refuted:
        st.error(
            f"**Refuted with confidence {level}.** {growth.refuted_after:,} draws were enough. "
            f"The highest bound is ε ≥ {number(growth.lower_bound)}; the claim was "
            f"{number(growth.claimed)}.",
            icon=":material/gavel:",
        )
    else:
        st.info(
            f"**Not refuted.** {most} draws prove ε ≥ {number(growth.lower_bound)} with confidence "
            f"{level}, below the claimed {number(growth.claimed)}. An audit can convict, not "
            "acquit: that the claim holds takes a proof, such as the certificate.",
            icon=":material/balance:",
        )
    strongest = max(growth.looks, key=lambda look: look.lower_bound)
    first, second = apart(*strongest.inputs)
    quarter = strongest.draws // 4
    st.caption(
        f"Strongest look: {strongest.draws:,} draws. The outputs it picked came up "
        f"{strongest.hits[0]:,} times under {first} and {strongest.hits[1]:,} times under "
        f"{second}, of {quarter:,} each (Clopper and Pearson). The {len(DRAWS)} looks share the "
        "chance of error, so looking often convicts nobody by luck."
    )
