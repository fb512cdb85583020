"""What the card says of the release, and what of file and card was checked against each other."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

import numpy as np
import streamlit as st

from compdp_core.text import count
from pages.sections.read_release.subject import OpenRelease
from pages.text.wording import budget, enumeration, literal

PROVED = "What the card proves of its noise was worked out again, and holds."
NOT_PROVED = (
    "The card is of an earlier version, which says too little to prove its noise again: ask for a "
    "new one."
)


def card_line(opened: OpenRelease) -> None:
    """Rows, columns, budget and moment of the release, and the checks that passed."""
    received = opened.estimates.received
    card = received.card
    names = enumeration([f"**{literal(each.label)}**" for each in received.columns])
    when = datetime.fromisoformat(card.released_at)
    whose = "row" if card.privacy.person is None else "person"
    st.markdown(
        f"{count(received.rows, 'row')} · noise on {names} · "
        f"{budget(Fraction(card.privacy.epsilon))} for every {whose} · "
        f"made on {when:%Y-%m-%d} at {when:%H:%M} UTC"
    )
    cells = sum(int((~np.isnan(each.values)).sum()) for each in received.columns)
    proved = all(getattr(each.channel, "lattice", True) is not None for each in received.columns)
    st.success(
        f"Checked: {count(cells, 'released cell')}, each of which the noise of the card can have "
        f"drawn, and all together look as it draws them. {PROVED if proved else NOT_PROVED}",
        icon=":material/fact_check:",
    )
