"""Step 3: how the true values of the column are distributed, over the released cells."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.estimates.likelihood.support import places
from compdp_core.estimates.summary.rows import SummaryRow
from compdp_core.estimates.summary.sentences import remarks
from pages.sections.read_release.column_figures import quick_figures, share_figures
from pages.sections.read_release.density_chart import density_chart
from pages.sections.read_release.settings import WHOSE, value
from pages.sections.read_release.shares_chart import ReadShare, read_shares_chart
from pages.sections.read_release.subject import OpenRelease
from pages.sections.read_release.wanted import Done, Wanted
from pages.session import faults
from pages.shell.panels import step
from pages.text.wording import literal


def distribution_step(wanted: Wanted, done: Done) -> bool:
    """Draw it; whether it could be drawn. Of numbers it is among what is ``done``."""
    hint = "What the noise hides of each row, all rows together still show."
    with step(3, "Its distribution", hint):
        opened, place = wanted.opened, wanted.place
        column = opened.columns[place]
        if column.is_category:
            return _categories(opened, place)
        found = done.distribution
        if found is None:
            if wanted.requests:  # else no cell has a value
                st.caption("It follows once it is worked out: see above.")
            return False
        if isinstance(found, CompdpError):
            st.info(literal(faults.sentence(str(found))), icon=":material/info:")
            return False
        if not found.told:
            st.info(literal(found.note), icon=":material/visibility_off:")
            return False
        if not wanted.shares:
            density_chart(opened, place, found).draw()
            st.caption(literal(found.note))
            return True
        rows = share_figures(wanted, done)
        if rows:
            read_shares_chart(opened, place, _shares(opened, place, rows), "value").draw()
            st.caption(literal(" ".join(remarks(rows))))
        return bool(rows)


def _categories(opened: OpenRelease, place: int) -> bool:
    """Each answer of a list."""
    figures = quick_figures(opened, place, value(WHOSE))
    rows = [each.row for each in figures if each.row is not None]
    shown = _shares(opened, place, rows)
    if shown:
        read_shares_chart(opened, place, shown, "answer").draw()
    return bool(shown)


def _shares(opened: OpenRelease, place: int, rows: Sequence[SummaryRow]) -> list[ReadShare]:
    """Of each answer or value."""
    words, column = opened.words[place], opened.columns[place]
    named = {name: words.value(at) for name, at in places(column).items()}
    return [
        ReadShare(named.get(name, name), row.naive, found.value, found.low, found.high)
        for row in rows
        if (found := row.estimate) is not None
        for name in row.request.arguments[1:]
    ]
