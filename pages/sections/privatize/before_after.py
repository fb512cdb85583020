"""A column of numbers before and after: histograms on common bins, and what describes each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.statistics.describe import QUANTILES, Description
from pages.charts.chart import Chart
from pages.charts.histogram import Series, histogram_chart
from pages.sections.shared.figures import records
from pages.session.state import memo
from pages.text.values import ValueWords
from pages.text.wording import number, percent

Pair = tuple[Series, Sequence[Series]]


@dataclass(frozen=True)
class ComparedColumn:
    key: str
    title: str
    label: str
    words: ValueWords
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
        unit=subject.words.of_axis,
        title=subject.title,
        words=subject.words,
    )
    rows = [_described(each, subject) for each in (before, *after)]
    return chart, pd.DataFrame(rows)


def _described(series: Series, subject: ComparedColumn) -> dict[str, str]:
    said, words = Description.of(series.values), subject.words
    spread = number(said.spread, 4) if words.format is None else words.amount(said.spread)
    return {
        "column": series.name,
        "rows": f"{said.count:,}",
        words.named("mean"): words.short(said.mean, 4),
        words.named("spread"): spread,
        **{
            words.named(f"{percent(q)} below"): words.short(value, 4)
            for q, value in zip(QUANTILES, said.quantiles, strict=True)
        },
        "out of the output bounds": percent(series.outside(subject.mechanism.outputs)),
    }
