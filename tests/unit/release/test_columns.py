"""From a table and a plan to a released table, by laws and against second routes.

The file that comes out is read by Python's own csv module; draws are repeated by the mechanism
alone; the charge is compared with the proof in 50-digit arithmetic. Tests that depend on chance use
fixed seeds, state their false alarms, and reject a broken twin.
"""

from __future__ import annotations

import ast
import csv
import dataclasses
import inspect
import io
import math
import re
import textwrap
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import compdp_core.release.columns as module
from compdp_core.errors import CertificateError, InfeasibleOutputsError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import Certificate
from compdp_core.parameters import EPSILON
from compdp_core.release import ColumnPlan, Plan, PlanError, release
from compdp_core.release.column_plan import UNPLACED
from compdp_core.shapes import Constant, Pair, from_formula
from compdp_core.tables import DEFAULT_MISSING, read
from compdp_core.tables.alignment import COMMENT_MARKS
from compdp_core.tables.value_formats import DateFormat
from tests.unit.release.made import HOLES, exceeds, plan_of, refuse, released

SCORE = ColumnPlan(1, Interval(0, 100), 1)
GRADE = ColumnPlan(2, Interval(1, 13), "0.5", whole=True)


def cells(data: bytes, separator: str = ",") -> list[list[str]]:
    """All records of a file by Python's own reader."""
    text = data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


def column(data: bytes, position: int, separator: str = ",") -> list[str]:
    return [record[position] for record in cells(data, separator)[1:]]


# Missing values


def test_fill_privatises_the_middle_of_the_bounds_in_every_row_without_a_value() -> None:
    drawn = released(replace(SCORE, epsilon=Fraction(50)))
    values = [float(cell) for cell in column(drawn.csv(), 1)]
    # At ε = 50 the noise is far below 0.1: what was put in shows.
    assert values == pytest.approx([52.5, 50, 50, 61.25, 0, 70], abs=0.1)
    assert (drawn.row_count, drawn.kept) == (6, None)


@pytest.mark.parametrize("written", ["", "NA", "not known, sorry"])
def test_keep_writes_every_missing_cell_alike_however_it_was_spelled(written: str) -> None:
    drawn = released(replace(SCORE, missing="keep", missing_as=written))
    before, after = column(HOLES, 1), column(drawn.csv(), 1)
    for old, new in zip(before, after, strict=True):
        if old in ("", "NA"):
            assert new == written
        else:
            assert new != old
            float(new)
    assert np.isnan(drawn.columns[0].values).tolist() == [old in ("", "NA") for old in before]


def test_drop_leaves_out_rows_with_a_missing_value_and_keeps_the_order() -> None:
    drawn = released(replace(SCORE, missing="drop"))
    assert column(drawn.csv(), 0) == ["1", "4", "5", "6"]
    assert drawn.row_count == 4
    assert drawn.kept is not None
    assert drawn.kept.tolist() == [True, False, False, True, True, True]


def test_policies_of_several_columns_meet() -> None:
    drawn = released(replace(SCORE, missing="drop"), replace(GRADE, missing="keep"))
    records = cells(drawn.csv())[1:]
    assert [record[0] for record in records] == ["1", "4", "5", "6"]
    assert records[1][2] == ""
    assert all(record[2].lstrip("-").isdigit() for i, record in enumerate(records) if i != 1)
    both = released(replace(SCORE, missing="drop"), replace(GRADE, missing="drop"))
    assert column(both.csv(), 0) == ["1", "5", "6"]


def test_nothing_is_drawn_for_rows_that_are_left_out() -> None:
    drawn = released(replace(SCORE, missing="drop"), GRADE)
    left_out = [False, True, True, False, False, False]
    for each in drawn.columns:
        assert np.isnan(each.values).tolist() == left_out


def test_no_row_left_is_refused_before_anything_is_drawn() -> None:
    plans = (plan_of(place, missing="drop") for place in (0, 1))
    refuse(read(b"a,b\n1,\n,2\n"), *plans, match="choose to fill or keep")


# Everything else in the file

texts = st.text(
    st.characters(
        blacklist_categories=["Cs", "Cc", "Cf", "Zl", "Zp"], blacklist_characters="\ufeff"
    ),
    max_size=8,
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[list[str]], int]:
    """Records with a header, and the position of a column of numbers with holes."""
    rows = draw(st.integers(2, 12))
    width = draw(st.integers(1, 4))
    position = draw(st.integers(0, width))
    numbers = st.one_of(
        st.sampled_from(["", "NA"]),
        st.decimals(-200, 200, places=2, allow_nan=False).map(lambda number: f"{number:f}"),
    )
    body = []
    for row in range(rows):
        record = [draw(texts) for _ in range(width)]
        record.insert(position, "1.5" if row == 0 else draw(numbers))
        body.append(record)
    header = [f"name {i}" for i in range(width + 1)]
    return [header, *body], position


