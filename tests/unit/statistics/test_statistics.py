"""Answers against the standard library, and refusals that tell nothing."""

from __future__ import annotations

import math
import statistics as stdlib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import BoundsError, MissingValueError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.statistics import (
    COMPARISONS,
    STATISTICS,
    AllOf,
    Comparison,
    Condition,
    ConditionError,
    Count,
    Grouping,
    Maximum,
    Mean,
    Median,
    Minimum,
    Mode,
    Neighbours,
    NotOfferedError,
    PublicFacts,
    Selection,
    Statistic,
    Sum,
    TooFewRowsError,
    UnlistedCategoryError,
    ValuesError,
    Variance,
)
from compdp_core.statistics.exact import squared_deviation, total
from compdp_core.tables import read
from tests.naming import shown

ADD = Neighbours.ADD_OR_REMOVE_ONE


def smallest_mode(values: list[Fraction]) -> Fraction:
    counts = Counter(values)
    return min(value for value, count in counts.items() if count == max(counts.values()))


REFERENCES: list[tuple[Statistic, Callable[[list[Fraction]], Any]]] = [
    (Count(), len),
    (Sum(), sum),
    (Mean(), stdlib.mean),
    (Variance(), stdlib.pvariance),
    (Variance(ddof=1), stdlib.variance),
    (Minimum(), min),
    (Maximum(), max),
    (Median(), stdlib.median_low),
    (Median("upper"), stdlib.median_high),
    (Median("mid"), stdlib.median),
    (Mode(), smallest_mode),
]
ALL = [statistic for statistic, _ in REFERENCES]

numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.0, -0.0, 0.1, 1e-300, 5e-324, -1e300, math.inf])


class TestAnswers:
    @pytest.mark.parametrize(("statistic", "reference"), REFERENCES, ids=shown)
    @given(values=st.lists(numbers, min_size=2, max_size=12))
    def test_are_exact_on_the_clamped_values(
        self, statistic: Statistic, reference: Callable[[list[Fraction]], Any], values: list[float]
    ) -> None:
        lower, upper = -0.3, 1e3
        clamped = [Fraction(min(max(value, lower), upper)) for value in values]
        question = statistic.ask(values, (lower, upper))
        assert question.exact == reference(clamped)
        assert question.value == float(reference(clamped))
        assert question.range.contains(question.value)

    def test_no_digit_is_lost(self) -> None:
        """A float sum of these gives 0, and a float variance of the second list 0 or worse."""
        assert total(np.array([1e300, 1.0, -1e300, 1e-300])) == 1 + Fraction(1e-300)
        assert squared_deviation(np.array([1e15, 1e15 + 1, 1e15 + 2, 1e15 + 3])) == 20
        assert total(np.array([])) == 0
        assert total(np.array([0.0, -0.0])) == 0

    def test_numbers_of_any_type_are_the_same_numbers(self) -> None:
        expected = Mean().ask([1.0, 2.0, 6.0], (0, 10))
        same: tuple[Any, ...] = (
            [1, 2, 6],
            (1, 2, 6),
            np.array([1, 2, 6], dtype=np.int8),
            np.array([1, 2, 6], dtype=object),
            pd.Series([1, 2, 6], index=[7, 7, 8]),
            pd.Series([1, 2, 6], dtype="Int64"),
        )
        for values in same:
            assert Mean().ask(values, (0, 10)) == expected
        assert Sum().ask([True, False, True], (0, 1)).value == 2

    def test_ties_of_the_mode_go_to_the_smallest(self) -> None:
        assert Mode().ask([9, 5, 5, 2, 2, 9], (0, 10)).value == 2
        # Clamping makes 30 and 40 the same value, which then is the most frequent one.
        assert Mode().ask([1, 2, 30, 40], (0, 10)).value == 10

    def test_whole_columns_give_whole_answers(self) -> None:
        assert Sum().ask([1, 2], (0, 10), whole_numbers=True).plan.whole
        assert not Sum().ask([1, 2], (0, 10.5), whole_numbers=True).plan.whole
        assert not Mean().ask([1, 2], (0, 10), whole_numbers=True).plan.whole
        assert not Median("mid").ask([1, 2], (0, 10), whole_numbers=True).plan.whole
        assert Count().ask([1.5]).plan.whole
        # A column that is not whole in spite of the claim is rounded, so the claim holds.
        assert Sum().ask([1.25, 2.25], (0, 10), whole_numbers=True).value == 3
        nothing = Selection(np.array([False]), "never")
        assert Minimum().ask([1], (0, 5), whole_numbers=True, where=nothing).value == 3

    @pytest.mark.parametrize(
        ("statistic", "values", "answer"),
        [
            (Count(), [1] * 9, 5),  # a private table above max_rows is cut and not refused
            (Sum(), [7] * 9, 50),
            (Mean(at_least=4), [10, 10], 7.5),  # filled up with midpoints
            (Mean(at_least=4), [10, 10, 10, 10, 0], 8),
        ],
    )
    def test_a_private_number_of_rows(
        self, statistic: Statistic, values: list[float], answer: float
    ) -> None:
        assert statistic.ask(values, (0, 10), neighbours=ADD, max_rows=5).value == answer

    @pytest.mark.parametrize(
        ("statistic", "answer"),
        [
            *((each, 5) for each in (Minimum(), Maximum(), Median(), Median("mid"), Mode())),
            (Mean(at_least=1), 5),
            (Count(), 0),
            (Sum(), 0),
        ],
    )
    def test_no_rows_give_the_public_midpoint_and_add_up_to_nothing(
        self, statistic: Statistic, answer: float
    ) -> None:
        nothing = Selection(np.zeros(3, dtype=np.bool_), "never")
        assert statistic.ask([1, 2, 9], (0, 10), where=nothing).value == answer
        assert statistic.ask([], (0, 10), neighbours=ADD, max_rows=5).value == answer

    def test_the_registry_names_them_all(self) -> None:
        names = "count sum mean variance minimum maximum median mode"
        assert list(STATISTICS) == names.split()
        assert all(STATISTICS[name]().name == name for name in STATISTICS)

    def test_texts_and_units(self) -> None:
        young = Condition("age", "<", 15).select({"age": [14, 16]})
        question = Sum().ask([150, 180], (100, 200), column="height", unit="cm", where=young)
        assert question.plan.text == "sum of height where age < 15"
        assert question.plan.unit == "cm"
        assert Variance().ask([1, 2], (0, 9), unit="cm").plan.unit == "cm²"
        assert Variance().ask([1, 2], (0, 9)).plan.unit == ""
        assert Count().ask([1, 2], unit="cm").plan.unit == "rows"

    def test_the_true_answer_stays_out_of_the_text(self) -> None:
        question = Mean().ask([31.25, 31.25], (0, 100))
        assert "31.25" not in repr(question)
        assert "125" not in repr(question)

    def test_no_range_starts_at_minus_zero(self) -> None:
        assert str(Sum().ask([1, 2], (0, 10)).range.lower) == "0.0"

    def test_ranges_hold_the_exact_ends(self) -> None:
        lower, upper = 0.1, 0.7
        for n in (3, 7, 1000):
            interval = Sum().plan(PublicFacts(rows=n, bounds=Interval(lower, upper))).range
            assert Fraction(interval.lower) <= n * Fraction(lower)
            assert Fraction(interval.upper) >= n * Fraction(upper)
            assert interval.upper <= math.nextafter(n * upper, math.inf)


