"""A table that is too large for a page: the way on by the command line."""

from __future__ import annotations

import gzip
import shlex

import pytest

from compdp_core.report.settings import StatisticSettings, TableSettings
from compdp_core.report.settings_reading import from_json
from pages.sections.shared import larger_file, upload
from pages.sections.shared.command_line import shell_word
from pages.shell.panels import is_open
from tests.app.driving import Driven

TABLE = b"id,age,income\n01,14,1200\n02,17,900\n03,15,5000\n"
PRIVATIZE, STATISTIC = "pages/privatize.py", "pages/statistic.py"
NAME = "Name of the larger file"


def open_box(app: Driven, name: str) -> Driven:
    app.kept[is_open(name)] = True
    return app.run()


def commands(app: Driven) -> list[list[str]]:
    """The words that a shell makes of each line to copy."""
    return [shlex.split(each.value) for each in app.every("code")]


def ready(name: str = "head.csv") -> Driven:
    return (
        Driven(PRIVATIZE)
        .upload(name, TABLE)
        .choose("Columns to privatize", [1])
        .bounds(2, "0", "20")
    )


@pytest.mark.parametrize(("page", "command"), [(PRIVATIZE, "privatize"), (STATISTIC, "answer")])
def test_the_way_on_stands_beside_the_field_for_a_file(page: str, command: str) -> None:
    app = Driven(page)
    assert "A table of more than 200 MB" in app.labels("expander")
    assert not app.every("code")  # nothing is worked out or sent while the box is closed
    head, line = commands(open_box(app, f"larger.{command}"))
    assert head == ["head", "-n", "10001", "large.csv", ">", "head.csv"]
    assert line[:3] == ["compdp", command, "large.csv"]
    assert line[line.index("--settings") + 1] == "head_settings.json"


def test_settings_can_be_saved_for_a_larger_file_before_anything_is_released() -> None:
    app = open_box(ready(), "larger.privatize.run")
    (line,) = commands(app)
    assert line[1:4] == ["privatize", "head.csv", "head_privatized.csv"]
    app.text(NAME, "folder/all of it.csv")
    (line,) = commands(app)
    assert line == [
        "compdp", "privatize", "folder/all of it.csv", "all of it_privatized.csv",
        "--settings", "head_settings.json", "--ledger", "ledger.json",
        "--card", "all of it_card.html",
    ]  # fmt: skip
    assert "Save these settings" in app.labels("download_button")
    assert not app.releases
    # Another table has another name.
    app.press("Another table").upload("other.csv", TABLE)
    assert "larger.name" not in app.kept


def saved(app: Driven, monkeypatch: pytest.MonkeyPatch, box: str) -> str:
    """What the button for the settings would hand over."""
    made: list[str | bytes] = []
    monkeypatch.setattr(larger_file, "download", lambda _label, made_of, *_: made.append(made_of()))
    open_box(app, box)
    (text,) = made
    assert isinstance(text, str)
    return text


def test_settings_before_a_release_are_those_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    app = ready()
    before = saved(app, monkeypatch, "larger.privatize.run")
    app.press("Release").awaited()
    assert before == saved(app, monkeypatch, "larger.privatize.run")
    reading = from_json(before)
    assert not reading.notices
    assert isinstance(reading.settings, TableSettings)
    assert reading.settings.labels == ("age",)


def test_a_question_is_saved_before_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Driven(STATISTIC).upload("head.csv", TABLE).select("Of which column", 1)
    app.bounds(2, "0", "20")
    reading = from_json(saved(app, monkeypatch, "larger.answer.run"))
    assert isinstance(reading.settings, StatisticSettings)
    assert reading.settings.label == "age"


@pytest.mark.parametrize(
    ("name", "data", "first"),
    [
        ("survey 2024.csv", TABLE, ["head", "-n", "10001", "survey 2024.csv", ">", "head.csv"]),
        (
            "a'; rm b.csv.gz",
            gzip.compress(TABLE, mtime=0),
            ["gzip", "-dc", "a'; rm b.csv.gz", "|", "head", "-n", "10001", ">", "head.csv"],
        ),
        ("table.csv\u2019; calc", TABLE, ["head", "-n", "10001", "large.csv", ">", "head.csv"]),
    ],
)
def test_a_file_that_is_refused_for_its_size_is_taken_on_by_name(
    monkeypatch: pytest.MonkeyPatch, name: str, data: bytes, first: list[str]
) -> None:
    monkeypatch.setattr(upload, "LARGEST", 20)
    app = Driven(PRIVATIZE).upload(name, data)
    assert "larger than the limit" in app.said("error")
    assert "How to go on with a file of this size" in app.labels("expander")
    assert commands(app)[0] == first
    assert commands(app)[-1][:2] == ["compdp", "privatize"]
    # Where the reader refused it for something else, nothing is said of its size.
    monkeypatch.setattr(upload, "LARGEST", 2**20)
    app.press("Another table").upload("t.csv", b'a,b\n1,"2\n')
    assert "How to go on with a file of this size" not in app.labels("expander")


def test_the_name_of_a_file_is_one_word_to_any_shell_and_no_option() -> None:
    for name in HOSTILE:
        (word,) = shlex.split(shell_word(name))
        assert word.isprintable()
        assert not word.startswith("-")
        assert not set(word) & set("\u2018\u2019\u201c\u201d")


HOSTILE = (
    "a b", "-rf", "--help", "$(id)", "`id`", "a;b", "a\nb", "a\x1b[2Jb", "a'b", 'a"b', "a\u2019;b",
    "a\u202eb", "*", "~", "a|b&c>d", "\u00e9t\u00e9.csv", "!!", "%PATH%",
)  # fmt: skip
