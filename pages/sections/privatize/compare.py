"""Step 5: the same column through other mechanisms: histograms, and every error with its error."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from compdp_core.experiments import compare
from compdp_core.mechanisms.baselines import Mechanism
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.tables import Table
from pages.charts.error_table import figures_table, in_steps
from pages.charts.histogram import Series
from pages.charts.theme import RELEASED, TRUE, Role
from pages.inputs.mechanisms import mechanism_choices, mechanism_label, mechanism_role, unproved
from pages.inputs.options import several
from pages.sections.privatize.before_after import ComparedColumn, Pair, before_after
from pages.sections.privatize.categories.compare import answer_rehearsal
from pages.sections.privatize.receiver_beside import by_other_noise
from pages.sections.privatize.rehearsal import (
    CHOICE,
    GAUSSIAN_DELTA,
    SEED,
    Rehearsal,
    draw_again,
    mean_of,
    rehearse,
    rivals,
    thinned,
    values_of,
)
from pages.sections.shared.ready import ReadyRelease
from pages.sections.shared.setup import ChosenColumn
from pages.sections.shared.words import words_of
from pages.session import faults, jobs
from pages.session.fragments import fragment
from pages.session.jobs import Job
from pages.session.state import keep, memo, recall
from pages.shell.panels import fold, private, step
from pages.text.wording import brief, literal, number

RIVALS = "privatize.rivals"
USUAL = ["laplace", "analytic_gaussian", "clamped_laplace"]
JOB = "privatize.figures.job"
MANY = "privatize.figures.many"
FEW_DRAWS = 20_000
"""Draws of each mechanism for the table, at once."""
MANY_DRAWS = 1_000_000
DATED = ("date", "datetime", "time")
"""Kinds whose zero is of the calendar or the clock, so that no error is a share of a value."""
Found = tuple[tuple[Any, ...], pd.DataFrame, int]
"""What was asked, the table, and from how many draws of each mechanism."""


def compare_step(table: Table, ready: ReadyRelease, released: bool) -> None:
    def compared() -> None:
        with private("compare", "true values against simulated ones"):
            _rehearsal(table, ready)

    label = "Before and after" + ("" if ready.focus.is_category else ", beside other mechanisms")
    with step(5, "Compare", "A rehearsal with simulated noise. It exists only here, for you."):
        jobs.collect(JOB, partial(keep, MANY))
        fold("privatize.compare", released, label, compared)
        # Not in the fold: once it is closed, nobody would see that something runs.
        jobs.progress(JOB)


@fragment
def _rehearsal(table: Table, ready: ReadyRelease) -> None:
    column, entry = ready.focus, ready.entries[ready.at]
    if isinstance(entry.mechanism, RandomizedResponse):
        answer_rehearsal(table, ready, entry.mechanism)
        return
    mechanism, seed, words = entry.mechanism, recall(SEED, 1), words_of(column)
    values = values_of(table, column, entry.plan)
    if not values.size:
        st.info("No cell of this column holds a value to compare.", icon=":material/info:")
        return
    offered = {key: mechanism_label(key) for key in mechanism_choices()}
    keys = several("Compare with", offered, RIVALS, USUAL, placeholder="Type to search")
    asked = (table, column, mechanism, tuple(keys), seed)
    made, refused = rivals(column, mechanism, keys)
    drawn: Rehearsal = memo("privatize.rehearsal", asked, lambda: rehearse(values, made, seed))
    title = "Before and after, on common bins"
    subject = ComparedColumn("compare", title, column.label, words, column.whole, mechanism)
    before_after(subject, drawn, lambda: _series(drawn, keys))
    for text in [*refused, *filter(None, map(unproved, made.values()))]:
        st.warning(literal(text), icon=":material/rule:")
    st.caption(
        f"All at ε = {brief(mechanism.epsilon)}; Gaussian noise needs a δ besides, here "
        f"{number(GAUSSIAN_DELTA)}. Simulated with seed {seed}: nothing is released or spent."
    )
    draw_again(len(values), seed)
    _figures(asked, made, values, column)
    by_other_noise(ready, table.row_count, made)
    mean_of(len(values), table, ready)


def _series(drawn: Rehearsal, keys: list[str]) -> Pair:
    roles: dict[str, Role] = {mechanism_label(key): mechanism_role(key) for key in keys}
    return Series("your values", drawn.before, TRUE), [
        Series(name, values, RELEASED if name == CHOICE else roles[name])
        for name, values in drawn.drawn.items()
    ]


def _figures(
    asked: tuple[Any, ...], made: dict[str, Mechanism], values: Any, column: ChosenColumn
) -> None:
    seed = asked[-1]
    st.markdown("**Errors of single values**, each ± its standard error")
    many = recall(MANY)
    if many is not None and many[0] == asked:
        found, draws = many[1:]
    else:
        few = thinned(values, FEW_DRAWS)
        rounds = max(1, FEW_DRAWS // len(few))
        draws = rounds * len(few)
        found = memo(
            "privatize.figures",
            asked,
            lambda: faults.attempt(lambda: compare(made, few, repetitions=rounds, seed=seed)),
        )
    if found is None:
        return
    width = 0.0 if column.inputs is None else column.inputs.width
    unit, steps = words_of(column).measure(width)
    relative = column.kind not in DATED
    figures_table("compare-figures", in_steps(found, steps), unit, relative=relative)

    def work(job: Job[Found]) -> Found:
        rows = thinned(values, MANY_DRAWS)
        rounds = max(1, MANY_DRAWS // len(rows))
        table = compare(
            made, rows, repetitions=rounds, seed=seed, progress=job.tell, cancelled=job.cancelled
        )
        return asked, table, rounds * len(rows)

    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"From {draws:,} simulated values of each mechanism.")
        if st.button(
            f"Simulate about {MANY_DRAWS:,}", icon=":material/casino:", disabled=draws > FEW_DRAWS
        ):
            jobs.start(JOB, work)
            st.rerun()