@given(tables(), st.sampled_from(["fill", "keep", "drop"]))
def test_other_columns_come_back_untouched(
    table: tuple[list[list[str]], int], missing: Any
) -> None:
    records, position = table
    written = io.StringIO()
    csv.writer(written, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(records)
    data = written.getvalue().encode()
    read_back = read(data, encoding="utf-8", separator=",", header=True, skip_lines=0, decimal=".")
    plan = ColumnPlan(position, Interval(-100, 100), 2, missing=missing)
    after = cells(released(plan, data=read_back).csv(guard_formulas=False))
    if missing == "drop":
        records = [r for r in records if r[position] not in ("", "NA")]
    assert [r[:position] + r[position + 1 :] for r in after] == [
        r[:position] + r[position + 1 :] for r in records
    ]


def test_a_file_for_a_spreadsheet_has_a_mark_and_keeps_the_decimal_comma() -> None:
    data = "Größe;Ort\n1,5;Köln\n2,25;Bonn\n".encode("cp1252")
    drawn = released(plan_of(upper=5), data=data)
    assert drawn.csv().decode("cp1252").startswith("Größe;Ort\n")
    assert drawn.csv(excel=True).startswith(b"\xef\xbb\xbf")
    for file in (drawn.csv().decode("cp1252").encode(), drawn.csv(excel=True)):
        for cell in column(file, 0, ";"):
            assert "," in cell
            assert float(cell.replace(",", ".")) in drawn.columns[0].values


def test_formulas_are_guarded_unless_told_otherwise() -> None:
    drawn = released(SCORE)
    assert column(drawn.csv(), 3)[2] == "'=1+1"
    assert column(drawn.csv(guard_formulas=False), 3)[2] == "=1+1"


@pytest.mark.parametrize("form", ["as it came", "for Excel", "in UTF-16"])
def test_columns_are_left_out_of_the_file_and_nothing_is_drawn_for_it(form: str) -> None:
    data = HOLES.decode().encode("utf-16") if form == "in UTF-16" else HOLES
    drawn = released(SCORE, GRADE, data=data)
    excel = form == "for Excel"
    whole, narrow = drawn.csv(excel=excel), drawn.csv(excel=excel, omit=[0, 3])
    code = "utf-16" if form == "in UTF-16" else "utf-8-sig"
    rows = [list(csv.reader(io.StringIO(d.decode(code)))) for d in (whole, narrow)]
    assert rows[1] == [row[1:3] for row in rows[0]]
    assert drawn.csv(excel=excel) == whole


@pytest.mark.parametrize("position", [1, -1, 4])
def test_what_was_privatised_or_is_not_there_is_not_left_out(position: int) -> None:
    with pytest.raises(PlanError, match=rf"column {position} cannot .* choose from \[0, 2, 3\]"):
        released(SCORE).csv(omit=[position])


# What is written

SHAPES: list[dict[str, Any]] = [
    {},
    {"pair": "A2B2", "tail_ratio": 0.8, "objective": "mean"},
    {"pair": "A3B1", "outputs": Interval(-300, 400)},
    {"whole": True},
    {"pair": Pair(from_formula("1 - abs(2*v - 1)^3"), Constant())},
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: str(sorted(shape)))
def test_written_values_are_points_of_the_lattice_within_the_outputs(shape: dict[str, Any]) -> None:
    rows = 400
    data = ("x\n" + "\n".join(str(i % 101) for i in range(rows))).encode()
    plan = plan_of(upper=100, **shape)
    drawn = released(plan, data=data)
    mechanism = drawn.columns[0].composite
    spacing = mechanism.lattice.exact_spacing
    low, high = (Fraction(repr(end)) for end in mechanism.outputs)
    written = column(drawn.csv(), 0)
    assert len(written) == rows
    for cell in written:
        value = Fraction(cell)
        assert low <= value <= high
        assert (value / spacing).denominator == 1
        assert len(cell.partition(".")[2]) == mechanism.decimals
    if plan.whole:
        assert spacing == 1
        assert all(cell.lstrip("-").isdigit() for cell in written)
    # The file and the kept values are one and the same release.
    assert [float(cell) for cell in written] == drawn.columns[0].values.tolist()
    assert drawn.csv() == drawn.csv()


def test_values_that_could_not_be_written_are_refused_before_anything_is_drawn() -> None:
    match = "multiply the values by a public constant"
    refuse(read(b"x\n0.5\n0.25\n"), plan_of(upper=1e-14), match=match)


# The charge

budgets = st.one_of(
    st.sampled_from(["0.001", "0.1", "0.7", "1/3", "50"]).map(Fraction),
    st.fractions(Fraction(1, 1000), 50, max_denominator=10**7),
)


@given(budgets)
@settings(max_examples=30)
def test_what_is_proved_is_never_above_what_is_charged(epsilon: Fraction) -> None:
    plan = ColumnPlan(0, Interval(0, 100), epsilon)
    assert plan.epsilon == epsilon
    certificate = plan.mechanism().certificate
    assert certificate.holds
    assert not exceeds(certificate.ratio, epsilon)


def test_the_float_nearest_to_a_budget_would_prove_too_little() -> None:
    # The broken twin: 0.1 as a float is a hair above one tenth, and the comparison sees it.
    assert exceeds(CompositeMechanism(0.1, (0, 100)).certificate.ratio, Fraction(1, 10))


@pytest.mark.parametrize("said", [0.1, "0.1", Fraction(1, 10)])
def test_a_budget_is_the_decimal_it_prints_as(said: Any) -> None:
    assert plan_of(epsilon=said).epsilon == Fraction(1, 10)


def test_budgets_of_columns_add_up_exactly() -> None:
    assert Plan(tuple(plan_of(place, epsilon="1/9") for place in range(9))).epsilon == 1
    assert released(SCORE, GRADE).epsilon == Fraction(3, 2)


@pytest.mark.parametrize("epsilon", [0, -1, "0.0009", 50.1, math.nan, "much", None, True])
def test_budgets_out_of_range_are_refused(epsilon: Any) -> None:
    with pytest.raises(ParameterError, match="epsilon"):
        plan_of(epsilon=epsilon)


def test_the_smallest_budget_is_the_decimal_that_messages_name() -> None:
    assert "0.001 " in EPSILON.requirement
    assert plan_of(epsilon="0.001").mechanism().certificate.holds


# Everything is checked before the first draw

TWO = b"a,b,c\n1,2,x\n3,4,y\n"


@pytest.mark.parametrize(
    ("second", "error"),
    [
        (plan_of(1, outputs=Interval(-1, 10)), InfeasibleOutputsError),
        (plan_of(1, tail_ratio=0.9), ParameterError),
        (plan_of(3), PlanError),
        (plan_of(-1), PlanError),
    ],
    ids=["infeasible", "foreign", "beyond", "negative"],
)
def test_a_column_that_fails_leaves_nothing_drawn(
    second: ColumnPlan, error: type[Exception]
) -> None:
    refuse(read(TWO), plan_of(), second, error=error)


def test_a_certificate_that_does_not_hold_leaves_nothing_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = Certificate.holds.fget  # type: ignore[attr-defined]
    monkeypatch.setattr(
        Certificate, "holds", property(lambda c: honest(c) and c.declared < 1.5), raising=True
    )
    refuse(read(TWO), plan_of(), plan_of(1, epsilon=2), error=CertificateError)


@pytest.mark.parametrize(
    "cell", ["", "NA", "x", "3,5", "inf", "1e400", "0x1A", "9007199254740999", '"5 kg"']
)
def test_what_is_no_number_of_the_plan_is_missing_and_never_refused(cell: str) -> None:
    table = read(f"a,b\n1,{quoted(cell)}\n2,{quoted(cell)}\n".encode(), header=True, decimal=".")
    precise = plan_of(1, epsilon=50)
    drawn = released(precise, data=table)
    assert drawn.columns[0].values == pytest.approx([4.5, 4.5], abs=0.1)
    assert drawn.columns[0].missing == 2
    kept = released(replace(precise, missing="keep"), data=table)
    assert column(kept.csv(), 1) == ["", ""]


def quoted(cell: str) -> str:
    return f'"{cell}"' if "," in cell else cell


def test_each_plan_has_its_own_decimal_mark() -> None:
    table = read(b"a;b\n1.5;2,5\n2.5;3,5\n", decimal=".")
    plans = (plan_of(place, epsilon=50, decimal=mark) for place, mark in enumerate(".,"))
    drawn = released(*plans, data=table)
    assert drawn.columns[0].values == pytest.approx([1.5, 2.5], abs=0.1)
    assert drawn.columns[1].values == pytest.approx([2.5, 3.5], abs=0.1)
    for line in drawn.csv().decode().splitlines()[1:]:
        first, second = line.split(";")
        assert "." in first
        assert "," in second


@pytest.mark.parametrize(
    "settings",
    [{"decimal": ";"}, *({"missing_as": each} for each in ("-99", "a\nb", 41 * "x", "=x", "-x"))],
)
def test_cells_that_could_not_be_told_from_values_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        replace(SCORE, **settings)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16-le", "cp437", "gb18030"])
@pytest.mark.parametrize("excel", [False, True])
@pytest.mark.parametrize("text", ["né", "fehlt, é"])
def test_missing_cells_are_written_in_the_encoding_of_the_file(
    text: str, encoding: str, excel: bool
) -> None:
    data = "a;b\n1;né\n;x\n".encode(encoding)
    table = read(data, encoding=encoding, separator=";", header=True)
    drawn = released(plan_of(missing="keep", missing_as=text), data=table)
    written = drawn.csv(excel=excel).decode("utf-8-sig" if excel else encoding)
    assert written.splitlines()[2] == f"{text};x"


@pytest.mark.parametrize(
    ("written", "options", "match"),
    [
        ("Ł", {"encoding": "cp1252"}, "'Ł' in the encoding cp1252: choose another missing_as"),
        ("日", {"encoding": "cp437"}, "'日' in the encoding cp437"),
        ("#N/A", {}, "begins with #: '#N/A'"),
        ("#N/A", {"comment_rows": "leave out"}, "begins with #: '#N/A'"),
    ],
    ids=ascii,
)
def test_texts_of_missing_cells_that_would_undo_the_file_are_refused_before_a_draw(
    written: str, options: dict[str, Any], match: str
) -> None:
    plan = plan_of(missing="keep", missing_as=written)
    for cell in (b"2", b"NA"):  # whether or not one is missing
        table = read(b"a,b,c\n1,secret,x\n%s,secret,y\n3,secret,z\n" % cell, **options)
        refuse(table, plan, match=match)
    if written.isascii():  # Where none is kept, it is never written.
        released(replace(plan, missing="fill"), data=table)


@pytest.mark.parametrize("mark", COMMENT_MARKS)
@pytest.mark.parametrize("rows", [None, "leave out"])
def test_categories_and_formats_that_would_make_a_comment_of_a_row_are_refused(
    mark: str, rows: Any
) -> None:
    """Columns that are to be left out would stay in such a row."""
    data, name = b"a,b\n1,secret\n2,secret\n1,secret\n", f"{mark}1"
    said: dict[str, Any] = {"encoding": "utf-8", "comment_mark": mark}
    table = read(data, comment_rows=rows, **said)
    plans = [ColumnPlan(0, epsilon=1, kind="category", categories={name: ["1"], "2": ["2"]})]
    if mark not in "#%":  # with which no format begins
        form = DateFormat(f"{mark}%Y-%m-%d")
        plans.append(ColumnPlan(0, ("2000-01-01", "2001-01-01"), 1, kind="date", format=form))
    for plan in plans:
        refuse(table, plan, match=f"begin with {mark}, as comments do: '{mark}")
        as_rows = read(data, comment_rows="row", **said)
        assert b"secret" not in released(plan, data=as_rows).csv(omit=[1])
        behind = replace(plan, position=1)
        assert released(behind, data=table).row_count == 3


def test_comments_are_not_kept_word_for_word_where_they_begin_with_a_private_cell() -> None:
    """One row of the first column that begins with # would leave without noise."""
    table = read(b"a,b\n1,2\n# 7 kg\n3,4\n", comment_rows="keep")
    refuse(table, plan_of(), match="a, the first column, is to be privatised")
    assert released(plan_of(1), data=table).csv().splitlines()[2] == b"# 7 kg"


@pytest.mark.parametrize(("line", "stays"), [("#7,44", False), ("#7,oops", True), ("# 7", True)])
def test_a_comment_that_looks_like_a_row_is_not_kept(line: str, stays: bool) -> None:
    table = read(f"a,b\n1,2\n{line}\n3,4\n".encode(), comment_rows="keep")
    drawn = released(plan_of(1), data=table)
    assert drawn.row_count == 2
    assert (line.encode() in drawn.csv()) == stays


def test_of_a_row_that_begins_with_a_missing_spelling_columns_are_left_out_too() -> None:
    table = read(b"a,b,c\n1,secret,2\n#N/A,secret,3\n# note\n4,secret,5\n", comment_rows="keep")
    data = released(plan_of(2), data=table).csv(omit=[1])
    assert b"secret" not in data
    assert b"# note" in data


@pytest.mark.parametrize("data", [b"s\n5\n6\n\n", b"s\n\n5\n6\n", b"s\n5\n\n6\n"])
def test_a_blank_line_of_one_column_may_be_a_missing_value_wherever_it_stands(data: bytes) -> None:
    assert [each.kind for each in read(data, header=True).uneven] == ["blank"]
    table = read(data, header=True, separator=",", decimal=".", blank_lines="missing")
    whole = read(b"s\n5\n7\n6\n", header=True, separator=",", decimal=".")
    one, two = (released(plan_of(upper=10), data=each).csv() for each in (table, whole))
    assert [len(line) > 0 for line in one.splitlines()] == 4 * [True]
    assert len(one.splitlines()) == len(two.splitlines())


TRAILING = b"name,score,note\nAna,71,x\nBo,64,5,\nCy,1,234,567,\nDi,80,y\n"


@pytest.mark.parametrize(
    ("said", "rows"),
    [
        ({"trailing_cells": "leave out", "long_rows": "leave out"}, ["Ana,#,x", "Di,#,y"]),
        ({"trailing_cells": 1, "long_rows": 1}, ["Ana,#,x", "Bo,#,", "Cy,#,", "Di,#,y"]),
    ],
)
def test_an_empty_cell_too_many_may_hide_a_separator_within_a_value(
    said: dict[str, Any], rows: list[str]
) -> None:
    assert [each.kind for each in read(TRAILING).uneven] == ["long", "trailing"]
    drawn = released(plan_of(1, 99), data=read(TRAILING, **said))
    _, *lines = drawn.csv().decode().splitlines()
    assert [re.sub(r"-?[\d.]+", "#", line, count=1) for line in lines] == rows


def test_a_column_that_is_left_out_is_left_out_of_every_row() -> None:
    table = read(b"a,b,c\n1,secret,x\nNA,secret,y\n3,secret,z\n", comment_rows="row")
    drawn = released(plan_of(missing="keep", missing_as="#N/A"), data=table)
    data = drawn.csv(omit=[1])
    assert b"secret" not in data
    assert data.splitlines()[2] == b"#N/A,y"


@pytest.mark.parametrize(
    ("data", "settings"),
    [
        (b"a,b\n1,2\n", {"decimal": ","}),
        (b"a,b\n1,2\n", {"missing": "keep", "missing_as": "none, sorry"}),
        (b"a\n1\n2\n", {"missing": "keep"}),
    ],
    ids=["decimal mark", "missing text", "blank line"],
)
def test_what_could_not_be_written_without_quotes_is_refused_before_a_draw(
    data: bytes, settings: dict[str, Any]
) -> None:
    plan = plan_of(upper=100, **settings)
    refuse(read(data, quote="", separator=",", header=True), plan, match="quotes")
    released(plan, data=read(data, separator=",", header=True))


@pytest.mark.parametrize(
    "plans", [(), (SCORE, replace(SCORE, epsilon=Fraction(2)))], ids=["none", "twice"]
)
def test_plans_that_do_not_fit_themselves_are_refused(plans: tuple[ColumnPlan, ...]) -> None:
    with pytest.raises(PlanError):
        Plan(plans)


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ParameterError, match="keep, drop, fill"):
        plan_of(missing="guess")


