"""What the app uses of Streamlit beyond its documented functions; nothing else may.

None of it is promised from one minor version to the next, so ``requirements.txt`` allows only the
one that was tested, and ``tests/app/test_framework.py`` holds every name to what is used of it;
``test_framework_races.py`` shows what is lost without the mends below.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator as DeltaGenerator
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import (
    RerunData,
    ScriptRunner,
    add_script_run_ctx,
    get_script_run_ctx,
)
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.session_state import WStates

from pages.session import faults

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
    if not hasattr(unguarded, "unmended"):
        _put(WStates, "call_callback", net(unguarded))


_HEARD: WeakKeyDictionary[ScriptRunner, bool] = WeakKeyDictionary()
"""Of each runner that was asked something: whether its callbacks were called by now."""


def _finish_callbacks() -> None:
    """Callbacks run to their end, at the end of a session, too."""
    interrupted = SessionState._call_callbacks

    def finishing(states: SessionState, **how: Any) -> None:
        context = get_script_run_ctx()
        if context is None:
            interrupted(states, **how)
            return
        runner: Any = context.session_state._yield_callback.__self__  # type: ignore[attr-defined]
        runner._execing, before = False, runner._execing
        _HEARD[runner] = False
        try:
            interrupted(states, **how)
        finally:
            runner._execing = before
            _HEARD[runner] = True

    _put(SessionState, "_call_callbacks", finishing)


class _NotYet(Exception):
    """The runner of a session has to come to an end of something before the next one begins."""


class _Turns:
    """The requests of each session, one after the other: while one waits all later ones do, for of
    two the older one knows older values.
    """

    def __init__(self, request: Callable[[AppSession, ClientState | None], None]) -> None:
        self._request = request
        self._waiting: WeakKeyDictionary[AppSession, deque[ClientState | None]] = (
            WeakKeyDictionary()
        )

    def take(self, session: AppSession, wanted: ClientState | None) -> None:
        queue = self._waiting.setdefault(session, deque())
        queue.append(wanted)
        if len(queue) == 1:
            self._serve(session)

    def forget(self, session: AppSession) -> None:
        self._waiting.setdefault(session, deque()).clear()

    def _serve(self, session: AppSession) -> None:
        queue = self._waiting[session]
        try:
            while queue:
                self._request(session, queue[0])
                queue.popleft()
        except _NotYet:
            if queue[0] is not None:
                # Until its turn the browser may throw away large messages that it now still has.
                queue[0].ClearField("cached_message_hashes")
            self._serve_later(session)
        except BaseException:
            queue.popleft()
            self._serve_later(session)
            raise

    def _serve_later(self, session: AppSession) -> None:
        loop = session._event_loop
        loop.call_soon_threadsafe(loop.call_later, TURN, self._serve_waiting, session)

    def _serve_waiting(self, session: AppSession) -> None:
        try:
            self._serve(session)
        except Exception as problem:
            # Nobody is above it here who would tell the page, as where a request is served at once.
            faults.record("a request that waited failed", problem)
            session.handle_backmsg_exception(problem)


def take_turns() -> None:
    """A run begins when what the last one has to end has ended, once for the process.

    Streamlit looks for a newer click at every touch of the session's state. In the midst of a
    callback, or before it, it would leave it and never call it again, though the browser shows what
    was set. And where a part is asked for when the last run has just ended, what that one has under
    way would count as nobody's and be dropped: the page would go on showing what is past. So
    callbacks run to their end, and such requests wait their turn.
    """
    if not hasattr(AppSession.request_rerun, "unmended"):
        _finish_callbacks()
        _wait_for_the_last_run()


def _wait_for_the_last_run() -> None:
    request, begin = AppSession.request_rerun, AppSession._create_scriptrunner
    shutdown = AppSession.shutdown

    def when_heard(session: AppSession, client_state: ClientState | None) -> None:
        last, whole = session._scriptrunner, client_state is None or not client_state.fragment_id
        if whole and last is not None and not _HEARD.get(last, True) and _is_alive(last):
            raise _NotYet
        request(session, client_state)

    def when_delivered(session: AppSession, initial_rerun_data: RerunData) -> None:
        last = session._scriptrunner
        # One that was stopped and still works has nothing more to say.
        if last is not None and not last._execing:
            raise _NotYet
        begin(session, initial_rerun_data)
        if session._scriptrunner is not None and initial_rerun_data.widget_states is not None:
            # It may have called them already.
            _HEARD.setdefault(session._scriptrunner, False)

    turns = _Turns(when_heard)

    def in_turn(session: AppSession, client_state: ClientState | None) -> None:
        turns.take(session, client_state)

    def ended(self: AppSession) -> None:
        turns.forget(self)
        shutdown(self)

    _put(AppSession, "shutdown", ended)
    _put(AppSession, "request_rerun", in_turn)
    _put(AppSession, "_create_scriptrunner", when_delivered)


def _is_alive(runner: ScriptRunner) -> bool:
    return runner._script_thread is not None and runner._script_thread.is_alive()


def _put(owner: type, name: str, mended: Callable[..., None]) -> None:
    """In the place of the framework's own, which is kept as what it mends."""
    mended.unmended = getattr(owner, name)  # type: ignore[attr-defined]
    setattr(owner, name, mended)
