"""How soon the pictures of Privatize and Release a statistic follow the made-up true value.

    python -m tests.benchmarks.bench_release_pages

From the key press to the last change within the picture, median of twenty moves, with the bundled
survey. Ends with an error above 300 ms. The times are those of the clock: on a machine that works
on something else as well they say little.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from tests.benchmarks.moves import LONGEST_MS, moves, pages
from tests.browser import sights
from tests.browser.driver import AppPage


@dataclass(frozen=True)
class Case:
    link: str
    choose: Callable[[AppPage], None]
    slider: str
    chart: str


CASES = (
    Case(
        "/privatize",
        sights.set_two_columns,
        "True value, between your bounds",
        "[class*=st-key-chart-see]",
    ),
    Case(
        "/statistic",
        sights.ask_for_a_mean,
        "A true answer, made up",
        "[class*=st-key-chart-answer]",
    ),
)


def main() -> int:
    slowest = 0.0
    with pages() as opened:
        for case in CASES:
            app = opened().open(case.link)
            sights.open_the_survey(app)
            case.choose(app)
            group = app.page.get_by_role("group", name=case.slider)
            times = moves(app, group.get_by_role("slider"), case.chart)
            slowest = max(slowest, median(times))
            print(
                f"{case.link:12} a move: median {median(times):4.0f} ms, {min(times):.0f} to "
                f"{max(times):.0f} ms"
            )
            app.page.context.close()
    return 0 if slowest <= LONGEST_MS else 1


if __name__ == "__main__":
    sys.exit(main())
