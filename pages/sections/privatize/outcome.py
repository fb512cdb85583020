"""A stored release: its certificate and files, and, apart from them, what only the owner sees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release import ReleasedColumn, TableRelease
from compdp_core.report import Statement
from compdp_core.statistics.describe import QUANTILES, Description
from pages.charts.chart import Chart
from pages.charts.histogram import Series, histogram_chart
from pages.charts.theme import RELEASED, TRUE
from pages.sections.privatize.files import files
from pages.sections.shared.figures import records
from pages.sections.shared.release_panel import certified, released
from pages.session.state import memo
from pages.shell.panels import private, publishable
from pages.text.wording import count, number, percent

Pair = tuple[Series, Sequence[Series]]


@dataclass(frozen=True)
class ComparedColumn:
    key: str
    title: str
    label: str
    unit: str
    whole: bool
    mechanism: CompositeMechanism


def before_after(subject: ComparedColumn, fingerprint: object, series: Callable[[], Pair]) -> None:
    """Draw it; `series` is called only where the fingerprint is new."""
    chart, table = memo(
        f"view.{subject.key}", (subject, fingerprint), lambda: _build(subject, *series())
    )
    chart.draw()
    records(table, f"Mean, spread and quantiles, {subject.key}")


def _build(
    subject: ComparedColumn, before: Series, after: Sequence[Series]
) -> tuple[Chart, pd.DataFrame]:
    chart = histogram_chart(
        subject.key,
        before,
        after,
        inputs=subject.mechanism.inputs,
        outputs=subject.mechanism.outputs,
        whole=subject.whole,
        axis=subject.label,
        unit=subject.unit,
        title=subject.title,
    )
    rows = [_described(each, subject) for each in (before, *after)]
    return chart, pd.DataFrame(rows)


def _described(series: Series, subject: ComparedColumn) -> dict[str, str]:
    said, unit = Description.of(series.values), subject.unit
    return {
        "column": series.name,
        "rows": f"{said.count:,}",
        f"mean ({unit})": number(said.mean, 4),
        f"spread ({unit})": number(said.spread, 4),
        **{
            f"{percent(q)} below ({unit})": number(value, 4)
            for q, value in zip(QUANTILES, said.quantiles, strict=True)
        },
        "out of the output bounds": percent(series.outside(subject.mechanism.outputs)),
    }


def outcome(release: TableRelease, statements: dict[int, Statement], times: int) -> None:
    amount, person = count(release.row_count, "row"), release.plan.person
    released(release.when, amount, release.epsilon, "release", times, person)
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
    gone = release.table.row_count - release.row_count
    with private("outcome", "your values against the released ones"):
        if release.plan.person is not None:
            st.markdown(f"{count(gone, 'row')} of {release.table.row_count:,} left out.")
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
    drawn = ~np.isnan(column.values)
    # Rows that were left out, or drawn to answer other columns, are not compared.
    before = Series("your values", true.values[drawn & ~true.missing], TRUE)
    return before, [Series("released", column.values[drawn], RELEASED)]
