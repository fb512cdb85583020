"""Columns that say whose a row is, and categories that do not."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from compdp_core.errors import CompdpError
from compdp_core.tables import read
from compdp_core.tables.repeats import repeated_identifiers
from tests.unit.tables.files import FILES, ODDITIES

E06 = (
    b"patient_id,visit,bp\n"
    b"P1,1,120\nP1,2,125\nP1,3,118\nP2,1,140\nP2,2,138\nP3,1,110\n"
)  # fmt: skip
SAMPLES = {
    path.stem: path.read_bytes() for path in (Path(__file__).parents[3] / "assets").glob("*.csv")
}


def column(header: str, cells: list[str]) -> bytes:
    return "\n".join([f"{header},score", *(f"{c},{i}.5" for i, c in enumerate(cells))]).encode()


def found(data: bytes) -> list[str]:
    return [each.label for each in repeated_identifiers(read(data))]


def test_patients_with_several_visits() -> None:
    (each,) = repeated_identifiers(read(E06))
    assert (each.position, each.label, each.values, each.rows) == (0, "patient_id", 3, 6)
    assert "3" not in repr(each)  # how many there are stays out of logs


@pytest.mark.parametrize(
    "header",
    ["id", "PatientID", "patient no", "pupil", "Student", "subject_id", "person_code", "user id",
     "userId", "customer", "name", "Full name", "E-Mail", "e_mail", "Versuchsperson", "Schüler-Nr",
     "nr"],
)  # fmt: skip
def test_a_word_for_a_person_or_its_number(header: str) -> None:
    assert found(column(header, ["a1", "a1", "b1", "b1", "c1", "d1"])) == [header]


@pytest.mark.parametrize(
    "header",
    ["class", "class_id", "user type", "patient age", "student group", "sex", "ward", "sku",
     "product name", "visit id", "score 2", "school name", "date", "number of visits", "idea",
     "kind", "subject", "children", "patients", "people"],
)  # fmt: skip
def test_what_many_share_is_none(header: str) -> None:
    assert not found(column(header, ["a1", "a1", "b1", "b1", "c1", "d1"]))


@pytest.mark.parametrize(
    ("cells", "seen"),
    [
        ([f"{i % 30:03d}" for i in range(90)], True),
        ([f"R{i % 30:04d}" for i in range(90)], True),
        ([f"p{i % 3}@mail.example" for i in range(9)], True),
        ([f"{7 + i % 4}{'abcd'[i % 3]}" for i in range(90)], False),  # classes
        ([f"2024-05-{1 + i % 30:02d}" for i in range(90)], False),  # days
        ([f"{8 + i % 12:02d}:15" for i in range(90)], False),  # hours
        ([f"{i % 40 + 100}" for i in range(90)], False),  # whole numbers
        ([f"word{'abcdefghij'[i % 10]}" for i in range(90)], False),
        ([f"A{i % 5:02d}" for i in range(90)], False),  # a handful
    ],
)
def test_codes_where_the_name_says_nothing(cells: list[str], seen: bool) -> None:
    assert bool(found(column("x", cells))) is seen


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2", "3", "4"],  # nobody twice
        ["1", "", "", "2", "3"],  # blanks are no ID
        ["yes", "no", "yes", "no"],  # a patient or none
        ["1.5", "1.5", "2.5", "3.5"],
        ["Ann", "Ann", *(f"pupil {'abcdefghijklmnopqrst'[i]}" for i in range(20))],
    ],
)
def test_nothing_that_repeats_as_an_id_does(cells: list[str]) -> None:
    header = "name" if "Ann" in cells else "patient"
    assert not found(column(header, cells))


@pytest.mark.parametrize("name", [*FILES, *ODDITIES, *SAMPLES])
def test_no_false_alarm_in_the_field(name: str) -> None:
    data = (FILES | ODDITIES | SAMPLES)[name]
    try:
        read(data)
    except CompdpError:
        return
    # The runners of the sample have 25 runs each.
    assert found(data) == (["runner"] if name == "running_watch" else [])


def test_a_large_table_takes_little_memory() -> None:
    cells = [f"{i % 20_000:05d}" for i in range(100_000)]
    table = read(column("code of nothing", cells))
    tracemalloc.start()
    assert [each.label for each in repeated_identifiers(table)] == ["code of nothing"]
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()
