"""Simulated curves and figures: a few draws at once, many in the background. Never a release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from compdp_core.experiments import compare, error_curve
from pages.inputs.options import segments
from pages.sections.compare_mechanisms import settings as to
from pages.session import jobs
from pages.session.jobs import Job
from pages.session.state import keep, recall

EPSILONS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)
SIMULATED = (0.2, 0.5, 1.0, 2.0, 5.0)
FEW = 400
"""Draws for each point, at once."""
MANY = (10_000, 100_000, 1_000_000)
JOB = f"{to.PAGE}.job"
FOUND = f"{to.PAGE}.found"
AMOUNT = f"{to.PAGE}.amount"
MOST_KEPT = 150
"""Results of single mechanisms that are kept for when a setting comes back."""


Table = pd.DataFrame


@dataclass(frozen=True)
class SimulationRequest:
    kind: str
    """``error``: against ε, so that the ε that is set does not matter. ``figures``: at that ε."""
    asked: to.ComparedSettings
    draws: int

    def run(self, job: Job[Outcome] | None = None) -> Table:
        asked = self.asked
        tell, stop = (job.tell, job.cancelled) if job else (None, None)
        if self.kind == "error":
            return error_curve(
                asked.factories,
                SIMULATED,
                repetitions=self.draws,
                seed=asked.seed,
                value=asked.value,
                progress=tell,
                cancelled=stop,
            )
        made, _ = to.build(asked)
        return compare(
            made,
            [asked.value],
            repetitions=self.draws,
            seed=asked.seed,
            progress=tell,
            cancelled=stop,
        )


Outcome = tuple[SimulationRequest, Table]


def error_theory(asked: to.ComparedSettings) -> Table:
    """The closed forms over ε; the single draws that come along are not shown."""

    def one(question: to.ComparedSettings) -> Table:
        return error_curve(
            question.factories, EPSILONS, repetitions=1, seed=question.seed, value=question.value
        )

    return _each(asked, "theory", one)


def results(kind: str, asked: to.ComparedSettings, few: int) -> tuple[Table, int]:
    """A table, and from how many draws it is: many where they were asked for, else few."""
    many: dict[object, tuple[Table, int]] = recall(FOUND, {})
    if (kind, _setting(kind, asked)) in many:
        return many[kind, _setting(kind, asked)]
    return _each(
        asked, kind, lambda one: SimulationRequest(kind, one, few).run(), kind == "figures"
    ), few


def _each(
    asked: to.ComparedSettings,
    kind: str,
    compute: Callable[[to.ComparedSettings], Table],
    at_epsilon: bool = False,
) -> Table:
    """One mechanism after the other, so that adding one leaves the others as they are."""
    store = f"{to.PAGE}.{kind}"
    known: dict[to.ComparedSettings, Table] = recall(store, {})
    parts = []
    for key in asked.keys:
        one = replace(asked, keys=(key,), epsilon=asked.epsilon if at_epsilon else 1.0)
        if one not in known:
            known = dict(list(known.items())[-MOST_KEPT:]) | {one: compute(one)}
        parts.append(known[one])
    keep(store, known)
    return pd.concat(parts, ignore_index=True)


def _setting(kind: str, asked: to.ComparedSettings) -> to.ComparedSettings:
    return asked if kind == "figures" else replace(asked, epsilon=1.0)


def collect() -> None:
    jobs.collect(JOB, _take)


def _take(outcome: Outcome) -> None:
    wish, table = outcome
    found: dict[object, tuple[Table, int]] = recall(FOUND, {})
    kept = dict(list(found.items())[-7:])
    keep(FOUND, kept | {(wish.kind, _setting(wish.kind, wish.asked)): (table, wish.draws)})


def more_draws(kind: str, asked: to.ComparedSettings, shown: int) -> None:
    st.caption(
        f"Simulated from {shown:,} draws for each, seed {asked.seed}. Simulations release nothing "
        "and cost no privacy."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        amount = segments(
            "Draws of the next simulation", {n: f"{n:,}" for n in MANY}, AMOUNT, MANY[0]
        )
        if st.button("Simulate more draws", icon=":material/casino:"):
            wish = SimulationRequest(kind, asked, int(amount))
            jobs.start(JOB, lambda job: (wish, wish.run(job)))
            st.rerun()
