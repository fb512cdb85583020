"""How soon the Compare mechanisms page follows a slider, and how heavy it is.

    python -m tests.benchmarks.bench_compare_page

Server: processor time of one redraw of everything, best of ten, for each view.
Browser: from the key press to the last change within the picture's card, median of twenty moves
of ε; bytes received for a first visit and for a move.
Ends with an error above 300 ms in the browser, or above 2 MB for a visit and all its moves.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

from pages.sections.compare_mechanisms import live, settings
from tests.app.driving import Driven
from tests.benchmarks.moves import LONGEST_MS, MOVES, moves, pages, received

LARGEST = 2_000_000
RUNS = 10


def on_the_server() -> None:
    """Milliseconds of a new ε, at each view."""
    times: list[float] = []
    inner: Callable[[], None] = live._live.__wrapped__  # type: ignore[attr-defined]

    def timed() -> None:
        begun = time.thread_time()
        inner()
        times.append(1e3 * (time.thread_time() - begun))

    live._live = timed
    app = Driven("pages/compare_mechanisms.py")
    for view in settings.VIEWS:
        app._of("button_group", "Look at").set_value(view)
        app.run()
        del times[:]
        for run in range(RUNS):
            app.text("ε, exactly", f"{1 + len(view) + run / 100:g}")
        print(f"{view:8} best {min(times):5.1f} ms, median {statistics.median(times):5.1f} ms")


def in_the_browser() -> bool:
    """Whether every view is quick and light enough."""
    good = True
    with pages() as opened:
        for view in settings.VIEWS:
            app = opened()
            sizes = received(app)
            app.open(f"/compare_mechanisms?view={view}")
            first = sum(sizes)
            slider = app.page.get_by_role("slider", name="Privacy budget ε")
            times = moves(app, slider, ".st-key-step-3")
            median, all_in = statistics.median(times), sum(sizes)
            good &= median <= LONGEST_MS and all_in <= LARGEST
            print(
                f"{view:8} a move: median {median:4.0f} ms, {min(times):.0f} to "
                f"{max(times):.0f} ms, {(all_in - first) / MOVES / 1e3:.0f} kB; "
                f"first visit {first / 1e3:.0f} kB"
            )
            app.page.context.close()
    return good


def main() -> int:
    on_the_server()
    return 0 if in_the_browser() else 1


if __name__ == "__main__":
    sys.exit(main())
