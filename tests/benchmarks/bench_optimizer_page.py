"""How long a move of the ε slider takes on the Optimizer page, seen in the browser.

    python -m tests.benchmarks.bench_optimizer_page

From the key press to the last change within the map, median of twenty moves; and what the page
weighs, with the largest search on it. Ends with an error above 300 ms or 2 MB.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, WebSocket, expect, sync_playwright

from tests.browser.driver import AppPage
from tests.browser.server import CHROMIUM_FLAGS, ROOT, chromium, serving

MOVES, LIMIT_MS, LIMIT_BYTES = 20, 300.0, 2_000_000
WATCH = """
() => {
  const map = document.querySelector('.st-key-chart-landscape');
  new MutationObserver(() => { window.__drawn = performance.now(); })
    .observe(map, { subtree: true, childList: true, attributes: true, characterData: true });
  document.addEventListener('keydown', () => { window.__pressed = performance.now(); }, true);
}
"""


def move(app: AppPage, key: str) -> float:
    """Milliseconds from one press of an arrow key to the picture that it leads to."""
    app.page.get_by_role("slider", name="Privacy budget ε").press(key)
    app.settle()
    return float(app.page.evaluate("window.__drawn - window.__pressed"))


def weigh(page: Page) -> list[int]:
    """Sizes of everything that will come over the page's socket."""
    sizes: list[int] = []

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: sizes.append(len(frame)))

    page.on("websocket", opened)
    return sizes


def largest_search(app: AppPage) -> None:
    """Two million points, and every algorithm beside them."""
    options = "target.looks=2000000&target.ratio=1&target.step=0.01&enumeration.rounds=5"
    algorithms = "exact,enumeration,target,gradient,evolution"
    app.open(f"/optimizer?{options}&algorithms={algorithms}")
    app.page.get_by_role("button", name="Search", exact=True).click()
    expect(app.page.get_by_text("5 · Differential evolution").first).to_be_visible(timeout=120_000)
    app.settle(timeout=120)


def main() -> int:
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        with serving(ROOT / "app.py", Path(home)) as server:
            app = AppPage(browser.new_context(viewport={"width": 1280, "height": 900}), server.url)
            sizes = weigh(app.page)
            largest_search(app)
            weight = sum(sizes)
            app.page.evaluate(WATCH)
            times = [move(app, "ArrowRight" if i % 2 else "ArrowLeft") for i in range(MOVES)]
        browser.close()
    median = statistics.median(times)
    print(f"a move of ε: median {median:.0f} ms, {min(times):.0f} to {max(times):.0f} ms")
    print(f"all that the server sent for five runs: {weight / 1e6:.2f} MB")
    return 1 if median > LIMIT_MS or weight > LIMIT_BYTES else 0


if __name__ == "__main__":
    sys.exit(main())
