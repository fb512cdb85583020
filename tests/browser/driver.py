"""One browser page on the app: widgets by their label, as a person at the keyboard uses them.

Every action ends with :meth:`AppPage.settle`. That says the server is done, not that the page
shows what you expect: wait for the visible result itself with ``playwright.sync_api.expect``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    TimeoutError,
    expect,
)

# The server has answered what it was sent, is done, nothing on the page is stale, and that has been
# so for QUIET_MS: right after an action the page may not have sent anything yet.
QUIET_MS = 300
# How long a page may take, in seconds, and the browser for what it is told: a machine with more to
# do than it can is slow, which is no fault of the page.
PATIENCE, STEP = 120, 60
# A message that is not answered for so long needs no answer.
UNANSWERED_MS = 5_000
# How long a list of options may take before it is opened again.
AGAIN_AFTER_MS = (5_000, 10_000)
_WIRE = """
(() => {
  const wire = window.__wire = {sent: -Infinity, heard: 0};
  window.WebSocket = class extends WebSocket {
    constructor(...how) {
      super(...how);
      this.addEventListener('message', () => { wire.heard = performance.now(); });
    }
    send(data) { wire.sent = performance.now(); super.send(data); }
  };
})()
"""
_QUIET = """
([quiet, unanswered]) => {
  const {sent, heard} = window.__wire;
  const app = document.querySelector('[data-testid="stApp"]');
  const now = performance.now();
  const busy = !app
    || (heard <= sent && now - sent < unanswered)
    || app.getAttribute('data-test-script-state') !== 'notRunning'
    || app.getAttribute('data-test-connection-state') !== 'CONNECTED'
    || document.querySelector('[data-stale="true"], [data-testid="stSkeleton"]');
  if (busy) { window.__quietSince = undefined; return false; }
  window.__quietSince ??= now;
  return now - window.__quietSince >= quiet;
}
"""


class AppPage:
    """A page of the running app with everything it asked for and complained about.

    Attributes
    ----------
    page : the Playwright page, for anything this class has no word for
    console_errors : texts of console errors and uncaught exceptions of the page
    outside_requests : addresses asked for that are not the app's own server
    """

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        self.console_errors: list[str] = []
        self.outside_requests: list[str] = []
        self._expected_errors: list[str] = []
        context.on("request", self._saw_request)
        context.on("console", self._saw_console)
        context.on("weberror", lambda error: self.console_errors.append(str(error.error)))
        context.add_init_script(_WIRE)
        self.page: Page = context.new_page()
        self.page.on("websocket", lambda socket: self._saw_address(socket.url))

    # What happened behind the page

    def _saw_request(self, request: Request) -> None:
        self._saw_address(request.url)

    def _saw_address(self, address: str) -> None:
        parts = urlsplit(address)
        inside = parts.netloc == urlsplit(self.url).netloc
        # data: and blob: carry their content themselves.
        carried = parts.scheme in {"", "data", "blob", "about"}
        if not carried and not inside and address not in self.outside_requests:
            self.outside_requests.append(address)

    def _saw_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.console_errors.append(message.text)

    def expect_console_error(self, pattern: str) -> None:
        """A console error matching this pattern belongs to the test and is no failure."""
        self._expected_errors.append(pattern)

    def complaints(self) -> list[str]:
        """Unexpected console errors, and every outside request."""
        errors = [
            f"console error: {text}"
            for text in self.console_errors
            if not any(re.search(pattern, text) for pattern in self._expected_errors)
        ]
        return errors + [f"outside request: {address}" for address in self.outside_requests]

    # Going and waiting

    def open(self, path: str = "/") -> AppPage:
        """Load a page of the app by its own link, such as ``/privatize?epsilon=1``."""
        if urlsplit(path).path != "/":
            # The framework first asks for the server's health beneath the page, where it is not.
            self.expect_console_error("404")
        self.page.goto(self.url + path)
        self.settle()
        return self

    def go(self, title: str) -> None:
        """Follow the menu to the page of that title."""
        self.page.get_by_test_id("stSidebar").get_by_role("link", name=title).click()
        expect(self.page).to_have_title(f"{title} · CompDP")
        self.settle()

    def settle(self, *, timeout: float = PATIENCE) -> None:
        """Wait until the server has been idle and nothing on the page stale for a moment."""
        self.page.wait_for_function(
            "() => { window.__quietSince = undefined; return true; }", timeout=timeout * 1000
        )
        self.page.wait_for_function(
            _QUIET, arg=[QUIET_MS, UNANSWERED_MS], timeout=timeout * 1000, polling=50
        )
        # The icon of a page's tab is fetched behind Playwright's back.
        links = "[...document.querySelectorAll('link')].map(link => link.href)"
        for address in self.page.evaluate(links):
            self._saw_address(address)

    # Widgets

    def number(self, label: str, value: float | str) -> None:
        """Type into a number field and press Enter."""
        box = self.page.get_by_role("spinbutton", name=label, exact=True)
        box.fill(str(value))
        box.press("Enter")
        self.settle()

    def text(self, label: str, value: str) -> None:
        """Type into a text field and press Enter."""
        box = self.page.get_by_role("textbox", name=label, exact=True)
        box.fill(value)
        box.press("Enter")
        self.settle()

    def slider(self, label: str, value: float | str, *, thumb: int = 0) -> None:
        """Move a slider to a number, or to the text it reads out, with the arrow keys.

        ``thumb`` 1 is the upper end of a slider with two ends.
        """
        group = self.page.get_by_role("group", name=label, exact=True)
        self._slide(group.get_by_role("slider").nth(thumb), value)
        self.settle()

    def _slide(self, thumb: Locator, value: float | str) -> None:
        thumb.focus()
        if isinstance(value, str):
            self._slide_to_text(thumb, value)
        else:
            self._slide_to_number(thumb, value)

    def _slide_to_number(self, thumb: Locator, value: float) -> None:
        before = float(thumb.input_value())
        while before != value:
            key = "ArrowRight" if before < value else "ArrowLeft"
            thumb.press(key)
            after = float(thumb.input_value())
            passed = (before - value) * (after - value) < 0
            if after == before or passed:
                raise AssertionError(f"the slider has no stop at {value}: {before}, then {after}")
            before = after

    def _slide_to_text(self, thumb: Locator, text: str) -> None:
        try:
            above = float(thumb.get_attribute("aria-valuetext") or "") > float(text)
        except ValueError:
            thumb.press("Home")
            above = False
        while (shown := thumb.get_attribute("aria-valuetext")) != text:
            thumb.press("ArrowLeft" if above else "ArrowRight")
            if thumb.get_attribute("aria-valuetext") == shown:
                raise AssertionError(f"the slider has no stop {text!r}; the last one is {shown!r}")

    def select(self, label: str, option: str) -> None:
        """Choose one option of a select box, by its exact text."""
        self._choose(self.page.get_by_role("combobox", name=label, exact=True), option)
        self.settle()

    def select_many(self, label: str, options: Iterable[str]) -> None:
        """Add options to a multiple select box and close its list.

        On a busy machine a list may be drawn anew under a click, which then does nothing; a person
        sees that, and clicks again.
        """
        box = self.page.get_by_role("combobox", name=label, exact=True)
        tags = self.page.get_by_test_id("stMultiSelect").filter(has=box).locator("[data-tag]")
        for number, option in enumerate(options, start=tags.count() + 1):
            for patience in (*AGAIN_AFTER_MS, None):
                self._choose(box, option)
                try:
                    tags.nth(number - 1).wait_for(state="attached", timeout=patience)
                except TimeoutError:
                    if patience is None:
                        raise
                else:
                    break
        box.press("Escape")
        self.settle()

    def _choose(self, box: Locator, option: str) -> None:
        """Open the list, type and take the option. On a busy machine a list may close again before
        it was used; a person then opens it once more.
        """
        wanted = self.page.get_by_role("option", name=option, exact=True)
        for patience in (*AGAIN_AFTER_MS, None):
            box.click()
            # The same text once more is no news to the list, which would stay closed.
            box.fill("")
            box.fill(option)
            try:
                wanted.click(timeout=patience)
            except TimeoutError:
                if patience is None:
                    raise
            else:
                return

    def check(self, label: str, on: bool = True) -> None:
        """Set a check box or a toggle, with the space bar."""
        box = self.page.get_by_label(label, exact=True)
        if box.is_checked() != on:
            box.press("Space")
        self.settle()

    def radio(self, label: str, option: str) -> None:
        """Choose one option of a radio group."""
        group = self.page.get_by_role("radiogroup", name=label, exact=True)
        group.get_by_role("radio", name=option, exact=True).press("Space")
        self.settle()

    def press(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).click()
        self.settle()

    def upload(self, label: str, name: str, data: bytes, *, kind: str = "text/csv") -> None:
        """Hand a file to the upload field with that label."""
        field = self.page.get_by_test_id("stFileUploader").filter(
            has=self.page.get_by_text(label, exact=True)
        )
        field.locator("input[type=file]").set_input_files(
            {"name": name, "mimeType": kind, "buffer": data}
        )
        self.settle()

    def download(self, name: str) -> tuple[str, bytes]:
        """Press a download button; the suggested file name and the bytes.

        A press that meets a redraw on a busy machine does nothing; a person presses again.
        """
        button = self.page.get_by_role("button", name=name, exact=True)
        for patience in (*AGAIN_AFTER_MS, None):
            try:
                with self.page.expect_download(timeout=patience) as started:
                    button.click()
            except TimeoutError:
                if patience is None:
                    raise
            else:
                break
        path = started.value.path()
        self.settle()
        return started.value.suggested_filename, path.read_bytes()

    # What is to be seen

    def exceptions(self) -> list[str]:
        """Texts of the uncaught errors that the page shows."""
        return self.page.get_by_test_id("stException").all_inner_texts()

    def fit_height(self) -> None:
        """Make the window as high as its content, for pictures of the whole page."""
        size = self.page.viewport_size or {"width": 1280, "height": 800}
        height = self.page.evaluate(
            "document.querySelector('[data-testid=\"stMain\"]').scrollHeight"
        )
        self.page.set_viewport_size({"width": size["width"], "height": int(height)})
        self.settle()

    def accessibility_violations(self) -> list[dict[str, Any]]:
        """What axe-core objects to: rule, impact and the elements, for the page as it stands."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(Axe().axe_script)
        found = self.page.evaluate(
            "axe.run({resultTypes: ['violations']}).then(results => results.violations)"
        )
        return [
            {
                "rule": violation["id"],
                "impact": violation["impact"],
                "elements": [node["html"] for node in violation["nodes"]],
            }
            for violation in found
        ]
