"""Why a column is refused: the true reason with a cell, and what is missing without being told."""

from __future__ import annotations

import pytest

from compdp_core.tables import DEFAULT_MISSING, Affix, Column, Mixture, read


def column_of(cells: list[str], name: str = "x") -> Column:
    lines = [f"row;{name}"] + [f"r{i};{cell}" for i, cell in enumerate(cells)]
    return read("\n".join(lines).encode(), separator=";", decimal=".", header=True).columns[1]


@pytest.mark.parametrize(
    "cells",
    [
        ["7a", "7b", "8a"],
        ["7", "8", "7a"],
        ["7A", "7B", "8C", "9"],
        ["1st", "2nd", "3rd", "4th"],
        ["34m", "27f", "41m"],
        ["12", "15 or so", "9k", "8 kk"],
        ["1500", "12k"],
    ],
)
def test_letters_that_are_no_unit_are_called_that(cells: list[str]) -> None:
    column = column_of(cells)
    wrong = next(cell for cell in cells if not cell.isdigit())
    assert column.affix is None
    assert f"such as {wrong!r} in row {cells.index(wrong) + 1}" in column.refusal
    assert "different symbols or units" not in column.refusal
    assert "taken off" not in column.refusal


def test_classes_are_named_and_left_as_they_are() -> None:
    reason = column_of(["71", "64", "7a", "58"]).refusal
    assert reason == (
        "1 cell is no number, such as '7a' in row 3: the letters 'a' behind it are no unit that "
        "all cells share. If these are names, as of classes, leave the column as it is; else "
        "correct them, or add this spelling to the missing ones."
    )


@pytest.mark.parametrize(
    ("cells", "one", "other"),
    [
        (["172 cm", "1.68 m"], "172 cm", "1.68 m"),
        (["5 mg/dL", "3 mmol/L", "4"], "5 mg/dL", "3 mmol/L"),
        (["$5", "5 EUR"], "$5", "5 EUR"),
        (["12k", "1.5M"], "12k", "1.5M"),
        (["12%", "3‰"], "12%", "3‰"),
    ],
)
def test_two_units_are_still_two_units(cells: list[str], one: str, other: str) -> None:
    column = column_of(cells)
    assert column.affix == Mixture(one, other)
    assert "different symbols or units" in column.refusal


def test_any_letters_are_a_unit_where_every_cell_carries_them() -> None:
    column = column_of(["12 widgets", "7 widgets", "NA"])
    assert column.affix == Affix(suffix="widgets")
    assert "plain" in column.refusal


def test_plain_numbers_beside_a_unit_are_counted_before_they_are_taken_for_it() -> None:
    assert "2 cells are plain numbers already and would count as the same" in column_of(
        ["172 cm", "168", "181"]
    ).refusal  # fmt: skip
    assert "already" not in column_of(["172 cm", "168 cm"]).refusal
    assert "already" not in column_of(["(35.00)", "20.00"]).refusal


def test_a_cell_of_a_megabyte_is_cut_in_messages() -> None:
    column = column_of(["5", "x" * 2**20, "6"], name="n" * 2**20)
    assert len(column.refusal) < 200
    assert len(column.label) == 200
    assert column.header == "n" * 2**20


def test_long_names_that_end_apart_are_told_apart() -> None:
    data = f"{'q' * 300}1,{'q' * 300}2\n1,2\n".encode()
    labels = [column.label for column in read(data).columns]
    assert len(set(labels)) == 2
    assert all("(column" in label for label in labels)


@pytest.mark.parametrize("spelling", [s for s in DEFAULT_MISSING if s])
def test_every_default_spelling_is_counted_and_listed(spelling: str) -> None:
    for typed in (spelling, spelling.upper(), f" {spelling} "):
        column = column_of(["5", typed, "6"])
        assert column.usable, column.refusal
        expected = {spelling} if typed.strip() == spelling else {spelling, typed.strip().lower()}
        ((found, times),) = column.missing_spellings
        assert times == 1
        assert found.lower() in {e.lower() for e in expected}


def test_no_default_spelling_is_a_number_or_doubled() -> None:
    folded = [spelling.lower() for spelling in DEFAULT_MISSING]
    assert len(set(folded)) == len(folded)
    for spelling in folded[1:]:
        assert column_of([spelling, "x"]).numbers == 0


def test_in_a_column_of_words_they_stay_words() -> None:
    column = column_of(["absent", "present", "not measured", "unknown"])
    assert column.missing == 0
    assert column.missing_spellings == ()
    assert column.texts == 4


def test_not_measured_is_missing_until_the_owner_says_otherwise() -> None:
    data = b"id,score\n1,71\n2,not measured\n3,Not Measured\n4,64\n"
    score = read(data).columns[1]
    assert score.usable
    assert score.missing_spellings == (("not measured", 2),)
    without = read(data, missing=["NA"]).columns[1]
    assert "'not measured' in row 2" in without.refusal
