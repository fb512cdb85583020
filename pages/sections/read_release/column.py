"""Step 2: one released column, and what can be said of its true values."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.inputs.links import put
from pages.inputs.options import segments, select
from pages.sections.read_release.column_figures import quick_figures, slow_figures
from pages.sections.read_release.figures_chart import figures_chart
from pages.sections.read_release.limit import ask_limit, forget_limit
from pages.sections.read_release.naive import ReadFigure, ends_told, told, verdict
from pages.sections.read_release.sentences import sentence
from pages.sections.read_release.settings import ABOUT, COLUMN, LEVEL, LEVELS, LIMIT, WHOSE, value
from pages.sections.read_release.subject import OpenRelease
from pages.sections.read_release.worked_out import Wanted, show_progress, worked_out
from pages.sections.shared.figures import records
from pages.session.state import memo
from pages.shell.panels import drawer, step
from pages.text.values import ValueWords
from pages.text.wording import literal

NAIVE = "naive reading of the cells"
MOST = 12
"""Sentences below the table, which has all figures."""


def column_step(opened: OpenRelease) -> tuple[int, dict[str, Any]]:
    """The position of the column that is looked at, and what of it took its time."""
    hint = "From the released cells and the card alone, beside what a naive reading would say."
    with step(2, "One column", hint):
        titles = {place: each.label for place, each in opened.columns.items()}
        first = _first(opened)
        if value(COLUMN) not in titles:  # of a link, or of the file before
            put(COLUMN.name, first)
        which, share = st.columns(2, gap="medium")
        with which:
            place: int = select("Column", titles, COLUMN, first)
        forget_limit(place)
        if not opened.columns[place].is_category:
            with share:
                ask_limit(opened, place)
        whose, level = st.columns(2, gap="medium")
        with whose:
            segments("Say it of", ABOUT, WHOSE)
        with level:
            segments("Intervals that are right in", LEVELS, LEVEL)
        return place, _show(opened, place)


def _first(opened: OpenRelease) -> int:
    """A column of numbers, of which there is most to see, if there is one."""
    numbers = (place for place, each in opened.columns.items() if each.item.listed is None)
    return next(numbers, next(iter(opened.columns)))


def wanted_of(opened: OpenRelease, place: int) -> Wanted:
    """What is asked of the column by what is set on the page."""
    limit = value(LIMIT)
    return Wanted(opened, place, value(WHOSE), None if limit is None else float(limit))


def _show(opened: OpenRelease, place: int) -> dict[str, Any]:
    """A sentence to repeat, the picture, all figures, and their sentences. What takes its time is
    returned, as far as it is there."""
    about, words = value(WHOSE), opened.words[place]
    is_category = opened.columns[place].is_category
    found: list[ReadFigure] = memo(
        f"received.figures.{place}",
        (opened, about),
        lambda: quick_figures(opened, place, about),
    )
    if not found:
        st.info("No cell of this column has a value: choose another one.", icon=":material/info:")
        return {}
    wanted, done = wanted_of(opened, place), dict[str, Any]()
    if not is_category:
        done = worked_out(wanted)
        found = [*found, *slow_figures(wanted, done)]
    first = max(found, key=_size) if is_category else found[0]
    st.markdown(f":material/format_quote: {sentence(first, words, opened.rows)}")
    if not is_category:
        figures_chart(opened, place, found).draw()
    level = f"{round(100 * opened.estimates.level)} % interval"
    records([_row(each, level, words) for each in found], "Figures of the column")
    said = [
        sentence(each, words, opened.rows)
        for each in found
        if each is not first and each.found is not None
    ]
    st.markdown("\n".join(f"- {each}" for each in said[:MOST]))
    if not is_category:
        show_progress(wanted)
    drawer("received.method", "What limits this, and how it is worked out", ":material/functions:",
           lambda: _behind(found))  # fmt: skip
    return done


def _why(figure: ReadFigure) -> str:
    return "…" if figure.found is None else "cannot be said"


def _size(figure: ReadFigure) -> float:
    return -1.0 if figure.estimate is None else figure.estimate.value


def _row(figure: ReadFigure, level: str, words: ValueWords) -> dict[str, str]:
    found = figure.estimate
    return {
        "figure": figure.name,
        "estimate": told(found.value, figure, words) if found is not None else _why(figure),
        level: "–" if found is None else " … ".join(ends_told(figure, words)),
        NAIVE: told(figure.naive, figure, words),
        "which is": verdict(figure, words),
    }


def _behind(found: list[ReadFigure]) -> None:
    """Notes and formulas, each once."""
    for kind in ("note", "method"):
        named: dict[str, list[str]] = {}
        for each in found:
            if each.estimate is not None and (text := getattr(each.estimate, kind)):
                named.setdefault(text, []).append(each.name)
        for text, names in named.items():
            whose = "" if len(named) == 1 else f"**{literal(', '.join(names).capitalize())}.** "
            st.markdown(f"{whose}{literal(text)}")
