"""Means of groups and their differences by second routes: Welch's test of SciPy, and tables that
hold every pair of released values as often as it is to be expected.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_ind

import compdp_core as cdp
from compdp_core.errors import ParameterError
from compdp_core.estimates.estimate import EstimateError
from compdp_core.estimates.groups import (
    MOST_GROUPS,
    difference,
    groups_of,
    noisy_difference,
    noisy_means,
)
from compdp_core.estimates.ratios import CompleteRows, Ratio
from compdp_core.estimates.reading import Reading, Sampling, of_category, of_clean
from compdp_core.estimates.relations import regression
from compdp_core.mechanisms.categories import RandomizedResponse
from tests.unit.estimates.cells import JOINT, TRUE, category, chances, column

RNG = np.random.default_rng(7)
VALUES = RNG.normal(size=60) * np.repeat([1.0, 3.0, 1.0], [10, 20, 30])
GROUPS = {"a": np.arange(10), "b": np.arange(10, 30)}


def test_a_difference_is_that_of_welch() -> None:
    found = difference(of_clean(VALUES), GROUPS, Sampling(60), 0.9)
    told = ttest_ind(*(VALUES[rows] for rows in GROUPS.values()), equal_var=False)
    ends = told.confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high))
    assert found.value / found.standard_error == pytest.approx(told.statistic)
    assert found.n == 30
    swapped = difference(of_clean(VALUES), dict(reversed(GROUPS.items())), Sampling(60), 0.9)
    assert swapped.low == pytest.approx(-found.high)


def test_rows_of_one_person_in_a_group_and_in_both() -> None:
    twice = np.repeat(VALUES, 2)
    groups = {"a": np.arange(20), "b": np.arange(20, 60)}
    one = difference(of_clean(VALUES), GROUPS, Sampling(60), 0.95)
    whose = np.repeat(np.arange(60), 2)
    for persons in (whose, None):
        found = difference(of_clean(twice), groups, Sampling(120, 1.0, persons, 2), 0.95)
        assert found.standard_error == pytest.approx(one.standard_error)
        assert found.high == pytest.approx(one.high)
    # A person with a row in either group: what they share falls away, as in a paired test.
    before, change = RNG.normal(0, 10, 40), RNG.normal(1, 0.1, 40)
    values, whose = np.concatenate([before, before + change]), np.tile(np.arange(40), 2)
    both = {"after": np.arange(40, 80), "before": np.arange(40)}
    paired = difference(of_clean(values), both, Sampling(80, 1.0, whose, 2), 0.95)
    assert paired.standard_error == pytest.approx(change.std(ddof=1) / np.sqrt(40))


def noisy(epsilon: float, other: str, n: int = 200_000) -> tuple[Reading, dict[str, Reading]]:
    """A column and the readings of the categories of another, as often as expected."""
    b, cats = column(other, epsilon), [category(epsilon, place) for place in range(3)]
    counts = np.rint(n * chances(cats[0], b)).astype(np.int64)
    i, j = np.divmod(np.repeat(np.arange(counts.size), counts.ravel()), counts.shape[1])
    return b.readings.take(j), {str(at): cats[at].readings.take(i) for at in range(3)}


def true_means() -> np.ndarray[Any, Any]:
    weights = np.stack([category(1.0, place).meaning for place in range(3)])
    found: np.ndarray[Any, Any] = weights @ JOINT @ TRUE / (weights @ JOINT.sum(axis=1))
    return found


@pytest.mark.parametrize("other", ["clean", "A1B1", "A2B2"])
@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_means_by_a_released_category_are_the_true_ones(other: str, epsilon: float) -> None:
    u, cats = noisy(epsilon, other)
    whole, true = Sampling(len(u.values)), true_means()
    found = noisy_means(u, cats, whole, 0.95)
    assert [each.value for each in found.values()] == pytest.approx(true, rel=0.02)
    two = {"2": cats["2"], "0": cats["0"]}
    made = noisy_difference(u, two, whole, 0.95)
    assert made.value == pytest.approx(true[2] - true[0], rel=0.03)
    assert made.low < made.value < made.high
    released = [float(u.values[cats[name].values > 0.5].mean()) for name in two]
    assert abs(released[0] - released[1]) < 0.97 * (true[2] - true[0])  # naive: too near


def test_of_two_categories_it_is_the_slope() -> None:
    """Yes and no: the difference of means is the coefficient of yes, error and all."""
    mechanism, codes = RandomizedResponse(2.0, 2), RNG.integers(0, 2, 3000).astype(float)
    drawn = mechanism.simulate(codes, seed=1)
    cats = {name: of_category(drawn, mechanism, at) for at, name in enumerate(("no", "yes"))}
    y = of_clean(codes + RNG.normal(size=3000))
    two = {"yes": cats["yes"], "no": cats["no"]}
    made = noisy_difference(y, two, Sampling(3000), 0.95)
    slope = regression(("y", y), [("yes", cats["yes"])], Sampling(3000), 0.95)["yes"]
    assert made.value == pytest.approx(slope.value, rel=0.001)
    assert made.standard_error == pytest.approx(slope.standard_error, rel=0.01)
    assert (made.low, made.high) == pytest.approx((slope.low, slope.high), rel=0.02)


def test_texts_in_order_and_blank_cells_named() -> None:
    found = groups_of(["b", " a", "", "b", " ", "(blank)"])
    assert {name: rows.tolist() for name, rows in found.items()} == {
        "(blank)": [5],
        "a": [1],
        "b": [0, 3],
        "((blank))": [2, 4],
    }


@pytest.fixture(scope="module")
def estimates() -> cdp.Estimates:
    n = 900
    group = np.resize(["a", "b", "c"], n)
    group[0] = ""
    data = pd.DataFrame({
        "group": group, "x": np.resize([10.0, 20.0, 60.0], n), "many": np.arange(n),
        "answer": np.resize(["yes", "no", "no"], n), "rare": ["never"] * n,
    })  # fmt: skip
    plans: dict[str, Any] = {
        "x": cdp.ColumnPlan(inputs=(0, 100), epsilon=8),
        "answer": cdp.ColumnPlan(epsilon=6, kind="category", categories=["yes", "no"]),
        "rare": cdp.ColumnPlan(epsilon=0.5, kind="category", categories=["never", "ever"]),
    }
    release = cdp.privatize(data, plans)
    return cdp.Estimates(release.csv(), release.card)


def test_means_by_texts_and_by_categories(estimates: cdp.Estimates) -> None:
    found = estimates.means("x", by="group")
    assert list(found) == ["a", "b", "c", "(blank)"]
    assert [each.n for each in found.values()] == [299, 300, 300, 1]
    assert [found[name].value for name in "abc"] == pytest.approx([10, 20, 60], abs=12)
    made = estimates.means("x", by="answer")
    assert made["yes"].value == pytest.approx(10, abs=12)
    assert made["no"].value == pytest.approx(40, abs=12)
    only = estimates.means("x", by="rare")
    assert list(only) == ["never"]
    assert "Nothing can be said of ever" in only["never"].note
    shares = estimates.means(("answer", "yes"), by="group")
    assert shares["a"].value == pytest.approx(1.0, abs=0.3)


def test_differences(estimates: cdp.Estimates) -> None:
    found = estimates.difference("x", by="group", groups=("c", "a"))
    assert found.value == pytest.approx(50, abs=15)
    assert found.about == "population"
    assert "Mean of c less that of a" in found.note
    assert estimates.difference("x", by="answer").value == pytest.approx(-30, abs=15)
    assert estimates.difference(("answer", "yes"), by="group", groups=["a", "b"]).value > 0.5


REFUSED: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    ("means", {"by": "x"}, ParameterError, "by must be an untouched column"),
    ("means", {"by": "many"}, ParameterError, f"at most {MOST_GROUPS} texts: put them into"),
    ("means", {"by": "none"}, ParameterError, "must be a label"),
    ("difference", {"by": "group"}, ParameterError, "groups must be two of a, b, c"),
    ("difference", {"by": "group", "groups": ("a", "z")}, ParameterError, r"groups\[1\] must be"),
    ("difference", {"by": "group", "groups": ("a", "a")}, ParameterError, "groups must be two"),
    ("difference", {"by": "group", "groups": "ab"}, ParameterError, "groups must be two of"),
    ("difference", {"by": "group", "groups": ("a", "(blank)")}, EstimateError, "only 1 row"),
    ("difference", {"by": "rare"}, EstimateError, "the share of ever is not above 0"),
]


@pytest.mark.parametrize(("method", "settings", "error", "words"), REFUSED)
def test_what_is_refused(
    estimates: cdp.Estimates, method: str, settings: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words) as refused:
        getattr(estimates, method)("x", **settings)
    assert str(refused.value).count(". ") == 0


def test_a_category_by_another_of_its_column_is_refused(estimates: cdp.Estimates) -> None:
    with pytest.raises(ParameterError, match="by must be another column"):
        estimates.means(("answer", "yes"), by="answer")


def test_a_share_that_may_be_nothing_is_told() -> None:
    rows = CompleteRows(100, None, 1)
    with pytest.raises(EstimateError, match=r"about 200 rows, or a larger ε"):
        rows.clear(Ratio(1.0, 2.1, np.eye(2), 98.0), 0.95, "the share of it")
