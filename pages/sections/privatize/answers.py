"""The answers of a column as they are set: their texts in order, and which of them are one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.report.fields import MOST_PARTS
from compdp_core.tables import Table
from compdp_core.tables.categories import OTHER, Categories, runs_as_formula
from pages.sections.shared.listing import listed, typed
from pages.sections.shared.setup import setting
from pages.session.state import recall

BLANK = "(blank)"
LEAST, SHOWN = 2, 12
RENAMED = "Merge or rename answers"
_CASES = (str.lower, str.upper, str.capitalize, str.title)


def in_one_line(text: str) -> bool:
    """Whether it can be listed."""
    return len(text.splitlines()) == 1


def categories_of(table: Table, position: int, *, others: bool, blanks: bool) -> Categories | None:
    """The list as it is set, with what is merged as one; None while it is empty.

    ``others``: whether all other texts are one more answer; ``blanks``: whether blank cells are.
    Raises :class:`~compdp_core.errors.CompdpError` for what can be no list.
    """
    named = partial(setting, table.fingerprint, position)
    texts = listed(recall(named("list"), ""))
    if not texts:
        return None
    rest = recall(named("list.other_name"), OTHER)
    group = {text: name for name, each in recall(named("list.merged"), {}).items() for text in each}
    made: dict[str, list[str]] = {}
    for text in (*texts, *[""] * blanks):
        made.setdefault(group.get(text, text), []).append(text)
    if len(made) > MOST_PARTS:
        raise ParameterError("categories", len(made), f"must be at most {MOST_PARTS}")
    for name in made:
        _check_writable(table, name)
    if len({*made, *[rest] * others}) < LEAST:
        raise CompdpError(
            "a list needs two answers or more, since a single one hides nothing: add one, or take "
            "apart what is merged"
        )
    if recall(named("list.any_case"), False):
        made = in_any_case(made)
    if others:  # what is listed under that name is one of them
        made = {name: each for name, each in made.items() if name != rest} | {rest: []}
    return Categories.of(made)


def in_any_case(given: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The same answers where they are written in lower or upper case, or with capitals, too.

    >>> in_any_case({"Yes": ["Yes"], "no idea": ["no idea"]})
    {'Yes': ['Yes', 'yes', 'YES'], 'no idea': ['no idea', 'NO IDEA', 'No idea', 'No Idea']}
    """
    known = {text for texts in given.values() for text in texts}
    made: dict[str, list[str]] = {}
    for name, texts in given.items():
        ways = [way(text) for text in texts for way in _CASES]
        made[name] = [*texts, *(way for way in dict.fromkeys(ways) if way not in known)]
        known.update(ways)
    return made


def answer_settings(given: Categories) -> dict[str, Any]:
    """What is set, by name, so that :func:`categories_of` makes the same of it."""
    rows = list(zip(given.names, given.members, strict=True))
    rest = next((name for name, texts in rows if not texts), None)
    return {
        "list": typed([text for _, texts in rows for text in texts if text]),
        "list.merged": {name: list(texts) for name, texts in rows if texts and texts != (name,)},
        "list.any_case": False,
        "list.blank": any("" in texts for texts in given.members),
        "list.other": rest is not None,
        "list.other_name": rest or OTHER,
    }


def _check_writable(table: Table, name: str) -> None:
    if runs_as_formula(name):
        raise CompdpError(
            f"“{name}” begins as a formula does, which a spreadsheet would run: choose it above "
            f"under “{RENAMED}”, and type another name for what is released"
        )
    try:
        name.encode(table.reading.codec)
    except UnicodeEncodeError:
        raise ParameterError(
            "categories",
            name,
            f"must be letters that {table.format.encoding.upper()}, the encoding of this file, has",
        ) from None


def shown(name: str) -> str:
    """An answer as one can see it."""
    return name or BLANK


def enumerated(names: tuple[str, ...], most: int = SHOWN) -> str:
    """The first of them, and how many more there are.

    >>> enumerated(("a", ""), 5), enumerated(("a", "b", "c"), 2)
    ('a · (blank)', 'a · b · and 1 more')
    """
    rest = len(names) - most
    seen = " · ".join(map(shown, names[:most]))
    return f"{seen} · and {rest:,} more" if rest > 0 else seen
