"""The names of Streamlit's inside that the app uses: each is there and does what is used of it.

A minor version that fails here needs pages/session/framework.py looked at before it is allowed.
"""

from __future__ import annotations

import ast
import inspect
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit import runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.session_state import WStates
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.session import framework
from tests.app.driving import Driven
from tests.architecture.source import ROOT, files, imports_of, name

OWN = "pages/session/framework.py"
PUBLIC = {"streamlit", "streamlit.testing"}


def arguments(of: Any) -> list[str]:
    return [each for each in inspect.signature(of).parameters if each != "self"]


def test_nothing_else_imports_from_the_inside() -> None:
    found = {
        name(path)
        for path in files("app.py", "pages", suffix=".py")
        for imported in imports_of(path)
        if imported.startswith("streamlit.")
    }
    assert found == {OWN}


def test_nothing_else_uses_a_private_name_of_a_library() -> None:
    """Private attributes are those of the own class or of another object of it."""
    found = {
        f"{name(path)}: {ast.unparse(each)}"
        for path in files("app.py", "pages", suffix=".py")
        if name(path) != OWN
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(each, ast.Attribute)
        and each.attr.startswith("_")
        and not each.attr.startswith("__")
        and ast.unparse(each.value) not in ("self", "cls")
    }
    assert not found


def test_the_pin_allows_the_running_minor_version_alone() -> None:
    major, minor = map(int, st.__version__.split(".")[:2])
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert f"streamlit>={major}.{minor},<{major}.{minor + 1}" in lines


def test_without_a_server_nothing_is_running() -> None:
    assert not runtime.exists()
    assert not framework.running()
    assert framework.session_name() is None
    framework.close_session("of nobody")
    framework.hold_file("of nobody")(b"", "text/plain", "a.txt")
    with pytest.raises(RuntimeError):
        framework.call_in_server(lambda _: None)


def test_a_page_knows_its_session() -> None:
    assert arguments(get_script_run_ctx) == ["suppress_warning"]
    assert arguments(add_script_run_ctx)[:2] == ["thread", "ctx"]
    assert not Driven().at.exception


def test_the_server_has_a_loop_and_ends_sessions() -> None:
    assert not arguments(Runtime._get_async_objs)
    assert "eventloop" in inspect.get_annotations(type_of(Runtime._get_async_objs))
    assert arguments(Runtime.is_active_session) == ["session_id"]
    assert arguments(Runtime.close_session) == ["session_id"]
    assert isinstance(Runtime.media_file_mgr, property)


def type_of(function: Any) -> Any:
    """What it returns, by its annotation."""
    return function.__globals__[inspect.signature(function).return_annotation]


def test_files_are_entered_by_name_and_go_when_nobody_needs_them() -> None:
    assert arguments(MediaFileManager.add) == [
        "path_or_data", "mimetype", "coordinates", "file_name", "is_for_static_download",
    ]  # fmt: skip
    assert not arguments(MediaFileManager.remove_orphaned_files)


def test_sessions_whose_time_is_over_are_found_and_emptied() -> None:
    """In the framework's own storage, at a clock that is moved on."""
    ended, removed, now = [], [], [0.0]
    storage = MemorySessionStorage(ttl_seconds=10)
    cache: Any = type(storage._cache)
    storage._cache = cache(maxsize=9, ttl=10, timer=lambda: now[0])
    state, parts = SessionState(), MemoryFragmentStorage()
    state["kept"] = 1
    session = SimpleNamespace(
        id="one", shutdown=lambda: ended.append(1), session_state=state, _fragment_storage=parts
    )
    info: Any = SimpleNamespace(session=session)
    storage.save(info)
    server = SimpleNamespace(
        _session_mgr=SimpleNamespace(_session_storage=storage),
        media_file_mgr=SimpleNamespace(remove_orphaned_files=lambda: removed.append(1)),
    )
    assert framework.end_sessions(server) == 0
    assert "kept" in state
    now[0] = 11.0
    assert framework.end_sessions(server) == 1
    assert ended == [1]
    assert removed == [1, 1]
    assert "kept" not in state


def test_the_framework_keeps_its_sessions_where_they_are_looked_for() -> None:
    assert "self._session_mgr" in inspect.getsource(Runtime.__init__)
    assert "self._session_storage" in inspect.getsource(WebsocketSessionManager.__init__)
    assert "self._fragment_storage" in inspect.getsource(AppSession.__init__)
    assert not arguments(AppSession.shutdown)


def test_callbacks_are_called_through_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert arguments(WStates.call_callback) == ["states", "widget"] or arguments(
        WStates.call_callback
    ) == ["widget_id"]
    called: list[str] = []
    monkeypatch.setattr(WStates, "call_callback", lambda states, widget: called.append(widget))

    def net(inner: framework.Callback) -> framework.Callback:
        def call(states: Any, widget: str) -> None:
            called.append("net")
            inner(states, widget)

        return call

    framework.guard_callbacks(net)
    framework.guard_callbacks(net)
    states = WStates()
    states.call_callback("slider")
    assert called == ["net", "slider"]
