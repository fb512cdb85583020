"""What the card says of the release, and what of file and card was checked against each other."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction

import numpy as np
import streamlit as st

from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.received import ReceivedColumn
from compdp_core.text import count
from pages.sections.read_release.subject import OpenRelease
from pages.session.state import memo
from pages.text.wording import budget, enumeration, literal


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
    columns = received.columns
    lines: list[str] = memo("received.checked", columns, lambda: [*map(_checked, columns)])
    proved = "What the card proves of its noise was worked out again from the card, and holds"
    st.success(f"{proved}. {' '.join(lines)}", icon=":material/fact_check:")


def _checked(column: ReceivedColumn) -> str:
    """The cells of a column against its card."""
    values = column.values[~np.isnan(column.values)]
    name, cells = literal(column.label), count(values.size, "cell")
    if not isinstance(column.channel, NumberChannel):
        return f"{name}: all {cells} are of the card's list."
    places = values / column.channel.spacing
    on = np.abs(places - np.rint(places)) <= 1e-6 * np.maximum(1.0, np.abs(places))
    low, high = column.channel.outputs.as_tuple()
    good = int((on & (values >= low) & (values <= high)).sum())
    if good == values.size:
        return f"{name}: all {cells} lie on the card's lattice."
    return f"{name}: {good:,} of {cells} lie on the card's lattice."
