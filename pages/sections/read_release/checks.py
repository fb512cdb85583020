"""What the card says of the release, and what of file and card was checked against each other."""

from __future__ import annotations

from collections.abc import Sequence
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
    said = memo("received.checked", received, lambda: _checked(received.columns))
    st.success(said, icon=":material/fact_check:")


def _checked(columns: Sequence[ReceivedColumn]) -> str:
    """That the card's proof holds, and that all cells are such as it can have drawn."""
    found = [_inside(each) for each in columns]
    cells, good = sum(values for values, _ in found), sum(inside for _, inside in found)
    places = {"on its lattice" if isinstance(each.channel, NumberChannel) else "in its list"
              for each in columns}  # fmt: skip
    where = " or ".join(sorted(places, reverse=True))
    all_ = "all" if good == cells else f"{good:,} of"
    return (
        "What the card proves of its noise was worked out again and holds; "
        f"{all_} {count(cells, 'released cell')} lie {where}."
    )


def _inside(column: ReceivedColumn) -> tuple[int, int]:
    """How many cells of a column have a value, and how many of them its card can have drawn."""
    values = column.values[~np.isnan(column.values)]
    if not isinstance(column.channel, NumberChannel):
        return values.size, values.size
    places = values / column.channel.spacing
    low, high = column.channel.outputs.as_tuple()
    on = np.abs(places - np.rint(places)) <= 1e-6 * np.maximum(1.0, np.abs(places))
    return values.size, int((on & (values >= low) & (values <= high)).sum())
