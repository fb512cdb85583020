"""What the app uses of Streamlit beyond its documented functions; nothing else may.

None of it is promised from one minor version to the next, so ``requirements.txt`` allows only the
one that was tested, and ``tests/app/test_framework.py`` holds every name to what is used of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator as DeltaGenerator
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData, add_script_run_ctx, get_script_run_ctx
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.session_state import WStates

Callback = Callable[[Any, str], None]
TURN = 0.01
"""Seconds between two looks whether the last run has said all that it had to say."""


def running() -> bool:
    """Whether a server runs in this process; under a test of one page none does."""
    return runtime.exists()


def session_name() -> str | None:
    """The framework's own name of the session that this thread draws for."""
    context = get_script_run_ctx()
    return None if context is None else context.session_id


def call_in_server(task: Callable[[Any], object]) -> None:
    """Hand the server to ``task`` in the server's loop, to which sessions belong.

    Raises ``RuntimeError`` where there is none, or none any more.
    """
    server = runtime.get_instance()
    server._get_async_objs().eventloop.call_soon_threadsafe(task, server)


def close_session(session: str) -> None:
    """End a session, unless a window is open on it."""
    if running() and not runtime.get_instance().is_active_session(session):
        call_in_server(lambda server: server.close_session(session))


def end_sessions(server: Any) -> int:
    """End the sessions whose time is over; how many there were."""
    over = server._session_mgr._session_storage._cache.expire()
    for _, info in over:
        info.session.shutdown()
        # The server's loop holds on to the last session that it served until another one comes.
        info.session.session_state.clear()
        info.session._fragment_storage.clear()
    # A file that someone downloaded goes at the second look after nobody needs it.
    server.media_file_mgr.remove_orphaned_files()
    return len(over)


def hold_file(name: str) -> Callable[[bytes, str, str], None]:
    """What keeps a file for this session under ``name``, given its bytes, type and file name."""
    context = get_script_run_ctx()

    def hold(data: bytes, mime: str, file_name: str) -> None:
        def enter() -> None:
            files = runtime.get_instance().media_file_mgr
            files.add(data, mime, name, file_name, is_for_static_download=True)

        if context is not None and running():
            # The file manager asks the thread for whom it is.
            thread = threading.Thread(target=enter)
            add_script_run_ctx(thread, context)
            thread.start()
            thread.join()

    return hold


def guard_callbacks(net: Callable[[Callback], Callback]) -> None:
    """Put a net under every callback, once for the process."""
    unguarded = WStates.call_callback
    if not getattr(unguarded, "guarded", False):
        guarded: Any = net(unguarded)
        guarded.guarded = True
        WStates.call_callback = guarded  # type: ignore[method-assign]


def finish_callbacks() -> None:
    """Callbacks run to their end, once for the process.

    Streamlit looks for a newer click at every touch of the session's state. In the midst of a
    callback it would leave it there and never call it again, though the browser shows what was set.
    """
    interrupted = SessionState._call_callbacks
    if hasattr(interrupted, "unmended"):
        return

    def finishing(states: SessionState, **how: Any) -> None:
        context = get_script_run_ctx()
        if context is None:
            interrupted(states, **how)
            return
        runner: Any = context.session_state._yield_callback.__self__  # type: ignore[attr-defined]
        runner._execing, before = False, runner._execing
        try:
            interrupted(states, **how)
        finally:
            runner._execing = before

    finishing.unmended = interrupted  # type: ignore[attr-defined]
    SessionState._call_callbacks = finishing  # type: ignore[method-assign, assignment]


def deliver_before_next_run() -> None:
    """What a run sent reaches the page before a part of it is drawn again, once for the process.

    A request for a part that comes when the last run has just ended is given to a new runner, and
    what the last one has under way then counts as nobody's and is dropped: the page would go on
    showing what is past. Such a request waits its turn.
    """
    begin = AppSession._create_scriptrunner
    if hasattr(begin, "unmended"):
        return

    def in_turn(session: AppSession, initial_rerun_data: RerunData) -> None:
        if session._scriptrunner is None:
            begin(session, initial_rerun_data)
        else:
            loop = session._event_loop
            loop.call_soon_threadsafe(loop.call_later, TURN, again, session, initial_rerun_data)

    def again(session: AppSession, wanted: RerunData) -> None:
        # Meanwhile the browser may have thrown away large messages that it still had when it asked.
        wanted = replace(wanted, cached_message_hashes=frozenset())
        part = wanted.fragment_id
        if session._state is AppSessionState.SHUTDOWN_REQUESTED:
            return
        if part is not None and not session.has_fragment(part):
            return
        if session._scriptrunner is None or not session._scriptrunner.request_rerun(wanted):
            in_turn(session, wanted)

    in_turn.unmended = begin  # type: ignore[attr-defined]
    AppSession._create_scriptrunner = in_turn  # type: ignore[method-assign, assignment]