SECRET = 31337.25
NO_BOUNDS = (
    None, (5, 5), (100, 0), (0, math.inf), (math.nan, 1), (-1e308, 1e308), (1,), ("a", "b")
)  # fmt: skip
SOME_MISSING = ([SECRET, math.nan], [math.nan] * 3, [None, SECRET])
ONE_ROW = "needs at least 2 rows and there is 1"
REFUSED: list[tuple[Statistic, list[Any], Any, type[Exception], str]] = [
    *((each, [], (0, 1), TooFewRowsError, "there are none") for each in ALL),
    *((Variance(ddof=d), [SECRET], (0, 1), TooFewRowsError, ONE_ROW) for d in (0, 1)),
    *((s, some, (0, 1), MissingValueError, "drop them") for s in ALL[1:] for some in SOME_MISSING),
    *((s, [SECRET, 2.0], bounds, BoundsError, "bounds") for s in ALL[1:] for bounds in NO_BOUNDS),
    (Variance(), [1, 2], (0, 1e200), BoundsError, "overflows"),
    (Sum(), [1.0] * 20, (-1e307, 1e307), BoundsError, "overflows"),
    (Variance(), [1, 2], (0, 1e-200), BoundsError, "underflows"),
]


class TestRefusals:
    @pytest.mark.parametrize(("statistic", "values", "bounds", "error", "words"), REFUSED)
    def test_what_cannot_be_asked(
        self, statistic: Statistic, values: list[Any], bounds: Any, error: Any, words: str
    ) -> None:
        with pytest.raises(error, match=words) as caught:
            statistic.ask(values, bounds)
        assert str(SECRET) not in str(caught.value)
        if error is TooFewRowsError:
            assert (caught.value.rows, caught.value.needed) == (len(values), len(values) + 1)

    def test_a_count_reads_no_value(self) -> None:
        assert Count().ask([math.nan, None, "x"]).value == 3

    @pytest.mark.parametrize(
        "values",
        [
            [str(SECRET), "2"],
            np.array([str(SECRET)], dtype=object),
            np.array([object()]),
            np.array([SECRET + 0j]),
            [[SECRET, 1.0]],
            pd.Series([SECRET, None], dtype="Float64"),
            np.array(["2024-05-01"], dtype="datetime64[D]"),
        ],
    )
    def test_what_is_not_numeric_is_not_quoted(self, values: Any) -> None:
        with pytest.raises((ValuesError, MissingValueError)) as caught:
            Mean().ask(values, (0, 1), column="score")
        assert str(SECRET) not in str(caught.value)
        assert "2024" not in str(caught.value)

    @pytest.mark.parametrize("statistic", [Mean(), Variance(), Variance(ddof=1)], ids=str)
    @pytest.mark.parametrize("private_n", ["added", "selected"])
    def test_what_would_need_a_private_n(self, statistic: Statistic, private_n: str) -> None:
        """The same words for every table: nobody learns whether a condition matched."""
        texts = set()
        for values in ([SECRET, 1.0], [0.0, 0.0], [math.nan, 1.0]):
            for mask in ([True, True], [False, False]):
                more: dict[str, Any] = {"neighbours": ADD, "max_rows": 9}
                if private_n == "selected":
                    more = {"where": Selection(np.array(mask), "age > 3")}
                with pytest.raises(NotOfferedError, match=r"Instead, (release|ask)") as caught:
                    statistic.ask(values, (0, 1), **more)
                texts.add(str(caught.value))
        assert len(texts) == 1

    @pytest.mark.parametrize("rows", [None, 0, -1, True, 2.5])
    def test_max_rows(self, rows: Any) -> None:
        for statistic in (Count(), Sum()):
            with pytest.raises(ParameterError):
                statistic.ask([1.0], (0, 1), neighbours=ADD, max_rows=rows)

    @pytest.mark.parametrize(
        ("name", "build"),
        [
            ("at_least", lambda: Mean(at_least=0)),
            ("at_least", lambda: Mean(at_least=True)),
            ("at_least", lambda: Mean(at_least=2.5)),  # type: ignore[arg-type]
            ("ddof", lambda: Variance(ddof=2)),  # type: ignore[arg-type]
            ("ddof", lambda: Variance(ddof=True)),  # type: ignore[arg-type]
            ("kind", lambda: Median("middle")),  # type: ignore[arg-type]
        ],
    )
    def test_options(self, name: str, build: Callable[[], Statistic]) -> None:
        with pytest.raises(ParameterError) as caught:
            build()
        assert caught.value.name == name

    def test_more_claimed_rows_than_the_table_has(self) -> None:
        everyone = Selection(np.array([True, True]), "always")
        with pytest.raises(ParameterError, match="must not exceed the 2 rows"):
            Mean(at_least=3).ask([1, 2], (0, 10), where=everyone)

    @pytest.mark.parametrize("mask", [[True], [1, 0], [[True, False]]])
    def test_a_selection_has_one_truth_value_a_row(self, mask: Any) -> None:
        with pytest.raises(ParameterError, match="yes or no for each row"):
            Sum().ask([1, 2], (0, 10), where=Selection(np.array(mask), "odd"))


