"""How often each part of the paper is run again."""

from __future__ import annotations

import streamlit as st

from compdp_core.parameters import SEED
from pages.inputs.entry import exact, within
from pages.sections.paper.settings import (
    DRAWS,
    REPETITIONS,
    START,
)
from pages.session.state import keep, recall


def how_often() -> None:
    left, right = st.columns(2)
    with left:
        exact(
            _default(DRAWS.name, DRAWS.default),
            "Draws of each query",
            check=within(REPETITIONS),
            help=REPETITIONS.meaning,
        )
    with right:
        exact(
            _default(START.name, START.default),
            "Seed",
            check=within(SEED),
            help=SEED.meaning,
        )


def _default(name: str, value: object) -> str:
    if recall(name) is None:
        keep(name, value)
    return name
