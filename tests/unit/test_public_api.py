"""The public API: what a script or notebook of a user does with it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Hashable
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import compdp_core as cdp
from compdp_core.accounting import BudgetExceededError
from compdp_core.report.release import Release
from compdp_core.report.settings_reading import from_json
from compdp_core.statistics import Selection
from tests.architecture.source import ROOT

BMI = cdp.ColumnPlan(inputs=(10, 70), epsilon=1)
FRAME = pd.DataFrame(
    {"name": ["Ada", "#Ben", "=Cy"], "bmi": [21.5, np.nan, 24.0], "visits": [3, 1, 2]},
    index=pd.Index(["x", "y", "z"], name="id"),
)
TABLE = b"name;bmi\nAda;21,5\nBen;n/a\nCy;24\n"


def test_what_a_notebook_shows_of_a_release_holds_no_cell() -> None:
    table = cdp.read_csv(TABLE)
    shown = f"{table!r} {table.decoded!r} {table.index!r}"
    for data in (table, FRAME):
        release = cdp.privatize(data, {"bmi": BMI})
        assert repr(release) == "Release(columns=['bmi'], epsilon=1)"
        shown += f"{release!s} {[release]}"
    assert not [cell for cell in ("Ada", "Ben", "Cy", "21", "24", "n/a") if cell in shown]


def test_what_a_table_is_made_of_shows_no_cell_either() -> None:
    rows = b"Ada;$ 21;inf;99999999999999991\nBen;22 kg;0x23;99999999999999992\n"
    table = cdp.read_csv(b"who;mass;odd;id\n" + rows, header=True)
    numbers = table.readings(3)
    rule = Selection(np.array([True, False]), "who is public")
    shown = f"{table.columns} {table.format} {table.uneven} {numbers} {rule}"
    assert all(word in shown for word in ("'who'", "Mixture()", "Cell(row=1)", "Numbers()"))
    assert not [each for each in ("Ada", "21", "inf'", "9999", "True, False") if each in shown]


@pytest.mark.parametrize("plans", [{}, [("bmi", BMI)], BMI], ids=["none", "pairs", "a plan"])
def test_plans_that_are_none_are_refused(plans: Any) -> None:
    with pytest.raises(cdp.errors.CompdpError, match="plans must name at least one column"):
        cdp.privatize(FRAME, plans)


DATA: list[Any] = [
    pd.Series([87654.25, 7654.25, 1.0], name="Ada"),
    pd.Series([87654.25, 7654.25]),
    pd.DataFrame({"a": [87654.25], "b": [7654.25]}),
    np.array([87654.25, 7654.25, 1.0]),
    [87654.25, 7654.25, 1.0],
    ("87654.25", "Ada", ""),
    {"Ada": 87654.25},
    {87654.25, 7654.25, 1.0},
    b"Ada,87654.25",
    pd.Categorical(["Ada"]).dtype,
]


def _told(make: Any, **usual: Any) -> list[Any]:
    return [(name, lambda v, name=name: make(**{**usual, name: v})) for name in usual]


PLAN = {"inputs": (0, 9), "outputs": None, "epsilon": 1, "tail_ratio": None, "missing_as": ""}
ASKED = {"query": cdp.Query("count", "bmi"), "data": FRAME, "epsilon": 1, "steps": 9}
TAKERS = [
    *_told(cdp.CompositeMechanism, epsilon=1, inputs=(0, 9), outputs=None, steps=None, spacing=1),
    *_told(lambda **told: cdp.ColumnPlan(**told).mechanism(), **PLAN),
    *_told(lambda **told: cdp.privatize(FRAME, {"bmi": cdp.ColumnPlan(**told)}), position=1),
    *_told(cdp.Query, bounds=None, statistic="mean", column="bmi", neighbours="replace one"),
    *_told(cdp.answer, **ASKED, ledger=None),
    *_told(cdp.Condition, column="bmi", comparison="<", constant=1, kind="number"),
    *_told(cdp.audit, claimed=1, inputs=(0, 1), draws=400, seed=1, simulate=None),
]


@pytest.mark.parametrize(("name", "take"), TAKERS)
def test_data_in_the_wrong_place_is_neither_shown_nor_kept(name: str, take: Any) -> None:
    for value in DATA:
        with contextlib.suppress(AttributeError, TypeError):  # of what is no setting at all
            try:
                take(value)
            except ValueError as error:
                said = f"{error} {error!r} {vars(error)}"
                assert not [each for each in ("7654", "Ada") if each in said], said


@pytest.mark.parametrize("ledger", [5, {}, "ledger.json", FRAME], ids=type)
def test_what_is_no_ledger_is_refused(ledger: Any) -> None:
    for release in (
        lambda: cdp.privatize(FRAME, {"bmi": BMI}, ledger=ledger),
        lambda: cdp.answer(cdp.Query("count", "bmi"), FRAME, epsilon=1, ledger=ledger),
    ):
        with pytest.raises(cdp.errors.ParameterError, match="ledger must be a Ledger") as caught:
            release()
        assert "21.5" not in str(caught.value)


def test_every_name_is_there_and_listed() -> None:
    listed = vars(cdp)["__all__"]
    assert len(listed) == len(set(listed)) == 38
    for name in listed:
        assert getattr(cdp, name) is not None
    assert set(listed) <= set(dir(cdp))
    with pytest.raises(AttributeError, match="no attribute 'privatise'"):
        _ = cdp.privatise  # type: ignore[attr-defined]


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    code = "import compdp_core, json, sys; print(json.dumps(sorted(sys.modules)))"
    run = [sys.executable, "-c", code]
    said = subprocess.run(run, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    assert not {"numpy", "scipy", "compdp_core.errors", "tomllib"} & set(json.loads(said))


TOUCH = """
import sys, threading
import compdp_core as cdp

