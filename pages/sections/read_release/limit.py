"""The limit above which a share of rows is asked for: one of the column that is looked at."""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from pages.inputs.entry import exact
from pages.inputs.links import put
from pages.inputs.written import written
from pages.sections.read_release.settings import LIMIT, value
from pages.sections.read_release.subject import OpenRelease
from pages.session.state import keep, recall
from pages.text.typed_numbers import plain
from pages.text.wording import in_label

SEEN = "received.limit_of"


def ask_limit(opened: OpenRelease, place: int) -> None:
    """The limit above which a share is asked for."""
    words, bounds = opened.words[place], opened.bounds(place)
    middle = 0.5 * (bounds.lower + bounds.upper)
    what = "date" if words.beyond == "after" else "limit"
    label = f"Share of rows {words.beyond} this {what}"
    low, high = bounds.as_tuple()

    def check(number: Decimal) -> str | None:
        if low <= number < high:
            return None
        return f"It must lie within the bounds of the card, {words.span(low, high)}."

    now = value(LIMIT)
    if now is not None and check(now):  # of a link
        put(LIMIT.name, None)
    if words.format is not None:
        written(LIMIT.name, label, words.format, middle, st.container(), check=check)
        return
    label = in_label(words.named(label), label)
    exact(LIMIT.name, label, check=check, optional=True, placeholder=f"such as {plain(middle)}")


def forget_limit(place: int) -> None:
    """A limit is one of its column: with another column it goes, unless a link set both."""
    now, before = value(LIMIT), recall(SEEN)
    if before is not None and before[0] != place and before[1] == now:
        put(LIMIT.name, None)
    keep(SEEN, (place, value(LIMIT)))
