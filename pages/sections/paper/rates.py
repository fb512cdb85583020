"""Steps 2 and 5: the printed tables number by number, and every difference in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from pages.inputs.options import segments
from pages.sections.paper.finished_run import FinishedRun
from pages.sections.paper.settings import PAGE
from pages.sections.shared.figures import records
from pages.shell.panels import step
from pages.text.wording import literal, number

KINDS = {"variance": "variance (Δ²)", "H1": "H1", "H2": "H2", "bias": "bias rate (%)"}


def rates_step(found: FinishedRun) -> None:
    with step(2, "The printed tables", "Six pairs at five budgets: printed, ours, and the reason."):
        kind = segments("Table", KINDS, f"{PAGE}.kind", "variance")
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
    told = found.reproduction["explanations"]
    return dict(zip(told["reason"], told["title"], strict=True))


def _text(value: float) -> str:
    return number(float(value), 4)


def reasons_step(found: FinishedRun) -> None:
    """One short text a reason, and the two tables that make two of them plain."""
    with step(5, "Where we differ", "Each reason is proved by a test of this project."):
        for row in found.reproduction["explanations"].itertuples():
            with st.expander(literal(str(row.title))):
                st.markdown(literal(str(row.text)))
                with st.container(key=f"code-reason-{row.Index}"):
                    st.caption(
                        f"In the files: {literal(str(row.reason))}. Proved by `{row.proof}`."
                    )
        _gaussian(found)
        _inputs(found)


def _gaussian(found: FinishedRun) -> None:
    st.subheader("The classic Gaussian above ε = 1", anchor=False)
    table = found.reproduction["classic_gaussian"]
    said = {True: "yes", False: "no"}
    columns = {
        "ε": table["epsilon"],
        "claimed δ": table["claimed_delta"].map(lambda d: number(d, 2)),
        "true δ": table["true_delta"].map(lambda d: number(d, 3)),
        "claim kept": table["kept"].map(said),
        "its proof covers this ε": table["proof_holds"].map(said),
    }
    records(columns, "Claimed and true delta of the classic Gaussian mechanism")


def _inputs(found: FinishedRun) -> None:
    st.subheader("Which answers the authors' example protects", anchor=False)
    rows = found.reproduction["authors_inputs"]
    low, high = float(rows["valid_lower"].iloc[0]), float(rows["valid_upper"].iloc[0])
    outside = rows[~rows["valid"]]["answer"].tolist()
    st.markdown(
        f"With k = 0.5, m = 0.4, y = 0.3, Δ = 10 and l = 0, only answers from {number(low)} to "
        f"{number(high)} are mapped into the valid domain. The neighbouring answer "
        f"{', '.join(number(float(a)) for a in outside)} is not, and the released code lets it "
        "through: there it is neither unbiased nor protected."
    )
