"""Step 2: which algorithms search, with which options; the button that sets them off."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import streamlit as st

from compdp_core.design.optimize import ALGORITHMS, Algorithm, Problem
from compdp_core.parameters import SEED
from pages.inputs.entry import exact, within
from pages.sections.optimizer import settings
from pages.sections.optimizer.explanations import DOES, asked
from pages.sections.optimizer.runs import PlannedSearch
from pages.sections.optimizer.stored_runs import DROPPED, JOB, KEPT, SEARCHED, add, search
from pages.session import faults, jobs
from pages.session.fragments import fragment
from pages.session.state import keep, picks, recall
from pages.shell.panels import step
from pages.text.typed_numbers import plain

QUICK = ("exact", "enumeration")
"""Run once by themselves, so that a first visit shows what the page is about: a moment together."""
VISITED = f"{settings.PAGE}.visited"


def choice_step() -> None:
    with step(2, "Algorithms", "Choose one or several, then search. Runs add up on one chart."):
        _choose()
        jobs.progress(JOB)
        dropped = recall(DROPPED, [])
        if dropped:
            st.caption(f"{KEPT} runs are kept; {_named(dropped)} had to go.")


def _named(runs: list[int]) -> str:
    *others, last = map(str, runs)
    return f"runs {', '.join(others)} and {last}" if others else f"run {last}"


def collect() -> None:
    """Take in runs that are over. On the first visit, let the quick ones run."""
    if not recall(VISITED):
        keep(VISITED, True)
        problem = faults.attempted(settings.problem)
        if isinstance(problem, Problem):  # else step 1 says why there is none
            jobs.start(JOB, partial(search, [_plan(name, problem) for name in QUICK]))
    jobs.collect(JOB, add)


@fragment
def _choose() -> None:
    chosen = st.pills(
        "Search with",
        list(ALGORITHMS),
        format_func=lambda name: ALGORITHMS[name].title,
        selection_mode="multi",
        **picks(settings.CHOSEN.name, settings.CHOSEN.default),
    )
    for name in chosen:
        st.markdown(f"**{ALGORITHMS[name].title}.** {DOES[name]}")
    with st.expander("Options and seed", icon=":material/tune:"):
        _options([ALGORITHMS[name] for name in chosen])
    running = recall(JOB) is not None
    if st.button(
        "Search",
        type="primary",
        icon=":material/play_arrow:",
        disabled=running or not chosen,
        help=_why_not(running, chosen),
        key="optimizer.search",
    ):
        problem = asked()
        if problem is not None:
            keep(SEARCHED, True)
            jobs.start(JOB, partial(search, [_plan(name, problem) for name in chosen]))
            st.rerun()


def _plan(name: str, problem: Problem) -> PlannedSearch:
    algorithm = ALGORITHMS[name]
    seed = int(settings.value(settings.START)) if algorithm.seeded else 0
    return PlannedSearch(name, problem, seed, tuple(settings.options(algorithm).items()))


def _why_not(running: bool, chosen: list[str]) -> str | None:
    if running:
        return "A search is running. Let it end, or cancel it: what it found is kept."
    return None if chosen else "Choose an algorithm first."


def _options(algorithms: list[Algorithm]) -> None:
    if any(algorithm.seeded for algorithm in algorithms):
        exact(
            settings.START.name,
            "Seed of the random searches",
            check=within(SEED),
            help=SEED.meaning,
        )
    for algorithm in algorithms:
        if algorithm.options:
            _options_of(algorithm)


def _options_of(algorithm: Algorithm) -> None:
    st.caption(algorithm.title)
    fields, below = st.columns(3), st.container()
    for parameter, field in zip(algorithm.options, fields, strict=False):
        with field:
            exact(
                settings.option(algorithm, parameter).name,
                f"{parameter.name.capitalize()} {parameter.symbol}",
                check=within(parameter),
                optional=True,
                placeholder=plain(Decimal(repr(parameter.default))),
                help=f"{parameter.meaning} It {parameter.requirement}.",
                faults_in=below,
            )
