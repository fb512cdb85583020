"""What the card says of the cells of a column, against the bytes that are released."""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import Any

import pytest

from compdp_core.release import TableRelease
from compdp_core.report import card_of_table
from compdp_core.report.card_parts import CellFormat, Item
from compdp_core.tables import Table, read
from tests.unit.release.made import plan_of, released

COLUMN = b'"1,5"\n2\n\nNA\n"3,0"\nx\n'
"""Of one column; a blank line among them."""


def table_of(separator: str, decimal: str, quote: str = '"') -> Table:
    cells = [' "1.250" ', "2.5", "", "NA", "n. a.", "7,25", "-3", "1e1", "word"]
    cells = [cell if separator not in cell else f'"{cell}"' for cell in cells]
    rows = "".join(f"{cell}{separator}{i}\n" for i, cell in enumerate(cells))
    data = f"score{separator}id\n{rows}".encode()
    if not quote:
        data = data.replace(b'"', b"")
    return read(data, separator=separator, decimal=decimal, quote=quote, header=True)


def item(drawn: TableRelease, **options: Any) -> Item:
    return card_of_table(drawn, **options).items[0]


def raw_cells(data: bytes, separator: str) -> list[str]:
    """The first cells of all rows with their quotes; rows with nothing at all, too."""
    lines = data.decode("utf-8-sig").split("\n")[1:-1]
    mark = re.escape(separator)
    found = [re.match(rf'("(?:[^"]|"")*"|[^{mark}"]*)(?:{mark}|$)', line) for line in lines]
    assert all(found)
    return [each[1] for each in found if each]


def is_true(cells: CellFormat, raw: list[str], policy: str) -> bool:
    number = re.compile(
        rf"-?\d+{re.escape(cells.decimal or '')}\d{{{cells.decimals}}}"
        if cells.decimals
        else r"-?\d+"
    )
    kinds: dict[str, set[bool]] = {"number": set(), "missing": set()}
    for each in raw:
        bare = each[1:-1].replace('""', '"') if each.startswith('"') else each
        kind = "number" if number.fullmatch(bare) else "missing"
        if kind == "missing" and bare != cells.missing:
            return False
        kinds[kind].add(each.startswith('"'))
    if (cells.missing is None) != (policy != "keep"):
        return False
    said = {
        "No cell is": ({False}, {False}),
        "Every cell is": ({True}, {True}),
        "Every number is": ({True}, {False}),
        "Every missing cell is": ({False}, {True}),
    }
    expected = next(both for start, both in said.items() if cells.quotes.startswith(start))
    return kinds["number"] <= expected[0] and kinds["missing"] <= expected[1]


CASES: list[tuple[str, str, Any, str, Any, bool]] = [
    (separator, decimal, own, written, policy, whole)
    for separator, decimal, own, written, policy, whole in itertools.product(
        (",", ";"), ".,", (None, ".", ","), ("", "NA", "not, known", 'so "said"'),
        ("keep", "fill", "drop"), (False, True),
    )
    if (policy == "keep" and own != ".") or (written, own) == ("", None)
]  # fmt: skip


@pytest.mark.parametrize("excel", [False, True])
def test_every_cell_is_written_as_the_card_says(excel: bool) -> None:
    seen = set()
    for separator, decimal, own, written, policy, whole in CASES:
        plan = plan_of(decimal=own, missing_as=written, missing=policy, whole=whole)
        drawn = released(plan, data=table_of(separator, decimal), seed=5)
        cells = item(drawn).cells
        assert cells is not None
        assert cells.decimals is not None
        assert (cells.decimal, cells.decimals == 0) == (own or decimal, whole)
        raw = raw_cells(drawn.csv(excel=excel), separator)
        assert len(raw) == drawn.row_count
        assert is_true(cells, raw, policy), (cells, raw)
        seen.add(cells.quotes)
        # Broken twins: a card that says something else of the same bytes.
        twins: list[CellFormat] = [dataclasses.replace(cells, decimals=cells.decimals + 1)]
        if policy == "keep":
            twins.append(dataclasses.replace(cells, missing=f"{written}x"))
        if not whole:
            other: Any = "." if cells.decimal == "," else ","
            twins.append(dataclasses.replace(cells, decimal=other))
        every = cells.quotes.startswith("No cell")
        twins.append(dataclasses.replace(cells, quotes="Every cell is" if every else "No cell is"))
        assert not any(is_true(twin, raw, policy) for twin in twins)
    assert len(seen) == 4


@pytest.mark.parametrize(("blank", "gaps"), [("skip", 2), ("missing", 3)])
def test_an_empty_cell_alone_in_its_row_is_in_quotes(blank: Any, gaps: int) -> None:
    table = read(b"score\n" + COLUMN, separator=",", decimal=",", header=True, blank_lines=blank)
    plan = plan_of(missing="keep", whole=True)
    drawn = released(plan, data=table)
    cells = item(drawn).cells
    assert cells == CellFormat(",", 0, "", "Every missing cell is in quotes, and no number is.")
    lines = drawn.csv().split(b"\n")
    assert lines.count(b'""') == gaps
    assert lines[1:-1].count(b"") == (blank == "skip")
    # Alone because all others are left out of the file.
    wide = released(plan, data=table_of(",", "."))
    assert item(wide).cells == CellFormat(".", 0, "", "No cell is in quotes.")
    assert item(wide, omit=[1]).cells == CellFormat(".", 0, "", cells.quotes)
    assert wide.csv(omit=[1]).split(b"\n").count(b'""') == 5


def test_a_file_without_quotes_has_none() -> None:
    drawn = released(plan_of(missing="keep"), data=table_of(";", ",", quote=""))
    cells = item(drawn).cells
    assert cells is not None
    assert cells.quotes == "No cell is in quotes."
    assert is_true(cells, raw_cells(drawn.csv(), ";"), "keep")


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ({}, "and a point as decimal mark, without thousands marks, symbols or spaces. No cell"),
        ({"decimal": ","}, "and a comma as decimal mark"),
        ({"whole": True}, "All alike: without decimals, without"),
        ({"missing": "keep"}, "; missing cells empty. No cell is in quotes."),
        ({"missing": "keep", "missing_as": "<NA>"}, "; missing cells as “&lt;NA&gt;”."),
    ],
    ids=str,
)
def test_the_page_says_it_in_words(plan: dict[str, Any], said: str) -> None:
    page = card_of_table(released(plan_of(**plan), data=table_of(";", "."))).to_html("items")
    assert "How its cells are written" in page
    assert said in page


def test_missing_cells_that_are_kept_are_said_to_be_alike() -> None:
    plan = plan_of(missing="keep", missing_as="NA")
    missing = item(released(plan, data=table_of(";", "."))).missing
    assert "all such cells are written alike" in missing.meaning
    assert "nothing of what stood there instead" in missing.reveals
    assert "no number, as the column was declared, counts as missing" in missing.meaning
