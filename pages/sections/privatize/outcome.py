"""A stored release: its certificate and files, and, apart from them, what only the owner sees."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.accounting import decimal_text
from compdp_core.release import ReleasedColumn, TableRelease
from compdp_core.report import Statement
from compdp_core.text import plain, rounded_up
from pages.charts.histogram import Series
from pages.charts.theme import RELEASED, TRUE
from pages.sections.privatize.before_after import ComparedColumn, Pair, before_after
from pages.sections.privatize.files import files
from pages.shell.panels import private, publishable
from pages.text.wording import count, together


def outcome(release: TableRelease, statements: dict[int, Statement], times: int) -> None:
    st.success(
        f"Released at {release.when:%H:%M:%S} UTC: {count(release.row_count, 'row')}, "
        + together(f"ε = {decimal_text(release.epsilon)}")
        + ("." if times == 1 else f". This is release {times} of this table."),
        icon=":material/verified:",
    )
    with publishable("release", "the released table and its certificate"):
        st.dataframe(
            pd.DataFrame([_certified(column, statements) for column in release.columns]),
            hide_index=True,
            alt="Certificate of each released column",
        )
        st.caption(
            "Proved in whole numbers for the very distribution that was drawn from, not for an "
            "idealised one: for any two true values, no output is more than e^ε times as likely "
            "under one as under the other."
        )
        files(release, statements)
    _before_and_after(release, statements)


def _certified(column: ReleasedColumn, statements: dict[int, Statement]) -> dict[str, str]:
    certificate, unit = column.mechanism.certificate, statements[column.plan.position].unit
    low, high = column.mechanism.outputs
    return {
        "column": column.label,
        "ε asked": decimal_text(column.plan.epsilon),
        "ε proved": rounded_up(certificate.epsilon, 6),
        "largest ratio": rounded_up(float(certificate.ratio), 6),
        "bias at most": f"{rounded_up(certificate.worst_bias, 2)} {unit}".rstrip(),
        "outputs": f"{plain(low)} … {plain(high)} {unit}".rstrip(),
        "spacing": f"{plain(certificate.spacing)} {unit}".rstrip(),
    }


def _before_and_after(release: TableRelease, statements: dict[int, Statement]) -> None:
    with private("outcome", "your values against the released ones"):
        for column in release.columns:
            subject = ComparedColumn(
                f"outcome-{column.plan.position}",
                "Before and after this release",
                column.label,
                statements[column.plan.position].unit,
                column.plan.whole,
                column.mechanism,
            )
            before_after(subject, release, partial(_series, release, column))


def _series(release: TableRelease, column: ReleasedColumn) -> Pair:
    plan = column.plan
    true = release.table.readings(plan.position, plan.strip, plan.decimal)
    released = column.values[~np.isnan(column.values)]
    before = Series("your values", true.values[~true.missing], TRUE)
    return before, [Series("released", released, RELEASED)]
