"""Categories: which text is which of them, what is refused, and cells as they stand in files."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core import ColumnPlan
from compdp_core.errors import ParameterError
from compdp_core.release import Plan, PlanError
from compdp_core.tables.categories import OTHER, Categories
from compdp_core.tables.cell_texts import LONGEST
from compdp_core.tables.missing import DEFAULT_MISSING
from compdp_core.tables.reading import read
from compdp_core.tables.table import Table

WORDS = st.text(
    st.characters(
        codec="utf-8", exclude_categories=("C", "Zl", "Zp", "Zs"), exclude_characters="=+-@"
    ),
    min_size=1,
    max_size=12,
)


def file_of(cells: list[str], codec: str = "utf-8") -> Table:
    text = io.StringIO()
    csv.writer(text).writerows([["row", "answer"], *enumerate(cells)])
    form: dict[str, Any] = {"separator": ",", "header": True, "encoding": codec}
    return read(text.getvalue().encode(codec), **form)


def codes_of(cells: list[str], given: Any, codec: str = "utf-8") -> list[int]:
    found = file_of(cells, codec).codes(1, Categories.of(given))
    return [-1 if np.isnan(each) else int(each) for each in found.values]


@given(st.lists(WORDS, min_size=3, max_size=9, unique=True), st.data())
def test_texts_are_what_the_list_says_and_come_back(words: list[str], data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(words) - 2))
    merged = {words[0]: words[:cut], words[cut]: words[cut:-1]}
    categories = Categories.of(merged | ({OTHER: []} if data.draw(st.booleans()) else {}))
    assert Categories.of(categories.as_mapping) == categories == Categories.of(categories)
    codes = categories.codes(np.array([each.encode() for each in words]), "utf-8").tolist()
    last = -1 if categories.other is None else categories.other
    assert codes == [0] * cut + [1] * (len(words) - 1 - cut) + [last]
    plain = Categories.of(words)
    written = plain.write(np.arange(len(words)), "utf-8")
    assert [bytes(each).decode() for each in written] == words
    assert plain.codes(written, "utf-8").tolist() == list(range(len(words)))


CELLS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "yes",
                " yes",
                "yes\t",
                "no",
                "",
                "  ",
                "NA",
                "n/a",
                '"yes"',
                'a"b',
                '"',
                "x" * LONGEST,
            ]
        ),
        st.text(st.sampled_from("yesno\",; \t'é"), max_size=8),
        st.text(st.sampled_from('x"'), min_size=LONGEST - 2, max_size=LONGEST + 3),
    ),
    min_size=1,
    max_size=30,
)
NAMES = {"yes": ["yes", '"yes"'], "no": ["no"], "quoted": ['a"b', '"'], "long": ["x" * LONGEST]}


@given(CELLS, st.booleans(), st.sampled_from(["utf-8", "cp1252", "utf-16"]))
@settings(max_examples=300)
def test_cells_of_a_file_are_looked_up_without_quotes_and_spaces(
    cells: list[str], blank: bool, codec: str
) -> None:
    listed = NAMES | ({"": ["", "?"]} if blank else {}) | {OTHER: []}
    known = {text: i for i, texts in enumerate(listed.values()) for text in texts}
    expected = []
    for cell in cells:
        text = cell.strip(" \t")
        none = text.lower() in {each.lower() for each in DEFAULT_MISSING}
        expected.append(known.get("" if none else text, -1 if none else len(listed) - 1))
    assert codes_of(cells, listed, codec) == expected


def test_a_long_cell_is_no_other_text() -> None:
    """Not even where what is cut off is all that tells it from a listed one."""
    long = "x" * LONGEST
    for tail in ("y", '"', '""', " y"):
        assert codes_of([long, long + tail], [long, "no"]) == [0, -1]
        assert codes_of([long, long + tail], [long, "no", OTHER]) == [0, 2]
    halves = '"' * LONGEST
    assert codes_of([halves, halves + '"'], [halves, "no"]) == [0, -1]


def test_a_listed_text_is_a_category_though_it_is_a_missing_spelling() -> None:
    severity = ["none", "mild", "severe"]
    assert codes_of(["none", "NONE", "mild", "unknown", ""], severity) == [0, -1, 1, -1, -1]
    assert codes_of(["none", "unknown", "else"], [*severity, OTHER]) == [0, -1, 3]
    assert codes_of(["none", "unknown", "", "else"], [*severity, ""]) == [0, 3, 3, -1]


def test_a_name_that_the_file_cannot_hold_is_none_of_its_cells() -> None:
    assert codes_of(["?", "x"], ["да", "x"], "cp1252") == [-1, 1]


@pytest.mark.parametrize(
    ("names", "scores"),
    [
        (["1", "2", "5"], (1, 2, 5)),
        ([0, 1, 2], (0, 1, 2)),
        (["0.0", "1.0"], (0, 1)),
        (["-1", "0"], (-1, 0)),
        (["2", "1"], (1, 2)),
        (["low", "high", "3"], (1, 2, 3)),
        (["1.5", "2"], (1, 2)),
    ],
)
def test_scores_are_own_whole_numbers_that_rise_or_places(
    names: list[Any], scores: tuple[float, ...]
) -> None:
    assert Categories.of(names).scores == scores


@pytest.mark.parametrize(
    "given",
    [
        None, "yes", b"yes", 5, ["yes"], [], {}, {"yes", "no"}, frozenset("ab"), iter("ab"),
        np.array(["yes", "no"]), pd.Series(["yes", "no"]), pd.Index(["yes", "no"]),
        ["yes", float("nan")], ["yes", None], ["yes", True], ["yes", 1.0], ["yes", ["no"]],
        ["yes", b"no"], {"yes": "yes", "no": "no"}, {"yes": None, "no": ["no"]},
        {"yes": {"yes"}, "no": ["no"]}, {1.5: ["a"], "b": ["b"]},
        ["yes", "yes"], ["yes", " yes"], ["yes", "yes\u00a0"], {"yes": ["y", "y"], "no": ["n"]},
        {"yes": ["y"], "no": ["y"]}, {"yes": ["y"], "no": [" y "]}, {"a": [], "b": [], "c": ["c"]},
        [OTHER, OTHER], ["a\nb", "c"], ["a\x00", "c"], ["a\u2028b", "c"], ["a\tb", "c"],
        ["\ud800", "c"], ["x" * (LONGEST + 1), "c"], ["é" * LONGEST, "c"],
        ["=1+1", "c"], ["@SUM(A1)", "c"], ["+A1", "c"], ["-A1", "c"], ["=5", "c"], [" =A1", "c"],
        {"=A1": ["a"], "c": ["c"]},
    ],
)  # fmt: skip
def test_what_is_no_list_is_refused(given: Any) -> None:
    with pytest.raises(ParameterError, match="categories") as refusal:
        Categories.of(given)
    assert "x" * 100 not in str(refusal.value)


def test_uneven_parts_are_refused() -> None:
    with pytest.raises(ParameterError, match="members must be 2"):
        Categories(("a", "b"), (("a",),))


@pytest.mark.parametrize(
    "given",
    [["-5", "+3"], ["+", "-"], ["--", "x"], ["10-19", "65+"], {"minus": ["-A1"], "c": ["=c"]}],
)
def test_numbers_and_signs_are_names(given: Any) -> None:
    assert len(Categories.of(given)) == 2


def category(**more: Any) -> ColumnPlan:
    return ColumnPlan(0, epsilon=1, kind="category", **more)


@pytest.mark.parametrize(
    "more",
    [
        {"categories": ["a", "b"], "missing": "keep", "missing_as": "a"},
        {"categories": ["a", "b"], "missing_as": "b"},
        {"categories": ["a", ""], "missing": "keep"},
    ],
)
def test_missing_cells_do_not_look_like_a_category(more: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="missing_as must not be the name of a category"):
        category(**more)


def test_cells_of_rows_that_answer_others_do_not_look_like_a_category() -> None:
    plans = [category(categories=["a", ""]), ColumnPlan(1, (0, 1), 1)]
    assert Plan(tuple(plans)).answered is None
    with pytest.raises(PlanError, match="the name of a category"):
        Plan(tuple(plans), answered=1)
