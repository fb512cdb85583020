"""A stored release: its certificate and files, and, apart from them, what only the owner sees."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from compdp_core.release import ReleasedColumn, TableRelease
from compdp_core.report import Statement
from pages.charts.histogram import Series
from pages.charts.theme import RELEASED, TRUE
from pages.sections.privatize.before_after import ComparedColumn, Pair, before_after
from pages.sections.privatize.files import files
from pages.sections.shared.release_panel import certified, records, released
from pages.shell.panels import private, publishable
from pages.text.wording import count


def outcome(release: TableRelease, statements: dict[int, Statement], times: int) -> None:
    released(release.when, count(release.row_count, "row"), release.epsilon, "release", times)
    with publishable("release", "the released table and its certificate"):
        records(
            [_certified(column, statements) for column in release.columns],
            "Certificate of each released column",
        )
        st.caption(
            "Proved in whole numbers for the very distribution that was drawn from, not for an "
            "idealised one: for any two true values, no output is more than e^ε times as likely "
            "under one as under the other."
        )
        files(release, statements)
    _before_and_after(release, statements)


def _certified(column: ReleasedColumn, statements: dict[int, Statement]) -> dict[str, str]:
    unit = statements[column.plan.position].unit
    return {"column": column.label} | certified(column.mechanism, column.plan.epsilon, unit)


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
    noisy = column.values[~np.isnan(column.values)]
    before = Series("your values", true.values[~true.missing], TRUE)
    return before, [Series("released", noisy, RELEASED)]
