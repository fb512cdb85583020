"""Step 6: the figures as files, of all columns and of what was asked above."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from compdp_core.estimates.summary.requests import Request
from pages.sections.read_release.column_figures import wanted_for_files
from pages.sections.read_release.subject import OpenRelease
from pages.sections.read_release.worked_out import for_files
from pages.sections.shared.release_panel import file_button
from pages.shell.panels import publishable, step
from pages.text.wording import count

HINT = "Made of the released file and its card alone, so they may go wherever these may."


def files_step(opened: OpenRelease, asked: Sequence[Request]) -> None:
    with step(6, "Take the figures with you", HINT):
        button, estimates = partial(file_button, "figures"), opened.estimates
        besides = f" and {count(len(asked), 'question')} from above" if asked else ""
        with publishable("figures", "figures of the release"):
            for_files(wanted_for_files(opened))
            st.caption(f"Of {count(len(opened.columns), 'released column')}{besides}.")
            with st.container(horizontal=True):
                button(
                    "Report",
                    lambda: estimates.report_html(asked),
                    f"{opened.stem}_figures.html",
                    "One page to read, keep or print: sentences, tables and distributions.",
                    first=True,
                )
                button(
                    "Figures as CSV",
                    lambda: estimates.summary(asked).csv().encode("utf-8-sig"),
                    f"{opened.stem}_figures.csv",
                    "A line for each figure, with its interval and what limits it.",
                )
                button(
                    "Python script",
                    lambda: estimates.script(asked),
                    f"{opened.stem}_figures.py",
                    "Works out the same from file and card. It draws nothing and spends nothing.",
                )
                button(
                    "Notebook",
                    lambda: estimates.notebook(asked),
                    f"{opened.stem}_figures.ipynb",
                    "The script step by step, to read and run in Jupyter.",
                )
