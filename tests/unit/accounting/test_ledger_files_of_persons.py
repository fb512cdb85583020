"""Whose cost it is stays with a release in every file, and files of before are about rows."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from compdp_core.accounting import (
    Group,
    Keys,
    Ledger,
    LedgerConflictError,
    LedgerFormatError,
    Neighbours,
    Person,
    Spend,
)
from compdp_core.errors import ParameterError
from tests.unit.accounting.test_ledger import GONE

PLACES = [("entry 2", "person"), ("entry 2", "persons_read_as"), ("group of entry 2", "draw")]
EARLIER = Path(__file__).parent / "earlier"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TABLE, ROWS, PERSONS = "0" * 64, "f" * 64, "e" * 64
PATIENT = Person(("clinic", "patient"), 3, "refuse", groups=2)


def spend(id: str, epsilon: str, group: Group | None = None, **more: Any) -> Spend:
    return Spend(
        "mean of bmi", "statistic", TABLE, ["bmi", "ward"], epsilon,
        group=group, id=id, when=NOON, **more,
    )  # fmt: skip


def book(keys: Keys) -> Ledger:
    one, two = (Group("ward", name, ROWS, "draw 1") for name in ("north", "south"))
    whose = {"person": PATIENT, "persons_read_as": PERSONS}
    return Ledger(
        [
            spend("a", "1/9"),
            spend("b", "0.25", one, neighbours=Neighbours.ADD_OR_REMOVE_ONE, **whose),
            spend("c", "0.5", two, **whose),
        ],
        limit="2.5",
        keys=keys,
    )


OWN = Keys((bytes(range(32)),))
BOOK = book(OWN)


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_before_is_read_as_rows_and_costs_what_it_did(version: int) -> None:
    """Both were written by the versions they are of, and so were the totals."""
    read = Ledger.from_json((EARLIER / f"ledger_{version}.json").read_bytes())
    assert [each.person for each in read.entries] == [None] * 4
    assert read.total_by_dataset(TABLE) == Fraction(31, 36)
    assert read.total_by_column(TABLE) == {"bmi": Fraction(31, 36), "ward": Fraction(31, 36)}
    assert read.total_by_dataset("visits 2025") == 2
    assert read.persons(TABLE) == ()
    totals = [line["total_for_dataset"] for line in csv.DictReader(io.StringIO(read.to_csv()))]
    assert totals == ["1/9", "11/18", "31/36", "2"]
    again = Ledger.from_json(read.to_json())
    assert again == read
    assert json.loads(again.to_json())["schema"] == "composite-dp/ledger/3"


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(("place", "name"), PLACES)
def test_a_file_of_before_knows_no_persons(version: int, place: str, name: str) -> None:
    document = json.loads((EARLIER / f"ledger_{version}.json").read_text())
    entry = document["entries"][1]
    (entry["group"] if name == "draw" else entry)[name] = None
    with pytest.raises(LedgerFormatError) as caught:
        Ledger.from_json(json.dumps(document))
    assert caught.value.where == place


def test_the_third_form_is_as_it_is() -> None:
    """Files that people have saved by now must stay readable."""
    saved = (EARLIER / "ledger_3.json").read_text(encoding="utf-8")
    assert BOOK.to_json() == saved
    read = Ledger.from_json(saved)
    assert read == BOOK
    assert read.entries[2].person == PATIENT
    # One row costs 1/9 and a person has 3; of two groups in one draw a person may be in both.
    assert read.total_by_dataset(TABLE) == Fraction(3, 9) + 2 * Fraction(1, 4) + Fraction(1, 2)
    assert Ledger.from_json(BOOK.to_json_to_hand_on()).entries == BOOK.entries


WHOLE: list[object] = [None, True, "3", 3.0, 2.5, math.nan, math.inf, [3], 0, -1, 10**10, 10**400]
NO_PERSON: list[tuple[str, list[object]]] = [
    ("by", ["patient", None, {"p": 1}, 7, [], ["p", "p"], [None], [["p"]], ["\ud800"]]),
    ("at_most", WHOLE),
    ("groups", WHOLE),
    ("beyond", [None, "keep", "", ["refuse"], "\ud800"]),
    ("more", [1]),
]


@pytest.mark.parametrize(
    "person",
    [
        *([], "patient", 3, {}, {"by": ["p"], "at_most": 3}),
        *(({"by": ["p"], "at_most": 3, "beyond": "refuse", "groups": 1} | {name: value})
          for name, values in NO_PERSON for value in values),
    ],
)  # fmt: skip
def test_what_is_no_person_is_refused_with_its_place(person: object) -> None:
    document = json.loads(BOOK.to_json())
    document["entries"][1]["person"] = person
    with pytest.raises(LedgerFormatError) as caught:
        Ledger.from_json(json.dumps(document))
    assert caught.value.where.endswith("entry 2")
    assert str(caught.value).encode()


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        *((place, name, GONE) for place, name in PLACES),
        *(
            ("entry 2", name, each)
            for name in ("draw", "persons_read_as")
            for each in (None, 7, ["1"], "\ud800")
        ),
        ("entry 1", "persons_read_as", "a reading of nobody"),
    ],
)
def test_what_is_no_draw_or_reading_or_is_not_said_is_refused_with_its_place(
    place: str, name: str, value: object
) -> None:
    document = json.loads(BOOK.to_json())
    entry = document["entries"][int(place[-1]) - 1]
    inner = entry["group"] if name == "draw" else entry
    inner[name] = value
    if value is GONE:
        del inner[name]
    with pytest.raises(LedgerFormatError) as caught:
        Ledger.from_json(json.dumps(document, default=str))
    assert caught.value.where == place


@pytest.mark.parametrize("person", ["patient", ("patient", 3), 3, Person, Person("\ud800", 3)])
def test_a_spend_is_for_a_person_or_for_a_row(person: Any) -> None:
    with pytest.raises(ParameterError) as caught:
        replace(spend("a", "1"), person=person)
    assert caught.value.name == "person"
    assert str(caught.value).encode()


def test_the_csv_says_whose_cost_it_is() -> None:
    lines = list(csv.DictReader(io.StringIO(BOOK.to_csv())))
    names = ("person", "rows_of_a_person", "beyond", "groups_of_a_person", "draw")
    assert list(lines[0])[-7:] == ["draw", *names[:4], "persons_read_as", "state"]
    label = OWN.label(PERSONS, "rows")
    assert [line["persons_read_as"] for line in lines] == ["", label, label]
    assert [[line[name] for name in names] for line in lines] == [
        [""] * 5,
        *([["clinic; patient", "3", "refuse", "2", "draw 1"]] * 2),
    ]
    assert [line["total_for_dataset"] for line in lines] == ["1/9", "5/6", "4/3"]
    risky = Ledger([replace(spend("a", "1"), person=Person("=SUM(1)", 2))])
    assert "'=SUM(1)" in risky.to_csv()


def test_merging_keeps_whose_cost_it_is() -> None:
    """Also of one release under labels of two keys, which tells that they are one table."""
    other = book(Keys((bytes([7]) * 32,)))
    for merged in (BOOK.merge(other), Ledger().merge(BOOK), BOOK.merge(Ledger())):
        assert [each.person for each in merged.entries] == [None, PATIENT, PATIENT]
        assert [each.group and each.group.draw for each in merged.entries][1:] == ["draw 1"] * 2
        assert merged.total_by_dataset(TABLE) == BOOK.total_by_dataset(TABLE)
        assert (
            len(merged.datasets) == len({each.persons_read_as for each in merged.entries[1:]}) == 1
        )
    for person in (replace(PATIENT, at_most=2), replace(PATIENT, by=("patient", "clinic"))):
        edited = replace(BOOK.entries[1], person=person)
        with pytest.raises(LedgerConflictError):
            BOOK.merge(Ledger([edited]))
    for reading in ("", "another", OWN.label("d" * 64, "rows")):
        with pytest.raises(LedgerConflictError):
            BOOK.merge(Ledger([replace(BOOK.entries[1], persons_read_as=reading)]))
    with pytest.raises(LedgerConflictError):
        BOOK.merge(Ledger([replace(BOOK.entries[1], person=None, persons_read_as="")]))
    group = replace(BOOK.entries[1].group or Group("", ""), draw="another")
    with pytest.raises(LedgerConflictError):
        BOOK.merge(Ledger([replace(BOOK.entries[1], group=group)]))
