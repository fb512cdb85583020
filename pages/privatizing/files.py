"""The files of a release. Each is written out from the stored values: pressing draws nothing."""

from __future__ import annotations

import streamlit as st

from compdp_core.release import Release
from compdp_core.report.settings import TableSettings, to_json
from pages.furniture.state import edits
from pages.privatizing.upload import current


def files(release: Release) -> None:
    upload = current()
    stem = upload.stem if upload else "table"
    guard = st.toggle(
        "Make cells harmless that a spreadsheet would run as a formula",
        help="Text cells and names that start with = + - @ get an apostrophe in front. "
        "Numbers are never touched.",
        **edits("release.guard", True),
    )
    with st.container(horizontal=True):
        st.download_button(
            "Download the table",
            lambda: release.csv(guard_formulas=guard),
            file_name=f"{stem}_privatized.csv",
            mime="text/csv",
            key="download-csv",
            on_click="ignore",
            type="primary",
            icon=":material/download:",
            help="In the format of the upload: encoding, separator, decimal mark, line ends.",
        )
        st.download_button(
            "Download for Excel",
            lambda: release.csv(excel=True, guard_formulas=guard),
            file_name=f"{stem}_privatized_excel.csv",
            mime="text/csv",
            key="download-excel",
            on_click="ignore",
            icon=":material/download:",
            help="UTF-8 with a byte order mark, so that letters come out right in Excel.",
        )
        st.download_button(
            "Download the settings",
            lambda: settings_json(release),
            file_name=f"{stem}_settings.json",
            mime="application/json",
            key="download-settings",
            on_click="ignore",
            icon=":material/data_object:",
            help="Bounds, ε and shapes, to be read again; no value of the table.",
        )


def settings_json(release: Release) -> str:
    """The plan of a release; no value of the table."""
    labels = tuple(column.label for column in release.columns)
    return to_json(TableSettings(release.plan, labels))
