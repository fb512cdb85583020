"""What Streamlit loses where two things meet, and that the app does not: each without the mend,
where a version that no longer loses it is noticed, and once with it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
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
from streamlit.runtime.state import SafeSessionState, SessionState

from pages.session import framework

ROWS = [f"row {at}" for at in range(30)]
PAGE_TEXTS = ["part", "name", *ROWS]
LATEST = 10.0
"""Seconds until a run must have ended, on any machine."""
PAGE = f"""
import streamlit as st

kept = st.session_state
kept.setdefault("kept", "")
kept.setdefault("presses", 0)
kept.setdefault("gates", {{}})

def pass_by(place):
    gate = kept["gates"].pop(place, None)
    if gate:
        gate.reached.set()
        gate.open.wait({LATEST})

def write_back():
    pass_by("callback")
    kept["kept"] = kept["name"]

def press():
    kept["presses"] += 1

@st.fragment
def part():
    st.text("part")
    st.button("Press", key="press", on_click=press)

part()
pass_by("page")
st.text_input("Name", key="name", on_change=write_back)
st.text(f"name {{kept['kept']}}".strip())
for row in {ROWS}:
    st.text(row)
if kept.pop("twice", False):
    st.rerun()
"""


@dataclass(frozen=True)
class Gate:
    """Where a run stands until it is opened."""

    reached: Event = field(default_factory=Event)
    open: Event = field(default_factory=Event)


@pytest.fixture(autouse=True)
def unmended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The framework as it comes, whatever ran before; afterwards as it was."""
    for owner, name in (
        (AppSession, "request_rerun"),
        (AppSession, "shutdown"),
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
    """All that reaches the page until nothing runs or waits any more."""
    await asyncio.sleep(10 * framework.TURN)
    await until(lambda: session._scriptrunner is None)
    return session.flush_browser_queue()


@dataclass(frozen=True)
class Drawn:
    """A session whose page has just been drawn, when the loop has not yet come to what that run
    sent.
    """

    session: AppSession
    part: str
    widgets: dict[str, str]

    def ask(self, name: str, *, part: bool = False, press: bool = False, page: str = "") -> None:
        """A request of a browser whose text field holds that name."""
        states = [WidgetState(id=self.widgets["name"], string_value=name)]
        if press:
            states.append(WidgetState(id=self.widgets["press"], trigger_value=True))
        asked = ClientState(widget_states=WidgetStates(widgets=states), page_name=page)
        if part:
            asked.fragment_id = self.part
        self.session.request_rerun(asked)

    def kept(self, name: str) -> Any:
        return self.session.session_state[name]

    def close(self, place: str) -> Gate:
        gate = self.kept("gates")[place] = Gate()
        return gate


@asynccontextmanager
async def just_drawn(script: Path, **kept: object) -> AsyncIterator[Drawn]:
    session = AppSession(
        ScriptData(str(script), False),
        MemoryUploadedFileManager("/upload"),
        ScriptCache(),
        None,
        {},
    )
    for name, value in kept.items():
        session.session_state[name] = value
    try:
        session.request_rerun(None)
        runner: Any = session._scriptrunner
        runner._script_thread.join(LATEST)
        assert not runner._script_thread.is_alive()
        storage: Any = session._fragment_storage
        (part,) = storage._fragments
        ids = [each.id for each in session.session_state.get_widget_states()]
        yield Drawn(session, part, {each.rpartition("-")[2]: each for each in ids})
    finally:
        session.shutdown()


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(LATEST):
        while not done():
            await asyncio.sleep(0.01)


async def drawn_again(script: Path) -> list[str]:
    async with just_drawn(script) as drawn:
        drawn.ask("old", part=True)
        return texts(await ended(drawn.session))


def test_the_framework_drops_what_the_last_run_sent(page: Path) -> None:
    assert asyncio.run(drawn_again(page)) == ["part"]


def test_what_a_run_sent_arrives_before_a_part_is_drawn_again(page: Path) -> None:
    framework.take_turns()
    framework.take_turns()
    assert asyncio.run(drawn_again(page)) == ["name", *ROWS, "part"]


def test_what_is_asked_later_waits_behind_it(page: Path) -> None:
    """The other way round, older values would overwrite newer ones."""
    framework.take_turns()

    async def asked() -> tuple[list[str], Any]:
        async with just_drawn(page) as drawn:
            drawn.ask("old", part=True)
            drawn.ask("new")
            shown = texts(await ended(drawn.session))
            return shown, drawn.kept("kept")

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
    framework.take_turns()

    async def asked() -> tuple[list[ForwardMsg], list[str]]:
        async with just_drawn(page) as drawn:
            drawn.ask("old", part=True)
            drawn.ask("old", page="broken")
            told = await ended(drawn.session)
            drawn.ask("new")
            shown = texts(await ended(drawn.session))
            with pytest.raises(ValueError, match="broken"):
                drawn.ask("newer", page="broken")
            drawn.ask("newest")
            return told, [*shown, *texts(await ended(drawn.session))]

    told, shown = asyncio.run(asked())
    assert [text for text in shown if text.startswith("name ")] == ["name new", "name newest"]
    found = [each.delta.new_element for each in told if each.HasField("delta")]
    assert [each.exception.type for each in found if each.HasField("exception")] == ["ValueError"]


def test_a_part_that_waits_is_not_drawn_for_a_session_that_ended(page: Path) -> None:
    """Also where the framework, on news of a run before, forgets that it has ended."""
    framework.take_turns()

    async def asked() -> list[str]:
        async with just_drawn(page, twice=True) as drawn:
            drawn.ask("old", part=True)
            drawn.session.shutdown()
            await asyncio.sleep(10 * framework.TURN)
            return texts(drawn.session.flush_browser_queue())

    assert asyncio.run(asked()) == PAGE_TEXTS


def test_a_press_is_heard_though_the_whole_page_is_asked_for_at_once(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = SafeSessionState.on_script_will_rerun

    def late(*of: Any, **how: Any) -> None:
        time.sleep(10 * framework.TURN)
        begin(*of, **how)

    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", late)
    framework.take_turns()

    async def asked() -> Any:
        async with just_drawn(page) as drawn:
            drawn.ask("", part=True, press=True)
            drawn.ask("")
            await ended(drawn.session)
            return drawn.kept("presses")

    assert asyncio.run(asked()) == 1


def test_a_stopped_run_that_still_works_keeps_nobody_waiting(page: Path) -> None:
    framework.take_turns()

    async def asked() -> None:
        async with just_drawn(page) as drawn:
            await ended(drawn.session)
            gate = drawn.close("page")
            drawn.ask("")
            await until(gate.reached.is_set)
            drawn.session.request_script_stop()
            drawn.ask("", part=True)
            drawn.ask("new")
            await until(lambda: "name new" in texts(drawn.session.flush_browser_queue()))
            assert not gate.open.is_set()
            gate.open.set()

    asyncio.run(asked())


async def clicked_in_a_callback(script: Path) -> tuple[list[str], Any]:
    """What is shown and kept of a text whose callback a newer click meets."""
    async with just_drawn(script) as drawn:
        await ended(drawn.session)
        gate = drawn.close("callback")
        drawn.ask("typed")
        await until(gate.reached.is_set)
        drawn.ask("typed")
        gate.open.set()
        return texts(await ended(drawn.session)), drawn.kept("kept")


def test_the_framework_leaves_a_callback_for_a_newer_click(page: Path) -> None:
    shown, kept = asyncio.run(clicked_in_a_callback(page))
    assert not kept
    assert shown[-len(ROWS) - 1] == "name"


def test_a_callback_ends_before_a_newer_click_is_heard(page: Path) -> None:
    for _ in range(2):
        framework.take_turns()
    shown, kept = asyncio.run(clicked_in_a_callback(page))
    assert kept == "typed"
    assert shown[-len(ROWS) - 1] == "name typed"
