"""What the card says of rows that do not line up: what was chosen, truly, and nothing counted."""

from __future__ import annotations

import dataclasses
from typing import Any

import jsonschema
import pytest

from compdp_core.release import ColumnPlan, TableRelease
from compdp_core.report import Card, card_of_table, schema
from compdp_core.tables import read
from tests.unit.release.made import plan_of, released
from tests.unit.report.examples import texts_of

SCORE = plan_of(1)
PLAIN = b"id,score,note\n1,5,x\n2,7,y\n3,6,z\n"

CHOICES: list[tuple[dict[str, Any], str, str | None]] = [
    ({}, "", None),
    ({"short_rows": "complete"}, "were completed with empty cells", "too far to the left"),
    ({"short_rows": "leave out"}, "fewer cells than columns were left out", "fewer cells than"),
    ({"long_rows": "leave out"}, "more cells than columns were left out", "more cells than"),
    (
        {"long_rows": 2},
        "the cell of “note” and the surplus cells behind it were read as one",
        "a wrong column",
    ),
    ({"trailing_cells": "keep"}, "read as separators too many", "a separator stands inside a cell"),
    ({"trailing_cells": "leave out"}, "cells beyond the columns are empty", "has empty cells"),
    (
        {"trailing_cells": 0},
        "with empty cells beyond the columns, the cell of “id” and the surplus cells",
        "a wrong column",
    ),
    ({"comment_rows": "keep"}, "exactly as they came", "exactly as they came, without any noise:"),
    ({"comment_rows": "leave out"}, "begin with # were left out", "begins with #"),
    ({"comment_rows": "row"}, "begin with # were read as rows like any other", None),
    ({"blank_lines": "skip"}, "where they were", "How many blank lines are between the rows"),
]


def drawn_of(data: bytes, plan: ColumnPlan = SCORE, **options: Any) -> TableRelease:
    table = read(data, separator=",", decimal=".", header=True, encoding="utf-8", **options)
    return released(plan, data=table)


def stated(card: Card) -> tuple[str, str]:
    return " ".join(card.rows.alignment), " ".join(card.not_covered)


@pytest.mark.parametrize(("options", "said", "uncovered"), CHOICES, ids=str)
def test_what_was_chosen_is_on_the_card(
    options: dict[str, Any], said: str, uncovered: str | None
) -> None:
    card, bare = (card_of_table(drawn_of(PLAIN, **each)) for each in (options, {}))
    alignment, points = stated(card)
    assert said in alignment
    assert bool(alignment) == bool(options)
    assert len(card.rows.alignment) == len(options)
    more = set(card.not_covered) - set(bare.not_covered)
    assert len(more) == (uncovered is not None)
    assert uncovered is None or uncovered in points
    # Blank lines are rows of one column alone.
    gone = "leave out" in options.values() or options == {"comment_rows": "keep"}
    assert ("no rows are not counted" in card.rows.meaning) == gone
    jsonschema.Draft202012Validator(schema()).validate(card.as_dict())
    assert all(words in card.to_html("protected") for words in card.rows.alignment)


def test_choices_meet_on_one_card() -> None:
    every: dict[str, Any] = dict.fromkeys(("short_rows", "long_rows", "comment_rows"), "leave out")
    alignment, points = stated(card_of_table(drawn_of(PLAIN, **every)))
    assert alignment.count(" left out.") == 3
    assert (
        "That no row is released that has fewer cells than there are columns or has more cells "
        "than there are columns or begins with #; to someone who knows"
    ) in points


@pytest.mark.parametrize(
    ("choice", "said"), [("skip", "taken for no rows"), ("missing", "rows without a value")]
)
def test_blank_lines_of_one_column(choice: Any, said: str) -> None:
    drawn = drawn_of(b"score\n1\n\n3\n", plan_of(), blank_lines=choice)
    card = card_of_table(drawn)
    assert said in stated(card)[0]
    blank = drawn.csv().split(b"\n")[1:-1].count(b"")
    assert (blank, card.rows.count) == ((1, 2) if choice == "skip" else (0, 3))
    assert any("blank lines" in each for each in card.not_covered) == bool(blank)


@pytest.mark.parametrize(
    ("options", "row", "said"),
    [
        ({"short_rows": "complete"}, b"7.125,w\n", "too far to the left"),
        ({"long_rows": 2}, b"Doe, J.,7.125,w\n", "a wrong column"),
        ({"long_rows": 0}, b"4,7.125,w,w\n", "a wrong column"),
    ],
)
def test_values_that_slip_into_another_column_are_warned_of(
    options: dict[str, Any], row: bytes, said: str
) -> None:
    drawn = drawn_of(PLAIN + row, **options)
    assert b"7.125" in drawn.csv()
    assert said in stated(card_of_table(drawn))[1]
    # Without the columns that show them there is nothing to warn of.
    assert b"7.125" not in drawn.csv(omit=[0, 2])
    assert said not in stated(card_of_table(drawn, omit=[0, 2]))[1]


def test_blank_lines_are_no_rows_of_several_columns_whatever_was_chosen() -> None:
    drawn = drawn_of(b"id,score\n1,2\n\n2,3\n", blank_lines="missing")
    assert card_of_table(drawn).rows.alignment == ()
    assert card_of_table(drawn).rows.count == 2


