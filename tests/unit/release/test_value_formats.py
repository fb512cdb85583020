"""Dates, times and durations from a table to its release: in their format, within their bounds.

Means of seven columns are tested at a false alarm of 1e-9 together, with a fixed seed.
"""

from __future__ import annotations

import csv
import io
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.errors import CompdpError
from compdp_core.randomness import SeededSource
from compdp_core.release import Plan, PlanError
from compdp_core.report.script import script_of_table
from compdp_core.report.settings_reading import from_json
from compdp_core.tables.value_formats import (
    DateFormat,
    DateTimeFormat,
    DayNumberFormat,
    DurationFormat,
    IsoDurationFormat,
    TimeFormat,
    UnitDurationFormat,
    UnixTimeFormat,
    ValueFormat,
)
from tests.noninterference.leaving import released
from tests.noninterference.twins import _keeping
from tests.unit.report.test_script import run

ROWS = 3000
Z = 6.45
"""Two-sided normal quantile for a false alarm of 1e-9 among seven."""
FORMS: dict[str, tuple[ValueFormat, tuple[Any, Any]]] = {
    "day": (DateFormat("%d.%m.%Y"), ("2024-01-01", date(2024, 12, 31))),
    "signed": (DateFormat("%B %-d, %Y"), ("2024-01-01", "31 December 2024")),
    "when": (DateTimeFormat("%Y-%m-%dT%H:%M:%SZ"), ("2024-01-01", "2024-12-31T23:59:59Z")),
    "start": (TimeFormat("%-I:%M %p"), ("08:00", time(17, 30))),
    "run": (DurationFormat("%-H:%M:%S"), (timedelta(0), "3:00:00")),
    "work": (UnitDurationFormat("%-Hh %-Mm"), ("0h", "10h")),
    "sleep": (IsoDurationFormat("HM"), ("PT4H", "PT12H")),
}


def table_of(rows: int = ROWS) -> tuple[cdp.Table, dict[str, Any]]:
    """A table with a column of each format, evenly over its bounds, and plans without formats."""
    columns, plans = dict[str, list[str]](), dict[str, cdp.ColumnPlan]()
    for seed, (label, (form, ends)) in enumerate(FORMS.items()):
        plans[label] = cdp.ColumnPlan(inputs=ends, epsilon=3, kind=form.kind)  # type: ignore[arg-type]
        bounds = cdp.ColumnPlan(inputs=ends, epsilon=3, kind=form.kind, format=form).inputs  # type: ignore[arg-type]
        true = np.random.default_rng(seed).integers(int(bounds.lower), int(bounds.upper), rows)
        columns[label] = [
            cell.decode() for cell in form.write(true.astype(np.float64), "utf-8").tolist()
        ]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["note", *columns])
    writer.writerows(["x", *cells] for cells in zip(*columns.values(), strict=True))
    return cdp.read_csv(out.getvalue().encode()), plans


def test_released_cells_are_in_the_very_format_and_right_on_average() -> None:
    table, plans = table_of()
    release = cdp.privatize(table, plans, source=SeededSource(15))
    again = cdp.read_csv(release.csv())
    for place, (column, (label, (form, _))) in enumerate(
        zip(release.columns, FORMS.items(), strict=True), start=1
    ):
        assert (column.label, column.plan.format) == (label, form)
        column.composite.certificate.require()
        read = again.values(place, form).values
        assert np.array_equal(read, column.values)
        assert np.array_equal(read, np.rint(read))
        low, high = column.composite.outputs
        assert low <= read.min() <= read.max() <= high
        true = table.values(place, form).values
        off = abs(read.mean() - true.mean()) / (read - true).std() * np.sqrt(ROWS)
        assert off < Z, label
    cells = [again.texts(place)[:50] for place in range(1, 8)]
    assert all(len(cell) == 10 for cell in cells[0])
    assert all(cell.endswith("Z") and len(cell) == 20 for cell in cells[2])
    assert any(cell.endswith((" AM", " PM")) for cell in cells[3])
    assert again.texts(0) == ["x"] * ROWS
    card = str(release.card)
    assert not any(cell in card for cell in cells[2])


def test_settings_and_script_bring_the_formats_back(tmp_path: Path) -> None:
    table, plans = table_of(20)
    release = cdp.privatize(table, plans, source=SeededSource(1))
    loaded = from_json(release.settings())
    assert [column.format for column in loaded.settings.plan.columns] == [  # type: ignore[union-attr]
        form for form, _ in FORMS.values()
    ]
    source = tmp_path / "table.csv"
    source.write_bytes(table.index.content)
    code, said, written = run(script_of_table(release), tmp_path, source)
    assert code == 0, said
    again = cdp.read_csv(written)
    for place, (form, _) in enumerate(FORMS.values(), start=1):
        assert not again.values(place, form).missing.any()


