"""What Streamlit loses where two things meet, and that the app does not: each without the mend,
where a version that no longer loses it is noticed, and once with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

from pages.session import framework

ROWS = [f"row {at}" for at in range(30)]
PAGE_TEXTS = ["part", "name", *ROWS]
LATEST = 10.0
"""Seconds until a run must have ended, on any machine."""
PAGE = f"""
import streamlit as st

@st.fragment
def part():
    st.text("part")

part()
st.session_state.setdefault("kept", "")
def write_back():
    st.session_state["kept"] = st.session_state["name"]
st.text_input("Name", key="name", on_change=write_back)
st.text(f"name {{st.session_state['kept']}}".strip())
for row in {ROWS}:
    st.text(row)
"""
CHANGED = """
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

def write_back():
    get_script_run_ctx().script_requests.request_stop()
    st.session_state["kept"] = st.session_state["value"]

st.session_state.setdefault("kept", 0)
st.slider("Value", 0, 100, 0, key="value", on_change=write_back)
"""


@pytest.fixture(autouse=True)
def unmended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The framework as it comes, whatever ran before; afterwards as it was."""
    for owner, name in (
        (AppSession, "request_rerun"),
        (AppSession, "_create_scriptrunner"),
        (SessionState, "_call_callbacks"),
    ):
        found = getattr(owner, name)
        monkeypatch.setattr(owner, name, getattr(found, "unmended", found))


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A script, and of a server what a session asks for."""
    server = MagicMock()
    monkeypatch.setattr(Runtime, "_instance", server)
    script = tmp_path / "page.py"
    script.write_text(PAGE, encoding="utf-8")
    yield script
    assert server.media_file_mgr.method_calls, "no run began"


def texts(messages: list[ForwardMsg]) -> list[str]:
    found = (message.delta.new_element for message in messages if message.HasField("delta"))
    return [each.text.body for each in found if each.WhichOneof("type") == "text"]


async def ended(session: AppSession) -> list[ForwardMsg]:
    """All that reaches the page until nothing runs any more."""
    async with asyncio.timeout(LATEST):
        while session._scriptrunner is not None:
            await asyncio.sleep(0.01)
    return session.flush_browser_queue()


@dataclass(frozen=True)
class Drawn:
    """A session whose page has just been drawn, when the loop has not yet come to what that run
    sent.
    """

    session: AppSession
    part: str
    field: str

    def ask(self, name: str, *, part: bool = False, page: str = "") -> None:
        """A request of a browser whose text field holds that name."""
        states = WidgetStates(widgets=[WidgetState(id=self.field, string_value=name)])
        asked = ClientState(widget_states=states, page_name=page)
        if part:
            asked.fragment_id = self.part
        self.session.request_rerun(asked)


@asynccontextmanager
async def just_drawn(script: Path) -> AsyncIterator[Drawn]:
    session = AppSession(
        ScriptData(str(script), False),
        MemoryUploadedFileManager("/upload"),
        ScriptCache(),
        None,
        {},
    )
    try:
        session.request_rerun(None)
        runner: Any = session._scriptrunner
        runner._script_thread.join(LATEST)
        assert not runner._script_thread.is_alive()
        storage: Any = session._fragment_storage
        (part,) = storage._fragments
        (field,) = session.session_state.get_widget_states()
        yield Drawn(session, part, field.id)
    finally:
        session.shutdown()


async def drawn_again(script: Path) -> list[str]:
    async with just_drawn(script) as drawn:
        drawn.ask("old", part=True)
        return texts(await ended(drawn.session))


def test_the_framework_drops_what_the_last_run_sent(page: Path) -> None:
    assert asyncio.run(drawn_again(page)) == ["part"]


def test_what_a_run_sent_arrives_before_a_part_is_drawn_again(page: Path) -> None:
    framework.deliver_before_next_run()
    framework.deliver_before_next_run()
    assert asyncio.run(drawn_again(page)) == ["name", *ROWS, "part"]


def test_what_is_asked_later_waits_behind_it(page: Path) -> None:
    """The other way round, older values would overwrite newer ones."""
    framework.deliver_before_next_run()

    async def asked() -> tuple[list[str], Any]:
        async with just_drawn(page) as drawn:
            drawn.ask("old", part=True)
            drawn.ask("new")
            await asyncio.sleep(10 * framework.TURN)
            shown = texts(await ended(drawn.session))
            return shown, drawn.session.session_state["kept"]

    shown, kept = asyncio.run(asked())
    assert shown[-len(PAGE_TEXTS) :] == ["part", "name new", *ROWS]
    assert kept == "new"


def test_after_a_request_that_fails_others_are_served(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = AppSession.request_rerun

    def failing(session: AppSession, client_state: ClientState | None) -> None:
        if client_state is not None and client_state.page_name == "broken":
            raise ValueError("broken")
        request(session, client_state)

    monkeypatch.setattr(AppSession, "request_rerun", failing)
    framework.deliver_before_next_run()

    async def asked() -> list[str]:
        told: list[Any] = []
        async with just_drawn(page) as drawn:
            drawn.session._event_loop.set_exception_handler(lambda _, what: told.append(what))
            drawn.ask("old", part=True)
            drawn.ask("old", page="broken")
            drawn.ask("new")
            await asyncio.sleep(10 * framework.TURN)
            shown = texts(await ended(drawn.session))
            with pytest.raises(ValueError, match="broken"):
                drawn.ask("newer", page="broken")
            drawn.ask("newest")
            shown += texts(await ended(drawn.session))
        assert [str(each["exception"]) for each in told] == ["broken"]
        return [text for text in shown if text.startswith("name ")]

    assert asyncio.run(asked()) == ["name new", "name newest"]


def test_a_part_that_waits_is_not_drawn_for_a_session_that_ended(page: Path) -> None:
    framework.deliver_before_next_run()

    async def asked() -> list[str]:
        async with just_drawn(page) as drawn:
            drawn.ask("old", part=True)
            drawn.session.shutdown()
            await asyncio.sleep(10 * framework.TURN)
            return texts(drawn.session.flush_browser_queue())

    assert asyncio.run(asked()) == PAGE_TEXTS


def changed_while_another_click_comes() -> Any:
    """What is kept of a slider whose callback a newer click meets."""
    app = AppTest.from_string(CHANGED, default_timeout=LATEST).run()
    app.slider[0].set_value(40).run()
    return app.session_state["kept"]


def test_the_framework_leaves_a_callback_for_a_newer_click() -> None:
    assert changed_while_another_click_comes() == 0


def test_a_callback_ends_before_a_newer_click_is_heard() -> None:
    framework.finish_callbacks()
    framework.finish_callbacks()
    assert changed_while_another_click_comes() == 40
