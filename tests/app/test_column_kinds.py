"""Step 2 of Privatize for every kind of column: what it holds, its list, its format, its bounds."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from compdp_core.intervals import Interval
from compdp_core.release import ColumnPlan, Plan
from compdp_core.report import Statement
from compdp_core.report.settings import TableSettings, to_json
from compdp_core.tables.categories import Categories
from compdp_core.tables.value_formats import (
    Classes,
    DateFormat,
    DurationFormat,
    Limits,
    TimeFormat,
    UnixTimeFormat,
)
from pages.sections.privatize import columns
from pages.sections.privatize.answers import in_any_case
from pages.sections.privatize.files import settings_json
from pages.sections.privatize.settings_file import NAME
from pages.sections.shared.setup import ChosenColumn
from pages.shell.panels import is_open
from tests.app.driving import Driven
from tests.app.test_privatize import CHOICE, PAGE

KIND = "What this column holds"
LIMITS = b"id,crp\n1,<5\n2,12\n3,>100\n4,8.5\n"
TIMES = b"runner,time,lap\nA,1:23:45,4:10\nB,0:59:10,3:55\nC,1:45:00,5:02\n"
DATES = (
    b"id,d1,d2,d3,d4,d5\n1,2024-05-01,01.05.2024,5/1/24,45413,1714521600\n"
    b"2,2024-06-11,11.06.2024,6/11/24,45454,1718064000\n"
    b"3,2024-01-30,30.01.2024,1/30/24,45321,1706572800\n"
)
AGREE = b"id,agree\n1,Strongly disagree\n2,Agree\n3,Neutral\n"
YES = b"id,ok\n1,Y\n2,N\n3,Y\n"
LAPS = DurationFormat("%-M:%S")
STEPS = ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")
ANY_CASE = Categories.of(in_any_case({step: [step] for step in STEPS}))
"""As a well-known list is taken, whatever stands in the cells."""


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> dict[str, ChosenColumn]:
    """What step 2 hands on, by label; the steps behind it are left out."""
    found: dict[str, ChosenColumn] = {}
    step = columns.columns_step

    def kept(*asked: Any) -> None:
        found.clear()
        found.update({column.label: column for column in step(*asked) or ()})

    monkeypatch.setattr(columns, "columns_step", kept)
    return found


def opened(data: bytes, *positions: int) -> Driven:
    return Driven(PAGE).upload("t.csv", data).choose(CHOICE, positions)


def kind_of(app: Driven, label: str) -> str | None:
    kind: str | None = app._of("selectbox", f"{KIND}, {label}").value
    return kind


def answers(app: Driven, label: str, text: str) -> Driven:
    (box,) = [b for b in app.every("text_area") if b.label.endswith(f", {label}")]
    box.set_value(text)
    return app.run()


def pressed(app: Driven, key: str) -> Driven:
    (button,) = [each for each in app.every("button") if each.key == key]
    button.click()
    return app.run()


def outputs(app: Driven, column: ChosenColumn) -> tuple[Any, ...]:
    """What step 3 has of hard output bounds."""
    return tuple(app.kept.get(column.setting(name)) for name in ("hard", "out.lower", "out.upper"))


def between(app: Driven, label: str, lower: str, upper: str, kind: str = "value") -> Driven:
    ends = ("Shortest", "Longest") if kind == "duration" else ("Earliest", "Latest")
    for which, text in zip(ends, (lower, upper), strict=True):
        app.text(f"{which} value anyone may expect, {label}", text)
    return app


# What a column holds


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        (LIMITS, {"crp": "limits"}),
        (DATES, {"d1": "date", "d2": "date", "d3": "date", "d4": "whole", "d5": "whole"}),
        (AGREE, {"agree": "scale"}),
        (YES, {"ok": "yes_no"}),
        (TIMES, {"time": None, "lap": None}),
    ],
)
def test_each_column_is_offered_with_the_kind_that_its_cells_suggest(
    data: bytes, kinds: dict[str, str | None]
) -> None:
    names = data.splitlines()[0].decode().split(",")
    app = opened(data, *map(names.index, kinds))
    assert {label: kind_of(app, label) for label in kinds} == kinds


def test_what_can_be_read_in_two_ways_is_asked_with_an_example_of_each(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = opened(TIMES, 1, 2)
    box = app._of("selectbox", "The cells can be read in 3 ways, lap")
    assert box.options[1:] == [
        "Durations as 45:05 (minutes : seconds)", "Durations as 29:10 (hours : minutes)",
    ]  # fmt: skip
    assert box.options[0].startswith("Times of day as")
    assert "Say what is held in time and lap to go on." in app.said("info")
    app.at.selectbox(key=box.key).select_index(1)
    app.run()
    assert kind_of(app, "lap") == "duration"
    time = app._of("selectbox", "The cells can be read in 2 ways, time")
    app.at.selectbox(key=time.key).select_index(0)
    app.run()
    between(app, "lap", "3:00", "8:00", "duration")
    between(app, "time", "00:30", "02:00:00")
    assert chosen["lap"].format == LAPS
    assert (chosen["lap"].inputs, chosen["lap"].unit) == (Interval(180, 480), "seconds")
    assert chosen["time"].kind == "time"
    assert chosen["time"].inputs == Interval(1800, 7200)


def test_dates_take_bounds_as_they_are_written_or_as_iso(chosen: dict[str, ChosenColumn]) -> None:
    app = opened(DATES, 1, 2, 3, 4, 5)
    for kind in ("Dates", "Dates with times"):
        assert f"computers count them, choose “{kind}”." in app.said("caption")
    app.select(f"{KIND}, d4", "date").select(f"{KIND}, d5", "datetime")
    between(app, "d1", "2024-01-01", "2024-12-31")
    between(app, "d2", "01.01.2024", "2024-12-31")
    between(app, "d3", "1/1/24", "2024-12-31")
    between(app, "d4", "2024-01-01", "2024-12-31")
    between(app, "d5", "2024-01-01T00:00", "2024-12-31 23:59")
    days = Interval(19723, 20088)
    assert {c.label: c.inputs for c in chosen.values() if c.kind == "date"} == dict.fromkeys(
        ("d1", "d2", "d3", "d4"), days
    )
    assert chosen["d5"].inputs == Interval(1704067200, 1735689540)
    assert "From 2024-01-01 to 2024-12-31, in steps of one day." in app.said("caption")
    written = [c.format.text(19843) for c in chosen.values() if c.format and c.kind == "date"]
    assert written == ["2024-04-30", "30.04.2024", "4/30/24", "45412"]


@pytest.mark.parametrize(
    ("lower", "upper", "says"),
    [
        ("2024-13-01", "2024-12-31", "“2024-13-01” cannot be read as dates as"),
        ("2024-12-31", "2024-01-01", "2024-12-31 does not come before 2024-01-01"),
        ("05/06/2024", "2024-12-31", "“05/06/2024” cannot be read as dates as"),
    ],
)
def test_bounds_that_make_no_sense_are_refused_in_place(
    chosen: dict[str, ChosenColumn], lower: str, upper: str, says: str
) -> None:
    app = between(opened(DATES, 1), "d1", lower, upper)
    (message,) = app.messages("error")
    assert says in message
    assert not chosen


def test_what_is_said_to_be_dates_is_read_as_most_of_its_cells_are_written(
    chosen: dict[str, ChosenColumn],
) -> None:
    days = ["13.02.2024", "", "31.12.2024", "14.05.2024", "14.5.24", "soon", "15.06.2024"]
    rows = "".join(f"{i},{days[i % 7]}\n" for i in range(28))
    app = opened(f"id,day\n{rows}".encode(), 1).select(f"{KIND}, day", "date")
    between(app, "day", "01.01.2024", "31.12.2024")
    assert chosen["day"].format == DateFormat("%d.%m.%Y")
    assert "12 values of 28 are missing" in app.said("markdown")


def test_times_of_day_are_kept_within_the_day_by_hard_outputs(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = opened(b"at\n09:15\n23:50\n14:30\n", 0)
    app.select(f"{KIND}, at", "time") if kind_of(app, "at") is None else None
    between(app, "at", "08:00", "18:00")
    switch = "Keep released times within the day, at"
    app.toggle(switch)
    assert outputs(app, chosen["at"]) == (True, 0, 1439)
    app.toggle(switch, False)
    assert outputs(app, chosen["at"]) == (False, None, None)
    assert chosen["at"].unit == "minutes"


@pytest.mark.parametrize(
    ("rule", "number", "value"), [("limit", None, 5), ("half", None, 2.5), ("stated", "1", 1)]
)
def test_limits_count_as_numbers_by_the_chosen_rule(
    chosen: dict[str, ChosenColumn], rule: str, number: str | None, value: float
) -> None:
    app = opened(LIMITS, 1).select("<5 counts as, crp", rule)
    if number is not None:
        assert not chosen
        app.text("That number, <5 counts as, crp", number)
    app.bounds(2, "0", "200")
    form = chosen["crp"].format
    assert isinstance(form, Limits)
    assert (form.value("<5"), form.value(">100")) == (value, 100)
    assert "missing" not in app.said("markdown").split("what the bounds do")[1].split("CompDP")[0]
    app.select("Cells that are no plain number, crp", "classes")
    assert isinstance(chosen["crp"].format, Classes)


# Lists


def test_a_well_known_list_is_one_press_and_no_leak(chosen: dict[str, ChosenColumn]) -> None:
    app = pressed(opened(AGREE, 1), "take-usual-1")
    assert chosen["agree"].categories == ANY_CASE
    assert chosen["agree"].kind == "scale"
    assert chosen["agree"].inputs == Interval(1, 5)
    assert chosen["agree"].source == ""
    assert not app.messages("warning")


def test_a_well_known_list_is_taken_in_any_case(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = pressed(opened(b"id,ok\n1,Yes\n2,no\n3,yes\n4,NO\n", 1), "take-usual-1")
    assert "missing" not in app.said("markdown")
    names = {"Yes": ["Yes", "yes", "YES"], "no": ["no", "NO", "No"]}
    assert chosen["ok"].categories == Categories.of(names)
    app.toggle("Capitals make no difference: Yes is yes, ok", False)
    assert chosen["ok"].categories == Categories.of(["Yes", "no"])
    assert "2 values of 4 are missing. Of them 2 cells are not in the list" in app.said("markdown")


def test_a_list_taken_from_the_data_is_marked_until_it_is_known(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = pressed(opened(YES, 1), "take-found-1")
    assert chosen["ok"].categories == Categories.of(["Y", "N"])
    assert chosen["ok"].source == "taken from the data"
    assert "tells which answers occur" in app.said("warning")
    app.text("Where this list comes from, ok (public, optional)", "a form")
    assert chosen["ok"].source == "a form; taken from the data"
    app.press("It is known without the table")
    assert chosen["ok"].source == "a form"
    assert not app.messages("warning")


@pytest.mark.parametrize("text", ["Y, N", "Y\nN", " Y \n\n N\nY"])
def test_a_typed_list_takes_lines_or_commas(chosen: dict[str, ChosenColumn], text: str) -> None:
    answers(opened(YES, 1), "ok", text)
    assert chosen["ok"].categories == Categories.of(["Y", "N"])
    assert (chosen["ok"].kind, chosen["ok"].inputs) == ("category", None)


def test_what_is_not_listed_and_blank_cells_are_answers_by_choice(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = answers(opened(YES + b"4,\n5,perhaps\n6,Y\n7,N\n8,Y\n", 1), "ok", "Y, N")
    assert kind_of(app, "ok") == "category"
    assert chosen["ok"].categories == Categories.of({"Y": ["Y"], "N": ["N"], "other": []})
    assert "1 value of 8 is missing" in app.said("markdown")
    app.toggle("Blank is an answer, ok")
    app.toggle("All else is “other”, ok", False)
    assert chosen["ok"].categories == Categories.of(["Y", "N", ""])
    assert "Of them 1 cell is not in the list" in app.said("markdown")


def test_missing_cells_are_not_written_as_an_answer() -> None:
    app = answers(opened(YES, 1), "ok", "Y, N").select("Missing values, ok", "keep")
    app.text("Missing cells are written as, ok", "Y")
    (refusal,) = app.messages("error")
    assert refusal.startswith("What missing cells are written as must not be the name of a")


def test_answers_are_merged_and_taken_apart(chosen: dict[str, ChosenColumn]) -> None:
    app = opened(AGREE, 1)
    app.kept[is_open("arrange-1")] = True
    pressed(app, "take-usual-1")
    app.choose("Answers to merge, agree", STEPS[3:])
    pressed(app.text("Released as, agree", "yes"), "merge-1")
    merged = chosen["agree"].categories
    assert merged is not None
    assert merged.names == (*STEPS[:3], "yes")
    assert set(merged.members[-1]) == {*ANY_CASE.members[3], *ANY_CASE.members[4]}
    pressed(app, "apart-1-0")
    assert chosen["agree"].categories == ANY_CASE
    app.choose("Answers to merge, agree", STEPS[:2])
    pressed(app, "merge-1")
    merged = chosen["agree"].categories
    assert merged is not None
    assert merged.names[0] == "Strongly disagree / Disagree"


def test_the_order_of_a_scale_is_changed_by_presses(chosen: dict[str, ChosenColumn]) -> None:
    app = opened(AGREE, 1)
    app.kept[is_open("arrange-1")] = True
    answers(app, "agree", "Neutral, Strongly disagree, Agree")
    app.select("Answer to move, agree", "Neutral").press("Higher")
    names = ("Strongly disagree", "Neutral", "Agree")
    assert chosen["agree"].categories == Categories.of(names)
    assert "1 = Strongly disagree" in app.said("caption")
    app.press("Reverse the order")
    assert chosen["agree"].categories == Categories.of(names[::-1])


def test_a_scale_is_released_by_what_the_receiver_needs(chosen: dict[str, ChosenColumn]) -> None:
    app = pressed(opened(AGREE, 1), "take-usual-1")
    assert "their mean is typically off by 2.46" in app.said("caption")
    assert "off by more than half of all" in app.said("caption")
    app.set("radio", "What the receiver needs, agree", "shares")
    assert chosen["agree"].kind == "category"
    assert chosen["agree"].categories == ANY_CASE
    app.toggle("All else is “other”, agree")
    assert chosen["agree"].categories == Categories.of({**ANY_CASE.as_mapping, "other": []})


def test_many_answers_are_told_what_merging_gains(chosen: dict[str, ChosenColumn]) -> None:
    towns = [f"town {place:02}" for place in range(40)]
    app = opened(("town\n" + "\n".join(towns * 3) + "\n").encode(), 0)
    answers(app, "town", "\n".join(towns))
    assert "41 answers are many for ε = 1 in this column. Merged to 10" in app.said("info")
    assert "times smaller: off by 18.7 percentage points of 120 rows" in app.said("info")
    assert len(chosen["town"].categories or ()) == 41
    app.kept["privatize.epsilon"] = Decimal("0.2")
    app.run()
    assert "of 120 rows it is still more than half of all. A larger ε" in app.said("info")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Y", "A list needs two answers or more"),
        ("=1+Y, N", "“=1+Y” begins as a formula does"),
        ("Ж, N", "the encoding of this file"),
    ],
)
def test_a_list_that_cannot_be_one_is_refused_in_place(
    chosen: dict[str, ChosenColumn], text: str, says: str
) -> None:
    app = opened("id,ok,ä\n1,Y,é\n2,N,é\n3,Y,é\n".encode("cp1252"), 1)
    answers(app, "ok", text)
    assert any(says in message for message in app.messages("error")), app.messages("error")
    assert not chosen


def test_an_answer_that_a_spreadsheet_would_run_is_renamed_as_the_refusal_says(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = pressed(opened(b"id,temp\n" + b"1,-cold\n2,hot\n" * 3, 1), "take-found-1")
    (refusal,) = app.messages("error")
    assert "choose it above under “Merge or rename answers”" in refusal
    app.kept[is_open("arrange-1")] = True
    app.run().choose("Answers to merge, temp", ["-cold"])
    app.text("Released as, temp", "cold").press("Rename")
    assert chosen["temp"].categories == Categories.of({"cold": ["-cold"], "hot": ["hot"]})
    assert not app.messages("error")


def test_all_answers_merged_into_one_are_refused_until_they_are_apart(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = opened(AGREE, 1)
    app.kept[is_open("arrange-1")] = True
    pressed(app, "take-usual-1").choose("Answers to merge, agree", STEPS)
    app.press("Merge")
    assert "take apart what is merged" in app.said("error")
    assert not chosen
    pressed(app, "apart-1-0")
    assert chosen["agree"].categories == ANY_CASE


def test_answers_of_several_lines_are_no_part_of_a_list(chosen: dict[str, ChosenColumn]) -> None:
    app = opened(b"id,note\n" + b'1,"a\nb"\n2,c\n3,d\n' * 4, 1)
    assert "Answers of several lines cannot be listed" in app.said("caption")
    pressed(app, "take-found-1")
    assert chosen["note"].categories == Categories.of(["c", "d", "other"])


def test_a_list_that_fits_no_cell_says_so(chosen: dict[str, ChosenColumn]) -> None:
    app = answers(opened(YES, 1), "ok", "ja, nein")
    assert "No cell of this column is one of these answers" in app.said("warning")
    assert not chosen


# Names, tables, order of steps


def test_names_and_answers_are_shown_exactly_as_typed(chosen: dict[str, ChosenColumn]) -> None:
    header, answer = "*q* <b>x</b> $a$", ":red[no] <i>"
    rows = "".join(f"{i},{text}\n" for i, text in enumerate([answer, "yes"] * 3))
    app = opened(f"id,{header}\n{rows}".encode(), 1)
    pressed(app, "take-found-1")
    app.kept[is_open("arrange-1")] = True
    assert chosen[header].categories == Categories.of([answer, "yes"])
    labels = [each for kind in ("text_area", "toggle", "selectbox") for each in app.labels(kind)]
    assert not any("*q*" in label or ":red" in label for label in labels)
    assert not any(":red[no]" in each.value for each in app.every("caption"))
    assert f"2 answers: {answer} · yes" in app.said("caption")


def test_another_table_starts_anew_and_the_first_comes_back(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = pressed(opened(YES, 1), "take-usual-1")
    before = chosen["ok"]
    app.press("Another table").upload("t.csv", YES + b"4,N\n").choose(CHOICE, [1])
    assert not chosen
    app.press("Another table").upload("t.csv", YES)
    assert chosen["ok"] == before


def test_a_change_of_kind_forgets_nothing_and_takes_over_nothing(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = pressed(opened(AGREE, 1), "take-usual-1")
    before = chosen["agree"]
    app.select(f"{KIND}, agree", "number")
    assert "Set both bounds of agree to go on" in app.said("info")
    app.bounds(2, "0", "10")
    assert "No cell of this column is a number" in app.said("warning")
    app.select(f"{KIND}, agree", "date")
    assert "Too few cells of this column are written in one form" in app.said("warning")
    app.select(f"{KIND}, agree", "scale")
    assert chosen["agree"] == before


def test_hard_output_bounds_are_of_the_kind_they_were_set_for(
    chosen: dict[str, ChosenColumn],
) -> None:
    app = opened(b"id,at\n1,09:15\n2,23:50\n3,14:30\n", 1).select(f"{KIND}, at", "time")
    between(app, "at", "08:00", "18:00").toggle("Keep released times within the day, at")
    day = (True, 0, 1439)
    assert outputs(app, chosen["at"]) == day
    app.select(f"{KIND}, at", "duration")
    assert app.kept[setting(app, "hard")] is False
    app.select(f"{KIND}, at", "time")
    assert outputs(app, chosen["at"]) == day
    app.select(f"{KIND}, at", "number").select(f"{KIND}, at", "whole")
    assert app.kept[setting(app, "out.upper")] is None


def setting(app: Driven, name: str) -> str:
    (found,) = [each for each in app.kept if re.fullmatch(rf"column\.\w+\.1\.{name}", each)]
    return found


def test_a_column_with_a_unit_is_read_after_one_press(chosen: dict[str, ChosenColumn]) -> None:
    app = opened(b"name,height\nAda,172 cm\nBen,168 cm\nCy,181 cm\n", 1)
    app.bounds(2, "100", "220").press("Take it off")
    assert chosen["height"].strip is not None
    assert chosen["height"].inputs == Interval(100, 220)


MIXED = b"agree,ok,town,day,crp,lap\n" + b"".join(
    f"{STEPS[i % 5]},{('yes', 'no', '')[i % 3]},{'ABC'[i * 7 % 3]}-town,"
    f"2024-0{1 + i % 9}-1{i % 10},{'<5' if i % 4 == 0 else i},{3 + i % 3}:{i % 60:02}\n".encode()
    for i in range(60)
)


def test_columns_of_every_kind_go_through_to_a_release_and_its_settings_back() -> None:
    app = opened(MIXED, *range(6))
    pressed(app, "take-usual-0")
    pressed(app, "take-usual-1")
    answers(app, "town", "A-town\nB-town")
    between(app, "day", "2024-01-01", "2024-12-31")
    app.bounds(5, "0", "100")
    reading = app._of("selectbox", "The cells can be read in 3 ways, lap")
    app.at.selectbox(key=reading.key).select_index(1)
    between(app.run(), "lap", "2:00", "8:00", "duration")
    assert not app.messages("error")
    app.press("Release").awaited()
    (release,) = app.releases
    header, *rows = list(csv.reader(io.StringIO(release.csv().decode())))
    assert header == ["agree", "ok", "town", "day", "crp", "lap"]
    written = (
        r"-?\d+",
        "yes|no",
        "[AB]-town|other",
        r"\d{4}-\d\d-\d\d",
        r"-?[\d.]+",
        r"-?\d+:\d\d",
    )
    assert len(rows) == 60
    assert all(re.fullmatch(p, c) for row in rows for p, c in zip(written, row, strict=True))
    again = Driven(PAGE).upload("t.csv", MIXED)
    again.kept[is_open(NAME)] = True
    document = settings_json(release, dict.fromkeys(range(6), Statement()))
    again.run().set("file_uploader", "Settings file", ("s.json", document.encode(), "text/json"))
    again.press("Release").awaited()
    assert again.releases[0].plan == release.plan


# Settings

EVERY = ("crp", "age", "agree", "ok", "need", "day", "at", "lap", "seen")
TABLE = (
    ",".join(EVERY) + "\n"
    "<5,65+,Agree,Y,yes,5/1/24,08:15,4:10,1714521600\n"
    "12,10-19,Neutral,N,no,6/11/24,23:50,3:55,1718064000\n"
    ">100,20-29,Agree,Y,yes,1/30/24,14:30,5:02,1706572800\n"
).encode()
PLAN = Plan(
    (
        ColumnPlan(0, (0, 200), "0.1", format=Limits(below=1.0), missing="keep", missing_as="n/a"),
        ColumnPlan(1, (0, 120), "0.1", kind="whole", format=Classes(above=80.0)),
        ColumnPlan(2, None, "0.1", kind="scale", categories=STEPS),
        ColumnPlan(
            3, None, "0.1", kind="category", categories={"yes": ["Y", "y"], "no": ["N"], "rest": []}
        ),
        ColumnPlan(4, None, "0.1", kind="category", categories=["yes", "no", ""], missing="drop"),
        ColumnPlan(
            5, ("2024-01-01", "2024-12-31"), "0.1", kind="date", format=DateFormat("%-m/%-d/%y")
        ),
        ColumnPlan(
            6, ("06:00", "20:30"), "0.1", kind="time", format=TimeFormat("%H:%M"), outputs=(0, 1439)
        ),
        ColumnPlan(7, ("0:02:00", "0:09:00"), "0.1", kind="duration", format=LAPS),
        ColumnPlan(
            8, ("2024-01-01T00:00", "2024-12-31T23:59"), "0.1", kind="datetime",
            format=UnixTimeFormat(),
        ),
    )
)  # fmt: skip


def test_settings_of_every_kind_come_back_and_make_the_same_plan(
    chosen: dict[str, ChosenColumn],
) -> None:
    said = TableSettings(PLAN, EVERY, (Statement("a form; taken from the data", "units"),) * 9)
    app = Driven(PAGE).upload("t.csv", TABLE)
    app.kept[is_open(NAME)] = True
    document = ("s.json", to_json(said).encode(), "application/json")
    app.run().set("file_uploader", "Settings file", document)
    assert not [text for text in app.messages("warning") if "makes no sense" in text]
    assert list(chosen) == list(EVERY)
    assert {column.source for column in chosen.values()} == {"a form; taken from the data"}
    for plan, column in zip(PLAN.columns, chosen.values(), strict=True):
        again = ColumnPlan(
            position=column.position,
            inputs=None if column.kind == "scale" else column.inputs,
            epsilon=plan.epsilon,
            kind=column.kind,
            outputs=outputs(app, column)[1:] if outputs(app, column)[0] else None,
            missing=column.missing,
            missing_as=column.missing_as,
            categories=column.categories,
            format=column.format,
        )
        assert replace(again, decimal=None) == replace(plan, pair=None), column.label


def test_a_column_that_is_not_offered_is_taken_from_settings_all_the_same(
    chosen: dict[str, ChosenColumn],
) -> None:
    rows = "".join(f"person {i}\n" for i in range(9))
    plan = ColumnPlan(0, None, 1, kind="category", categories=["person 1", "person 2"])
    said = TableSettings(Plan((plan,)), ("name",))
    app = Driven(PAGE).upload("t.csv", f"name\n{rows}".encode())
    app.kept[is_open(NAME)] = True
    document = ("s.json", to_json(said).encode(), "application/json")
    app.run().set("file_uploader", "Settings file", document)
    assert chosen["name"].categories == plan.categories


# Links


def test_a_link_sets_the_budget_and_the_shape_and_says_what_it_lacks() -> None:
    link = {"epsilon": "0.5", "pair": "A2B1", "objective": "worst", "seed": "7", "bad": "1"}
    app = Driven(PAGE, **link)
    assert "Not a setting of this page, so not used: bad" in app.said("warning")
    app.kept["privatize.share.open"] = True
    app.upload("t.csv", b"score\n1.5\n12\n19\n").choose(CHOICE, [0]).bounds(1, "0", "20")
    assert app.written("ε, exactly") == "0.5"
    assert app._of("selectbox", "Function pair").value == "A2B1"
    assert app.kept["privatize.seed"] == 7


ARABIC = "name,age\nأ,٣٤\nب,٢٧\nج,٤١\n".encode()


def test_digits_of_another_script_are_written_back_unless_the_owner_says_otherwise() -> None:
    app = opened(ARABIC, 1).bounds(2, "0", "100").press("Release").awaited()
    (kept,) = app.releases
    assert kept.plan.columns[0].digits == "٠"
    lines = kept.csv().decode().splitlines()[1:]
    assert all(set(line.split(",")[1]) <= set("-٠١٢٣٤٥٦٧٨٩") for line in lines)
    (label,) = [each for each in app.labels("selectbox") if each.startswith("Digits of released")]
    assert any("changed since" in text for text in app.select(label, "0").messages("info"))
    # Settings with them are taken by a table whose cells have the usual ones.
    again = opened(b"name,age\na,34\nb,27\nc,41\n", 1)
    assert not [each for each in again.labels("selectbox") if each.startswith("Digits")]
    again.kept[is_open(NAME)] = True
    document = to_json(TableSettings.of(kept)).encode()
    again.run().every("file_uploader")[-1].set_value(("s.json", document, "application/json"))
    again.run()
    assert [each for each in again.labels("selectbox") if each.startswith("Digits of released")]
    again.press("Release").awaited()
    assert again.releases[0].plan.columns[0].digits == "٠"
