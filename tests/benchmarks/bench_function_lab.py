"""How long the Function lab takes to follow a slider: on the server, and as seen in the browser.

    python -m tests.benchmarks.bench_function_lab

Server: processor time of one redraw of everything that follows the controls, best of ten, for each
pair and view.
Browser: from the key press until the new density is drawn, and until nothing in it changes any
more, medians of twenty moves of k. Ends with an error above 50 ms on the server, or where a density
takes more than 300 ms to be drawn. The browser's times are those of the clock: on a machine that
works on something else as well they say little.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import sync_playwright

from pages.sections.function_lab import live, settings
from pages.sections.function_lab.certify import certified, enough
from pages.sections.function_lab.shape_links import make
from tests.app.driving import Driven
from tests.browser.driver import AppPage
from tests.browser.server import CHROMIUM_FLAGS, ROOT, chromium, serving

SERVER_MS, BROWSER_MS = 50.0, 300.0
RUNS, MOVES = 10, 20
PAIRS = (("A1", "B1"), ("A3", "B2"), ("A4", "B1"), ("F1", "B1"), ("A1", "G1"), ("F1", "G1"))
WATCH = """
() => {
  const chart = document.querySelector('.st-key-chart-lab');
  // Drawing the chart changes hundreds of its parts at once, its frame a few.
  new MutationObserver(parts => {
    window.__still = performance.now();
    if (parts.length > 100) window.__drawn ??= window.__still;
  }).observe(chart, { subtree: true, childList: true, attributes: true, characterData: true });
  document.addEventListener('keydown', () => {
    window.__pressed = performance.now();
    window.__drawn = undefined;
  }, true);
}
"""


def on_the_server() -> dict[str, float]:
    """Milliseconds of the slowest view for each pair."""
    times: list[float] = []
    inner: Callable[[], None] = live.live.__wrapped__  # type: ignore[attr-defined]

    def timed() -> None:
        begun = time.thread_time()
        inner()
        times.append(1e3 * (time.thread_time() - begun))

    live.live = timed
    app = Driven("pages/function_lab.py")
    found: dict[str, float] = {}
    for activation, base in PAIRS:
        for view in settings.VIEWS:
            app.kept.update(
                {settings.ACTIVATION.name: activation, settings.BASE.name: base}
                | {settings.VIEW.name: view, "own_shapes": _own()}
            )
            app.press("Center")
            del times[:]
            for run in range(RUNS):
                app.text("ε =", f"{2 + run / 100:g}")
            name = f"{activation}{base}, {view}"
            found[name] = min(times)
            print(f"{name:16} best {min(times):5.1f} ms, median {statistics.median(times):5.1f} ms")
    return found


def _own() -> dict[str, object]:
    bell = make("exp(-20*(v-0.5)^2)", "activation", symmetrise=False, name="F1")
    wave = make("1 + cos(pi*v)/4", "base", symmetrise=False, name="G1")
    for shape in (bell, wave):
        certified(shape, enough(shape))
    return {"F1": bell, "G1": wave}


def in_the_browser() -> list[tuple[float, float]]:
    """Milliseconds of each move, until drawn and until still."""
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        with serving(ROOT / "app.py", Path(home)) as server:
            app = AppPage(browser.new_context(viewport={"width": 1280, "height": 900}), server.url)
            app.open("/function_lab")
            app.page.evaluate(WATCH)
            times = []
            for i in range(MOVES):
                slider = app.page.get_by_role("slider", name="Height of the activation k")
                slider.press("ArrowLeft" if i % 2 else "ArrowRight")
                app.settle()
                drawn, still = app.page.evaluate(
                    "[window.__drawn - window.__pressed, window.__still - window.__pressed]"
                )
                times.append((float(drawn), float(still)))
        browser.close()
    return times


def main() -> int:
    server = on_the_server()
    worst = max(server, key=lambda name: server[name])
    print(f"server: at most {server[worst]:.1f} ms a redraw ({worst})")
    drawn, still = zip(*in_the_browser(), strict=True)
    median = statistics.median(drawn)
    print(
        f"browser: a move of k is drawn after {median:.0f} ms, {min(drawn):.0f} to {max(drawn):.0f}"
    )
    print(f"browser: and still after {statistics.median(still):.0f} ms")
    return 1 if server[worst] > SERVER_MS or median > BROWSER_MS else 0


if __name__ == "__main__":
    sys.exit(main())
