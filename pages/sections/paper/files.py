"""Everything of a run as one file: a table each, and what they hold."""

from __future__ import annotations

import io
import zipfile

import streamlit as st

from compdp_core.experiments import TABLES, Reproduction
from pages.charts.export import as_csv
from pages.session.downloads import download


def files(run: Reproduction, *, private: bool) -> None:
    """The download of all tables."""
    if private:
        st.warning(
            "The tables hold true answers about your column: they are private, not a release.",
            icon=":material/lock:",
        )
    download(
        "All tables (ZIP of CSV files)",
        lambda: archive(run),
        file_name="paper-reproduced-private.zip" if private else "paper-reproduced.zip",
        mime="application/zip",
        key="paper.zip",
        icon=":material/folder_zip:",
    )
    with st.container(key="code-command"):
        st.caption("The same without the app: `python -m compdp_core.experiments --out results`")


def archive(run: Reproduction) -> bytes:
    """One CSV file a table, UTF-8 with a mark, and a text that says what each one holds."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in TABLES:
            packed.writestr(f"{name}.csv", as_csv(run[name]))
        lines = [f"{name}.csv: {about}" for name, about in TABLES.items()]
        lines.append(f"{run.repetitions} draws of each query, seed {run.seed}")
        packed.writestr("README.txt", "\n".join(lines) + "\n")
    return memory.getvalue()
