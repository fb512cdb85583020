"""What the app uses of Streamlit beyond its documented functions; nothing else may.

None of it is promised from one minor version to the next, so ``requirements.txt`` allows only the
one that was tested, and ``tests/app/test_framework.py`` holds every name to what is used of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator as DeltaGenerator
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx
from streamlit.runtime.state.session_state import WStates

Callback = Callable[[Any, str], None]


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
