"""Dates, times and durations: what is written is read again, and as Python's own clock has it."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.report.fields import as_data, value_format
from compdp_core.tables.value_formats import (
    FORMATS,
    DateFormat,
    DateTimeFormat,
    DayNumberFormat,
    DurationFormat,
    IsoDurationFormat,
    TimeFormat,
    UnitDurationFormat,
    UnixTimeFormat,
    UnwritableError,
    ValueFormat,
)
from compdp_core.tables.value_formats.months import FULL, SHORT

DATES = [
    DateFormat(),
    DateFormat("%d.%m.%Y"),
    DateFormat("%-d/%-m/%Y"),
    DateFormat("%Y%m%d"),
    DateFormat("%B %-d, %Y"),
    DateFormat("%d-%^b-%Y"),
    DateFormat("%-d. %B %Y", "de"),
    DateFormat("%-d de %B de %Y", "es"),
    DateFormat("%Y年%-m月%-d日"),
]
DATETIMES = [
    DateTimeFormat(),
    DateTimeFormat("%Y-%m-%dT%H:%M:%S.%3fZ"),
    DateTimeFormat("%d.%m.%Y %H:%M:%S,%6f"),
    DateTimeFormat("%-m/%-d/%Y %-I:%M %p"),
    DateTimeFormat("%Y%m%dT%H%M%S+02:00"),
    DateTimeFormat("%-d %b %Y, %H:%M Uhr"),
]
TIMES = [
    TimeFormat(),
    TimeFormat("%-H:%M:%S"),
    TimeFormat("%H:%M:%S.%2f"),
    TimeFormat("%-I:%M %p"),
    TimeFormat("%I:%M:%S %.P"),
    TimeFormat("%-I%P"),
    TimeFormat("%Hh%M"),
]
DURATIONS = [
    DurationFormat(),
    DurationFormat("%-M:%S"),
    DurationFormat("%-M:%S.%2f"),
    DurationFormat("%H:%M:%S.%1f"),
    DurationFormat("%-d days %H:%M:%S.%6f"),
    DurationFormat("%-M'%S\""),
    UnitDurationFormat(),
    UnitDurationFormat("%-M min"),
    UnitDurationFormat("%-d d, %-H h, %-M m, %-S s", zeros=False),
    UnitDurationFormat("%-M'%S''", zeros=False),
    IsoDurationFormat(),
    IsoDurationFormat("DHMSf"),
    IsoDurationFormat("DH"),
    IsoDurationFormat("D"),
]
COUNTED = [
    DayNumberFormat(),
    DayNumberFormat("1904"),
    UnixTimeFormat(),
    UnixTimeFormat("milliseconds"),
]
EVERY = [*DATES, *DATETIMES, *TIMES, *DURATIONS, *COUNTED]
ENDS = (date(1, 1, 1).toordinal() - 719163, date(9999, 12, 31).toordinal() - 719163)
NONE = [
    "",
    "x",
    "-",
    "20.24.",
    "2024-13-01",
    "1:75:00",
    "25/25/2025",
    "12 apples",
    "PT",
    "P1DT",
    "T",
]


def values(form: ValueFormat, cells: list[str]) -> list[float]:
    return list(form.read(np.array([cell.encode() for cell in cells]), "utf-8"))


def range_of(form: ValueFormat) -> tuple[int, int]:
    """The numbers that a format is tried with."""
    if isinstance(form, DateFormat):
        return ENDS
    if isinstance(form, DateTimeFormat):
        day = round(86400 / form.step)
        return ENDS[0] * day, (ENDS[1] + 1) * day - 1
    return -(10**9), 10**9


@pytest.mark.parametrize("form", EVERY, ids=lambda form: form.call)
@settings(max_examples=25)
@given(data=st.data())
def test_every_number_is_written_as_one_text_and_read_again(
    form: ValueFormat, data: st.DataObject
) -> None:
    """Each cell owes nothing to the others: written alone, it is the same."""
    low, high = range_of(form)
    numbers = data.draw(st.lists(st.integers(low, high), min_size=1, max_size=8))
    near = [*numbers, low, high, *(n for n in range(-3, 4) if low <= n <= high)]
    cells = form.write(np.array(near, dtype=float), "utf-8")
    assert form.read(cells, "utf-8").tolist() == near
    assert [form.text(number) for number in near] == [cell.decode() for cell in cells.tolist()]
    assert len(set(cells.tolist())) == len(set(near))


@settings(max_examples=60)
@given(st.integers(*ENDS), st.integers(0, 86_399_999))
@example(ENDS[0], 0)
@example(ENDS[1], 86_399_999)
@example(-1, 86_399_999)
@example(11016, 0)  # 2000-02-29
def test_dates_and_times_are_those_of_python(day: int, clock: int) -> None:
    when = datetime(1970, 1, 1) + timedelta(days=day, milliseconds=clock)  # noqa: DTZ001
    seconds = day * 86400 + clock // 1000
    year = f"{when.year:04d}"
    assert DateFormat().text(day) == when.date().isoformat()
    assert DateFormat("%d.%m.%Y").value(f"{when:%d.%m.}{year}") == day
    assert DateFormat("%-d %B %Y").text(day) == f"{when.day} {when:%B} {year}"
    assert DateFormat("%b %-d, %Y").value(f"{when:%b} {when.day}, {year}") == day
    assert DateTimeFormat("%Y-%m-%dT%H:%M:%S").text(seconds) == when.isoformat(timespec="seconds")
    precise = DateTimeFormat("%Y-%m-%dT%H:%M:%S.%3f")
    assert precise.value(when.isoformat(timespec="milliseconds")) == day * 86_400_000 + clock
    assert precise.value(when.isoformat()) == day * 86_400_000 + clock  # six digits, or none
    assert TimeFormat("%I:%M:%S %p").text(clock // 1000) == f"{when:%I:%M:%S %p}"
    assert TimeFormat("%-I:%M %p").value(f"{when:%I:%M %p}") == clock // 60000
    assert DayNumberFormat().text(day) == str((when.date() - date(1899, 12, 30)).days)
    stamp = int(when.replace(tzinfo=UTC).timestamp() // 1)
    assert UnixTimeFormat().value(str(stamp)) == seconds


@settings(max_examples=60)
@given(st.integers(-(10**7), 10**7))
@example(0)
@example(-1)
@example(-86400)
def test_durations_are_those_of_python_and_pandas(seconds: int) -> None:
    length = timedelta(seconds=seconds)
    with_days = DurationFormat("%-d days %H:%M:%S")
    assert pd.to_timedelta(with_days.text(seconds)) == length
    assert with_days.value(str(pd.Timedelta(length))) == seconds
    iso = IsoDurationFormat("DHMS")
    assert pd.Timedelta(iso.text(abs(seconds))) == abs(length)
    assert iso.value(pd.Timedelta(abs(length)).isoformat()) == abs(seconds)
    minutes, rest = divmod(abs(seconds), 60)
    sign = "-" if seconds < 0 else ""
    assert DurationFormat("%-M:%S").text(seconds) == f"{sign}{minutes}:{rest:02d}"
    assert UnitDurationFormat("%-M min %-S s").value(f"{sign}{minutes} min {rest} s") == seconds


@pytest.mark.parametrize(
    ("form", "text", "value", "again"),
    [
        # Without or with zeros in front, any case, any spelling of a unit: one way to write it.
        (DateFormat(), "2024-5-1", 19844, "2024-05-01"),
        (DateFormat("%-d.%-m.%Y"), "01.05.2024", 19844, "1.5.2024"),
        (DateFormat("%B %-d, %Y"), "MAY 01, 2024", 19844, "May 1, 2024"),
        (DateFormat("%-d. %B %Y", "de"), "3. märz 2024", 19785, "3. März 2024"),
        (DateFormat("%-m/%-d/%y"), "1/30/24", 19752, "1/30/24"),
        (DateFormat("%d.%m.%y"), "31.12.68", 36159, "31.12.68"),
        (DateFormat("%d.%m.%y"), "01.01.69", -365, "01.01.69"),
        (DateFormat("%d.%m.%y", first_year=1920), "31.12.68", -366, "31.12.68"),
        (TimeFormat(), "9:05", 545, "09:05"),
        (TimeFormat("%-I:%M %p"), "12:00 a.m.", 0, "12:00 AM"),
        (TimeFormat("%-I:%M %p"), "12:30 PM", 750, "12:30 PM"),
        (TimeFormat("%-I:%M %p"), "25:30", 1530, "25:30"),
        (TimeFormat("%-I:%M %p"), "-1:15", -75, "-1:15"),
        (TimeFormat("%H:%M:%S.%3f"), "14:05:09", 50709000, "14:05:09.000"),
        (TimeFormat("%H:%M:%S.%3f"), "14:05:09.12", 50709120, "14:05:09.120"),
        (DurationFormat(), "00:59:10", 3550, "0:59:10"),
        (DurationFormat(), "-0:00:05", -5, "-0:00:05"),
        (DurationFormat("%-d days %H:%M:%S"), "-1 days +22:45:00", -4500, "-1 days +22:45:00"),
        (UnitDurationFormat(), "7 hours, 5 minutes", 425, "7h 5m"),
        (UnitDurationFormat(), "90 Min.", 90, "1h 30m"),
        (UnitDurationFormat(zeros=False), "60m", 60, "1h"),
        (UnitDurationFormat(zeros=False), "-0h", 0, "0m"),
        (IsoDurationFormat("HM"), "PT90M", 90, "PT1H30M"),
        (IsoDurationFormat("DHMSf"), "P1DT0.5S", 86400500, "P1DT0.500S"),
        (DayNumberFormat(), "45413.0", 19844, "45413"),
    ],
)
def test_what_is_read_is_written_by_one_rule(
    form: ValueFormat, text: str, value: float, again: str
) -> None:
    assert form.value(text) == value
    assert form.text(value) == again


@pytest.mark.parametrize("form", EVERY, ids=lambda form: form.call)
def test_what_is_not_written_so_is_missing(form: ValueFormat) -> None:
    good = form.text(20 if form.kind != "duration" else 90061)
    wrong = [*NONE, good + "0x", good[:-1] + "?", "x" + good, good + " " + good, "−" + good]
    assert np.isnan(values(form, wrong)).all()
    assert np.isnan(form.value("9" * 40))
    assert values(form, [good, "", good])[::2] == [form.value(good)] * 2


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (DateFormat(), "2023-02-29"),
        (DateFormat(), "1900-02-29"),
        (DateFormat(), "0000-01-01"),
        (DateFormat(), "2024-04-31"),
        (DateFormat(), "2024-00-10"),
        (DateFormat("%Y%m%d"), "2024051"),
        (DateFormat("%-m/%-d/%y"), "1/30/2024"),
        (DateFormat("%-d %B %Y"), "5 Mai 2024"),
        (DateTimeFormat(), "2024-05-01 24:00:00"),
        (DateTimeFormat("%Y-%m-%dT%H:%M:%SZ"), "2024-05-01T05:00:00+02:00"),
        (TimeFormat(), "14:5"),
        (TimeFormat(), "14:60"),
        (TimeFormat("%-I:%M %p"), "13:05 PM"),
        (TimeFormat("%-I:%M %p"), "13:05"),
        (DurationFormat(), "1:60:00"),
        (DurationFormat(), "1:23"),
        (UnitDurationFormat(), "30s"),
        (UnitDurationFormat(), "30m 7h"),
        (UnitDurationFormat(), "7h 7h"),
        (IsoDurationFormat("HM"), "PT30S"),
        (IsoDurationFormat("DHMS"), "P1H"),
        (IsoDurationFormat("DHMS"), "PT1D"),
        (IsoDurationFormat("DHMS"), "PTT1H"),
        (DayNumberFormat(), "45413.5"),
    ],
)
def test_no_such_day_or_time(form: ValueFormat, text: str) -> None:
    assert np.isnan(form.value(text))


@pytest.mark.parametrize(
    ("form", "value"),
    [
        (DateFormat(), ENDS[0] - 1),
        (DateFormat(), ENDS[1] + 1),
        (DateFormat("%d.%m.%y"), -366),
        (DateFormat("%d.%m.%y"), 36160),
        (DateTimeFormat(), ENDS[0] * 86400 - 1),
        (DateTimeFormat(), (ENDS[1] + 1) * 86400),
        (TimeFormat(), 1e300),
        (IsoDurationFormat(), -1e16),
        (UnixTimeFormat(), np.inf),
    ],
)
def test_what_lies_beyond_a_format_is_refused(form: ValueFormat, value: float) -> None:
    with pytest.raises(UnwritableError):
        form.write(np.array([0.0, value]), "utf-8")


@pytest.mark.parametrize("codec", ["utf-8", "cp1252"])
def test_names_of_months_in_the_encoding_of_the_file(codec: str) -> None:
    form = DateFormat("%-d. %B %Y", "de")
    cells = form.write(np.array([19785.0]), codec)
    assert cells.tolist() == ["3. März 2024".encode(codec)]
    assert form.read(cells, codec).tolist() == [19785]
    assert np.isnan(form.read(cells, "ascii")).all()
    assert all(len({*names}) == len(names) == 12 for names in (*FULL.values(), *SHORT.values()))


@pytest.mark.parametrize("form", EVERY, ids=lambda form: form.call)
def test_settings_and_calls_name_a_format(form: ValueFormat) -> None:
    assert FORMATS[form.name] is type(form)
    assert value_format(as_data(form)) == form
    assert eval(form.call, dict(globals())) == form  # noqa: S307 - our own text
    assert form.label.isprintable()
    assert form.unit


JUNK: list[tuple[type[ValueFormat], dict[str, Any]]] = [
    (DateFormat, {"pattern": ""}),
    (DateFormat, {"pattern": 7}),
    (DateFormat, {"pattern": "%Y-%m"}),
    (DateFormat, {"pattern": "%Y-%m-%d-%d"}),
    (DateFormat, {"pattern": "%Y-%m-%d %H"}),
    (DateFormat, {"pattern": "%Y-%m-%"}),
    (DateFormat, {"pattern": "%Y-%m-%d\n"}),
    (DateFormat, {"pattern": "=%Y-%m-%d"}),
    (DateFormat, {"pattern": "#%Y-%m-%d"}),
    (DateFormat, {"pattern": "%Y-%m-%d" + "x" * 60}),
    (DateFormat, {"pattern": "%^Y-%m-%d"}),
    (DateFormat, {"language": "xx"}),
    (DateFormat, {"first_year": 0}),
    (DateFormat, {"first_year": 9901}),
    (DateTimeFormat, {"pattern": "%Y-%m-%d"}),
    (DateTimeFormat, {"pattern": "%Y-%m-%d %H:%S"}),
    (DateTimeFormat, {"pattern": "%Y-%m-%d %I:%M"}),
    (TimeFormat, {"pattern": "%M:%S"}),
    (TimeFormat, {"pattern": "%H%M"}),
    (TimeFormat, {"pattern": "%H:%M %p"}),
    (TimeFormat, {"pattern": "%H:%M.%3f"}),
    (TimeFormat, {"pattern": "%H:%M:%S%3f"}),
    (DurationFormat, {"pattern": "%H:%S"}),
    (DurationFormat, {"pattern": "%S:%M"}),
    (UnitDurationFormat, {"pattern": "%H:%M"}),
    (UnitDurationFormat, {"pattern": "%-Hm %-Mh"}),
    (UnitDurationFormat, {"zeros": 1}),
    (IsoDurationFormat, {"parts": "HS"}),
    (IsoDurationFormat, {"parts": "f"}),
    (IsoDurationFormat, {"parts": ""}),
    (DayNumberFormat, {"system": "1901"}),
    (UnixTimeFormat, {"counts": "days"}),
]


@pytest.mark.parametrize(("kind", "said"), JUNK)
def test_junk_is_no_format_and_no_settings(kind: type[ValueFormat], said: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        kind(**said)
    with pytest.raises(CompdpError):
        value_format({"name": kind.name, **said})


@pytest.mark.parametrize("said", [None, [], "date", {}, {"name": "x"}, {"name": ["date"]}])
def test_what_names_no_format_is_refused(said: object) -> None:
    with pytest.raises(CompdpError):
        value_format(said)


@pytest.mark.parametrize(
    ("form", "spread"),
    [
        (DateFormat(), 20_000),
        (DateFormat("%-d %B %Y"), 20_000),
        (DateTimeFormat("%Y-%m-%dT%H:%M:%S.%3fZ"), 10**12),
        (DurationFormat(), 20_000),
    ],
)
def test_a_hundred_thousand_cells_take_less_than_a_quarter_second(
    form: ValueFormat, spread: int
) -> None:
    """Processor time: about 0.03 s. A Python call for each cell takes more than that allows."""
    numbers = np.floor(np.linspace(0, spread, 100_000))
    clock = time.process_time()
    found = form.read(form.write(numbers, "utf-8"), "utf-8")
    assert time.process_time() - clock < 0.25
    assert np.array_equal(found, numbers)