TABLE: dict[str, Any] = {
    "age": [14, math.nan, 15, 200, 13],
    "class": ["9a", "9b", None, "9a", "9A"],
    "score": np.array([1, 2, 3, 4, 5]),
}


class TestConditions:
    @pytest.mark.parametrize(
        ("condition", "rows"),
        [
            (Condition("age", "==", 15), [2]),
            (Condition("age", "!=", 15), [0, 3, 4]),
            (Condition("age", "<", 15), [0, 4]),
            (Condition("age", "<=", 15), [0, 2, 4]),
            (Condition("age", ">", 15), [3]),
            (Condition("age", ">=", 15), [2, 3]),
            (Condition("score", ">=", 3.5), [3, 4]),
            (Condition("class", "==", "9a"), [0, 3]),
            (Condition("class", "!=", "9a"), [1, 4]),
            (AllOf((Condition("age", "<", 15), Condition("class", "==", "9a"))), [0]),
            (Condition("age", ">", 1000), []),
        ],
    )
    def test_select_rows(self, condition: Condition | AllOf, rows: list[int]) -> None:
        mask = condition.select(TABLE).mask
        assert np.flatnonzero(mask).tolist() == rows
        assert len(mask) == 5
        count = Count().ask(TABLE["score"], where=condition.select(TABLE))
        assert count.value == len(rows)

    def test_code_is_text_like_any_other(self) -> None:
        condition = Condition("class", "==", "__import__('os').abort()")
        assert not condition.select(TABLE).mask.any()

    def test_rows_of_a_group_that_meet_conditions(self) -> None:
        both = AllOf((Condition("age", ">", 1), Condition("age", "<", 9)))
        group = Grouping("class", ("9a",), unlisted="leave out").selections(TABLE["class"])["9a"]
        picked = group.both(both.select(TABLE))
        assert picked.text == 'class == "9a" and age > 1 and age < 9'
        assert not picked.mask.any()

    @pytest.mark.parametrize(
        ("comparison", "constant"),
        [
            *((each, 15) for each in ("=", "in")),
            *(("<", each) for each in ("15", math.nan, math.inf, True, None, [1])),
        ],
    )
    def test_what_is_no_condition(self, comparison: Any, constant: Any) -> None:
        with pytest.raises(ConditionError):
            Condition("age", comparison, constant)

    def test_an_empty_list_of_conditions(self) -> None:
        with pytest.raises(ConditionError):
            AllOf(())

    def test_a_column_that_is_not_there(self) -> None:
        with pytest.raises(ConditionError) as caught:
            Condition("grade", "==", "x").select(TABLE)
        assert "9a" not in str(caught.value)

    @pytest.mark.parametrize(
        "other",
        ["x", "15", None, math.nan, math.inf, 10**400, True, [1], 1j, np.datetime64(1, "D")],
        ids=repr,
    )
    @pytest.mark.parametrize("comparison", COMPARISONS)
    def test_a_cell_that_is_no_number_meets_nothing_and_moves_no_other(
        self, comparison: Comparison, other: Any
    ) -> None:
        condition, cells = Condition("age", comparison, 15), [14, 15, 16, 15.0]
        alone = condition.select({"age": cells}).mask.tolist()
        assert condition.select({"age": [*cells, other]}).mask.tolist() == [*alone, False]
        held = np.empty(5, dtype=object)
        held[:] = [*cells, other]
        assert condition.select({"age": held}).mask.tolist() == [*alone, False]

    def test_the_kind_is_that_of_the_constant(self) -> None:
        assert Condition("age", "==", 15) == Condition("age", "==", 15, "number")
        assert Condition("age", "==", "15") == Condition("age", "==", "15", "text")
        mask = Condition("age", "==", "15").select({"age": ["15", 15, None]}).mask
        assert mask.tolist() == [True, False, False]
        for constant, kind in ((15, "text"), ("15", "number"), ("15", "date")):
            with pytest.raises(ConditionError, match="so its kind must be"):
                Condition("age", "==", constant, kind)  # type: ignore[arg-type]

    def test_constants_are_shown_in_full(self) -> None:
        assert Condition("id", "==", 123456789).text == "id == 123456789"
        assert Condition("x", ">", 0.1).text == "x > 0.1"