# Randomness is handed in


def test_the_same_words_give_the_same_release_and_others_another() -> None:
    once, again, other = (released(SCORE, GRADE, seed=seed).csv() for seed in (8, 8, 9))
    assert once == again != other


def test_without_a_source_the_system_draws_anew_each_time() -> None:
    table, plan = read(HOLES), Plan((SCORE,))
    first, second = release(table, plan), release(table, plan)
    # Six values of 30,000 points each: equal by chance with probability below 1e-20.
    assert first.csv() != second.csv()
    assert first.identifier != second.identifier
    assert first.when.tzinfo is not None


def test_draws_are_those_of_the_mechanism_on_clamped_and_filled_values() -> None:
    drawn = released(SCORE)
    true = np.array([52.5, 50.0, 50.0, 61.25, 0.0, 70.0])
    assert drawn.columns[0].values.tolist() == SCORE.mechanism().simulate(true, seed=3).tolist()


def test_batches_keep_every_value_in_its_row(monkeypatch: pytest.MonkeyPatch) -> None:
    assert module._BATCH < 400_000  # a long release tells of progress more than once
    monkeypatch.setattr(module, "_BATCH", 7)
    true = np.arange(100.0)
    holes = true % 9 == 0
    text = "\n".join("NA" if hole else f"{x:g}" for x, hole in zip(true, holes, strict=True))
    shares: list[float] = []
    drawn = released(
        plan_of(upper=100, epsilon=50, missing="keep"),
        data=read(b"x\n" + text.encode(), header=True),
        progress=shares.append,
    )
    values = drawn.columns[0].values
    assert np.isnan(values).tolist() == holes.tolist()
    assert values[~holes] == pytest.approx(true[~holes], abs=0.1)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) == math.ceil(100 / 7)


