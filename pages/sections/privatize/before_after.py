"""A column before and after: histogram and figures, worked out once for each result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.statistics.describe import QUANTILES, Description
from pages.charts.chart import Chart
from pages.charts.histogram import Series, histogram_chart
from pages.session.state import memo
from pages.text.wording import number, percent

Pair = tuple[Series, Sequence[Series]]


@dataclass(frozen=True)
class ComparedColumn:
    """What the picture is about."""

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
    st.dataframe(table, hide_index=True, alt=f"Mean, spread and quantiles, {subject.key}")


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
    """One row, formatted; the unit stands in the heads."""
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
