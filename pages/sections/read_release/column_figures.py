"""What is estimated of a column, beside what a naive reading would say."""

from __future__ import annotations

import numpy as np
import streamlit as st

from compdp_core.estimates.estimate import Estimate
from pages.sections.read_release.naive import ReadFigure, ends_told, told, verdict
from pages.sections.read_release.sentences import sentence
from pages.sections.read_release.settings import LIMIT, WHOSE, value
from pages.sections.read_release.subject import OpenRelease
from pages.sections.shared.figures import records
from pages.session.faults import attempted
from pages.session.state import memo

NAIVE = "naive reading"


def show_figures(opened: OpenRelease, place: int) -> None:
    """Sentences to repeat, and the same as a table."""
    about, limit = value(WHOSE), value(LIMIT)
    found: list[ReadFigure] = memo(
        f"received.figures.{place}",
        (opened, about, limit),
        lambda: _figures(opened, place, about),
    )
    words = opened.words[place]
    for each in found:
        said = sentence(each, words, opened.rows)
        if isinstance(each.found, Estimate):
            st.markdown(said)
        else:
            st.info(said, icon=":material/info:")
    level = f"{round(100 * opened.estimates.level)} % interval"
    records([_row(each, level, words) for each in found], "Figures of the column")


def _figures(opened: OpenRelease, place: int, about: str) -> list[ReadFigure]:
    estimates, column = opened.estimates, opened.columns[place]
    cells = column.values[~np.isnan(column.values)]
    mean = attempted(lambda: estimates.mean(place, about=about))
    return [ReadFigure("mean", "value", mean, float(cells.mean()))]


def _row(figure: ReadFigure, level: str, words: object) -> dict[str, str]:
    found = figure.found
    sure = isinstance(found, Estimate)
    return {
        "figure": figure.name,
        "estimate": told(found.value, figure, words) if sure else "cannot be said",
        level: " … ".join(ends_told(figure, found, words)) if sure else "–",
        NAIVE: told(figure.naive, figure, words),
        "which is": verdict(figure, words),
    }
