"""The one place a refusal becomes words on the screen. A traceback is never shown."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import streamlit as st

from compdp_core.errors import CompdpError
from pages.text.wording import literal

T = TypeVar("T")
LOG = logging.getLogger(__name__)
UNEXPECTED = (
    "Something went wrong that this page did not expect. Your file and settings are kept: take "
    "back the last change, or reload the page."
)


def tell(text: str) -> None:
    """Show a refusal. The text may quote user data, so it is shown literally."""
    st.error(literal(text), icon=":material/error:")


def attempt(compute: Callable[[], T]) -> T | None:
    """The result, or None after showing why it was refused."""
    try:
        return compute()
    except CompdpError as refusal:
        tell(sentence(str(refusal)))
        return None


def attempted(compute: Callable[[], T]) -> T | CompdpError:
    """The result, or the refusal itself, for a page that shows it elsewhere."""
    try:
        return compute()
    except CompdpError as refusal:
        return refusal


class WordlessRecord(logging.LogRecord):
    """Logs an exception by its kind and place, without its words: they may quote a cell.

    It is what every logger of the process makes, the framework's own included: that one writes
    out whatever a callback raises.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if self.exc_info and self.exc_info[1] is not None:
            self.exc_text = _places(self.exc_info[1])


MOST_PLACES = 40


def _places(problem: BaseException) -> str:
    # Of a deep one the end alone: whoever sends what is nested deeply must not fill the log.
    places = "".join(traceback.format_tb(problem.__traceback__, limit=-MOST_PLACES))
    before = problem.__cause__ or problem.__context__
    return f"{type(problem).__name__}\n{places}" + (f"after {_places(before)}" if before else "")


logging.setLogRecordFactory(WordlessRecord)


def record(what: str, problem: Exception) -> None:
    LOG.error("%s", what, exc_info=problem)


@contextmanager
def shown() -> Iterator[None]:
    """Turn a refusal of the library into a message and go on with the rest of the page."""
    try:
        yield
    except CompdpError as refusal:
        tell(sentence(str(refusal)))
    except Exception as problem:
        record("a page failed", problem)
        tell(UNEXPECTED)


NAMES = {"missing_as": "what missing cells are written as", "tail_ratio": "the tail ratio"}
"""Of arguments that are called otherwise on the pages."""


def sentence(text: str) -> str:
    """The text with a capital and a full stop.

    >>> sentence("epsilon must be a number"), sentence("tail_ratio must be a number")
    ('Epsilon must be a number.', 'The tail ratio must be a number.')
    """
    name, blank, rest = text.partition(" ")
    text = NAMES.get(name, name) + blank + rest
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
