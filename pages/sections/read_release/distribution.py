"""Step 3: how the true values of the column are distributed, over the released cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.estimates.likelihood.distribution import Distribution
from pages.sections.read_release.column_figures import quick_figures
from pages.sections.read_release.density_chart import density_chart
from pages.sections.read_release.settings import WHOSE, value
from pages.sections.read_release.shares_chart import MOST, ReadShare, read_shares_chart
from pages.sections.read_release.subject import OpenRelease
from pages.sections.read_release.worked_out import DISTRIBUTION
from pages.session import faults
from pages.session.state import memo
from pages.shell.panels import step
from pages.text.wording import literal


def distribution_step(opened: OpenRelease, place: int, done: Mapping[str, Any]) -> bool:
    """Draw it; whether it could be drawn. Of numbers it is among what is ``done``."""
    hint = "What the noise hides of each row, all rows together still show."
    with step(3, "Its distribution", hint):
        column = opened.columns[place]
        if column.is_category:
            return _categories(opened, place)
        found: Distribution | CompdpError | None = done.get(DISTRIBUTION)
        if found is None:
            st.caption("It follows once it is worked out: see above.")
            return False
        if isinstance(found, CompdpError):
            st.info(literal(faults.sentence(str(found))), icon=":material/info:")
            return False
        if not found.told:
            st.info(literal(found.note), icon=":material/visibility_off:")
            return False
        if len(found.shares) <= MOST and (column.item.whole or column.item.listed is not None):
            read_shares_chart(opened, place, _places(opened, place, found), "value").draw()
        else:
            density_chart(opened, place, found).draw()
        st.caption(literal(found.note))
        return True


def _places(opened: OpenRelease, place: int, found: Distribution) -> list[ReadShare]:
    """Each value of a short scale or of few whole numbers."""
    column, words = opened.columns[place], opened.words[place]
    cells = column.values[~np.isnan(column.values)]
    seen = np.histogram(cells, found.edges)[0] / cells.size
    middles = 0.5 * (found.edges[:-1] + found.edges[1:])
    return [
        ReadShare(words.value(middle), float(there), share, low, high)
        for middle, there, share, low, high in zip(
            middles.tolist(), seen, found.shares.tolist(), found.low.tolist(), found.high.tolist(),
            strict=True,
        )
    ]  # fmt: skip


def _categories(opened: OpenRelease, place: int) -> bool:
    """Each answer of a list."""
    about = value(WHOSE)
    figures = memo(
        f"received.figures.{place}", (opened, about), lambda: quick_figures(opened, place, about)
    )
    if not figures:
        return False
    names = opened.columns[place].names
    rows = [
        ReadShare(name, each.naive, each.estimate.value, each.estimate.low, each.estimate.high)
        for name, each in zip(names, figures, strict=True)
        if each.estimate is not None
    ]
    if rows:
        read_shares_chart(opened, place, rows, "answer").draw()
    return bool(rows)
