"""Columns that the file is to be without: chosen before or after a release, in all its files."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from compdp_core.tables import read
from pages.sections.shared import release_panel
from tests.app.driving import Driven
from tests.app.test_privatize import CHOICE, PAGE

WITHOUT = "Columns to leave out of the file"
ROWS = "".join(f"P{i},{i % 7},{i * i % 31},{i % 7 + i * i % 31}\n" for i in range(40))
TABLE = f"name,a,b,total\n{ROWS}".encode()

Offered = dict[str, Callable[[], Any]]


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Offered:
    """What each download button of the files would give."""
    found: Offered = {}

    def download(label: str, content: Callable[[], Any], *names: str, **how: Any) -> None:
        found[label] = content

    monkeypatch.setattr(release_panel, "download", download)
    return found


def ready() -> Driven:
    app = Driven(PAGE).upload("t.csv", TABLE).choose(CHOICE, [1])
    return app.bounds(2, "0", "6")


def header(data: bytes) -> list[str]:
    return next(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_all_files_of_a_release_are_without_what_was_left_out(offered: Offered) -> None:
    app = ready().choose(WITHOUT, [0, 3]).press("Release").awaited()
    assert app.options(WITHOUT) == ["name", "b", "total"]
    for label in ("Download the table", "Download for Excel"):
        assert header(offered[label]()) == ["a", "b"]
    card = json.loads(offered["Card as data"]())
    assert card["unchanged_columns"] == ["b"]
    assert not any("total" in said for said in card["not_covered"])
    page = re.sub("<[^>]+>", "", offered["Privacy card"]())
    assert "Released without noise: b." in page
    assert "omit=[0, 3]" in offered["Python script"]()


def test_a_change_afterwards_draws_and_costs_nothing(offered: Offered) -> None:
    app = ready().press("Release").awaited()
    whole = offered["Download the table"]()
    (release,) = app.releases
    app.choose(WITHOUT, [0])
    narrow = offered["Download the table"]()
    assert header(whole) == ["name", "a", "b", "total"]
    assert narrow == b"".join(line.partition(b",")[2] for line in whole.splitlines(keepends=True))
    (after,) = app.releases
    assert after is release
    app.choose(WITHOUT, [])
    assert offered["Download the table"]() == whole
    assert not any("settings above have changed" in m for m in app.messages("info"))


def test_what_is_not_in_the_file_gives_nothing_away() -> None:
    app = ready()
    assert any("total" in m for m in app.messages("warning"))
    app.choose(WITHOUT, [3])
    assert not any("can be worked out" in m for m in app.messages("warning"))
    app.choose(WITHOUT, [2])
    assert not any("can be worked out" in m for m in app.messages("warning"))
    app.choose(WITHOUT, [0])
    assert any("can be worked out" in m for m in app.messages("warning"))


def test_what_is_privatised_later_is_in_the_file(offered: Offered) -> None:
    app = ready().choose(WITHOUT, [0, 2]).choose(CHOICE, [1, 2]).bounds(3, "0", "30")
    assert app.options(WITHOUT) == ["name", "total"]
    app.press("Release").awaited()
    assert header(offered["Download the table"]()) == ["a", "b", "total"]


def test_of_what_is_kept_only_columns_of_the_table_count(offered: Offered) -> None:
    app = ready()
    app.kept[f"omitted.{read(TABLE).fingerprint}"] = [0, 1, 9, -1]
    app.press("Release").awaited()
    assert not app.messages("error")
    assert header(offered["Download the table"]()) == ["a", "b", "total"]
