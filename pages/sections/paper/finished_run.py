"""A finished run of the paper, the panel that it is shown in, and all of it as one file."""

from __future__ import annotations

import io
import zipfile
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import streamlit as st

from compdp_core.experiments import TABLES, Reproduction
from pages.charts.export import as_csv
from pages.sections.paper.source import is_private
from pages.session.downloads import download
from pages.shell.panels import private


@dataclass(frozen=True, eq=False)
class FinishedRun:
    reproduction: Reproduction
    source: str
    name: str | None
    """Column beside the paper's own queries, if any."""
    setting: tuple[object, ...] | None = None
    """Everything that the numbers depend on."""

    @property
    def private(self) -> bool:
        return is_private(self.source)


def panel(found: FinishedRun, key: str) -> AbstractContextManager[None]:
    """Around what a run shows: marked as private where it holds answers about someone's data."""
    return private(key, "from the true values of your column") if found.private else nullcontext()


def files(run: Reproduction, *, private: bool) -> None:
    if private:
        st.warning(
            "The tables hold true answers about your column: they are private, not a release.",
            icon=":material/lock:",
        )
    name = "paper-reproduced-private.zip" if private else "paper-reproduced.zip"
    label, icon = "All tables (ZIP of CSV files)", ":material/folder_zip:"
    download(label, lambda: archive(run), name, "paper.zip", icon=icon)
    with st.container(key="code-command"):
        st.caption("The same without the app: `python -m compdp_core.experiments --out results`")


def archive(run: Reproduction) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in TABLES:
            packed.writestr(f"{name}.csv", as_csv(run[name]))
        lines = [f"{name}.csv: {about}" for name, about in TABLES.items()]
        lines.append(f"{run.repetitions} draws of each query, seed {run.seed}")
        packed.writestr("README.txt", "\n".join(lines) + "\n")
    return memory.getvalue()
