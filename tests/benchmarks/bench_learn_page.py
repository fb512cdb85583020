"""How soon a step of the course follows its first slider.

    python -m tests.benchmarks.bench_learn_page

From the key press to the last change within what there is to try, median of twenty moves, for each
step that has a slider. Ends with an error above 300 ms. The times are those of the clock: on a
machine that works on something else as well they say little.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from pages.learning.course import LESSONS
from tests.browser.driver import AppPage
from tests.browser.server import CHROMIUM_FLAGS, ROOT, chromium, serving

LONGEST_MS, MOVES = 300.0, 20
WATCH = """
() => {
  new MutationObserver(() => { window.__drawn = performance.now(); })
    .observe(document.querySelector('.st-key-lesson-try'),
      { subtree: true, childList: true, attributes: true, characterData: true });
  document.addEventListener('keydown', () => { window.__pressed = performance.now(); }, true);
}
"""


def moves(app: AppPage, key: str) -> list[float]:
    """Milliseconds of each move; none where the step has no slider."""
    app.open(f"/learn?step={key}")
    slider = app.page.locator(".st-key-lesson-try").get_by_role("slider").first
    if not slider.count():
        return []
    app.page.evaluate(WATCH)
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


def main() -> int:
    slowest = 0.0
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(CHROMIUM_FLAGS))
        with serving(ROOT / "app.py", Path(home)) as server:
            for lesson in LESSONS:
                context = browser.new_context(viewport={"width": 1280, "height": 900})
                times = moves(AppPage(context, server.url), lesson.key)
                context.close()
                if not times:
                    print(f"{lesson.key:12} no slider")
                    continue
                median = statistics.median(times)
                slowest = max(slowest, median)
                print(
                    f"{lesson.key:12} a move: median {median:4.0f} ms, {min(times):.0f} to "
                    f"{max(times):.0f} ms"
                )
        browser.close()
    return 0 if slowest <= LONGEST_MS else 1


if __name__ == "__main__":
    sys.exit(main())