@pytest.mark.parametrize("missing", ["keep", "leave out", "fill"])
def test_what_is_in_another_format_is_missing_by_the_policy(missing: Any) -> None:
    data = b"day,x\n2024-05-01,1\n,2\nsoon,3\n31.12.2024,4\n2024-13-01,5\nNA,6\n"
    plan = cdp.ColumnPlan(
        inputs=("2024-01-01", "2024-12-31"), epsilon=1, kind="date", missing=missing,
        format=DateFormat(),
    )  # fmt: skip
    release = cdp.privatize(cdp.read_csv(data), {"day": plan})
    rows = [line.split(",") for line in release.csv().decode().splitlines()[1:]]
    assert [row[1] for row in rows] == (["1"] if missing == "leave out" else list("123456"))
    written = [row[0] for row in rows if row[0]]
    assert len(written) == {"keep": 1, "leave out": 1, "fill": 6}[missing]
    assert not np.isnan([DateFormat().value(cell) for cell in written]).any()


@pytest.mark.parametrize(
    ("cells", "plan", "what"),
    [
        ("2024-05-01 2024-05-02", {"inputs": ("0900-01-01", "9000-01-01")}, "0001-01-01 to 9999"),
        ("5/13/24 5/14/24", {"inputs": ("1980-01-01", "2060-01-01")}, "1969-01-01 to 2068-12-31"),
    ],
)
def test_dates_beyond_the_calendar_are_refused_before_anything_is_drawn(
    cells: str, plan: dict[str, Any], what: str
) -> None:
    table = cdp.read_csv(("\n".join(["a", *cells.split()])).encode())
    with pytest.raises(PlanError, match=f"{what}.*narrower bounds, a larger epsilon, or hard"):
        cdp.privatize(table, {"a": cdp.ColumnPlan(**plan, epsilon=0.5, kind="date")})
    kept = cdp.ColumnPlan(
        inputs=("2024-01-01", "2024-12-31"), outputs=("2020-01-01", "2028-12-31"), epsilon=0.5,
        kind="date",
    )  # fmt: skip
    release = cdp.privatize(table, {"a": kept})
    low, high = release.columns[0].composite.outputs
    assert 18262 <= low < high <= 21549


@pytest.mark.parametrize(
    ("cell", "form", "said", "what"),
    [
        ("1. Mai 2024", DateFormat("%-d. %B %Y", "de"), {"encoding": "ascii"}, "encoding ascii"),
        ("2 d, 3 h", UnitDurationFormat("%-d d, %-H h", False), {"quote": ""}, "without quotes"),
        ("4'10\"", DurationFormat("%-M'%S\""), {"quote": ""}, "without quotes"),
    ],
)
def test_what_only_some_cells_could_not_be_written_with_is_refused_early(
    cell: str, form: ValueFormat, said: dict[str, Any], what: str
) -> None:
    """The names and marks of all values count, not those of the two outermost alone."""
    table = cdp.read_csv(f"a\n{cell.split(',')[0]}\n".encode(), separator=",", **said)
    ends = ("2024-05-01", "2024-05-30") if form.kind == "date" else (0, 48)
    plan = cdp.ColumnPlan(inputs=ends, epsilon=9, kind=form.kind, format=form)  # type: ignore[arg-type]
    with pytest.raises(PlanError, match=what):
        cdp.privatize(table, {"a": plan})


def test_seconds_become_steps_of_the_format_that_is_found() -> None:
    table = cdp.read_csv(b"a\n08:05\n09:10\n")
    plan = cdp.ColumnPlan(inputs=(0, 86400), outputs=("-20:00", "44:00"), epsilon=4, kind="time")
    column = cdp.privatize(table, {"a": plan}).columns[0]
    assert column.plan.inputs.as_tuple() == (0, 1440)
    assert column.composite.outputs == (-1200, 2640)


@pytest.mark.parametrize(
    ("data", "plan", "what"),
    [
        (b"a\n4:10\n", {"inputs": (0, 600), "kind": "duration"}, "several ways"),
        (b"a\nx\n", {"inputs": (0, 600), "kind": "duration"}, "in no format"),
        (b"a\n4:10\n", {"inputs": ("9:00", "8:00"), "kind": "time"}, "lower below upper"),
        (
            b"a\n2024-05-01\n",
            {"inputs": (0, 600), "kind": "date", "outputs": ("2024-01-01", "x")},
            "outputs must be two dates",
        ),
        (b"a\n1\n", {"inputs": (0, 9), "kind": "date", "format": TimeFormat()}, "kind must be"),
    ],
)
def test_refusals_say_the_way_out(data: bytes, plan: dict[str, Any], what: str) -> None:
    with pytest.raises(CompdpError, match=what):
        cdp.privatize(cdp.read_csv(data), {"a": cdp.ColumnPlan(epsilon=1, **plan)})


