"""What a receiver can recover: the same rows through each mechanism, each read as well as known."""

from __future__ import annotations

import streamlit as st

from compdp_core.estimates.example_rows import SHAPES
from compdp_core.mechanisms.baselines import Mechanism
from pages.inputs.options import segments
from pages.sections.compare_mechanisms import settings as to
from pages.sections.compare_mechanisms.recovery_chart import recovery_chart
from pages.sections.compare_mechanisms.recovery_runs import JOB, WISH, results, wished
from pages.sections.compare_mechanisms.recovery_words import errors_in_words, winners
from pages.sections.shared.figures import records
from pages.session import jobs
from pages.session.state import keep
from pages.text.wording import count, enumeration, literal


def recovery(asked: to.ComparedSettings, made: dict[str, Mechanism]) -> None:
    left, right = st.columns(2)
    with left:
        segments("Shape of the rows", SHAPES, to.SHAPE)
    with right:
        segments("Rows released", {n: f"{int(n):,}" for n in to.RELEASED_ROWS}, to.RELEASED)
    wish = wished(asked)
    found = results(wish, made)
    if found is None:
        if not jobs.progress(JOB):
            st.button("Simulate", icon=":material/casino:", on_click=keep, args=(WISH, None))
        return
    st.markdown(winners(found, wish.asked.names))
    recovery_chart(found, wish.asked.names).draw()
    records(errors_in_words(found), "What is recovered from each mechanism")
    st.caption(
        f"Root mean squared errors over {count(found.repetitions, 'release')} of the same "
        f"{count(found.rows, 'row')}, with standard errors; of the distribution the mean "
        "Wasserstein distance. Every estimator reads what came out alone, which costs no privacy; "
        "the one that did best on these very rows counts, and a receiver cannot know which that "
        "is. "
        f"Seed {asked.seed}; a simulation releases nothing."
    )
    without = [name for name, each in made.items() if not _bounded(each)]
    if without:
        one = len(without) == 1
        st.caption(
            f"{literal(enumeration(without))} {'has' if one else 'have'} no output bounds: single "
            f"values may land anywhere, whatever {'its' if one else 'their'} figures are here."
        )


def _bounded(mechanism: Mechanism) -> bool:
    low, high = mechanism.outputs
    return low > float("-inf") and high < float("inf")