UNEVEN = b"id,score,note\n1,5,x\n# as of 3 May, 4\n2,7,y\n3,6\n4,8,z,1\n# end\n"


@pytest.mark.parametrize("comment", ["keep", "leave out", "row"])
@pytest.mark.parametrize("short", ["complete", "leave out"])
@pytest.mark.parametrize("long", ["leave out", 0, 2])
def test_what_is_said_is_what_is_done(comment: Any, short: Any, long: Any) -> None:
    drawn = drawn_of(UNEVEN, comment_rows=comment, short_rows=short, long_rows=long)
    card, lines = card_of_table(drawn), drawn.csv().decode().splitlines()
    alignment, points = stated(card)
    kept = "taken for comments" in alignment
    assert kept == (comment == "keep") == ("# as of 3 May, 4" in lines)
    assert kept == ("also a true value" in points)
    rows = [line for line in lines[1:] if not (kept and line.startswith("#"))]
    assert len(rows) == card.rows.count
    assert any(row.startswith("#") for row in rows) == (
        "read as rows like any other" in alignment and short == "complete"
    )
    assert any(row.startswith("3,") for row in rows) == ("were completed" in alignment)
    joined = "read as one cell" in alignment
    assert joined == any(row.startswith(("4,", '"4,')) for row in rows)
    again = read("\n".join([lines[0], *rows]).encode(), header=True, comment_rows="row")
    assert again.uneven == ()


def test_kept_comments_stay_whole_where_few_rows_are_left() -> None:
    data = b"id,score,note\n1,5,x\n# a, b, c\n2,,y\n3,,y\n# d, e, f\n4,3,z\n# g, h, i\n"
    drawn = drawn_of(data, plan_of(1, missing="drop"), comment_rows="keep")
    assert card_of_table(drawn).rows.count == 2
    lines = drawn.csv(omit=[0]).splitlines()
    assert [line for line in lines if line.startswith(b"#")] == [
        b"# a, b, c", b"# d, e, f", b"# g, h, i",
    ]  # fmt: skip
    assert [line.count(b",") for line in lines if not line.startswith(b"#")] == [1, 1, 1]


@pytest.mark.parametrize("said", [None, "keep", "leave out"])
def test_what_is_said_of_comments_holds_where_most_rows_begin_with_the_mark_too(said: Any) -> None:
    """Else one row more that begins so would make rows of all others."""
    drawn = drawn_of(b"id,score\n#1,x\n#2,7\n3,6\n", comment_rows=said)
    assert drawn.table.format.comment_rows == said
    assert drawn.row_count == (3 if said is None else 1)
    assert (b"#1" in drawn.csv()) == (said != "leave out")


# Nothing counted: files that differ in such rows alone have the same card

PAIRS: list[tuple[dict[str, Any], bytes, bytes]] = [
    ({"short_rows": "complete"}, PLAIN, PLAIN.replace(b"2,7,y", b"2")),
    ({"short_rows": "leave out"}, PLAIN, PLAIN + b"4,8\n5\n"),
    ({"long_rows": "leave out"}, PLAIN, PLAIN.replace(b"2,7", b"9,9,9,9\n2,7")),
    ({"long_rows": 2}, PLAIN, PLAIN.replace(b"z", b"z,8,8")),
    ({"comment_rows": "keep"}, PLAIN, PLAIN + b"# 77,88\n"),
    ({"comment_rows": "leave out"}, PLAIN, PLAIN + b"# 77,88\n#\n"),
    ({"comment_rows": "row"}, PLAIN, PLAIN.replace(b"2,7", b"#2,7")),
    ({"blank_lines": "skip"}, PLAIN, PLAIN.replace(b"2,7", b"\n\n2,7")),
]


@pytest.mark.parametrize(("options", "one", "other"), PAIRS, ids=str)
def test_how_many_such_rows_there_are_is_told_by_nothing_beside_the_table(
    options: dict[str, Any], one: bytes, other: bytes
) -> None:
    assert texts_of(drawn_of(one, **options)) == texts_of(drawn_of(other, **options))


@pytest.mark.parametrize(("options", "one", "other"), [PAIRS[1], PAIRS[2], PAIRS[4]], ids=str)
def test_a_card_that_told_how_many_there_are_would_be_seen(
    options: dict[str, Any], one: bytes, other: bytes
) -> None:
    """The broken twin of the test above."""

    def telling(drawn: TableRelease) -> Card:
        card, lines = card_of_table(drawn), len(drawn.table.skipped)
        counted = (*card.rows.alignment, f"These were {lines} lines.")
        return dataclasses.replace(card, rows=dataclasses.replace(card.rows, alignment=counted))

    told = [texts_of(drawn_of(data, **options), telling) for data in (one, other)]
    assert told[0] != told[1]


def test_a_fill_hides_which_rows_were_completed() -> None:
    """The released file, too, is the same whether a cell was empty or not there."""
    full, short = PLAIN.replace(b"2,7,y", b"2,,"), PLAIN.replace(b"2,7,y", b"2")
    files = {drawn_of(data, short_rows="complete").csv() for data in (full, short)}
    assert len(files) == 1
