"""A stored release: its certificate and files, and, apart from them, what only the owner sees."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.ledger import decimal_text
from compdp_core.release import Release, ReleasedColumn, plan_summary
from pages.furniture.histogram_chart import Series, histogram_chart
from pages.furniture.panels import private, publishable
from pages.furniture.state import edits
from pages.furniture.theme import RELEASED, TRUE
from pages.furniture.wording import count, in_chart, number, quantity, span
from pages.privatizing.describing import described
from pages.privatizing.upload import current


def outcome(release: Release, units: dict[int, str], times: int) -> None:
    st.success(
        f"Released at {release.when:%H:%M:%S} UTC: {count(release.row_count, 'row')}, "
        f"ε = {decimal_text(release.epsilon)}"
        + ("." if times == 1 else f". This is release {times} of this table."),
        icon=":material/verified:",
    )
    with publishable("release", "the released table and its certificate"):
        st.dataframe(
            pd.DataFrame([_certified(column, units) for column in release.columns]),
            hide_index=True,
            alt="Certificate of each released column",
        )
        st.caption(
            "Proved in whole numbers for the very distribution that was drawn from, not for an "
            "idealised one: for any two true values, no output is more than e^ε times as likely "
            "under one as under the other."
        )
        _files(release)
    _before_and_after(release, units)


def _certified(column: ReleasedColumn, units: dict[int, str]) -> dict[str, str]:
    certificate, unit = column.mechanism.certificate, units.get(column.plan.position, "units")
    return {
        "column": column.label,
        "ε asked": decimal_text(column.plan.epsilon),
        "ε proved": number(certificate.epsilon, 6),
        "largest ratio": number(float(certificate.ratio), 6),
        "bias at most": quantity(certificate.worst_bias, unit, 2),
        "outputs": span(*column.mechanism.outputs, unit, digits=6),
        "steps of": quantity(certificate.spacing, unit),
    }


def _files(release: Release) -> None:
    upload = current()
    stem = upload.stem if upload else "table"
    guard = st.toggle(
        "Make cells harmless that a spreadsheet would run as a formula",
        help="Text cells and names that start with = + - @ get an apostrophe in front. "
        "Numbers are never touched.",
        **edits("release.guard", True),
    )
    with st.container(horizontal=True):
        # Written out when pressed, from the stored values: pressing draws nothing.
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
            help="Bounds, ε, shapes and certificates; no value of the table.",
        )


def settings_json(release: Release) -> str:
    """Everything public about a release."""
    certificates = [
        {
            "column": column.label,
            "epsilon_proved": column.mechanism.certificate.epsilon,
            "ratio": str(column.mechanism.certificate.ratio),
            "worst_bias": column.mechanism.certificate.worst_bias,
            "outputs": list(column.mechanism.outputs),
            "spacing": column.mechanism.certificate.spacing,
        }
        for column in release.columns
    ]
    said = {
        "release": release.identifier,
        "when": release.when.isoformat(),
        "plan": plan_summary(release.plan),
        "certificates": certificates,
    }
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


def _before_and_after(release: Release, units: dict[int, str]) -> None:
    with private("outcome", "your values against the released ones"):
        for column in release.columns:
            position = column.plan.position
            unit = units.get(position, "units")
            true = release.table.numbers(position, column.plan.strip)
            released = column.values[~np.isnan(column.values)]
            series = (
                Series("your values", true.values[~true.missing], TRUE),
                Series("released", released, RELEASED),
            )
            histogram_chart(
                f"outcome-{position}",
                series,
                inputs=column.mechanism.inputs,
                outputs=column.mechanism.outputs,
                whole=column.plan.whole,
                axis=in_chart(column.label),
                unit=in_chart(unit, 16),
                title="Before and after this release",
                private=True,
            ).draw()
            st.dataframe(
                described(series, column.mechanism.outputs, unit),
                hide_index=True,
                alt="Mean, spread and quantiles before and after",
            )