@pytest.mark.parametrize("gaps", [False, True])
def test_dates_times_and_durations_of_a_frame(gaps: bool) -> None:
    frame = pd.DataFrame(
        {
            "day": pd.to_datetime(["2024-05-01", "2024-06-01", "2024-07-01"]),
            "when": pd.to_datetime(["2024-05-01 03:00", "2024-06-01 04:05", "2024-07-01 05:06"]),
            "zone": pd.to_datetime(["2024-05-01", "2024-06-01", "2024-07-01"], utc=True),
            "long": pd.to_timedelta(["1h", "90min", "2h"]),
            "date": [date(2024, 5, 1), date(2024, 6, 1), date(2024, 7, 1)],
            "time": [time(8, 5), time(9, 10), time(10, 15)],
            "number": [45413, 45454, 45321],
        }
    )
    if gaps:
        frame = pd.concat([frame, pd.DataFrame([{"day": pd.NaT}])])
    year = (pd.Timestamp("2024-01-01"), np.datetime64("2024-12-31"))
    kinds: dict[str, tuple[Any, tuple[Any, Any]]] = {
        "day": ("date", year),
        "when": ("datetime", year),
        "zone": ("datetime", year),
        "long": ("duration", (pd.Timedelta(0), np.timedelta64(3, "h"))),
        "date": ("date", year),
        "time": ("time", ("00:00", "23:00")),
        "number": ("date", year),
    }
    plans = {
        label: cdp.ColumnPlan(inputs=ends, epsilon=2, kind=kind, missing="keep")
        for label, (kind, ends) in kinds.items()
    }
    release = cdp.privatize(frame, plans)
    assert [column.plan.format for column in release.columns] == [
        DateFormat(),
        DateTimeFormat(),
        DateTimeFormat("%Y-%m-%d %H:%M:%S+00:00"),
        DurationFormat("%-d days %H:%M:%S"),
        DateFormat(),
        TimeFormat("%H:%M:%S"),
        DayNumberFormat(),
    ]
    assert all(column.missing == gaps for column in release.columns)
    again = pd.read_csv(io.BytesIO(release.csv()))
    lengths = pd.to_timedelta(again["long"]).dropna().dt.total_seconds()
    assert np.array_equal(lengths, release.columns[3].values[:3])
    days = pd.to_datetime(again["day"]).dropna()
    assert np.array_equal((days - pd.Timestamp(0)).dt.days, release.columns[0].values[:3])


# What a date was written like tells nothing.

DATES = DateFormat("%d.%m.%Y")
BIRTHS = b"who,born,stamp\nEl,1.5.2024,1714521600\nFay,11.06.2024,1718064000\nGus,,\n"


def born(data: bytes, form: ValueFormat = DATES) -> bytes:
    plans = [
        cdp.ColumnPlan(1, (19000, 20000), 1, kind="date", format=form),
        cdp.ColumnPlan(2, (1.7e9, 1.72e9), 1, kind="datetime", format=UnixTimeFormat()),
    ]
    return released(cdp.read_csv(data), Plan(tuple(plans))).csv()


OTHER = BIRTHS.replace(b"1.5.2024", b"'25-12-24").replace(b"1714521600", b" 1714521600.0")


def test_the_same_noise_gives_the_same_cells_whatever_stood_there() -> None:
    assert born(BIRTHS) == born(OTHER) == born(BIRTHS.replace(b"11.06.2024", b"2.2.2024"))


def test_a_release_that_keeps_how_a_date_was_written_is_seen() -> None:
    shorter = BIRTHS.replace(b"11.06.2024", b"2.2.2024")
    assert born(shorter) == born(BIRTHS)
    with _keeping(lambda old, new: new.replace(b".0", b".") if old[1:2] == b"." else new)():
        assert born(shorter) != born(BIRTHS)


def test_a_format_that_reads_what_the_next_cell_tells_is_seen() -> None:
    """Its cells have no zeros in front where the column's first cell has none."""

    class Following(DateFormat):
        seen = b""

        def read(self, cells: Any, codec: str) -> Any:
            Following.seen = cells[0]
            return super().read(cells, codec)

        def write(self, values: Any, codec: str) -> Any:
            padded = Following.seen[1:2] != b"."
            return DateFormat("%d.%m.%Y" if padded else "%-d.%-m.%Y").write(values, codec)

    assert born(BIRTHS, Following("%d.%m.%Y")) != born(OTHER, Following("%d.%m.%Y"))
