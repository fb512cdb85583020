"""What earlier versions wrote keeps opening: cards, settings and scripts of the folder beside."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest

from compdp_core.report import Statement, schema
from compdp_core.report.settings import StatisticSettings, TableSettings, to_json
from compdp_core.report.settings_reading import OpenedSettings, from_json
from compdp_core.tables import Affix, UnevenRowsError, read
from tests.unit.report.examples import INQUIRIES, PLANS, SURVEY
from tests.unit.report.test_script import run

EARLIER = Path(__file__).parent / "earlier"
CARDS = (
    ("card_of_a_table.json", False), ("card_of_an_answer.json", False),
    ("0.1/card_uneven.json", True), ("0.1/card_groups.json", True),
)  # fmt: skip
LAST = ("three columns", "own shapes", "uneven", "mean of some", "groups")
"""Of the version 0.1 that was released: shapes of one's own, a staircase, rows that do not line
up, conditions and groups."""


def words(name: str) -> str:
    return (EARLIER / name).read_text(encoding="utf-8")


def of_the_last(kind: str, name: str) -> str:
    return words(f"0.1/{kind}_{name.replace(' ', '_')}")


@pytest.mark.parametrize(("name", "later"), CARDS)
def test_cards_are_cards_still(name: str, later: bool) -> None:
    said = json.loads(words(name))
    assert later or "cells" not in said["items"][0]
    assert ("alignment" in said["rows"]) == later
    jsonschema.Draft202012Validator(schema()).validate(said)


def test_settings_of_a_table_open_with_defaults() -> None:
    reading = from_json(words("settings_of_a_table.json"))
    assert reading.notices == ()
    assert isinstance(reading.settings, TableSettings)
    price, hours = reading.settings.plan.columns
    assert (price.epsilon, price.missing, price.strip) == (Fraction(1, 3), "keep", Affix("$"))
    assert (hours.pair, hours.tail_ratio, hours.missing) == ("A2B2", 0.9, "drop")
    assert [(each.decimal, each.missing_as) for each in (price, hours)] == [(None, "")] * 2
    assert reading.settings.labels == ("price", "hours")
    assert reading.settings.statements[0] == Statement("a law", "$")
    assert reading.settings.reading == {}
    assert from_json(to_json(reading.settings)) == OpenedSettings(reading.settings)


def test_settings_of_a_statistic_open() -> None:
    reading = from_json(words("settings_of_a_statistic.json"))
    assert reading.notices == ()
    assert isinstance(reading.settings, StatisticSettings)
    assert reading.settings.label == "price"


def test_a_script_of_a_table_runs(tmp_path: Path) -> None:
    source = EARLIER / "table.csv"
    code, said, written = run(words("script_of_a_table.txt"), tmp_path, source)
    assert code == 0, said
    assert "epsilon = 5/6 was spent once more" in said
    # Rows without hours are dropped, as it says; prices keep the mark of the file.
    rows = list(csv.reader(written.read_text(encoding="utf-8").splitlines(), delimiter=";"))
    assert [row[-1] for row in rows] == ["group", "a", "b"]
    again = read(written.read_bytes(), decimal=",")
    assert all(-100 < value < 100 for value in again.numbers(0).values)


def test_a_script_of_an_answer_runs(tmp_path: Path) -> None:
    code, said, written = run(words("script_of_an_answer.txt"), tmp_path, EARLIER / "table.csv")
    assert code == 0, said
    assert len(json.loads(written.read_text(encoding="utf-8"))) == 1


def test_a_script_that_never_said_what_becomes_of_uneven_rows_says_it_now(tmp_path: Path) -> None:
    script, source = words("script_of_an_uneven_table.txt"), EARLIER / "uneven.csv"
    with pytest.raises(UnevenRowsError) as refusal:
        run(script, tmp_path, source)
    assert "short_rows='complete' or 'leave out'" in str(refusal.value)
    assert "comment_rows='keep', 'leave out' or 'row'" in str(refusal.value)
    assert not (tmp_path / "out").exists()
    # Said in its own place, it runs.
    told = "READING = {\n    'short_rows': 'complete',\n    'comment_rows': 'leave out',"
    code, said, written = run(script.replace("READING = {", told), tmp_path, source)
    assert code == 0, said
    assert [line.count(b",") for line in written.read_bytes().splitlines()] == [2, 2, 2, 2]


@pytest.mark.parametrize("name", LAST)
def test_settings_of_the_last_version_open_and_are_say_the_same(name: str) -> None:
    written = of_the_last("settings", f"{name}.json")
    reading = from_json(written)
    assert reading.notices == ()
    assert reading.settings is not None
    # It is not said in them whose rows are one person's: a page asks.
    assert reading.says_whose is False
    of_a_table = "columns" in json.loads(written)
    later = {"person": None} | ({"answered": None} if of_a_table else {"per_person": "rows"})
    if not of_a_table:
        later |= {"value_format": None}
    expected = json.loads(written) | later
    if expected.get("grouping"):
        expected["grouping"] |= {"edges": [], "format": None}
    for column in expected.get("columns", ()):
        kind = "whole" if column["whole"] else "number"
        column |= {
            "kind": kind,
            "categories": None,
            "format": None,
            "digits": None,
            "from_data": False,
        }
        if column["strip"] is not None:
            column["strip"]["minus_behind"] = False
    assert json.loads(to_json(reading.settings)) == expected
    if name in INQUIRIES:
        assert isinstance(reading.settings, StatisticSettings)
        assert reading.settings.inquiry == INQUIRIES[name]
    elif name in PLANS:
        assert isinstance(reading.settings, TableSettings)
        assert reading.settings.plan == PLANS[name]


@pytest.mark.parametrize("name", LAST)
def test_scripts_of_the_last_version_run(name: str, tmp_path: Path) -> None:
    source = EARLIER / "0.1" / "uneven.csv" if name == "uneven" else SURVEY
    code, said, written = run(of_the_last("script", f"{name}.txt"), tmp_path, source)
    assert code == 0, said
    assert "Design and certificate are those on the privacy card." in said
    if name == "uneven":
        lines = written.read_text(encoding="utf-8-sig").splitlines()
        assert "# 4, 6" in lines
        assert sum(line.startswith("not known,") for line in lines) == 2
