"""An example to try without a file: an invented table, with noise from a fixed seed.

So many pupils at so small an ε that the cells as they stand mislead and the estimates tell: the
spread is several times too large, and columns that go together hardly seem to.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, release
from compdp_core.report import Statement, card_of_table
from compdp_core.tables import Table, read
from compdp_core.tables.categories import Categories
from pages.inputs.links import Setting, put, value
from pages.sections.read_release.asked import AVERAGED, FIRST, GROUPED, SECOND
from pages.sections.shared.upload import Upload

SEED = 5
PUPILS = 6000
TITLE = "What pupils do and like"
ABOUT = (
    "An example, not a release: the pupils are invented, and the noise comes from a fixed seed, "
    "so that everyone sees the same. Noise that can be drawn again protects nobody."
)
YEAR, SCREEN, SLEEP, COPIED, LIKES = range(5)
_LABELS = ("school year", "screen time (h)", "sleep (h)", "copied in a test", "likes school (1–5)")
_PLANS: dict[int, dict[str, Any]] = {
    SCREEN: {"inputs": Interval(0, 12), "epsilon": Fraction(3, 2)},
    SLEEP: {"inputs": Interval(3, 12), "epsilon": Fraction(3, 2)},
    COPIED: {"epsilon": 1, "kind": "category", "categories": Categories.of(["yes", "no"])},
    LIKES: {"epsilon": 1, "kind": "scale", "categories": Categories.of(list("12345"))},
}
_ASKED: tuple[tuple[Setting, Any], ...] = (
    (FIRST, (SCREEN, None)),
    (SECOND, (SLEEP, None)),
    (AVERAGED, (SCREEN, None)),
    (GROUPED, YEAR),
)
"""What is asked of it at first, so that there is something to see."""


def example() -> tuple[Upload, Upload]:
    """File and card."""
    plans = [ColumnPlan(at, missing="keep", **how) for at, how in _PLANS.items()]
    made = release(pupils(), Plan(tuple(plans)), source=SeededSource(SEED))
    card = card_of_table(
        made, {SCREEN: Statement(unit="h"), SLEEP: Statement(unit="h")}, title=TITLE
    )
    return (
        Upload("example_privatized.csv", made.csv(), None),
        Upload("example_card.json", card.to_json().encode(), None),
    )


def pupils() -> Table:
    """The invented table."""
    random = np.random.default_rng(SEED)
    year = random.integers(5, 10, PUPILS)
    much = random.random(PUPILS) < 0.1 + 0.14 * (year - 5)
    screen = np.where(much, 7.4, 2.8) + np.where(much, 1.1, 0.9) * random.standard_normal(PUPILS)
    screen = np.clip(screen, 0, 12)
    sleep = np.clip(9.8 - 0.45 * screen + 1.2 * random.standard_normal(PUPILS), 3, 12)
    copied = np.where(random.random(PUPILS) < 0.1 + 0.05 * (year - 5), "yes", "no")
    likes = np.clip(np.rint(4.3 - 0.25 * screen + random.standard_normal(PUPILS)), 1, 5)
    columns = zip(
        year.tolist(), screen.tolist(), sleep.tolist(), copied.tolist(), likes.tolist(), strict=True
    )
    lines = [f"{y},{round(s, 1)},{round(z, 1)},{c},{int(k)}" for y, s, z, c, k in columns]
    return read("\n".join([",".join(_LABELS), *lines]).encode(), name="example.csv")


def ask() -> None:
    """Choose what is asked, but for what a link chose."""
    for setting, first in _ASKED:
        if value(setting) is None:
            put(setting.name, first)


def ask_no_more() -> None:
    """Another file has other columns."""
    for setting, first in _ASKED:
        if value(setting) == first:
            put(setting.name, None)
