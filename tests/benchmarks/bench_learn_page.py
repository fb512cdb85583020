"""How soon a step of the course follows its first slider.

    python -m tests.benchmarks.bench_learn_page

From the key press to the last change within what there is to try, median of twenty moves, for each
step that has a slider. Ends with an error above 300 ms. The times are those of the clock: on a
machine that works on something else as well they say little.
"""

from __future__ import annotations

import sys
from statistics import median

from pages.sections.learn.settings import LESSONS
from tests.benchmarks.moves import LONGEST_MS, moves, pages

TRY = ".st-key-lesson-try"


def main() -> int:
    slowest = 0.0
    with pages() as opened:
        for lesson in LESSONS:
            app = opened().open(f"/learn?step={lesson.key}")
            slider = app.page.locator(TRY).get_by_role("slider").first
            if not slider.count():
                print(f"{lesson.key:12} no slider")
                continue
            times = moves(app, slider, TRY)
            slowest = max(slowest, median(times))
            print(
                f"{lesson.key:12} a move: median {median(times):4.0f} ms, {min(times):.0f} to "
                f"{max(times):.0f} ms"
            )
            app.page.context.close()
    return 0 if slowest <= LONGEST_MS else 1


if __name__ == "__main__":
    sys.exit(main())
