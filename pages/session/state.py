"""Settings that outlive their widgets.

Streamlit forgets a widget's value when the widget is not drawn, for example on another page.
So each setting lives in a plain dictionary of the session; a widget starts from it and writes
back on every change. Uploads and releases live there too: never in a cache that sessions share.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, TypeVar

import streamlit as st

from compdp_core.accounting.identity import HASH, Keys

T = TypeVar("T")
_KEPT = "kept"
_KEYS = Keys().at_least_one()
"""Other ones each time the program starts."""


def kept() -> dict[str, Any]:
    """Everything the session remembers, by name.

    Each call may end the run, if a click came in meanwhile. What belongs together is therefore
    changed in one call.
    """
    everything: dict[str, Any] = st.session_state.setdefault(_KEPT, {})
    return everything


def recall(name: str, default: Any = None) -> Any:
    return kept().get(name, default)


def keep(name: str, value: Any) -> None:
    kept()[name] = value


def note_page(key: str) -> None:
    """Remember which page is drawn, at the start of each run."""
    everything = kept()
    arrived = everything.get("page.here") != key
    visits = everything.get("page.visits", 0) + arrived
    everything.update({"page.entered": arrived, "page.here": key, "page.visits": visits})


def entered() -> bool:
    """Whether this run opens the page, instead of drawing it once more."""
    return bool(recall("page.entered", True))


def forget(prefix: str) -> None:
    for name in [name for name in kept() if name.startswith(prefix)]:
        del kept()[name]
        renew(name)


def widget_key(name: str) -> str:
    """Key of the widget that edits the setting, for this visit to the page.

    A key is one widget with one first value. What the browser still holds, or has just sent, under
    the key of an earlier visit or edition says nothing about the one that is drawn now.
    """
    edition = _editions().get(name, 0)
    page, visits = recall("page.here", ""), recall("page.visits", 0)
    return f"edit.{page}.{visits}.{browser_name(name)}.{edition}"


def browser_name(name: str) -> str:
    """The name as the browser may know it. Names of a table's settings hold a hash of its content;
    in the page itself, which may be saved or shown, it would test guesses.
    """
    return HASH.sub(lambda found: _KEYS.label(found[0], "name"), name)


def renew(name: str) -> None:
    """Replace the widget by a new one that starts from the kept value."""
    editions = _editions()
    editions[name] = editions.get(name, 0) + 1


def _editions() -> dict[str, int]:
    editions: dict[str, int] = kept().setdefault("state.editions", {})
    return editions


def edits(name: str, default: Any, *, allowed: Any = None) -> dict[str, Any]:
    """Arguments that make a widget edit the setting: `st.toggle("…", **edits("whole", True))`.

    Of several kept values those stay that are among the `allowed` options. Where none is left, the
    default is what is set from now on, for the widget and for all who look it up.

    Every run says what the widget starts from, though only a new widget heeds it. Were it said
    once, a click at that moment could stop the run, or drop what it had to send: the browser would
    draw the widget empty and report that as if someone had emptied it.
    """
    value = recall(name, default)
    if allowed is not None and not _within(value, allowed):
        left = [v for v in value if v in allowed] if isinstance(value, list) else []
        value = left or default
        keep(name, value)
    key = widget_key(name)
    if key in st.session_state and st.session_state[key] != value:
        # The setting was changed from elsewhere: by a button, a link, a file.
        renew(name)
        key = widget_key(name)

    def write_back() -> None:
        if key == widget_key(name):
            kept()[name] = st.session_state[key]

    return {"key": key, "on_change": write_back, "value": value}


def picks(name: str, default: Any, *, allowed: Any = None) -> dict[str, Any]:
    """The same for widgets that show all their options: pills, segments, several choices."""
    how = edits(name, list(default) if isinstance(default, tuple) else default, allowed=allowed)
    return {"default": how.pop("value"), **how}


def one_of(name: str, default: Any, options: Collection[Any]) -> dict[str, Any]:
    """The same for one choice from a list, options included: select boxes and radio buttons.

    None stands for "not chosen yet".
    """
    how = edits(name, default, allowed=(None, *options) if default is None else options)
    value = how.pop("value")
    listed = list(options)
    return {**how, "options": listed, "index": None if value is None else listed.index(value)}


def _within(value: Any, allowed: Any) -> bool:
    return all(v in allowed for v in value) if isinstance(value, list) else value in allowed


def memo(name: str, fingerprint: object, compute: Callable[[], T]) -> T:
    """The last result under that name while its fingerprint is unchanged, else a new one.

    One result a name and session: what depends on uploaded data is never shared.
    """
    stored: tuple[object, T] | None = recall(name)
    if stored is not None and stored[0] == fingerprint:
        return stored[1]
    result = compute()
    kept()[name] = (fingerprint, result)
    return result