def test_progress_runs_from_column_to_column() -> None:
    shares: list[float] = []
    released(SCORE, GRADE, progress=shares.append)
    assert shares == [0.5, 1.0]


# Private counts


def test_private_counts_are_right_and_do_not_show() -> None:
    drawn = released(SCORE, replace(GRADE, missing="keep"))
    assert [(each.clamped, each.missing) for each in drawn.columns] == [(1, 2), (0, 2)]
    assert "clamped" not in repr(drawn.columns[0])
    assert "missing=2" not in repr(drawn.columns[0])


def test_clamped_values_of_rows_left_out_are_not_counted() -> None:
    data = b"a,b\n1,\n900,\n900,2\n"
    assert released(plan_of(), plan_of(1, missing="drop"), data=data).columns[0].clamped == 1


def test_missing_spellings_are_those_of_the_reading() -> None:
    assert "NA" in DEFAULT_MISSING
    drawn = released(plan_of(missing="drop"), data=read(b"x\n1\n-99\n", missing=["-99"]))
    assert drawn.row_count == 1


# Bias: the mean of a release of equal values

FALSE_ALARM = 1e-9
Z = 6.11  # two-sided normal quantile for a false alarm of 1e-9
ROWS = 60_000
SHIFT = 0.1
"""Bias in standard deviations of the noise that the test sees for sure: 0.1 is 24 standard errors
of the mean."""


