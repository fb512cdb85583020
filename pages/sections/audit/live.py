"""The page from top to bottom: subject, claim, evidence, checks in one fragment; then attacks."""

from __future__ import annotations

import streamlit as st

from pages.inputs import links
from pages.inputs.mechanisms import unproved
from pages.inputs.options import segments
from pages.sections.audit import settings as to
from pages.sections.audit.attack_bits import bits
from pages.sections.audit.attack_bounds import bounds
from pages.sections.audit.attack_outside import outside
from pages.sections.audit.attack_repeats import repeats
from pages.sections.audit.checks import checks, claimed
from pages.sections.audit.controls import controls
from pages.sections.audit.evidence import collect, evidence
from pages.sections.audit.settings import subject
from pages.session import faults
from pages.session.fragments import fragment
from pages.shell.panels import explores, step
from pages.text.wording import literal


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


_TRY = {"bounds": bounds, "repeats": repeats, "bits": bits, "outside": outside}


@fragment
def attacks() -> None:
    with step(
        5, "Attacks to try", "No proof is broken here: each attack uses a mistake around it."
    ):
        chosen = segments("Attack", to.ATTACKS, to.ATTACK)
        _TRY[chosen]()
