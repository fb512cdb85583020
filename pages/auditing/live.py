"""The page from top to bottom: subject, claim, evidence, checks in one fragment; then attacks."""

from __future__ import annotations

import streamlit as st

from pages.auditing import settings as to
from pages.auditing.attacks import attacks
from pages.auditing.checks import checks
from pages.auditing.claimed import claimed
from pages.auditing.controls import controls
from pages.auditing.evidence import collect, evidence
from pages.auditing.subject import subject
from pages.furniture import faults, links
from pages.furniture.fragments import fragment
from pages.furniture.mechanisms import unproved
from pages.furniture.panels import explores, step
from pages.furniture.wording import literal


def live() -> None:
    links.restore(to.PAGE, to.SETTINGS)
    collect()
    _live()
    attacks()
    links.share(to.PAGE, to.SETTINGS)


@fragment
def _live() -> None:
    explores()
    with step(1, "What to audit", "Take a sound mechanism, then one that is broken on purpose."):
        controls()
        asked = faults.attempt(subject)
    if asked is None:
        return
    with step(2, "Claimed against measured", "How well each single output tells two inputs apart."):
        claimed(asked)
        if asked.broken is None:
            warning = unproved(asked.mechanism)  # type: ignore[arg-type]
            if warning:
                st.warning(literal(warning), icon=":material/rule:")
    with step(3, "Evidence from draws", "As an outsider would: no formulas, only draws."):
        evidence(asked)
    with step(
        4, "Self-check", "Bounds, bias, mass, loss and certificate, each by its own numbers."
    ):
        checks(asked)