def off(values: NDArray[np.float64], true: float, deviation: float) -> float:
    """Distance of the mean from the true value, in standard errors."""
    return abs(float(values.mean()) - true) / deviation * math.sqrt(values.size)


@pytest.mark.parametrize("value", [0.0, 37.0, 100.0])
def test_released_values_are_right_on_average_even_at_the_bounds(value: float) -> None:
    """False alarm 1e-9 for each value, at a fixed seed; sees a bias of 0.1 deviations."""
    data = b"x\n" + b"\n".join([f"{value:g}".encode()] * ROWS)
    drawn = released(plan_of(upper=100, epsilon=2), data=data, seed=11).columns[0]
    deviation = math.sqrt(drawn.composite.variance(value))
    assert off(drawn.values, value, deviation) < Z
    # The broken twins: a little bias, and what clamping the noise into the bounds would do.
    assert off(drawn.values + SHIFT * deviation, value, deviation) > Z
    if value in (0.0, 100.0):
        assert off(np.clip(drawn.values, 0, 100), value, deviation) > Z


def test_what_a_plan_takes_is_declared_for_all_its_fields_with_their_defaults() -> None:
    """The declaration is read by type checkers alone, so nothing else would notice a drift."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(ColumnPlan)))
    (declared,) = [
        node.args
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    ]
    fields = dataclasses.fields(ColumnPlan)
    taken = [each.arg for each in declared.args[1:]]
    assert taken == [each.name for each in fields]
    said = [ast.unparse(each) for each in declared.defaults]
    kept = [repr(each.default) for each in fields]
    # Bounds and budget have to be given; the type of a default of theirs is nobody's.
    assert (said[0], said[1:3], kept[1:3]) == ("UNPLACED", ["...", "..."], ["None", "None"])
    assert (kept[0], said[3:]) == (repr(UNPLACED), kept[3:])


@pytest.mark.parametrize("end", ["", " ", "  ", " \t" * 9])
def test_a_file_that_ends_in_a_blank_cell_is_written(end: str) -> None:
    data = f'a;b\n1;"x"\n2;{end}'.encode()
    table = read(data, separator=";", header=True)
    assert released(plan_of(), data=table).csv().endswith(b";" + end.encode())
