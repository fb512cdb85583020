"""Settings that outlive their widgets.

Streamlit forgets a widget's value when the widget is not drawn, for example on another page.
So each setting lives in a plain dictionary of the session; a widget starts from it and writes
back on every change. Uploads and releases live there too: never in a cache that sessions share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_KEPT = "kept"


def kept() -> dict[str, Any]:
    """Everything the session remembers, by name."""
    everything: dict[str, Any] = st.session_state.setdefault(_KEPT, {})
    return everything


def recall(name: str, default: Any = None) -> Any:
    """The setting's value, or the default where none was made."""
    return kept().get(name, default)


def keep(name: str, value: Any) -> None:
    """Remember a value under that name."""
    kept()[name] = value


def note_page(key: str) -> None:
    """Remember which page is drawn, at the start of each run."""
    keep("page.entered", recall("page.here") != key)
    keep("page.here", key)


def entered() -> bool:
    """Whether this run opens the page, instead of drawing it once more."""
    return bool(recall("page.entered", True))


def forget(prefix: str) -> None:
    """Drop every setting whose name starts so."""
    for name in [name for name in kept() if name.startswith(prefix)]:
        del kept()[name]
        st.session_state.pop(widget_key(name), None)


def widget_key(name: str) -> str:
    """Key of the widget that edits the setting on the page that is drawn.

    Two pages may edit one setting. Under one key the second page's widget would start empty: the
    framework takes it for another widget, whose value it still holds under that key.
    """
    return f"edit.{recall('page.here', '')}.{name}"


def edits(
    name: str, default: Any, then: Callable[[], None] | None = None, *, allowed: Any = None
) -> dict[str, Any]:
    """Arguments that make a widget edit the setting: `st.toggle("…", **edits("whole", True))`.

    A kept value that is no longer among the `allowed` options falls back to the default.
    """
    key = widget_key(name)
    value = recall(name, default)
    if allowed is not None and not _within(value, allowed):
        value = default
    present(key, value)
    if allowed is not None and st.session_state[key] != value:
        st.session_state[key] = value

    def write_back() -> None:
        settle(key)
        kept()[name] = st.session_state[key]
        if then is not None:
            then()

    return {"key": key, "on_change": write_back}


def present(key: str, value: Any) -> None:
    """Give a widget its first value: again in every run, until one run reached its end.

    A run that a click interrupts may never show what it set. The browser would then draw the
    widget empty, report that as if someone had emptied it, and the setting would be lost.
    """
    if key not in st.session_state:
        _settled().discard(key)
    if key not in _settled():
        st.session_state[key] = value
        _presented().add(key)


def settle(key: str) -> None:
    """Someone used the widget, so it was shown."""
    _settled().add(key)


def begin_run() -> None:
    """Called by the frame before anything is drawn."""
    _presented().clear()


def end_run() -> None:
    """Called by the frame after everything was drawn: what was presented has been shown."""
    _settled().update(_presented())


def _settled() -> set[str]:
    keys: set[str] = kept().setdefault("state.settled", set())
    return keys


def _presented() -> set[str]:
    keys: set[str] = kept().setdefault("state.presented", set())
    return keys


def _within(value: Any, allowed: Any) -> bool:
    return all(v in allowed for v in value) if isinstance(value, list) else value in allowed


def memo(name: str, fingerprint: object, compute: Callable[[], Any]) -> Any:
    """The last result under that name while its fingerprint is unchanged, else a new one.

    One result a name and session: what depends on uploaded data is never shared.
    """
    stored = recall(name)
    if stored is not None and stored[0] == fingerprint:
        return stored[1]
    result = compute()
    kept()[name] = (fingerprint, result)
    return result