sys.setswitchinterval(1e-5)
start = threading.Barrier(2)

def touch(name):
    start.wait()
    getattr(cdp, name)

for name in sys.argv[1:]:
    threading.Thread(target=touch, args=(name,)).start()
"""


def test_two_threads_may_touch_the_api_first() -> None:
    pairs = [("Table", "read_csv"), ("ColumnPlan", "answer"), ("answer", "ColumnPlan")]
    runs = [
        subprocess.Popen([sys.executable, "-c", TOUCH, *pair], cwd=ROOT, stderr=subprocess.PIPE)
        for pair in pairs
    ]
    assert [run.communicate()[1] for run in runs] == [b""] * len(runs)


EARLIER = """
import compdp_core.table, compdp_core.inquiry, compdp_core.own_shapes, compdp_core.privacy
assert compdp_core.table.read and compdp_core.inquiry.Inquiry and compdp_core.privacy.loss
assert compdp_core.own_shapes.from_points
import compdp_core.ledger as ledger, compdp_core.lattice as lattice, compdp_core.plan as plan
assert ledger.Ledger and lattice.Certificate and plan.ColumnPlan
from compdp_core.answer import mechanism_for
from compdp_core.audit import clopper_pearson
from compdp_core.baselines import Laplace
from compdp_core.formula import Formula
from compdp_core.mechanism import CompositeMechanism
from compdp_core.optimize import largest_fraction
from compdp_core.inquiry import *
from compdp_core.neighbours import *
from compdp_core.staircase import *
assert Inquiry is Query and Neighbours and Staircase
assert callable(compdp_core.answer) and callable(compdp_core.audit)
"""


def test_modules_of_version_0_1_are_found_in_every_form_of_import() -> None:
    run = subprocess.run([sys.executable, "-c", EARLIER], cwd=ROOT, stderr=subprocess.PIPE)
    assert run.stderr == b""


def test_a_user_sees_types() -> None:
    """Checked by mypy, which reads this file like any other."""
    mechanism = cdp.CompositeMechanism(epsilon=1.0, inputs=(0, 100))
    assert_type(mechanism.release([20, 50]), NDArray[np.float64])
    assert_type(mechanism.release(pd.Series([20.0])), "pd.Series[float]")
    assert_type(mechanism.variance(30.0), float)
    assert_type(mechanism.variance([30.0]), NDArray[np.float64])
    assert_type(mechanism.pdf([30.0], value=30.0), NDArray[np.float64])
    assert_type(mechanism.probability_outside((0, 100)), float)
    table = cdp.read_csv(TABLE)
    assert_type(cdp.privatize(table, {"bmi": BMI}).frame, cdp.Table)
    assert_type(cdp.privatize(FRAME, {"bmi": BMI}).frame, pd.DataFrame)
    assert_type(cdp.answer(cdp.Query("count", "bmi"), table, epsilon=1).value, float)


def test_a_table_from_path_or_bytes(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    path.write_bytes(TABLE)
    for source in (path, str(path), TABLE):
        assert cdp.read_csv(source).fingerprint == cdp.read_csv(TABLE).fingerprint
    assert cdp.read_csv(path).name == "visits.csv"


def test_a_table_comes_back_as_a_table_of_one_draw() -> None:
    release = cdp.privatize(cdp.read_csv(TABLE), {"bmi": BMI})
    assert release.csv() == release.csv()
    again, drawn = release.frame, release.columns[0]
    assert again.numbers(1).values.tolist() == pytest.approx(drawn.values.tolist(), abs=1e-12)
    assert again.texts(0) == ["Ada", "Ben", "Cy"]
    assert again.format.separator == ";"
    assert release.card["identifier"] == release.identifier
    assert release.identifier in release.card_html()
    settings: Any = from_json(release.settings()).settings
    assert settings.plan.columns == release.plan.columns
    assert settings.labels == ("bmi",)


@pytest.mark.parametrize("missing", ["keep", "leave out", "drop", "fill"])
def test_a_frame_comes_back_as_a_frame_and_stays_as_it_was(missing: Any) -> None:
    before = FRAME.copy()
    plans = {
        "bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1, missing=missing),
        "visits": cdp.ColumnPlan(inputs=(0, 9), epsilon="0.5", kind="whole"),
    }
    release = cdp.privatize(FRAME, plans)
    pd.testing.assert_frame_equal(FRAME, before)
    frame = release.frame
    out = missing in ("leave out", "drop")
    assert frame.index.tolist() == (["x", "z"] if out else ["x", "y", "z"])
    assert frame.index.name == "id"
    assert frame.columns.tolist() == FRAME.columns.tolist()
    assert frame["name"].dtype == FRAME["name"].dtype
    assert frame["name"].tolist() == (["Ada", "=Cy"] if out else ["Ada", "#Ben", "=Cy"])
    assert frame.dtypes.astype(str).tolist()[1:] == ["float64", "int64"]
    assert frame["bmi"].isna().any() == (missing == "keep")
    written = pd.read_csv(BytesIO(release.csv(guard_formulas=False)))
    pd.testing.assert_frame_equal(written, frame.reset_index(drop=True))
    assert release.epsilon == Fraction(3, 2)
    # What is done to a frame that came out changes neither the release nor what went in.
    frame.loc[:, "bmi"] = 0.0
    assert not (release.frame["bmi"] == 0.0).any()


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (pd.array([1, None, 3], dtype="Int64"), "Float64"),
        (pd.array([1.5, None], dtype="Float64"), "Float64"),
        (np.array([1.5, 2.5], dtype=np.float32), "float64"),
        (np.array([1, None, Fraction(1, 3)], dtype=object), "float64"),
        (pd.Categorical([1, 2, 1]), "float64"),
        ([True, False], "float64"),
    ],
)
def test_every_kind_of_numbers_is_read(values: Any, dtype: str) -> None:
    frame = pd.DataFrame({"x": values})
    plan = cdp.ColumnPlan(inputs=(0, 9), epsilon=50, missing="keep")
    released = cdp.privatize(frame, {"x": plan}).frame["x"]
    assert released.dtype == dtype
    for noisy, true in zip(released, values, strict=True):
        assert pd.isna(noisy) == pd.isna(true)
        assert pd.isna(true) or abs(noisy - float(true)) < 3


def test_whole_numbers_that_may_be_missing_are_nullable() -> None:
    plan = cdp.ColumnPlan(inputs=(0, 9), epsilon=1, kind="whole", missing="keep")
    assert cdp.privatize(FRAME, {"visits": plan}).frame["visits"].dtype == "Int64"


@pytest.mark.parametrize(
    "values",
    [["1", "2"], [1, "2"], pd.to_datetime(["2020-01-01"]), pd.to_timedelta([1]), [1j]],
)
def test_what_is_no_number_is_refused_without_a_value(values: Any) -> None:
    frame = pd.DataFrame({"x": values})
    with pytest.raises(cdp.errors.ParameterError, match=r"column x must hold numbers.*to_numeric"):
        cdp.privatize(frame, {"x": cdp.ColumnPlan(inputs=(0, 9), epsilon=1)})


def test_columns_go_by_label_or_where_labels_repeat_by_position() -> None:
    frame = pd.DataFrame([[20.0, 30.0, 40.0]], columns=["a", "b", "b"])
    table = cdp.read_csv(b"a,b,b\n20,30,40\n")
    for data in (frame, table):
        with pytest.raises(cdp.errors.ParameterError, match="position, 1 or 2: labels repeat"):
            cdp.privatize(data, {"b": BMI})
        with pytest.raises(cdp.errors.ParameterError, match="label or position of a, b"):
            cdp.privatize(data, {"c": BMI})
        for wrong in (-1, 3, True):
            with pytest.raises(cdp.errors.ParameterError, match="label or position"):
                cdp.privatize(data, {wrong: BMI})
        assert cdp.privatize(data, {2: BMI}).columns[0].plan.position == 2
    same = cdp.privatize(frame, {2: BMI}).frame
    assert same.columns.tolist() == ["a", "b", "b"]
    assert same.iloc[0, :2].tolist() == [20.0, 30.0]


@pytest.mark.parametrize("label", [7, ("a", 1), pd.Timestamp("2020"), 1.5])
def test_labels_of_a_frame_are_of_any_kind(label: Hashable) -> None:
    frame = pd.DataFrame({"other": [0.0], label: [20.0]})
    assert cdp.privatize(frame, {label: BMI}).columns[0].plan.position == 1
    # A label comes before a position.
    numbered = pd.DataFrame([[20.0, 30.0]], columns=[1, 0])
    assert cdp.privatize(numbered, {1: BMI}).columns[0].plan.position == 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (FRAME.iloc[:0], "no rows"),
        (FRAME.iloc[:, :0], "no columns"),
        (pd.DataFrame([[1.0]], columns=pd.MultiIndex.from_tuples([("bmi", "x")])), "levels"),
        ([1, 2], "Table of read_csv, a pandas or Polars DataFrame"),
        (FRAME["bmi"], r"call \.to_frame"),
    ],
)
def test_data_that_is_none_is_refused(data: Any, words: str) -> None:
    with pytest.raises(cdp.errors.CompdpError, match=words):
        cdp.privatize(data, {0 if words == "levels" else "bmi": BMI})


COLUMN: dict[str, Any] = {"inputs": (10, 70), "epsilon": 1}


@pytest.mark.parametrize(
    ("columns", "kind", "words"),
    [
        ({}, "CompdpError", "at least one column"),
        ({"bmi": {**COLUMN, "position": 0}}, "CompdpError", "names another position, 0"),
        ({"bmi": COLUMN, 1: COLUMN}, "CompdpError", "a column twice"),
        ({"bmi": {**COLUMN, "decimal": ","}}, "ParameterError", "decimal must be left out"),
        ({"bmi": {**COLUMN, "kind": "poem"}}, "ParameterError", "kind must be one of"),
        (
            {"bmi": {**COLUMN, "whole": True, "kind": "number"}},
            "ParameterError",
            "kind must be whole where whole=True",
        ),
        ({"bmi": {"epsilon": 1}}, "BoundsError", "inputs must be a pair"),
        ({"bmi": {"inputs": (10, 70)}}, "ParameterError", "epsilon"),
    ],
)
def test_plans_that_make_no_sense_are_refused(columns: Any, kind: str, words: str) -> None:
    with pytest.raises(getattr(cdp.errors, kind), match=words):
        cdp.privatize(FRAME, {name: cdp.ColumnPlan(**told) for name, told in columns.items()})


def test_a_ledger_is_charged_first_and_refuses_beyond_its_limit() -> None:
    ledger = cdp.Ledger(limit=2)
    release = cdp.privatize(FRAME, {"bmi": BMI}, ledger=ledger)
    assert isinstance(release, Release)
    assert release.ledger is not None
    assert not ledger.entries
    question = cdp.Query("mean", "bmi", bounds=(10, 70))
    answer = cdp.answer(question, FRAME, epsilon=1, ledger=release.ledger)
    assert answer.ledger is not None
    assert answer.ledger.entries[-1].id == answer.identifier
    assert [each.columns for each in answer.ledger.entries] == [("bmi",), ("bmi",)]
    # It is one dataset, whatever is read of it: nothing is left.
    (dataset,) = answer.ledger.datasets
    assert answer.ledger.remaining(dataset) == 0
    for spend in (
        lambda ledger: cdp.privatize(FRAME, {"visits": BMI}, ledger=ledger),
        lambda ledger: cdp.answer(question, FRAME, epsilon=1, ledger=ledger),
    ):
        with pytest.raises(BudgetExceededError):
            spend(answer.ledger)
    assert cdp.privatize(FRAME, {"bmi": BMI}).ledger is None


def test_one_frame_is_one_dataset_however_its_columns_are_read() -> None:
    frame = pd.DataFrame({"x": np.array([1.1, 2.2], dtype=np.float32), "y": [True, False]})
    plan = cdp.ColumnPlan(inputs=(0, 9), epsilon=1)
    prints = {
        cdp.privatize(frame, plans).table.fingerprint
        for plans in ({"x": plan}, {"y": plan}, {"x": plan, "y": plan})
    }
    assert len(prints) == 1


def test_a_query_is_answered_of_table_and_frame_alike() -> None:
    question = cdp.Query("mean", "bmi", bounds=(10, 70))
    for data in (FRAME, cdp.read_csv(TABLE)):
        drawn = cdp.answer(question, data, epsilon=50)
        exact = (21.5 + 40.0 + 24.0) / 3  # the middle of the bounds stands for the missing one
        assert drawn.value == pytest.approx(exact, abs=5)
        assert drawn.plan.text == "mean of bmi"
    with pytest.raises(cdp.errors.ParameterError, match="statistic must be one of count, sum"):
        cdp.Query("average", "bmi")
    with pytest.raises(cdp.errors.ParameterError, match="column must be a position"):
        _ = question.position


def test_one_answer_for_each_group() -> None:
    rows = cdp.AllOf((cdp.Condition("visits", ">", 0), cdp.Condition("visits", "<", 9)))
    groups, notion = cdp.Grouping("name", ("Ada", "Eve")), cdp.Neighbours.REPLACE_ONE
    by = cdp.Query("count", "visits", grouping=groups, where=rows, neighbours=notion)
    found = cdp.answer_each(by, FRAME, epsilon=50, ledger=cdp.Ledger())
    assert list(found) == ["Ada", "Eve"]
    assert all(each.ledger and len(each.ledger.entries) == 2 for each in found.values())
    with pytest.raises(cdp.errors.ParameterError, match="use answer_each"):
        cdp.answer(by, FRAME, epsilon=1)
    with pytest.raises(cdp.errors.ParameterError, match="use answer"):
        cdp.answer_each(cdp.Query("count", "visits"), FRAME, epsilon=1)


def test_a_series_keeps_its_index_and_name() -> None:
    mechanism = cdp.CompositeMechanism(epsilon=1.0, inputs=(10, 70))
    series = pd.Series([20.0, 30.0], index=["x", "y"], name="bmi")
    released = mechanism.release(series)
    assert isinstance(released, pd.Series)
    assert (released.index.tolist(), released.name) == (["x", "y"], "bmi")
    assert series.tolist() == [20.0, 30.0]
    assert released.between(*mechanism.outputs).all()
    assert isinstance(mechanism.release([20.0]), np.ndarray)
