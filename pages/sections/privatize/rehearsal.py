"""A rehearsal: simulated draws on the true values, so that the owner sees what to expect.

Seeded and repeatable, so it is never a release, and it shows true values, so it is private.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from compdp_core.adjacency import Person
from compdp_core.estimates.forecast.wished import alone
from compdp_core.mechanisms.baselines import Mechanism
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release import ColumnPlan
from compdp_core.release.accuracy import Meaning
from compdp_core.tables import Table
from compdp_core.tables.contributions import persons_of
from pages.inputs.mechanisms import built, mechanism_factories
from pages.sections.privatize.receiver_beside import by_one_answer
from pages.sections.shared.figures import figures
from pages.sections.shared.left_out import values_released
from pages.sections.shared.ready import PlannedColumn, ReadyRelease
from pages.sections.shared.setup import ChosenColumn
from pages.sections.shared.words import words_of
from pages.session.state import keep, memo
from pages.text.wording import count

SEED = "privatize.seed"
MOST_ROWS = 100_000
GAUSSIAN_DELTA = 1e-6
"""Gaussian noise cannot do without a δ; a common choice."""
CHOICE = "composite"
"""Name of the mechanism that the settings above lead to."""


def rivals(
    column: ChosenColumn, mechanism: CompositeMechanism, keys: Sequence[str]
) -> tuple[dict[str, Mechanism], list[str]]:
    """The chosen mechanism and those beside it by name, and why some cannot be had."""
    inputs, whole = mechanism.inputs, column.whole
    others = mechanism_factories(keys, inputs, delta=GAUSSIAN_DELTA, whole=whole)
    made, refused = built(others, mechanism.epsilon)
    return {CHOICE: mechanism, **made}, refused


def values_of(table: Table, column: ChosenColumn, plan: ColumnPlan) -> Any:
    """The true values of the cells that hold one, as the plan reads them; of categories, places in
    the list.
    """
    declared = (plan.kind, plan.categories, plan.format, plan.strip, plan.decimal)

    def read() -> Any:
        numbers = plan.read(table)
        return numbers.values[~numbers.missing]

    return memo(column.setting("values"), (declared, table), read)


def draw_again(rows: int, seed: int) -> None:
    """How many rows were drawn for, and a button for other draws."""
    if rows > MOST_ROWS:
        st.caption(f"Drawn for {MOST_ROWS:,} evenly spaced rows at most.")
    st.button("Draw again", icon=":material/casino:", on_click=keep, args=(SEED, seed + 1))


def thinned(values: Any, most: int) -> Any:
    """Evenly spaced rows, no more than that many."""
    stride = max(1, -(-len(values) // most))
    return np.ascontiguousarray(values[::stride])


@dataclass(frozen=True, eq=False)
class Rehearsal:
    before: Any
    drawn: dict[str, Any]
    """Simulated values by name of the mechanism, the chosen one first."""


def rehearse(values: Any, made: dict[str, Mechanism], seed: int) -> Rehearsal:
    shown = thinned(values, MOST_ROWS)
    drawn = {name: each.simulate(shown, seed=seed) for name, each in made.items()}
    return Rehearsal(before=shown, drawn=drawn)


def errors_of_mean(
    entry: PlannedColumn, rows: int, person: Person | None, persons: int | None
) -> tuple[float, float]:
    """Typical error of a mean: taken from the noisy values, and released by itself at that ε, as
    Release a statistic tells it.
    """
    by_itself = alone(entry.plan, "mean", rows, person=person, persons=persons)
    return Meaning(entry.composite).error_of_mean(rows), by_itself.typical_error


def mean_of(read: int, table: Table, ready: ReadyRelease) -> None:
    """Noise on every value against noise on the answer, both numbers side by side; ``read``: how
    many cells hold a value.
    """
    column, person, entry = ready.focus, ready.person, ready.entries[ready.at]
    # What is filled in is released as well.
    present = table.row_count if column.missing == "fill" else read
    rows = values_released(table, ready.plan, present)
    persons = None if person is None else persons_of(table, person.by).count
    local, by_itself = memo(
        "privatize.mean",
        (entry.plan, rows, person, persons),
        lambda: errors_of_mean(entry, rows, person, persons),
    )
    words = words_of(column).in_markdown()
    st.markdown("**If all you need is one answer**")
    figures(
        st.columns(2),
        (
            f"Mean of {count(rows, 'released value')} is off by about",
            words.amount(local),
            "Noise goes on every value (local privacy), and the mean is taken afterwards.",
        ),
        (
            "A mean released by itself is off by about",
            words.amount(by_itself),
            "Noise goes on the answer alone, at the same ε"
            + ("." if person is None else " for one person."),
        ),
    )
    by_one_answer(table, ready)
    st.caption(
        "This page puts noise on every value, so that the rows themselves can be given away. That "
        "costs far more error than noise on one answer: for a mean, release the statistic instead."
    )
