"""Step 2: which algorithms search, with which options; the button that sets them off."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import streamlit as st

from compdp_core.optimize import ALGORITHMS, Algorithm
from compdp_core.parameters import Parameter
from pages.furniture import faults, jobs
from pages.furniture.entry import exact, within
from pages.furniture.panels import step
from pages.furniture.state import edits, recall
from pages.furniture.typed import plain
from pages.searching import settings
from pages.searching.runs import DROPPED, JOB, KEPT, Plan, add, runs, search
from pages.searching.words import DOES

QUICK = ("exact", "enumeration")
"""Run once by themselves, so that a first visit shows what the page is about: 10 ms together."""


def choice_step() -> None:
    with step(2, "Algorithms", "Choose one or several, then search. Runs add up on one chart."):
        _choose()
        running = jobs.watch(JOB, add)
        dropped = recall(DROPPED, [])
        if dropped and not running:
            st.caption(
                f"{KEPT} runs are kept. Dropped as the oldest: {', '.join(map(str, dropped))}."
            )


def first_visit() -> None:
    """Search with the quick ones where nothing was ever searched for."""
    if recall(f"{settings.PAGE}.visited") or runs():
        return
    st.session_state["kept"][f"{settings.PAGE}.visited"] = True
    problem = faults.attempt(settings.problem)
    if problem is not None:
        add(search([Plan(name, problem, 1, ()) for name in QUICK], _Quiet()))


@st.fragment
def _choose() -> None:
    chosen = st.pills(
        "Search with",
        list(ALGORITHMS),
        format_func=lambda name: ALGORITHMS[name].title,
        selection_mode="multi",
        **edits(settings.CHOSEN.name, settings.CHOSEN.default),
    )
    for name in chosen:
        st.markdown(f"**{ALGORITHMS[name].title}.** {DOES[name]}")
    with st.expander("Options and seed", icon=":material/tune:"):
        _options([ALGORITHMS[name] for name in chosen])
    if st.button(
        "Search",
        type="primary",
        icon=":material/play_arrow:",
        disabled=not chosen,
        help=None if chosen else "Choose an algorithm first.",
    ):
        problem = faults.attempt(settings.problem)
        if problem is not None:
            seed = int(settings.value(settings.START))
            plans = [
                Plan(name, problem, seed, tuple(settings.options(ALGORITHMS[name]).items()))
                for name in chosen
            ]
            jobs.start(JOB, partial(search, plans))
            st.rerun()


def _options(algorithms: list[Algorithm]) -> None:
    below = st.container()
    if any(algorithm.seeded for algorithm in algorithms):
        exact(
            settings.START.name,
            "Seed of the random searches",
            check=_whole(settings.SEED),
            help=settings.SEED.meaning,
        )
    for algorithm in algorithms:
        if not algorithm.options:
            continue
        st.caption(algorithm.title)
        fields = st.columns(3)
        for parameter, field in zip(algorithm.options, fields, strict=False):
            with field:
                exact(
                    settings.option(algorithm, parameter).name,
                    _label(algorithm, parameter),
                    check=_checked(parameter),
                    optional=True,
                    placeholder=plain(Decimal(repr(parameter.default))),
                    help=f"{parameter.meaning} {_range(parameter)}",
                    faults_in=below,
                )
