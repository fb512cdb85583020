"""A step of scikit-learn's pipelines: what each transform releases, counts and refuses.

The tests that draw and average state their rate of false alarms.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import KFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import compdp_core as cdp
from compdp_core.accounting import BudgetExceededError
from compdp_core.engines.scikit_learn import RepeatedReleaseError
from compdp_core.errors import CompdpError, ParameterError
from tests.unit.report.examples import ROOT

HEIGHT = cdp.ColumnPlan(inputs=(100, 220), epsilon=2)
SMOKES = cdp.ColumnPlan(epsilon=1, kind="category", categories=["yes", "no"])
PLANS = {"height": HEIGHT, "smokes": SMOKES}
ROWS = 60


def frame(start: int = 0) -> pd.DataFrame:
    rows = np.arange(start, start + ROWS)
    return pd.DataFrame(
        {
            "id": rows,
            "height": 150.0 + rows % 40,
            "smokes": np.where(rows % 7 == 0, "yes", "no"),
        },
        index=pd.Index(rows + 1000, name="row"),
    )


def spent(step: cdp.Privatizer) -> dict[str, Fraction]:
    """What each table cost a row."""
    ledger = step.ledger_
    return {name: ledger.total_by_dataset(name) for name in ledger.datasets}


# What scikit-learn asks of every step

EXPECTED = {
    "check_estimators_pickle": "what was pickled draws new noise, as everything does",
    "check_fit_idempotent": "fitted twice it draws twice",
    "check_dict_unchanged": "each transform is counted, and has a card",
}
NOT_FOR_RANDOM_ONES = {
    "check_pipeline_consistency",
    "check_transformer_data_not_an_array",
    "check_transformer_general",
}


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")
def test_it_is_a_step_as_scikit_learn_checks_it_but_for_what_is_random_by_design() -> None:
    step = cdp.Privatizer(inputs=(-10, 10), epsilon=1, repeat="spend")
    results = check_estimator(step, on_fail=None, on_skip=None)
    by_status: dict[str, set[str]] = {"failed": set(), "skipped": set(), "passed": set()}
    for each in results:
        by_status[each["status"]].add(each["check_name"])
    assert by_status["failed"] == set(EXPECTED)
    assert by_status["skipped"] == NOT_FOR_RANDOM_ONES
    assert len(by_status["passed"]) > 30


def test_parameters_are_kept_as_given_and_a_clone_is_not_fitted() -> None:
    ledger = cdp.Ledger(limit=3)
    step = cdp.Privatizer(PLANS, ledger=ledger, repeat="spend")
    assert step.get_params() == {
        "plans": PLANS, "inputs": None, "epsilon": None, "ledger": ledger, "repeat": "spend",
    }  # fmt: skip
    step.fit_transform(frame())
    other = clone(step)
    assert other.get_params() == step.get_params()
    with pytest.raises(NotFittedError):
        other.transform(frame())
    assert step.set_params(repeat="refuse").repeat == "refuse"


# What is released


def test_fit_spends_nothing_and_looks_at_names_alone() -> None:
    step = cdp.Privatizer(PLANS).fit(frame())
    assert (len(step.ledger_.entries), len(step.cards_)) == (0, 0)
    assert {place: plan.epsilon for place, plan in step.plans_.items()} == {1: 2, 2: 1}
    one, other = frame(), frame()
    other["height"] = np.nan
    other["smokes"] = "what nobody listed"
    assert vars(cdp.Privatizer(PLANS).fit(one)).keys() == vars(step).keys()
    assert cdp.Privatizer(PLANS).fit(other).plans_ == step.plans_


def test_fit_transform_releases_once_with_card_and_ledger() -> None:
    given = frame()
    step = cdp.Privatizer(PLANS)
    found = step.fit_transform(given)
    pd.testing.assert_frame_equal(given, frame())
    assert list(found.columns) == list(given.columns)
    pd.testing.assert_index_equal(found.index, given.index)
    pd.testing.assert_series_equal(found["id"], given["id"])
    low, high = HEIGHT.composite().outputs
    assert found["height"].between(low, high).all()
    assert not found["height"].equals(given["height"])
    assert set(found["smokes"]) <= {"yes", "no"}
    assert list(spent(step).values()) == [3]
    (card,) = step.cards_
    assert [item["name"] for item in card["items"]] == ["height", "smokes"]
    assert card["privacy"]["epsilon"] == "3"
    # Who gets the table and the card reads them as those of any other release.
    assert cdp.Estimates(found, card).mean("height").n == ROWS


def test_other_rows_are_released_and_counted_by_themselves() -> None:
    step = cdp.Privatizer(PLANS)
    step.fit_transform(frame())
    step.transform(frame(ROWS))
    assert list(spent(step).values()) == [3, 3]
    assert len({card["identifier"] for card in step.cards_}) == 2


def test_rows_that_were_released_are_not_released_again() -> None:
    step = cdp.Privatizer(PLANS)
    step.fit_transform(frame())
    before = step.ledger_, step.cards_
    for again in (step.transform, step.fit_transform):
        with pytest.raises(RepeatedReleaseError, match="released before"):
            again(frame())
        assert (step.ledger_, step.cards_) == before
    # Who wants it says so, and pays: new noise, and the budgets add up.
    step.set_params(repeat="spend")
    draws = [step.transform(frame())["height"] for _ in range(2)]
    assert not draws[0].equals(draws[1])
    assert list(spent(step).values()) == [9]


def again(step: cdp.Privatizer, rows: Any) -> bool:
    """Whether rows are known again; if so, nothing is drawn, charged or put on a card."""
    before = step.ledger_, step.cards_
    try:
        step.transform(rows)
    except RepeatedReleaseError:
        assert (step.ledger_, step.cards_) == before
        return True
    return False


def fitted(plans: Any = PLANS, start: int = 0) -> cdp.Privatizer:
    step = cdp.Privatizer(plans)
    step.fit_transform(frame(start))
    return step


SAME = {
    "another index": lambda given: given.set_axis(range(ROWS)),
    "another type of numbers": lambda given: given.astype({"height": "float32"}),
    "nullable numbers": lambda given: given.astype({"height": "Int64"}),
    "a type of categories": lambda given: given.astype({"smokes": "category"}),
    "another order": lambda given: given[::-1],
    "another order and type": lambda given: given[::-1].astype({"height": int}),
    "an unreleased column": lambda given: given.assign(id=given["id"] + 0.5),
    "one column changed": lambda given: given.assign(smokes="yes"),
    "flags in their order": lambda given: given.assign(height=170.0),
    "Polars": pl.from_pandas,
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_released_columns_are_known_again_in_any_order_and_type(change: Any) -> None:
    assert again(fitted(), change(frame()))
    # The broken twin, the ledger alone: a copy is given it, and has no digests.
    copied = pickle.loads(pickle.dumps(step := fitted()))  # noqa: S301 - made here
    copied.set_params(ledger=step.ledger_)
    same_text = change is SAME["another index"] or change is SAME["Polars"]
    same_text = same_text or change is SAME["a type of categories"]
    same_text = same_text or change is SAME["another type of numbers"]
    assert again(copied, change(frame())) == same_text


OTHER = {
    "a part": lambda given: given[: ROWS - 1],
    "a changed cell of each": lambda given: given.assign(
        height=[150.5, *given["height"][1:]],
        smokes=["no", *given["smokes"][1:]],
    ),
    "flags that are as many by chance": lambda given: given.assign(
        height=given["height"] + 0.5, smokes=given["smokes"].to_numpy()[::-1]
    ),
}


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_other_values_are_released(change: Any) -> None:
    assert not again(fitted(), change(frame()))


def test_few_rows_are_known_again_where_no_released_column_is_new() -> None:
    """Rows one by one, as a model predicts them: flags alone repeat by chance all the time."""
    step = fitted()
    one = pd.DataFrame({"id": [1], "height": [170.0], "smokes": ["yes"]})
    assert not again(step, one)
    assert not again(step, one.assign(height=171.0))
    assert again(step, one.astype({"height": int}))
    # A column of it alone is no new release, either.
    assert again(step.set_params(plans={"smokes": SMOKES}).fit(one), one)


@pytest.mark.parametrize("kind", ["int32", "float32", "object", "str"])
def test_arrays_are_known_again(kind: str) -> None:
    given = np.array([[151], [163], [172]])
    step = cdp.Privatizer(inputs=(100, 220), epsilon=1)
    step.fit_transform(given)
    assert again(step, given[::-1].astype(kind))
    assert again(step, given.astype(kind).tolist())
    assert not again(step, given + 1)


def test_at_the_limit_a_repeat_is_said_to_be_one_and_what_was_refused_is_not_remembered() -> None:
    step = cdp.Privatizer(PLANS, ledger=cdp.Ledger(limit=3))
    step.fit_transform(frame())
    assert again(step, frame())
    step.set_params(repeat="spend")
    with pytest.raises(BudgetExceededError):
        step.transform(frame())
    step.set_params(repeat="refuse", plans={"height": cdp.ColumnPlan(inputs=(0, 9), epsilon=9)})
    step.fit(frame(ROWS))
    for _ in range(2):
        with pytest.raises(BudgetExceededError):
            step.transform(frame(ROWS))


def test_what_is_spent_is_remembered_too() -> None:
    step = cdp.Privatizer(PLANS, repeat="spend")
    step.fit_transform(frame())
    step.transform(frame(ROWS))
    step.set_params(repeat="refuse")
    assert again(step, frame()[::-1])
    assert again(step, frame(ROWS)[::-1])


def test_a_limit_holds_over_all_calls() -> None:
    step = cdp.Privatizer(PLANS, ledger=cdp.Ledger(limit=6), repeat="spend")
    step.fit_transform(frame())
    step.fit_transform(frame())
    with pytest.raises(BudgetExceededError):
        step.transform(frame())
    assert list(spent(step).values()) == [6]
    assert len(step.cards_) == 2
    # What was spent elsewhere counts as well.
    with pytest.raises(BudgetExceededError):
        cdp.Privatizer(PLANS, ledger=step.ledger_, repeat="spend").fit_transform(frame())


def near(values: Any, true: float, error: float) -> bool:
    return bool(abs(np.mean(values) - true) < 6.5 * error)


def test_an_array_has_noise_that_is_right_on_average() -> None:
    """False alarm below 1e-9: 6.5 standard errors; sees a mean that is off by 3 of 100."""
    given = np.full((4000, 2), [20.0, 1e6])
    step = cdp.Privatizer(inputs=(0, 100), epsilon=2)
    found = step.fit_transform(given)
    assert isinstance(found, np.ndarray)
    assert found.dtype == np.float64
    assert spent(step).popitem()[1] == 4  # two columns of 2 each
    noise = cdp.CompositeMechanism(2, (0, 100))
    inside, end = (float(np.sqrt(noise.variance(x) / 4000)) for x in (20.0, 100.0))
    assert near(found[:, 0], 20.0, inside)
    assert near(found[:, 1], 100.0, end)  # what lies beyond is clamped first
    # The broken twin: clamped afterwards, about 15 too low on average.
    assert not near(np.clip(found[:, 1], 0, 100), 100.0, end)


def test_missing_and_infinite_cells_are_filled_and_nothing_shows() -> None:
    given = np.array([[1.0], [np.nan], [np.inf], [-np.inf]] * 50)
    found = cdp.Privatizer(inputs=(0, 9), epsilon=1).fit_transform(given)
    assert np.isfinite(found).all()


# Containers and pipelines


def test_frames_come_back_in_their_kind_or_in_the_one_that_is_asked_for() -> None:
    step = cdp.Privatizer(PLANS, repeat="spend")
    given = pl.from_pandas(frame())
    found = step.fit_transform(given)
    assert isinstance(found, pl.DataFrame)
    assert found["id"].equals(given["id"])
    assert list(step.get_feature_names_out()) == given.columns
    for kind, made in (("pandas", pd.DataFrame), ("polars", pl.DataFrame)):
        array = cdp.Privatizer(inputs=(0, 9), epsilon=1).set_output(transform=kind)
        out = array.fit_transform(np.arange(12.0).reshape(6, 2))
        assert isinstance(out, made)
        assert list(out.columns) == ["x0", "x1"]


def test_labels_that_are_numbers_name_columns_and_not_places() -> None:
    given = pd.DataFrame({1: [100.0] * 5, 0: [1.0] * 5})
    step = cdp.Privatizer({1: HEIGHT})
    found = step.fit_transform(given)
    assert list(found.columns) == [1, 0]
    assert list(step.plans_) == [0]
    pd.testing.assert_series_equal(found[0], given[0])
    assert list(cdp.Privatizer({1: HEIGHT}).fit(given.to_numpy()).plans_) == [1]


def test_a_column_transformer_hands_it_columns() -> None:
    chosen = ColumnTransformer(
        [("noisy", cdp.Privatizer(PLANS), ["height", "smokes"])], remainder="passthrough"
    )
    found = chosen.set_output(transform="pandas").fit_transform(frame())
    assert list(found.columns) == ["noisy__height", "noisy__smokes", "remainder__id"]
    assert list(spent(chosen.named_transformers_["noisy"]).values()) == [3]


def pipeline() -> Any:
    return make_pipeline(
        cdp.Privatizer(inputs=(0, 100), epsilon=4), StandardScaler(), LinearRegression()
    )


def test_a_pipeline_learns_from_what_was_released_and_does_not_score_it_anew() -> None:
    rows = np.linspace(0.0, 100.0, 200).reshape(-1, 1)
    target = 3.0 * rows[:, 0]
    model = pipeline().fit(rows, target)
    assert list(spent(model[0]).values()) == [4]
    with pytest.raises(RepeatedReleaseError):
        model.score(rows, target)
    assert model.predict(rows[:50]).shape == (50,)
    assert list(spent(model[0]).values()) == [4, 4]


def test_cross_validation_spends_once_for_each_fold_and_no_ledger_knows_all() -> None:
    """What the documentation warns of: of each row as many releases as there are folds."""
    rows = np.linspace(0.0, 100.0, 90).reshape(-1, 1)
    done = cross_validate(
        pipeline(), rows, rows[:, 0], cv=KFold(3), return_estimator=True, error_score="raise"
    )
    ledgers = [model[0].ledger_ for model in done["estimator"]]
    # Each clone: the two folds that it learns from, and the one that it is scored on.
    assert [len(ledger.entries) for ledger in ledgers] == [2, 2, 2]
    assert sum(len(ledger.entries) * 90 // 2 for ledger in ledgers) == 3 * 90
    # Privatised once before the split, the same costs ε once.
    step = cdp.Privatizer(inputs=(0, 100), epsilon=4)
    cross_validate(LinearRegression(), step.fit_transform(rows), rows[:, 0], cv=KFold(3))
    assert list(spent(step).values()) == [4]


# What is pickled


def test_a_pickle_holds_no_cell_and_no_key_and_releases_only_with_the_owners_ledger() -> None:
    given = pd.DataFrame({"height": [151.0625, 163.5, 201.8125] * 20, "name": "Ada Lovelace"})
    step = cdp.Privatizer({"height": HEIGHT})
    step.fit_transform(given)
    packed = pickle.dumps(step)
    assert b"Lovelace" not in packed
    for value in (151.0625, 201.8125):
        assert not any(
            each in packed for each in (str(value).encode(), np.float64(value).tobytes())
        )
    (key,) = step.ledger_.keys.secrets
    assert key not in packed
    hidden = step._known._key
    assert hidden not in packed
    for each in (key, hidden):
        assert each in pickle.dumps(vars(step))  # the broken twin: all that it holds
    other = pickle.loads(packed)  # noqa: S301 - made here
    assert other.ledger_.entries == step.ledger_.entries
    assert other.cards_ == step.cards_
    for rows in (given, given[:9]):
        with pytest.raises(RepeatedReleaseError, match=r"set_params\(ledger"):
            other.transform(rows)
    other.set_params(ledger=step.ledger_)
    with pytest.raises(RepeatedReleaseError, match="released before"):
        other.transform(given)
    assert len(other.transform(given[:9])) == 9
    assert len(other.ledger_.entries) == 2


# What is refused


@pytest.mark.parametrize(
    ("step", "match"),
    [
        (cdp.Privatizer(), "both inputs and epsilon"),
        (cdp.Privatizer(inputs=(0, 1)), "both inputs and epsilon"),
        (cdp.Privatizer(PLANS, inputs=(0, 1)), "left out beside inputs"),
        (cdp.Privatizer({}), "at least one column"),
        (cdp.Privatizer(["height"]), "must be a mapping"),  # type: ignore[arg-type]
        (cdp.Privatizer({"height": (0, 9)}), "must be a ColumnPlan"),  # type: ignore[dict-item]
        (cdp.Privatizer({"weight": HEIGHT}), "must be a label or position"),
        (cdp.Privatizer({"height": HEIGHT, 1: HEIGHT}), "twice"),
        (cdp.Privatizer({"height": cdp.ColumnPlan(0, (0, 9), 1)}), "as another one"),
        (
            cdp.Privatizer({"height": cdp.ColumnPlan(inputs=(0, 9), epsilon=1, missing="drop")}),
            "leaves rows out",
        ),
        (cdp.Privatizer(PLANS, repeat="always"), "repeat must be"),  # type: ignore[arg-type]
        (cdp.Privatizer(PLANS, ledger=3), "must be a Ledger"),  # type: ignore[arg-type]
        (cdp.Privatizer(inputs=(0, 1), epsilon=-1), "epsilon must be"),
    ],
)
def test_plans_that_do_not_fit_are_refused_by_fit(step: cdp.Privatizer, match: str) -> None:
    with pytest.raises(CompdpError, match=match):
        step.fit(frame())


def test_other_columns_and_sparse_ones_are_refused() -> None:
    step = cdp.Privatizer(PLANS).fit(frame())
    with pytest.raises(ValueError, match="feature names should match"):
        step.transform(frame()[["height", "id", "smokes"]])
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        cdp.Privatizer(inputs=(0, 1), epsilon=1).fit(csr_array(np.eye(3)))
    assert step.ledger_.entries == ()


@pytest.mark.parametrize(
    ("made", "match"),
    [
        (lambda given: pl.from_pandas(given).lazy(), r"\.collect\(\) first, got LazyFrame"),
        (lambda given: pl.from_pandas(given).to_arrow(), r"\.to_pandas\(\).*, got Table"),
        (lambda given: cdp.read_csv(given.to_csv(index=False).encode()), "compdp_core.privatize"),
    ],
)
def test_what_would_not_come_back_as_it_came_is_refused_with_the_way_out(
    made: Any, match: str
) -> None:
    step = cdp.Privatizer(PLANS)
    with pytest.raises(ParameterError, match=match):
        step.fit(made(frame()))
    step.fit(frame())
    with pytest.raises(ParameterError, match=match):
        step.transform(made(frame()))
    assert step.ledger_.entries == ()
    assert len(step.transform(pl.from_pandas(frame()).lazy().collect())) == ROWS


def test_without_scikit_learn_it_says_what_to_install() -> None:
    code = """
import sys
sys.modules["sklearn"] = None
from compdp_core import *
try:
    Privatizer(inputs=(0, 1), epsilon=1)
except ModuleNotFoundError as missing:
    print(missing)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert "pip install composite-dp[sklearn]" in done.stdout, done.stderr
