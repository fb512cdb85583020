"""What every session of the app would work out anew, worked out once for all tests of the pages."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime import Runtime
from streamlit.testing.v1 import app_test, local_script_runner

from compdp_core.mechanisms.planning import Blueprint

_SCAN = cache(manifest_scanner.scan_component_manifests)
_LATTICE = cache(Blueprint.lattice)
_RUNTIME = MagicMock(spec=Runtime)


def _joined(runner: Any, timeout: float) -> None:
    """The end of a run, waited for instead of looked for every millisecond."""
    thread: threading.Thread = runner._script_thread
    thread.join(timeout)
    if thread.is_alive():
        runner.request_stop()
        runner.join()
        raise TimeoutError(f"a page took longer than {timeout} s")


@pytest.fixture(autouse=True)
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every session looks through all that is installed for components that there are none of, and
    builds the lattice of the same few settings: a function of public settings alone. Each run has
    a stand-in for the server, of which all that the app asks for is set anew.
    """
    monkeypatch.setattr(app_test, "MagicMock", lambda spec: _RUNTIME)
    monkeypatch.setattr(local_script_runner, "require_widgets_deltas", _joined)
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", _SCAN)
    monkeypatch.setattr(Blueprint, "lattice", _LATTICE)
