"""The app in a real browser.

Fixtures: ``app`` is a fresh window on the running app; after the test it must have no console
error and no outside request. ``open_window(server)`` opens one on another server, which
``start_server()`` starts, for what only shows on a freshly started one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.driver import STEP, AppPage
from tests.browser.server import CHROMIUM_FLAGS, ROOT, Server, chromium, serving
from tests.conftest import IN_CI

NO_CHROMIUM = "no Chromium found: install it (Debian: apt-get install chromium)"
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


# Package scope: server and browser are closed when the last test of this folder is done.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium without a window; skips where there is none, except in CI, where it fails."""
    path = chromium()
    if path is None:
        if IN_CI:
            pytest.fail(NO_CHROMIUM)
        pytest.skip(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        expect.set_options(timeout=STEP * 1000)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app, shared by the tests of this folder: every window has a session of its own."""
    with serving(ROOT / "app.py", tmp_path_factory.mktemp("server")) as running:
        yield running
        assert "Traceback" not in running.log(), running.log()


@pytest.fixture
def start_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Starts a server that nobody has visited, of the app or of another script."""
    with ExitStack() as stack:

        def start(script: Path = ROOT / "app.py", *options: str) -> Server:
            home = tmp_path_factory.mktemp("server")
            return stack.enter_context(serving(script, home, *options))

        yield start


@pytest.fixture
def open_window(
    browser: Browser, request: pytest.FixtureRequest
) -> Iterator[Callable[..., AppPage]]:
    """Opens a window of its own (cookies, size, colour scheme) on a server."""
    opened: list[AppPage] = []
    with ExitStack() as stack:

        def open_one(
            server: Server, *, width: int = 1280, height: int = 900, scheme: str = "light"
        ) -> AppPage:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if scheme == "dark" else "light",
                accept_downloads=True,
            )
            context.set_default_timeout(STEP * 1000)
            stack.callback(context.close)
            opened.append(AppPage(context, server.url))
            return opened[-1]

        yield open_one
    complaints = [text for window in opened for text in window.complaints()]
    assert not complaints, complaints


@pytest.fixture
def app(server: Server, open_window: Callable[..., AppPage]) -> AppPage:
    """A fresh window on the running app; call ``app.open()`` first."""
    return open_window(server)
