"""Which format a column has, and bounds as people type them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from datetime import time as clock
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core.errors import BoundsError, CompdpError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.tables import Table, read
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
from compdp_core.tables.value_formats.found import bounds_in, candidates, found_format

RACE = b"runner,time,lap\nA,1:23:45,4:10\nB,0:59:10,3:55\nC,1:45:00,5:02\n"
DAYS = (
    b"id,d1,d2,d3,d4,d5\n"
    b"1,2024-05-01,01.05.2024,5/1/24,45413,1714521600\n"
    b"2,2024-06-11,11.06.2024,6/11/24,45454,1718064000\n"
    b"3,2024-01-30,30.01.2024,1/30/24,45321,1706572800\n"
)


def column(*texts: str) -> Table:
    return read("\n".join(["a;b", *(f"{text};1" for text in texts)]).encode(), separator=";")


def test_e11_times_of_a_race_are_durations_and_laps_are_asked_about() -> None:
    table = read(RACE)
    form = found_format(table, 1, "duration")
    assert form == DurationFormat("%-H:%M:%S")
    assert table.values(1, form).values.tolist() == [5025, 3550, 6300]
    with pytest.raises(ParameterError) as refusal:
        found_format(table, 2, "duration")
    for way in ("minutes : seconds", "%-M:%S", "hours : minutes", "%-H:%M", "format=Duration"):
        assert way in str(refusal.value)
    assert not any(text in str(refusal.value) for text in ("4:10", "3:55", "5:02"))
    assert table.values(2, DurationFormat("%-M:%S")).values.tolist() == [250, 235, 302]


def test_e16_five_ways_to_write_a_day() -> None:
    table = read(DAYS)
    forms = [found_format(table, place, "date") for place in (1, 2, 3, 4)]
    assert forms == [
        DateFormat(),
        DateFormat("%d.%m.%Y"),
        DateFormat("%-m/%-d/%y"),
        DayNumberFormat(),
    ]
    days = [table.values(place, form).values.tolist() for place, form in enumerate(forms, 1)]
    assert days == [[19844, 19885, 19752]] * 4
    stamps = found_format(table, 5, "datetime")
    assert stamps == UnixTimeFormat()
    assert (table.values(5, stamps).values / 86400).tolist() == days[0]
    # Numbers are dates by choice alone.
    assert candidates(table.texts(4)) == candidates(table.texts(5)) == []
    assert "Unix times in seconds" in UnixTimeFormat().label


@pytest.mark.parametrize(
    ("kind", "texts", "form"),
    [
        ("date", ["20240501", "20240611"], DateFormat("%Y%m%d")),
        ("date", ["2024/5/1", "2024/11/21"], DateFormat("%Y/%-m/%-d")),
        ("date", ["5 May 2024", "16 June 2024"], DateFormat("%-d %B %Y")),
        ("date", ["5 May 2024", "16 Jun 2024"], DateFormat("%-d %b %Y")),
        ("date", ["May 5, 2024", "June 16, 2024"], DateFormat("%B %-d, %Y")),
        ("date", ["05-MAY-24", "17-JUN-24"], DateFormat("%d-%^b-%y")),
        ("date", ["5. März 2024", "16. Mai 2024"], DateFormat("%-d. %B %Y", "de")),
        ("date", ["14 juillet 2024", "1 août 2023"], DateFormat("%-d %B %Y", "fr")),
        ("date", ["5 de mayo de 2024"], DateFormat("%-d de %B de %Y", "es")),
        ("date", ["2024年5月1日"], DateFormat("%Y年%-m月%-d日")),
        ("date", ["01.02.2024", "03.04.2024"], DateFormat("%d.%m.%Y")),
        ("date", ["13/02/2024", "03/04/2024"], DateFormat("%d/%m/%Y")),
        ("date", ["02-13-2024", "03-04-2024"], DateFormat("%m-%d-%Y")),
        ("date", ["2024-05-01"] * 19 + ["soon", ""], DateFormat()),
        ("datetime", ["2024-05-01 14:05"], DateTimeFormat("%Y-%m-%d %H:%M")),
        ("datetime", ["2024-05-01T14:05:09Z"], DateTimeFormat("%Y-%m-%dT%H:%M:%SZ")),
        (
            "datetime",
            ["2024-05-01T14:05:09.123+02:00", "2024-05-01T14:05:10+02:00"],
            DateTimeFormat("%Y-%m-%dT%H:%M:%S.%3f+02:00"),
        ),
        ("datetime", ["20240501T140509Z"], DateTimeFormat("%Y%m%dT%H%M%SZ")),
        ("datetime", ["5/13/2024 2:05 PM"], DateTimeFormat("%-m/%d/%Y %-I:%M %p")),
        ("datetime", ["01.05.2024, 14:05 Uhr"], DateTimeFormat("%d.%m.%Y, %H:%M Uhr")),
        ("datetime", ["1 May 2024 at 9:05"], DateTimeFormat("%-d %B %Y at %-H:%M")),
        ("datetime", ["1714521600000"], UnixTimeFormat("milliseconds")),
        ("time", ["14:05", "09:30"], TimeFormat("%H:%M")),
        ("time", ["14:05", "9:30"], TimeFormat("%-H:%M")),
        ("time", ["2:05 PM", "11:00 am", "1:10 PM"], TimeFormat("%-I:%M %p")),
        ("time", ["2 p.m.", "11 a.m.", "4 p.m."], TimeFormat("%-I %.P")),
        ("time", ["14h05"], TimeFormat("%Hh%M")),
        ("time", ["14:05:09.25"], TimeFormat("%H:%M:%S.%2f")),
        ("duration", ["1:02.35", "0:59.10"], DurationFormat("%-M:%S.%2f")),
        ("duration", ["0 days 01:23:45", "-1 days +23:00:00"], DurationFormat("%-d days %H:%M:%S")),
        ("duration", ["4'10\"", "3'05\""], DurationFormat("%-M'%S\"")),
        ("duration", ["7h 30m", "8h 5m"], UnitDurationFormat("%-Hh %-Mm")),
        ("duration", ["7h 30m", "45m", "2h"], UnitDurationFormat("%-Hh %-Mm", zeros=False)),
        ("duration", ["90 min", "45 min"], UnitDurationFormat("%-M min")),
        ("duration", ["3 days", "2 days"], UnitDurationFormat("%-d days")),
        ("duration", ["1 Std. 30 Min."], UnitDurationFormat("%-H Std. %-M Min.")),
        ("duration", ["PT1H30M", "PT45M"], IsoDurationFormat("HM")),
        ("duration", ["P1DT2H", "PT30M"], IsoDurationFormat("DHM")),
        ("duration", ["PT1.5S", "PT2S"], IsoDurationFormat("Sf")),
    ],
)
def test_the_format_of_a_column_is_found(kind: str, texts: list[str], form: ValueFormat) -> None:
    assert candidates(texts, kind) == [form]
    assert (form in candidates(texts)) == (not texts[0].isdecimal())
    assert found_format(column(*texts), 0, kind) == form


@pytest.mark.parametrize(
    ("kind", "texts", "patterns"),
    [
        ("date", ["1/2/2024", "3/4/2024"], ["%-d/%-m/%Y", "%-m/%-d/%Y"]),
        ("date", ["01-02-2024"], ["%d-%m-%Y", "%m-%d-%Y"]),
        ("date", ["01/02/03"], ["%d/%m/%y", "%m/%d/%y", "%y/%m/%d"]),
        ("datetime", ["1/2/2024 14:05"], ["%-d/%-m/%Y %H:%M", "%-m/%-d/%Y %H:%M"]),
        ("duration", ["4:10", "3:55"], ["%-M:%S", "%-H:%M"]),
    ],
)
def test_what_can_be_read_in_several_ways_is_asked(
    kind: str, texts: list[str], patterns: list[str]
) -> None:
    assert [form.call.split("'")[1] for form in candidates(texts, kind)] == patterns
    with pytest.raises(ParameterError, match="in several ways") as refusal:
        found_format(column(*texts), 0, kind)
    assert all(f"pattern={pattern!r}" in str(refusal.value) for pattern in patterns)
    assert not any(text in str(refusal.value) for text in texts)


@pytest.mark.parametrize("texts", [["abc"], ["12.5"], ["1,2"], ["yes"], ["7a"], ["", " "], []])
def test_other_columns_have_none(texts: list[str]) -> None:
    assert candidates(texts) == []


@pytest.mark.parametrize("kind", ["date", "datetime", "time", "duration"])
def test_a_refusal_names_what_the_column_may_hold_instead(kind: str) -> None:
    table = column("2024-05-01 14:05", "2024-06-01 09:30")
    if kind == "datetime":
        assert found_format(table, 0, kind).kind == kind
        return
    with pytest.raises(ParameterError, match=r"kind='datetime'.*format=") as refusal:
        found_format(table, 0, kind)
    assert "2024-0" not in str(refusal.value)


@pytest.mark.parametrize(
    ("kind", "texts", "form"),
    [
        ("date", ["01.05.2024"] * 20 + ["1.6.2024"], DateFormat("%d.%m.%Y")),
        ("date", ["1.5.2024"] * 20 + ["01.06.2024"], DateFormat("%-d.%-m.%Y")),
        (
            "date",
            [f"{day}.05.2024" for day in range(10, 29)] + ["05.05.24"],
            DateFormat("%d.%m.%Y"),
        ),
        ("date", [f"{day} May 2024" for day in range(10, 29)] + ["June"], DateFormat("%d %B %Y")),
        ("time", [f"{hour}:05" for hour in range(10, 24)] + ["9h"], TimeFormat("%H:%M")),
    ],
)
def test_the_format_is_that_of_most_cells(kind: str, texts: list[str], form: ValueFormat) -> None:
    assert found_format(column(*texts), 0, kind) == form


ODD = st.text(st.sampled_from("0123456789:.,/-+ THMSPDdhmspAaMj'\"%e年é\u2019Z"), max_size=20)


@settings(max_examples=100, deadline=None)
@given(st.lists(ODD | st.text(max_size=12), max_size=5))
def test_whatever_stands_in_a_column_is_looked_at_calmly(texts: list[str]) -> None:
    for form in candidates(texts):
        read = [form.value(text) for text in texts if text.strip()]
        assert 10 * sum(np.isfinite(read)) >= 9 * len(read)
        for value in read:
            if np.isfinite(value):  # one way to write each, in which it is read
                assert form.value(form.text(value)) == value


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["date", "datetime", "time", "duration"]), ODD | st.text(max_size=12))
def test_whatever_is_typed_as_a_bound_is_taken_or_refused(kind: str, text: str) -> None:
    try:
        lower, upper = bounds_in(kind, (text, 1e12), None)
    except CompdpError:
        return
    assert lower < upper == 1e12


def test_a_large_sorted_column_is_looked_at_in_all_its_parts() -> None:
    """Its first rows alone could be read in two ways."""
    days = [f"{day:02d}/01/2024" for day in range(1, 32) for _ in range(6000)]
    assert found_format(column(*days), 0, "date") == DateFormat("%d/%m/%Y")


MAY, JUNE = 19844, 19875
DAY = 86400


@pytest.mark.parametrize(
    ("kind", "ends", "form", "steps"),
    [
        ("date", ("2024-05-01", "2024-06-01"), None, (MAY, JUNE)),
        ("date", (" 1.5.2024", "1 June 2024"), None, (MAY, JUNE)),
        ("date", (date(2024, 5, 1), datetime(2024, 6, 1)), None, (MAY, JUNE)),  # noqa: DTZ001
        ("date", (pd.Timestamp("2024-05-01"), np.datetime64("2024-06-01")), None, (MAY, JUNE)),
        ("date", (MAY, np.int64(JUNE)), None, (MAY, JUNE)),
        ("date", ("05/01/2024", "06/01/2024"), DateFormat("%m/%d/%Y"), (MAY, JUNE)),
        ("date", ("5/1/24", "2024-06-01"), DateFormat("%-m/%-d/%y"), (MAY, JUNE)),
        ("date", ("45413", "2024-06-01"), DayNumberFormat(), (MAY, JUNE)),
        ("date", Interval(1, 2), None, (1, 2)),
        ("time", ("8:00", "17:30:30"), None, (28800, 63030)),
        ("time", ("2 PM", clock(15, 30)), None, (50400, 55800)),
        ("time", (timedelta(hours=1), "17:30"), TimeFormat(), (60, 1050)),
        ("datetime", ("2024-05-01", "2024-06-01T00:01"), None, (MAY * DAY, JUNE * DAY + 60)),
        (
            "datetime",
            (np.datetime64("2024-05-01"), pd.Timestamp("2024-06-01 00:00:00.5")),
            DateTimeFormat("%Y-%m-%d %H:%M:%S.%3f"),
            (MAY * DAY * 1000, JUNE * DAY * 1000 + 500),
        ),
        (
            "datetime",
            (datetime(2024, 5, 1, tzinfo=UTC), "2024-05-01T01:00Z"),
            DateTimeFormat("%Y-%m-%dT%H:%M+02:00"),
            (MAY * 1440 + 120, MAY * 1440 + 180),
        ),
        (
            "datetime",
            (datetime(2024, 5, 1, tzinfo=timezone(timedelta(hours=2))), "2024-06-01T00:00"),
            UnixTimeFormat(),
            (MAY * DAY - 7200, JUNE * DAY),
        ),
        ("duration", ("0:00:00", "PT3H"), None, (0, 10800)),
        ("duration", ("90 min", timedelta(hours=2)), None, (5400, 7200)),
        ("duration", (np.timedelta64(5, "m"), pd.Timedelta("1h")), DurationFormat(), (300, 3600)),
        ("duration", ("4:10", "5:00"), DurationFormat("%-M:%S"), (250, 300)),
        ("duration", ("0:00:00.1", "0:00:02"), DurationFormat("%-M:%S.%2f"), (10, 200)),
    ],
)
def test_bounds_are_taken_as_people_have_them(
    kind: str, ends: Any, form: ValueFormat | None, steps: tuple[float, float]
) -> None:
    assert bounds_in(kind, ends, form) == steps


@pytest.mark.parametrize(
    ("kind", "ends", "what"),
    [
        ("date", ("05/06/2024", "2024-07-01"), "in one way.*05/06/2024"),
        ("date", ("1/30/24", "2024-07-01"), "four digits.*1/30/24"),
        ("date", ("2024-12-31", "2024-01-01"), "lower below upper.*2024-12-31"),
        ("date", ("2024-01-01", "2024-01-01"), "lower below upper"),
        ("date", (float("nan"), 5), "two dates.*nan"),
        ("date", (pd.NaT, 5), "two dates.*NaT"),
        ("date", (np.datetime64("NaT"), 5), "two dates"),
        ("date", ("soon", "2024-01-01"), "two dates.*soon"),
        ("date", ("", "2024-01-01"), "two dates"),
        ("date", ("\ud800", "2024-01-01"), "two dates"),
        ("date", ("1" * 5000, "2024-01-01"), "two dates"),
        ("date", ("45413", "45414"), "two dates"),
        ("date", (True, 5), "two dates"),
        ("date", (clock(5), clock(6)), "two dates"),
        ("date", (datetime(2024, 5, 1, 5), "2024-06-01"), "two dates"),  # noqa: DTZ001
        ("date", "2024-01-01", "pair of dates"),
        ("date", None, "pair of dates"),
        ("date", ("2024-01-01",), "pair of dates"),
        ("time", (date(2024, 5, 1), "17:00"), "two times"),
        ("time", ("17:00", "08:00"), "lower below upper"),
        ("datetime", ("2024-02-30T00:00", "2024-03-01"), "two dates with times"),
        ("datetime", (clock(5), clock(6)), "two dates with times"),
        ("duration", ("4:10", "5:00:00"), "in one way.*4:10"),
        ("duration", (np.timedelta64("NaT"), "5:00:00"), "two durations"),
        ("duration", (clock(5), clock(6)), "two durations"),
    ],
)
def test_other_bounds_are_refused_and_quoted(kind: str, ends: Any, what: str) -> None:
    with pytest.raises(CompdpError, match=what) as refusal:
        bounds_in(kind, ends, None, "outputs")
    assert isinstance(refusal.value, BoundsError | ParameterError)
    assert str(refusal.value).startswith("outputs must ")


def test_a_stated_kind_takes_the_format_of_most_cells_and_the_others_are_missing() -> None:
    table = read(b"day,x\n2020-01-05,1\n2021-03-04,2\nsoon,3\n")
    assert found_format(table, 0, "date") == DateFormat()
    # No page offers on so few cells what may be meant otherwise.
    assert candidates(["2020-01-05", "2021-03-04", "soon"]) == []
    with pytest.raises(ParameterError, match="in no format known"):
        found_format(read(b"day,x\n2020-01-05,1\nthen,2\nsoon,3\n"), 0, "date")