class TestGrouping:
    def test_an_unlisted_category_is_refused_in_the_same_words_whatever_it_is(self) -> None:
        grouping = Grouping("class", ("9a", "9b"), "refuse")
        texts = set()
        for labels in (["9a", "10c"], ["x"] * 3, ["9a", None], [math.nan, "9b"], [9, "9a"]):
            with pytest.raises(UnlistedCategoryError, match="from public knowledge") as caught:
                grouping.selections(labels)
            texts.add(str(caught.value))
            assert caught.value.categories == ("9a", "9b")
        assert len(texts) == 1
        assert not any(secret in text for text in texts for secret in ("10c", "x'"))

    def test_left_out_rows_are_in_no_group(self) -> None:
        grouping = Grouping("class", ("9b", "9a", "8c"), unlisted="leave out")
        selections = grouping.selections(["9a", "10c", None, "9b", "9a"])
        picked = {name: each.mask.sum() for name, each in selections.items()}
        assert picked == {"9b": 1, "9a": 2, "8c": 0}

    @pytest.mark.parametrize(
        "arguments", [((),), (("a", "a"),), ("ab",), ((1, 2),), (("a",), "ignore")]
    )
    def test_a_list_that_is_none(self, arguments: tuple[Any, ...]) -> None:
        with pytest.raises(ParameterError):
            Grouping("class", *arguments)

    def test_only_listed_groups_have_a_name_in_the_ledger(self) -> None:
        table = read(b"class\n9a\n")
        assert Grouping("class", ("9a",)).group("9a", table).value == "9a"
        with pytest.raises(ParameterError):
            Grouping("class", ("9a",)).group("9b", table)
