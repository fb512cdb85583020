"""Step 2: one released column, and what can be said of its true values."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from compdp_core.estimates.summary.sentences import remarks, sentence
from pages.inputs.links import put
from pages.inputs.options import segments, select
from pages.sections.read_release.alone import far_better_alone
from pages.sections.read_release.answered import figure_line, to_repeat
from pages.sections.read_release.column_figures import (
    ReadFigure,
    quick_figures,
    slow_figures,
    wanted_of,
)
from pages.sections.read_release.figures_chart import figures_chart
from pages.sections.read_release.limit import ask_limit, forget_limit
from pages.sections.read_release.settings import ABOUT, COLUMN, LEVEL, LEVELS, LIMIT, WHOSE, value
from pages.sections.read_release.subject import OpenRelease
from pages.sections.read_release.wanted import Done, Wanted
from pages.sections.read_release.worked_out import show_progress, worked_out
from pages.sections.shared.figures import records
from pages.shell.panels import drawer, step
from pages.text.wording import literal

OF_WHOM = (
    "Quartiles are those of the population that the rows are drawn from; all else is of these rows."
)


def column_step(opened: OpenRelease) -> tuple[Wanted, Done]:
    """What is asked of the column that is looked at, and what of it is there."""
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
        return _show(opened, place)


def _first(opened: OpenRelease) -> int:
    """A column of numbers, of which there is most to see, if there is one."""
    numbers = (place for place, each in opened.columns.items() if each.item.listed is None)
    return next(numbers, next(iter(opened.columns)))


def _show(opened: OpenRelease, place: int) -> tuple[Wanted, Done]:
    """A sentence to repeat, the picture, all figures, and on demand what they say and rest on."""
    about, limit = value(WHOSE), value(LIMIT)
    wanted, done = Wanted(opened, place, ()), Done(None, {})
    found = quick_figures(opened, place, about)
    if not found:
        st.info("No cell of this column has a value: choose another one.", icon=":material/info:")
        return wanted, done
    is_category = opened.columns[place].is_category
    if not is_category:
        wanted = wanted_of(opened, place, about, None if limit is None else float(limit))
        done = worked_out(wanted)
        found = [*found, *slow_figures(wanted, done)]
    first = max(found, key=_size) if is_category else found[0]
    assert first.row is not None  # takes no time
    st.markdown(f":material/format_quote: {literal(sentence(first.row))}")
    if not is_category:
        figures_chart(opened, place, found).draw()
    level = opened.estimates.level
    records([figure_line(each.name, each.row, level) for each in found], "Figures of the column")
    if about == "rows" and not is_category:
        st.caption(OF_WHOM)
    far_better_alone(opened, place, [first, *(each for each in found if each is not first)])
    if not is_category:
        show_progress(wanted)
    to_repeat([each.row for each in found if each.row is not None], "received.sentences")
    drawer("received.method", "What limits this, and how it is worked out", ":material/functions:",
           lambda: _behind(found))  # fmt: skip
    return wanted, done


def _size(figure: ReadFigure) -> float:
    return -1.0 if figure.estimate is None else figure.estimate.value


def _behind(found: Sequence[ReadFigure]) -> None:
    """What limits the figures, and formulas, each once."""
    rows = [each.row for each in found if each.row is not None]
    st.markdown(literal(" ".join(remarks(rows))))
    named: dict[str, list[str]] = {}
    for row in rows:
        if row.estimate is not None and row.estimate.method:
            named.setdefault(row.estimate.method, []).append(row.figure)
    for text, names in named.items():
        whose = "" if len(named) == 1 else f"**{literal(', '.join(names).capitalize())}.** "
        st.markdown(f"{whose}{literal(text)}")
