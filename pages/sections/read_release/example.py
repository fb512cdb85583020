"""An example to try without a file: an invented table, with noise from a fixed seed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, release
from compdp_core.report import Statement, card_of_table
from compdp_core.tables import read
from compdp_core.tables.categories import Categories
from pages.sections.shared.samples import SAMPLES
from pages.sections.shared.upload import Upload

SEED = 2
EPSILON = Fraction(4)
"""Of each cell."""
ABOUT = (
    "An example, not a release: the pupils are invented, and the noise comes from a fixed seed, "
    "so that everyone sees the same. Noise that can be drawn again protects nobody."
)
_COLUMNS: dict[str, dict[str, Any]] = {
    "age (years)": {
        "kind": "scale",
        "categories": Categories.of([str(age) for age in range(10, 21)]),
    },
    "height (cm)": {"inputs": Interval(100, 220)},
    "weight (kg)": {"inputs": Interval(20, 150)},
    "screen time (min)": {"inputs": Interval(0, 1440)},
}
_UNITS = {"height (cm)": "cm", "weight (kg)": "kg", "screen time (min)": "min", "age (years)": ""}
_LEFT_OUT = ("pupil_id", "note")


def example() -> tuple[Upload, Upload]:
    """File and card."""
    sample = SAMPLES[0]
    table = read(sample.read(), name=sample.file)
    places = {column.label: column.position for column in table.columns}
    plans = [ColumnPlan(places[n], epsilon=EPSILON, **how) for n, how in _COLUMNS.items()]
    made = release(table, Plan(tuple(plans)), source=SeededSource(SEED))
    said = {places[name]: Statement(unit=unit) for name, unit in _UNITS.items()}
    omit = [places[name] for name in _LEFT_OUT]
    card = card_of_table(made, said, title=sample.title, omit=omit)
    return (
        Upload("example_privatized.csv", made.csv(omit=omit), sample),
        Upload("example_card.json", card.to_json().encode(), sample),
    )
