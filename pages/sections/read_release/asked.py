"""What is asked of several columns together, each setting declared once: places, never names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from compdp_core.tables.records import MAX_COLUMNS
from pages.inputs import links
from pages.sections.read_release.settings import PAGE
from pages.sections.read_release.subjects import MOST_ANSWERS, Place

WAYS = {
    "correlation": "whether two go together",
    "regression": "one from others",
}
MOST_PREDICTORS = 10


_COLUMN = "the number of a column, and of an answer behind a point"
_GROUP = f"the number of a group, 1 to {MOST_ANSWERS}"


def _whole(text: str, most: int, what: str = _COLUMN) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= most:
        raise ValueError(f"it must be {what}.")
    return int(text) - 1


def _place(text: str) -> Place:
    column, point, answer = text.partition(".")
    return _whole(column, MAX_COLUMNS), _whole(answer, MOST_ANSWERS) if point else None


def _places(text: str) -> list[Place]:
    found = [_place(each) for each in text.split(",")]
    if len(found) > MOST_PREDICTORS:
        raise ValueError(f"it must hold {MOST_PREDICTORS} columns at most.")
    return list(dict.fromkeys(found))


def _said(place: Place) -> str:
    column, answer = place
    return f"{column + 1}" if answer is None else f"{column + 1}.{answer + 1}"


def _setting(
    key: str, read: Callable[[str], Any], write: Callable[[Any], str], default: Any = None
) -> links.Setting:
    return links.Setting(f"{PAGE}.{key}", key, default, read, write)


WAY = links.choice(f"{PAGE}.way", "ask", tuple(WAYS), "correlation")
FIRST, SECOND, OUTCOME, AVERAGED = (
    _setting(key, _place, _said) for key in ("first", "second", "outcome", "mean_of")
)
PREDICTORS = _setting("on", _places, lambda places: ",".join(map(_said, places)), [])
GROUPED = links.column(f"{PAGE}.by", "by")
AGAINST = _setting("against", lambda t: _whole(t, MOST_ANSWERS, _GROUP), lambda v: str(v + 1))
"""The group that others are compared with, by its place among all."""
ASKED: tuple[links.Setting, ...] = (
    WAY, FIRST, SECOND, OUTCOME, PREDICTORS, AVERAGED, GROUPED, AGAINST,
)  # fmt: skip
