"""How soon a part of a page follows a slider, in the browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Locator, WebSocket, sync_playwright

from tests.browser.driver import AppPage
from tests.browser.server import CHROMIUM_FLAGS, ROOT, chromium, serving

LONGEST_MS, MOVES = 300.0, 20
_WATCH = """
([selector, atOnce]) => {
  // What lies within a canvas is the table for screen readers, which the grid holds back by 200 ms
  // on purpose; the grid itself is drawn by then.
  const seen = change => !(change.target.parentElement ?? change.target).closest('canvas');
  const count = changes => {
    if (changes.filter(seen).length >= atOnce) window.__drawn = performance.now();
  };
  new MutationObserver(count)
    .observe(document.querySelector(selector),
      { subtree: true, childList: true, attributes: true, characterData: true });
  document.addEventListener('keydown', () => { window.__pressed = performance.now(); }, true);
}
"""


@contextmanager
def pages() -> Iterator[Callable[[], AppPage]]:
    """Opens windows on a server of the app, each with a session of its own."""
    with TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        with serving(ROOT / "app.py", Path(home)) as server:
            yield lambda: AppPage(
                browser.new_context(viewport={"width": 1280, "height": 900}), server.url
            )
        browser.close()


def received(app: AppPage) -> list[int]:
    """Sizes of all messages that the server sends from now on."""
    sizes: list[int] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: sizes.append(len(data)))

    app.page.on("websocket", listen)
    return sizes


def moves(app: AppPage, slider: Locator, part: str, at_once: int = 1) -> list[float]:
    """Milliseconds from each key press to the last change within the part of that selector.

    Changes count that come at least so many at once.
    """
    app.page.evaluate(_WATCH, [part, at_once])
    times: list[float] = []
    keys = ["ArrowRight", "ArrowLeft"]
    for _ in range(MOVES):
        before = slider.input_value()
        slider.press(keys[0])
        if slider.input_value() == before:
            keys.reverse()
            slider.press(keys[0])
        app.settle()
        app.page.wait_for_function("window.__drawn > window.__pressed")
        times.append(float(app.page.evaluate("window.__drawn - window.__pressed")))
    return times
