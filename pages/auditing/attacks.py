"""Step 5: attacks to try, one at a time, each with the fix beside it."""

from __future__ import annotations

import streamlit as st

from pages.auditing import settings as to
from pages.auditing.attack_bits import bits
from pages.auditing.attack_bounds import bounds
from pages.auditing.attack_outside import outside
from pages.auditing.attack_repeats import repeats
from pages.furniture.fragments import fragment
from pages.furniture.panels import step
from pages.furniture.state import picks

_TRY = {"bounds": bounds, "repeats": repeats, "bits": bits, "outside": outside}


@fragment
def attacks() -> None:
    with step(
        5, "Attacks to try", "No proof is broken here: each attack uses a mistake around it."
    ):
        chosen = st.segmented_control(
            "Attack",
            list(to.ATTACKS),
            format_func=to.ATTACKS.__getitem__,
            required=True,
            **picks(to.ATTACK.name, to.ATTACK.default, allowed=to.ATTACKS),
        )
        _TRY[chosen]()
