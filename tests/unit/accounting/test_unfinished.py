"""The mark of a run that is not done: counted in full, kept in files, gone once it is known."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest

from compdp_core.accounting import (
    UNFINISHED,
    BudgetExceededError,
    Ledger,
    LedgerConflictError,
    LedgerFormatError,
    Spend,
)
from compdp_core.errors import ParameterError

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HASH = 32 * "0f"
DONE, MARKED = "composite-dp/ledger/3", "composite-dp/ledger/4"


def spend(name: str = "a", epsilon: str = "1/2", dataset: str = "d") -> Spend:
    return Spend(f"column {name}", "column", dataset, [name], epsilon, id=name, when=NOON)


def test_a_release_that_broke_off_costs_as_much_as_one_that_did_not() -> None:
    whole, broken = Ledger([spend()], 1), Ledger([spend().begun], 1)
    assert broken.total_by_dataset("d") == whole.total_by_dataset("d") == Fraction(1, 2)
    assert broken.total_by_column("d") == whole.total_by_column("d")
    assert broken.room(spend("b")) == whole.room(spend("b"))
    with pytest.raises(BudgetExceededError):
        broken.charge(spend("b", "0.6"))


def test_a_file_with_a_mark_has_a_schema_that_earlier_programs_refuse() -> None:
    book = Ledger([spend("a").begun, spend("b")], 2)
    document = json.loads(book.to_json())
    assert document["schema"] == MARKED
    assert [entry["unfinished"] for entry in document["entries"]] == [True, False]
    assert Ledger.from_json(book.to_json()) == book
    # Without one it is what it was, so that earlier programs open it.
    done = json.loads(book.finish("a").to_json())
    assert done["schema"] == DONE
    assert "unfinished" not in done["entries"][0]
    assert not any(each.unfinished for each in Ledger.from_json(json.dumps(done)).entries)


@pytest.mark.parametrize("value", [1, "true", None, [True]])
def test_what_is_no_mark_is_refused_with_its_place(value: object) -> None:
    document = json.loads(Ledger([spend("a").begun]).to_json())
    document["entries"][0]["unfinished"] = value
    with pytest.raises(LedgerFormatError) as caught:
        Ledger.from_json(json.dumps(document))
    assert caught.value.where == "unfinished of entry 1"


@pytest.mark.parametrize(("schema", "mark"), [(DONE, True), (MARKED, None)])
def test_a_schema_holds_what_it_says(schema: str, mark: bool | None) -> None:
    document = json.loads(Ledger([spend("a").begun]).to_json())
    document["schema"] = schema
    if mark is None:
        del document["entries"][0]["unfinished"]
    with pytest.raises(LedgerFormatError) as caught:
        Ledger.from_json(json.dumps(document))
    assert caught.value.where == "entry 1"


@pytest.mark.parametrize("mark", ["yes", 1, None])
def test_a_mark_is_true_or_false(mark: Any) -> None:
    with pytest.raises(ParameterError) as caught:
        replace(spend(), unfinished=mark)
    assert caught.value.name == "unfinished"


@pytest.mark.parametrize("one", [spend(), spend().begun])
@pytest.mark.parametrize("other", [spend(), spend().begun])
def test_of_two_copies_of_a_release_the_finished_one_is_right(one: Spend, other: Spend) -> None:
    for merged in (Ledger([one]).merge(Ledger([other])), Ledger([one, other])):
        (left,) = merged.entries
        assert left.unfinished == (one.unfinished and other.unfinished)
        assert merged.total_by_dataset("d") == Fraction(1, 2)


def test_it_is_so_for_copies_under_labels_of_two_keys() -> None:
    mine, theirs = Ledger([spend(dataset=HASH).begun]), Ledger([spend(dataset=HASH)])
    assert mine.keys.secrets != theirs.keys.secrets
    merged = mine.merge(theirs)
    assert [each.unfinished for each in merged.entries] == [False]
    assert merged.recognise(HASH).total_by_dataset(HASH) == Fraction(1, 2)


def test_a_mark_hides_no_alteration() -> None:
    with pytest.raises(LedgerConflictError):
        Ledger([spend().begun]).merge(Ledger([spend(epsilon="0.1")]))


def test_only_what_is_there_can_be_finished() -> None:
    book = Ledger([spend("a").begun, spend("b").begun])
    assert [each.unfinished for each in book.finish("b").entries] == [True, False]
    assert book.finish() == book
    for wrong in ("c", 7):
        with pytest.raises(ParameterError):
            book.finish(wrong)  # type: ignore[arg-type]


def test_the_csv_says_what_the_mark_means() -> None:
    lines = csv.DictReader(io.StringIO(Ledger([spend("a").begun, spend("b")]).to_csv()))
    assert [line["state"] for line in lines] == [UNFINISHED, ""]
