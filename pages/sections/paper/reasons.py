"""Step 5: every difference between the paper and this project, in words."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages.sections.paper.finished_run import FinishedRun
from pages.shell.panels import step
from pages.text.wording import literal, number


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
    st.dataframe(
        pd.DataFrame(
            {
                "ε": table["epsilon"],
                "claimed δ": table["claimed_delta"].map(lambda d: number(d, 2)),
                "true δ": table["true_delta"].map(lambda d: number(d, 3)),
                "claim kept": table["kept"].map({True: "yes", False: "no"}),
                "its proof covers this ε": table["proof_holds"].map({True: "yes", False: "no"}),
            }
        ),
        hide_index=True,
        alt="Claimed and true delta of the classic Gaussian mechanism",
    )


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
