"""Floating-point noise: its last bits tell inputs apart, those of a lattice do not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.auditing.attacks import Fingerprints, lattice_fingerprints, textbook_fingerprints
from compdp_core.mechanisms.composite import CompositeMechanism
from pages.charts.chart import Chart
from pages.charts.theme import OUTSIDE, RELEASED, level_bars
from pages.inputs.mechanisms import rectangle
from pages.sections.audit import settings as to
from pages.sections.audit.controls import beside
from pages.session.state import edits, memo
from pages.text.wording import number, percent

DRAWS = 20_000
EPSILONS = (0.01, 0.1, 0.5, 1.0, 2.0)
WIDTH = 1.0


def bits() -> None:
    with st.container(key="code-bits"):
        st.markdown(
            "The true value is 0 or 1, and textbook code adds `-b * log(u)` in floating point. "
            "Many outputs are sums that one of the two values can reach and the other cannot. An "
            "attacker who knows the program checks which (Mironov, CCS 2012)."
        )
    epsilon = st.select_slider(
        "Claimed ε", EPSILONS, **edits(f"{to.PAGE}.bits", 0.1, allowed=EPSILONS)
    )
    seed = int(to.value(to.START))
    textbook, lattice, mechanism = memo(
        f"{to.PAGE}.fingerprints", (epsilon, seed), lambda: _both(epsilon, seed)
    )
    _chart(textbook, lattice, epsilon).draw()
    beside(
        f"**The attack.** {percent(textbook.share)} of {DRAWS:,} outputs are impossible under the "
        f"other value: they give the input away for certain, though ε = {number(epsilon)} allows "
        "no such output at all. No audit by counting intervals sees this.",
        f"**The fix.** Composite A1B1 draws whole numbers from the system's randomness: every "
        f"output is a multiple of {number(mechanism.lattice.spacing)}, every multiple in range is "
        f"possible under every input, and {lattice.told_apart} of {lattice.draws:,} outputs are "
        "anything else.",
    )


def _both(epsilon: float, seed: int) -> tuple[Fingerprints, Fingerprints, CompositeMechanism]:
    textbook = textbook_fingerprints(0.0, WIDTH, WIDTH / epsilon, draws=DRAWS, seed=seed)
    made = rectangle(epsilon, (0.0, WIDTH))
    drawn = made.simulate(np.zeros(DRAWS), seed=seed)
    return textbook, lattice_fingerprints(drawn, made.lattice.exponent), made


def _chart(textbook: Fingerprints, lattice: Fingerprints, epsilon: float) -> Chart:
    names = ["Our lattice", "Textbook floats"]
    shares = [100.0 * lattice.share, 100.0 * textbook.share]
    data = [
        level_bars([share], [name], name, role.bar(), [f" {number(share)} %"], hoverinfo="skip")
        for name, share, role in zip(names, shares, (RELEASED, OUTSIDE), strict=True)
    ]
    return Chart(
        "audit-bits",
        f"Outputs that give the input away, ε = {number(epsilon)}",
        "share of outputs (%)",
        "",
        data,
        {
            "showlegend": False,
            "hovermode": False,
            "xaxis": {"range": [0, max(20.0, 1.35 * shares[1])]},
            "yaxis": {"type": "category"},
        },
        f"{number(shares[1])} % of the textbook's outputs, {number(shares[0])} % of the lattice's.",
        lambda: pd.DataFrame({"program": names, "share of outputs (%)": shares}),
        height=240,
    )
