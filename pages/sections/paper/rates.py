"""Step 2: the tables of H1, H2, variance and bias, number by number."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from pages.sections.paper.finished_run import FinishedRun
from pages.shell.panels import step
from pages.text.wording import number

KINDS = {"variance": "variance (Δ²)", "H1": "H1", "H2": "H2", "bias": "bias rate (%)"}


def rates_step(found: FinishedRun) -> None:
    with step(2, "The printed tables", "Six pairs at five budgets: printed, ours, and the reason."):
        kind = st.segmented_control(
            "Table",
            list(KINDS),
            format_func=KINDS.__getitem__,
            default="variance",
            required=True,
            key="paper.kind",
        )
        rows = _bias(found) if kind == "bias" else _rates(found, kind)
        outside = int((rows["verdict"] != "same").sum())
        st.dataframe(
            rows, hide_index=True, height=320, alt=f"Printed and computed values of {KINDS[kind]}"
        )
        if kind == "bias":
            st.caption(
                "All printed bias rates are mean absolute errors in other units. The bias itself "
                "is zero by construction; the simulated one lies within its standard error of it."
            )
        elif outside:
            st.caption(
                f"{outside} of {len(rows)} printed numbers have another origin than the authors' "
                "optimiser; the reason beside each is told in step 5."
            )
        if kind != "bias":
            st.caption(
                "Ours: the optimum on the authors' own grid of k, m and y. Its error: what 1,000 "
                "draws and the printed digits leave open. Exact optimum: without a grid."
            )


def _rates(found: FinishedRun, kind: str) -> pd.DataFrame:
    table = found.reproduction["rates"]
    rows = table[table["quantity"] == kind]
    verdict = np.where(
        rows["within"], "same", np.where(rows["implied_within"], "another design", "differs")
    )
    return pd.DataFrame(
        {
            "pair": rows["pair"],
            "ε": rows["epsilon"],
            "printed": rows["printed"].map(_text),
            "ours": rows["authors_grid"].map(_text),
            "difference": rows["difference"].map(_text),
            "its error": rows["error"].map(_text),
            "verdict": verdict,
            "reason": rows["reason"].map(_titles(found)),
            "exact optimum": rows["exact"].map(_text),
        }
    )


def _bias(found: FinishedRun) -> pd.DataFrame:
    rows = found.reproduction["bias"]
    return pd.DataFrame(
        {
            "pair": rows["pair"],
            "ε": rows["epsilon"],
            "printed": rows["printed_percent"].map(_text),
            "ours, as noise": rows["noise_percent"].map(_text),
            "difference": rows["difference"].map(_text),
            "exact bias": rows["exact_bias"].map(_text),
            "simulated bias": [
                f"{number(b)} ± {number(s, 2)}"
                for b, s in zip(rows["bias"], rows["bias_se"], strict=True)
            ],
            "verdict": np.where(rows["within"], "same", "differs"),
            "reason": rows["reason"].map(_titles(found)),
        }
    )


def _titles(found: FinishedRun) -> dict[str, str]:
    """What step 5 calls each reason."""
    told = found.reproduction["explanations"]
    return dict(zip(told["reason"], told["title"], strict=True))


def _text(value: float) -> str:
    return number(float(value), 4)
