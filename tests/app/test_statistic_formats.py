"""Statistics of dates, times of day, durations and limits, on the page that releases one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from compdp_core.intervals import Interval
from compdp_core.tables.value_formats import DateFormat, DurationFormat, Limits
from pages.sections.statistic.files import _csv, settings_json
from pages.sections.statistic.settings import SETTINGS
from tests.app.driving import Driven
from tests.app.test_statistic import AGAIN, AT_LEAST, EPSILON, PAGE, RELEASE, given, grouped, kept

DAYS = [date(2024, 1, 1) + timedelta(11 * i % 366) for i in range(60)]
LAST = "31.12.2024"
INTERVAL = "95 % interval for the exact answer"


def tabled(*rows: str) -> bytes:
    return "\n".join(("id,visit,lap,crp,group", *rows)).encode()


def table(pattern: str = "%d.%m.%Y", days: list[date] = DAYS) -> bytes:
    return tabled(
        *(
            f"p{i},{day:{pattern}},{2 + i % 3}:{10 + i % 50},{i if i % 5 else '<5'},{'ab'[i % 2]}"
            for i, day in enumerate(days)
        )
    )


TABLE = table()
SLASHES = table("%d/%m/%Y", [date(2024, 1 + i % 12, 1 + 5 * i % 12) for i in range(60)])


def opened(column: int, data: bytes = TABLE, **link: str) -> Driven:
    return Driven(PAGE, **({"column": str(column + 1)} | link)).upload("t.csv", data)


def between(app: Driven, label: str, lower: str, upper: str, *which: str) -> Driven:
    for end, text in zip(which or ("Earliest", "Latest"), (lower, upper), strict=True):
        app.text(f"{end} value anyone may expect, {label}", text)
    return app


def of_dates(data: bytes = TABLE, **link: str) -> Driven:
    app = opened(1, data, **link).select("Read as, visit", "date")
    return between(app, "visit", "01.01.2024", "2024-12-31")


def of_laps(kind: str) -> Driven:
    app = opened(2, statistic=kind).select("Read as, lap", "duration")
    return between(app.select("Written as, lap", LAPS), "lap", "2:00", "5:00", *LONG)


LAPS, LONG = DurationFormat("%-M:%S"), ("Shortest", "Longest")


def inquiry(app: Driven) -> Any:
    answers = [value for name, value in app.kept.items() if name.startswith("answers.")]
    return answers[-1][-1].ready.asked.inquiry


def rows_of(app: Driven, column: str) -> list[Any]:
    """That column of the first table that has it."""
    return next(list(f.value[column]) for f in app.at.dataframe if column in f.value)


# A mean date


def test_a_mean_date_is_asked_and_told_as_the_column_writes_dates() -> None:
    app = opened(1)
    assert any("look like this: dates" in text for text in app.messages("caption"))
    assert app.written("Lower bound") == ""
    app = of_dates()
    assert app.metric("The answer lies in") == f"01.01.2024 … {LAST}"
    assert app.metric("One row can change it by") == f"{365 / 60:.4g} days"
    assert "a date is the number of days since 1970-01-01" in app.said("caption")
    assert app.metric("95 % of answers lie within").startswith("± ")
    assert app.metric("95 % of answers lie within").endswith(" days")
    assert rows_of(app, "typical error")[0].endswith(" days")
    app.text(EPSILON, "50").press(RELEASE)
    mean = date(2024, 1, 1) + timedelta(round(sum((day - DAYS[0]).days for day in DAYS) / 60))
    told = app.metric("Released answer")
    assert abs(date(*map(int, reversed(told.split(".")))) - mean) <= timedelta(2)
    low, high = (date(*map(int, reversed(e.split(".")))) for e in app.metric(INTERVAL).split(" … "))
    assert low <= mean <= high
    assert rows_of(app, "outputs")[0] == app.metric("Released answers lie in")
    assert app.metric("Released answers lie in").count(".") == 4
    assert rows_of(app, "mean")[-1] == told
    assert rows_of(app, "off by")[0].endswith((" days", " day"))
    app.toggle("Show the exact answer")
    assert f"{mean:%d.%m.%Y}" in rows_of(app, "exact")
    assert told in _csv(kept(app)[0]).decode("utf-8-sig")
    assert not app.messages("error")


def test_dates_stand_on_the_axis_of_the_picture_and_of_earlier_releases() -> None:
    app = of_dates().text(EPSILON, "2").press(RELEASE).press(AGAIN)
    assert all(text.count(".") == 2 for text in rows_of(app, "answer"))
    assert all(" … " in text for text in rows_of(app, "95 % interval"))
    app = of_dates()
    marks = app.spec("answer")["layout"]["xaxis"]["ticktext"]
    assert all(text.count(".") == 2 for text in marks)
    assert all(text.endswith(".2024") for text in app.at.select_slider[-1].options[1:-1])


def test_dates_in_the_wrong_order_or_not_to_be_read_are_refused_with_the_way_out() -> None:
    app = of_dates()
    between(app, "visit", LAST, "2024-01-01")
    (error,) = app.messages("error")
    assert "2024-12-31 does not come before 2024-01-01" in error
    assert RELEASE not in app.labels("button")
    between(app, "visit", "soon", "2024-12-31")
    assert "“soon” cannot be read as dates" in app.messages("error")[0]
    assert RELEASE not in app.labels("button")


def test_dates_that_can_be_read_in_two_ways_are_asked() -> None:
    app = opened(1, SLASHES).select("Read as, visit", "date")
    box = app._of("selectbox", "Written as, visit")
    assert box.value is None
    assert len(box.options) == 2
    assert any("Say how the column is read" in text for text in app.messages("info"))
    assert RELEASE not in app.labels("button")
    app.select("Written as, visit", DateFormat("%m/%d/%Y"))
    between(app, "visit", "01/02/2024", "12/31/2024").press(RELEASE)
    assert inquiry(app).format == DateFormat("%m/%d/%Y")
    assert inquiry(app).bounds.lower == 19_724


@pytest.mark.parametrize("kind", ["sum", "variance"])
def test_dates_have_no_sum_and_a_variance_that_is_no_date(kind: str) -> None:
    app = of_dates(statistic=kind)
    if kind == "sum":
        assert "dates and times of day have no sum" in app.messages("error")[0]
        return
    assert app.metric("One row can change it by").endswith(" days²")
    assert app.press(RELEASE).metric("Released answer").endswith(" days²")


# Times, durations, limits


def test_a_mean_and_a_sum_of_durations_are_told_in_words() -> None:
    app = of_laps("mean")
    assert app.metric("The answer lies in") == "2:00 … 5:00"
    assert app.metric("One row can change it by") == "3 s"
    assert app.traces("answer")[1]["name"] == "of a neighbour, 3:33"
    between(app, "lap", "2:00", "2:15", *LONG)
    assert app.traces("answer")[1]["name"] == "of a neighbour, 2:08 + 0.250 s"
    app = of_laps("sum")
    assert app.metric("The answer lies in") == "2 h … 5 h"
    assert app.metric("One row can change it by") == "3 min"
    app.text(EPSILON, "50").press(RELEASE)
    seconds = sum(60 * (2 + i % 3) + 10 + i % 50 for i in range(60))
    hours, rest = divmod(seconds, 3600)
    assert app.metric("Released answer").startswith(f"{hours} h {rest // 60} min")


def test_dates_that_are_counted_are_told_as_dates_too() -> None:
    counted = tabled(*(f"p{i},{45_292 + 5 * i},3:10,1,a" for i in range(60)))
    app = opened(1, counted).select("Read as, visit", "date")
    between(app, "visit", "2024-01-01", "2024-12-31").text(EPSILON, "50").press(RELEASE)
    assert app.metric("The answer lies in") == "45292 (2024-01-01) … 45657 (2024-12-31)"
    assert "(2024-05-" in app.metric("Released answer")


def test_limits_count_by_the_rule_that_is_said() -> None:
    app = opened(3, statistic="sum").select("Read as, crp", "limits").bounds(4, "0", "60")
    app.select("<5 counts as, crp", "half").text(EPSILON, "50").press(RELEASE)
    assert inquiry(app).format == Limits(below="half")
    wanted = sum(2.5 if i % 5 == 0 else i for i in range(60))
    assert kept(app)[0].exact[None].value == wanted
    again = given(opened(0), settings_json(kept(app)[0].ready)).press(RELEASE)
    assert inquiry(again) == inquiry(app)


# There and back


def from_file(app: Driven) -> Driven:
    return given(opened(0), settings_json(kept(app)[-1].ready))


def from_link(app: Driven) -> Driven:
    said = {
        each.key: each.write(app.kept[each.name])
        for each in SETTINGS
        if app.kept.get(each.name, each.default) != each.default
    }
    return Driven(PAGE, **said).upload("t.csv", TABLE)


@pytest.mark.parametrize("again", [from_file, from_link])
@pytest.mark.parametrize("asked", [of_dates, lambda: of_laps("sum"), lambda: binned("count")])
def test_a_question_is_asked_again_by_its_file_and_by_its_link(
    asked: Callable[[], Driven], again: Callable[[Driven], Driven]
) -> None:
    app = asked().press(RELEASE)
    other = again(app)
    assert not other.messages("warning")
    assert inquiry(other.press(RELEASE)) == inquiry(app)


@pytest.mark.parametrize(
    "said",
    ["date", "{}", '{"name": "dates"}', '{"name": "date", "pattern": 7}', "[" * 100_000],
    ids=range(5),
)
def test_a_format_of_a_link_that_makes_no_sense_is_not_used_and_that_is_said(said: str) -> None:
    app = opened(1, format=said)
    (notice,) = [text for text in app.messages("warning") if "is not used" in text]
    assert "it must be a format as the link of this page has it" in notice
    assert app._of("selectbox", "Read as, visit").value == "number"


def test_what_was_said_on_privatize_is_at_hand_here() -> None:
    app = Driven("pages/privatize.py").upload("t.csv", TABLE)
    app.choose("Columns to privatize", [1])
    between(app, "visit", "01.01.2024", LAST).go(PAGE).select("Of which column", 1)
    assert app.metric("The answer lies in") == f"01.01.2024 … {LAST}"
    assert app.press(RELEASE).metric("Released answer").count(".") == 2


def test_another_table_begins_anew() -> None:
    app = of_dates().press(RELEASE)
    app.press("Another table").upload("u.csv", table("%Y-%m-%d"))
    assert app._of("selectbox", "Read as, visit").value == "number"
    assert app.written("Lower bound") == ""
    app.select("Read as, visit", "date")
    assert app.written("Earliest value anyone may expect, visit") == ""
    between(app, "visit", "2024-01-01", "2024-06-30").press(RELEASE)
    assert inquiry(app).format == DateFormat()
    assert inquiry(app).bounds == Interval(19_723, 19_904)
    app.press("Another table").upload("t.csv", TABLE)
    assert app.written("Earliest value anyone may expect, visit") == "01.01.2024"


def test_a_mean_by_rows_of_dates_takes_what_privatize_released() -> None:
    app = Driven("pages/privatize.py").upload("t.csv", TABLE)
    app.choose("Columns to privatize", [1])
    between(app, "visit", "01.01.2024", LAST).press("Release").awaited()
    app.go(PAGE).select("Of which column", 1).press(RELEASE)
    assert rows_of(app, "from") == ["released", "released"]


# Groups


def binned(kind: str) -> Driven:
    app = of_dates(statistic=kind) if kind != "count" else opened(0, statistic=kind)
    app.toggle("One answer for each group").pick("Groups are", "bins").select("Grouped by", 1)
    if kind == "count":
        app.select("Read as, visit", "date")
    app.at.text_area[0].set_value("01.01.2024\n2024-04-01\n31.12.2024")
    return app.run()


def test_edges_of_bins_are_typed_as_the_column_writes_dates() -> None:
    app = binned("count").text(EPSILON, "50").press(RELEASE)
    first = sum(day < date(2024, 4, 1) for day in DAYS)
    names = ["[01.01.2024, 01.04.2024)", f"[01.04.2024, {LAST}]"]
    assert list(kept(app)[0].answers) == names
    assert [a.value for a in kept(app)[0].answers.values()] == [first, 60 - first]
    assert rows_of(app, "95 % interval of the share")[0].endswith("%")
    app.at.text_area[0].set_value("01.01.2024\nApril")
    assert "Edges must be dates as" in app.run().messages("error")[0]


def test_bins_of_the_column_that_is_asked_about_are_read_as_it_is() -> None:
    app = binned("mean")
    assert app.labels("selectbox").count("Read as, visit") == 1
    app.text(AT_LEAST, "10").text(EPSILON, "50").press(RELEASE)
    assert inquiry(app).grouping.format == inquiry(app).format == DateFormat("%d.%m.%Y")
    chart = app.spec("groups")
    assert all(text.count(".") == 2 for text in chart["layout"]["xaxis"]["ticktext"])
    assert all(text.count(".") == 2 for text in app.traces("groups")[0]["text"])
    assert all(text.count(".") == 2 for text in rows_of(app, "answer"))


def test_categories_are_taken_over_from_the_list_on_privatize_unless_it_is_a_leak() -> None:
    app = Driven("pages/privatize.py").upload("t.csv", TABLE).choose("Columns to privatize", [4])
    (box,) = [b for b in app.every("text_area") if b.label.endswith(", group")]
    box.set_value("a, b, c")
    app.run().go(PAGE).select("What to release", "count")
    app.toggle("One answer for each group").select("Grouped by", 4)
    app.press("Take the list from Privatize").press(RELEASE)
    assert list(kept(app)[0].answers) == ["a", "b", "c"]
    assert "Take the list from Privatize" not in app.labels("button")
    for name in [name for name in app.kept if name.endswith(".4.list")]:
        app.kept[f"{name}.taken"] = True
    app.at.text_area[0].set_value("a")
    assert "Take the list from Privatize" not in app.run().labels("button")


def test_groups_of_numbers_ask_for_no_format() -> None:
    assert not [text for text in grouped("count", "a\nb").labels("selectbox") if "Read as" in text]
