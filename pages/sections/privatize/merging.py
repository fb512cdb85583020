"""Answers released as one: fewer categories, less noise in each share. And their order."""

from __future__ import annotations

from functools import partial

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.categories import runs_as_formula
from pages.inputs.links import put
from pages.inputs.options import select, several
from pages.sections.privatize.answers import RENAMED, shown
from pages.sections.shared.listing import listed, typed
from pages.sections.shared.setup import setting
from pages.session.state import edits, keep, recall
from pages.shell.panels import drawer
from pages.text.wording import literal

FEW = 3
"""Below so many answers there is nothing to merge or to put in order."""


def arrange(table: Table, position: int, called: str, *, blanks: bool, ordered: bool) -> None:
    """Offer to merge answers and, on a scale, to change their order."""
    named = partial(setting, table.fingerprint, position)
    texts = [*listed(recall(named("list"), "")), *([""] if blanks else [])]
    if len(texts) < FEW and not any(map(runs_as_formula, texts)):
        return
    what = f"{RENAMED}, or change their order" if ordered else RENAMED
    drawer(
        f"arrange-{position}",
        f"{what}, {called}",
        ":material/merge:",
        lambda: _content(table, position, called, texts, ordered),
    )


def _content(table: Table, position: int, called: str, texts: list[str], ordered: bool) -> None:
    named = partial(setting, table.fingerprint, position)
    groups: dict[str, list[str]] = recall(named("list.merged"), {})
    free = [text for text in texts if not any(text in each for each in groups.values())]
    titles = {text: shown(text) for text in free}
    chosen: list[str] = several(
        f"Answers to merge, {called}",
        titles,
        named("merge.chosen"),
        [],
        placeholder="Choose two or more, or one that is to have another name",
    )
    name, button = st.columns([3, 1], vertical_alignment="bottom")
    with name:
        given = st.text_input(
            f"Released as, {called}",
            placeholder=" / ".join(chosen) or "a name for them together",
            max_chars=200,
            **edits(named("merge.name"), ""),
        )
    button.button(
        "Rename" if len(chosen) == 1 else "Merge",
        key=f"merge-{position}",
        disabled=not chosen or (len(chosen) == 1 and not given.strip()),
        on_click=_merge,
        args=(table, position, chosen),
        width="stretch",
    )
    for place, (group, members) in enumerate(groups.items()):
        line, apart = st.columns([3, 1], vertical_alignment="center")
        line.markdown(f"**{literal(group)}**: {literal(', '.join(map(shown, members)))}")
        apart.button(
            "Take apart",
            key=f"apart-{position}-{place}",
            on_click=_apart,
            args=(table, position, group),
            width="stretch",
        )
    if ordered:
        _order(table, position, called)


def _merge(table: Table, position: int, chosen: list[str]) -> None:
    named = partial(setting, table.fingerprint, position)
    given = str(recall(named("merge.name"), "")).strip()
    name = given or " / ".join(text for text in chosen if text)
    groups = recall(named("list.merged"), {})
    keep(named("list.merged"), {**groups, name: [*groups.get(name, []), *chosen]})
    put(named("merge.chosen"), [])
    put(named("merge.name"), "")


def _apart(table: Table, position: int, group: str) -> None:
    name = setting(table.fingerprint, position, "list.merged")
    keep(name, {each: texts for each, texts in recall(name, {}).items() if each != group})


def _order(table: Table, position: int, called: str) -> None:
    """Answers can be moved by presses; the list itself can be edited, too."""
    named = partial(setting, table.fingerprint, position)
    texts = listed(recall(named("list"), ""))
    chosen = select(
        f"Answer to move, {called}",
        {text: text for text in texts},
        named("order.chosen"),
        None,
        placeholder="Choose an answer",
    )
    moves = {"Lower": -1, "Higher": 1}
    with st.container(horizontal=True):
        for label, by in moves.items():
            st.button(
                label,
                key=f"move-{by}-{position}",
                disabled=chosen is None,
                on_click=_move,
                args=(table, position, chosen, by),
            )
        st.button(
            "Reverse the order",
            key=f"reverse-{position}",
            on_click=put,
            args=(named("list"), typed(texts[::-1])),
        )


def _move(table: Table, position: int, text: str, by: int) -> None:
    name = setting(table.fingerprint, position, "list")
    texts = list(listed(recall(name, "")))
    at = texts.index(text)
    texts.insert(min(max(at + by, 0), len(texts) - 1), texts.pop(at))
    put(name, typed(texts))
