"""Step 1: what to run, the run itself, and how much of the paper comes out."""

from __future__ import annotations

import hashlib
from functools import partial

import streamlit as st

from compdp_core.experiments import BoundedColumn, CancelledError, reproduce
from compdp_core.parameters import SEED
from pages.inputs.entry import within
from pages.inputs.links import field
from pages.inputs.options import radio
from pages.sections.paper.finished_run import FinishedRun, files
from pages.sections.paper.settings import DRAWS, PAGE, REPETITIONS, SOURCE, SOURCES, START
from pages.sections.paper.source import column
from pages.sections.shared.figures import figures, records
from pages.session import jobs
from pages.session.state import keep, recall
from pages.shell.panels import step

JOB, FOUND = f"{PAGE}.job", f"{PAGE}.found"


def collect() -> None:
    jobs.collect(JOB, partial(keep, FOUND))


def run_step() -> FinishedRun | None:
    with step(1, "Run it again", "All experiments of Zhang et al., IEEE S&P 2024, as simulations."):
        choice = radio(
            "Ask the five queries of",
            SOURCES,
            SOURCE,
            captions=[
                "maxima, variances and modes whose sensitivity the paper prints",
                "in addition: 2,000 invented runs, bounds 0 … 420 min",
                "in addition: a numeric column, with bounds of yours",
            ],
        )
        asked = column(choice)
        ready = choice == "printed" or asked is not None
        _how_often()
        running = jobs.progress(JOB)
        if not running and st.button(
            "Run the paper again", type="primary", icon=":material/replay:", disabled=not ready
        ):
            _begin(choice, asked)
            st.rerun()
        found: FinishedRun | None = recall(FOUND)
        if found is None:
            if not running:
                st.info(
                    "Nothing is run yet. It takes a few seconds and can be stopped.",
                    icon=":material/arrow_upward:",
                )
            return None
        if found.setting not in (None, _setting(choice, asked)):
            st.info(
                "The settings above have changed since. What follows is the last run.",
                icon=":material/history:",
            )
        _summary(found)
    return found


def _setting(choice: str, asked: BoundedColumn | None) -> tuple[object, ...]:
    about = None
    if asked is not None:
        about = asked.name, asked.bounds, hashlib.sha256(asked.values.tobytes()).digest()
    return choice, about, recall(DRAWS.name), recall(START.name)


def _begin(choice: str, asked: BoundedColumn | None) -> None:
    repetitions, seed = int(recall(DRAWS.name)), int(recall(START.name))
    setting = _setting(choice, asked)

    def work(job: jobs.Job[FinishedRun | None]) -> FinishedRun | None:
        try:
            result = reproduce(
                asked,
                repetitions=repetitions,
                seed=seed,
                progress=job.tell,
                cancelled=job.cancelled,
            )
        except CancelledError:
            return None
        return FinishedRun(result, choice, None if asked is None else asked.name, setting)

    jobs.start(JOB, work)


def _summary(found: FinishedRun) -> None:
    table = found.reproduction["summary"]
    printed, same, other = (
        int(table[each].sum()) for each in ("numbers", "reproduced", "explained")
    )
    figures(
        st.columns(3),
        ("Printed numbers", f"{printed}", None),
        ("Reproduced", f"{same}", "By the paper's own method, within the error."),
        ("With another origin", f"{other}", "Found, and named under “Where we differ”."),
    )
    named = table.rename(columns={"explained": "with another origin"})
    shown = ["what", "numbers", "reproduced", "with another origin", "note"]
    records(named[shown], "How many printed numbers are reproduced, by kind")
    run = found.reproduction
    about = "" if found.name is None or found.private else f", with {found.name}"
    st.caption(f"{run.repetitions:,} draws of each query, seed {run.seed}{about}.")
    files(run, private=found.private)


def _how_often() -> None:
    left, right = st.columns(2)
    with left:
        field(DRAWS, "Draws of each query", check=within(REPETITIONS), help=REPETITIONS.meaning)
    with right:
        field(START, "Seed", check=within(SEED), help=SEED.meaning)
