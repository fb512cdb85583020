"""Correlation and regression by second routes: least squares of clean columns with the sandwich,
and tables that hold every pair of released values as often as it is to be expected.

The last test draws: of figures 6.1 standard errors off, a false alarm is below 1e-9.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.errors import ParameterError
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import EstimateError
from compdp_core.estimates.ratios import Ratio
from compdp_core.estimates.reading import Reading, Sampling, of_clean, of_numbers
from compdp_core.estimates.relations import correlation, regression
from compdp_core.intervals import Interval
from compdp_core.validation import Array
from tests.unit.estimates.cells import JOINT, TRUE, Cells, chances, column, moments, rows

RNG = np.random.default_rng(20261129)


def clean(values: Array, n: int) -> dict[str, Any]:
    """Predictors and outcome of the least squares below."""
    x = np.array([5.0, 100.0, -3.0]) + RNG.normal(size=(n, 3))
    x[:, 1] += x[:, 0]
    return {"x": x, "y": x @ values + 7.0 + RNG.normal(size=n) * (1.0 + np.abs(x[:, 0]))}


def sandwich(x: Array, y: Array) -> tuple[Array, Array]:
    """Least squares with an intercept, and White's errors with n - k in place of n (HC1)."""
    full = np.column_stack([np.ones(len(y)), x])
    found = np.linalg.lstsq(full, y)[0]
    inner = np.linalg.inv(full.T @ full)
    left = (full.T * (y - full @ found) ** 2) @ full
    scale = len(y) / (len(y) - full.shape[1])
    errors: Array = np.sqrt(np.diag(inner @ left @ inner) * scale)
    return found.astype(np.float64), errors


@pytest.mark.parametrize("n", [25, 400])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_of_clean_columns_it_is_least_squares_with_the_sandwich(n: int, k: int) -> None:
    given = clean(np.array([1.0, -2.0, 0.5]), n)
    x, y = given["x"][:, :k], given["y"]
    on = [(f"x{j}", of_clean(x[:, j])) for j in range(k)]
    found = regression(("y", of_clean(y)), on, Sampling(n), 0.95)
    assert list(found) == ["intercept", *(name for name, _ in on)]
    values, errors = sandwich(x, y)
    made = list(found.values())
    assert [each.value for each in made] == pytest.approx(values, rel=1e-7)
    assert [each.standard_error for each in made] == pytest.approx(errors, rel=1e-7)
    for each in made:
        assert each.high - each.value == pytest.approx(each.value - each.low)
    r = correlation(on[0], ("y", of_clean(y)), Sampling(n), 0.95)
    assert r.value == pytest.approx(np.corrcoef(x[:, 0], y)[0, 1])
    assert r.low < r.value < r.high


def expected(first: Cells, second: Cells, n: int = 150_000) -> tuple[Reading, Reading]:
    """Rows that hold each pair of readings as often as is to be expected, but for rounding."""
    return rows(first, second, np.rint(n * chances(first, second)).astype(np.int64))


@pytest.mark.parametrize("pair", ["A1B1", "A2B2", "category", "clean"])
@pytest.mark.parametrize("other", ["A1B1", "category", "clean"])
@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_expected_tables_give_the_true_figures(pair: str, other: str, epsilon: float) -> None:
    a, b = column(pair, epsilon), column(other, epsilon)
    u, w = expected(a, b)
    m, k, both, v, x = moments(a, b)
    whole = Sampling(len(u.values))
    found = regression(("w", w), [("u", u)], whole, 0.95)
    # Rounding by whole counts and, for whole numbers, by the lattice.
    assert found["u"].value == pytest.approx(both / v, rel=0.02)
    assert found["intercept"].value == pytest.approx(k - m * both / v, rel=0.02)
    assert correlation(("u", u), ("w", w), whole, 0.95).value == pytest.approx(
        both / math.sqrt(v * x), rel=0.02
    )
    if not (u.is_clean and w.is_clean):  # what is naive is far off
        naive = correlation(("u", bare(u)), ("w", bare(w)), whole, 0.95).value
        assert abs(naive) < 0.95 * both / math.sqrt(v * x)


def bare(reading: Reading) -> Reading:
    """As if there were no noise."""
    return of_clean(reading.values)


def test_two_noisy_predictors_and_a_clean_one() -> None:
    """Each number with its own noise, in a table of every combination as often as expected."""
    a, b = column("A1B1", 4.0), column("category", 3.0)
    n, true = 300_000, [(x, g, z) for x in (0, 4, 10) for g in (0, 8) for z in (0.0, 1.0)]
    weight = {each: 1.0 + (each[0] == 4) * each[2] + 2.0 * (each[1] > 0) * (each[0] > 0)
              for each in true}  # fmt: skip
    whole = sum(weight.values())
    parts: list[tuple[Array, Array, float, float]] = []
    for (x, g, z), share in weight.items():
        pair = np.rint(n * share / whole * np.outer(a.kernel[x], b.kernel[g])).astype(np.int64)
        i, j = np.divmod(np.repeat(np.arange(pair.size), pair.ravel()), pair.shape[1])
        parts.append((i, j, z, 2.0 + 0.5 * x - 3.0 * (g == 8) + 1.5 * z))
    i, j = (np.concatenate([part[at] for part in parts]) for at in (0, 1))
    sizes = [len(part[0]) for part in parts]
    given, outcome = (np.repeat([part[at] for part in parts], sizes) for at in (2, 3))
    on = [("x", a.readings.take(i)), ("g", b.readings.take(j)), ("z", of_clean(given))]
    found = regression(("y", of_clean(outcome)), on, Sampling(len(i)), 0.95)
    assert [each.value for each in found.values()] == pytest.approx([2, 0.5, -3, 1.5], rel=0.01)
    clean_on = [(name, bare(each)) for name, each in on]
    naive = regression(("y", of_clean(outcome)), clean_on, Sampling(len(i)), 0.95)
    assert abs(naive["x"].value - 0.5) > 0.05


@pytest.mark.parametrize("pair", ["A1B1", "A2B2", "A4B1"])
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 4.0, 8.0])
def test_the_noise_is_known_on_average(pair: str, epsilon: float) -> None:
    """With what rounding adds on lattices of few points."""
    made = column(pair, epsilon)
    rounding = 1e-6 if pair != "A4B1" else 0.001
    squares = made.kernel @ (made.readings.values**2 - made.readings.noise)
    assert np.mean(squares) == pytest.approx(np.mean(TRUE**2), abs=rounding)


def test_fieller_is_the_inversion_of_its_test() -> None:
    found = Ratio(3.0, 2.0, np.array([[0.4, 0.1], [0.1, 0.15]]), 1e9)
    for end in found.interval(0.95):
        # The test at an end: as far from 0 as the quantile allows.
        error = math.sqrt(0.4 - 2 * end * 0.1 + end * end * 0.15)
        assert abs(3.0 - end * 2.0) / error > 1.96
    sure = Ratio(3.0, 20.0, np.array([[0.4, 0.1], [0.1, 0.15]]), 1e9)
    for end in sure.interval(0.95):
        error = math.sqrt(0.4 - 2 * end * 0.1 + end * end * 0.15)
        assert abs(3.0 - end * 20.0) / error == pytest.approx(1.959964)
    assert Ratio(3.0, 0.5, np.eye(2), 1e9).interval(0.95) == (-math.inf, math.inf)


def test_what_is_hardly_told_is_wider_and_says_so() -> None:
    told = [Ratio(3.0, below, np.array([[0.4, 0.0], [0.0, 1.0]]), 1e9) for below in (3.2, 9.0)]
    ends = [each.interval(0.95) for each in told]
    assert [len(each.doubt) for each in told] == [1, 0]
    slack = [(3.0 - high * q) / math.sqrt(0.4 + high**2) for (_, high), q in zip(
        ends, (3.2, 9.0), strict=True)]  # fmt: skip
    assert slack[0] < -2.5
    assert slack[1] == pytest.approx(-1.96, abs=0.01)
    assert told[1].interval(0.95, told[0])[1] > ends[1][1]


def test_a_correlation_of_1_has_no_interval_turned_around() -> None:
    """Of two releases of one column it is 1, so half of the estimates lie above, and 1 in 20 far
    above. 200 tables: 95 % less 6.1 standard errors is .856.
    """
    a = column("A1B1", 4.0)
    alike = a.kernel.T @ np.diag(JOINT.sum(axis=1)) @ a.kernel
    found = []
    for _ in range(200):
        u, w = rows(a, a, RNG.multinomial(3000, alike.ravel()).reshape(alike.shape))
        found.append(correlation(("u", u), ("w", w), Sampling(3000), 0.95))
    assert max(each.value for each in found) > 1.0
    assert all(each.low < each.high for each in found)
    assert np.mean([each.high == 1.0 for each in found]) > 0.856


def test_rows_of_one_person_count_together() -> None:
    a, b = column("A1B1", 4.0), column("clean", 4.0)
    u, w = rows(a, b, RNG.multinomial(500, chances(a, b).ravel()).reshape(-1, 11))
    twice = np.repeat(np.arange(500), 2)
    one = correlation(("u", u), ("w", w), Sampling(500), 0.95)
    given = ("u", u.take(twice)), ("w", w.take(twice))
    known = correlation(*given, Sampling(1000, 1.0, twice, 2), 0.95)
    bound = correlation(*given, Sampling(1000, 1.0, None, 2), 0.95)
    ignored = correlation(*given, Sampling(1000), 0.95)
    for each in (known, bound):
        assert each.standard_error == pytest.approx(one.standard_error, rel=0.01)
        assert each.high - each.low == pytest.approx(one.high - one.low, rel=0.01)
    assert ignored.standard_error == pytest.approx(one.standard_error / math.sqrt(2), rel=0.01)
    assert "Rows of one person" in known.note
    assert "does not say which rows" in bound.note


def frame(n: int = 2000) -> pd.DataFrame:
    x = RNG.uniform(0, 100, n)
    z = 0.5 * x + RNG.normal(0, 10, n)
    answer = np.where(RNG.random(n) < x / 100, "yes", "no")
    return pd.DataFrame(
        {"x": x, "z": z, "answer": answer, "one": 1.0, "double": 2 * z, "text": "a"}
    )


@pytest.fixture(scope="module")
def estimates() -> cdp.Estimates:
    plans: dict[str, Any] = {
        "x": cdp.ColumnPlan(inputs=(0, 100), epsilon=6),
        "answer": cdp.ColumnPlan(epsilon=4, kind="category", categories=["yes", "no"]),
    }
    release = cdp.privatize(frame(), plans)
    return cdp.Estimates(release.csv(), release.card)


REFUSED: list[tuple[str, tuple[Any, ...], type[Exception], str]] = [
    ("correlation", ("x", "x"), ParameterError, "second must be another column"),
    ("correlation", (("answer", "yes"), ("answer", "no")), ParameterError, "drawn together"),
    ("correlation", ("x", "answer"), ParameterError, "must name a category"),
    ("correlation", ("x", "one"), EstimateError, "one has one value only"),
    ("correlation", ("x", "text"), ParameterError, "second must name one of its texts"),
    ("regression", ("x", "x"), ParameterError, "on must be another column"),
    ("regression", ("x", ["z", "z"]), ParameterError, r"on\[1\] must be another column"),
    ("regression", ("x", []), ParameterError, "on must name 1 to 20 columns"),
    ("regression", ("x", ["z", "double"]), EstimateError, "one is a sum of the others"),
    ("regression", ("one", "z"), EstimateError, "one has one value only"),
    ("regression", ("z", "nothing"), ParameterError, "must be a label"),
]


@pytest.mark.parametrize(("method", "arguments", "error", "words"), REFUSED)
def test_what_is_refused(
    estimates: cdp.Estimates, method: str, arguments: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words) as refused:
        getattr(estimates, method)(*arguments)
    assert str(refused.value).count(". ") == 0


def test_an_intercept_of_that_name_is_refused() -> None:
    x, y = (of_clean(each) for each in RNG.normal(size=(2, 50)))
    with pytest.raises(ParameterError, match="rename the column"):
        regression(("y", y), [("intercept", x)], Sampling(50), 0.95)


def test_subjects_of_every_kind(estimates: cdp.Estimates) -> None:
    found = estimates.correlation("x", ("answer", "yes"))
    assert found.value == pytest.approx(0.577, abs=0.2)
    assert found.n == 2000
    assert found.about == "population"
    assert "what brings about what" in found.note
    made = estimates.regression("z", ["x", ("answer", "yes")])
    assert list(made) == ["intercept", "x", "answer: yes"]
    assert made["x"].value == pytest.approx(0.5, abs=0.2)


def test_too_much_noise_is_told_with_a_way_out() -> None:
    release = cdp.privatize(frame(200), {"x": cdp.ColumnPlan(inputs=(0, 100), epsilon=0.1)})
    found = cdp.Estimates(release.csv(), release.card)
    with pytest.raises(
        EstimateError, match=r"needs ((about|more than) [\d,]+|more) rows, or a larger ε"
    ):
        found.correlation("x", "z")
    assert found.regression("x", "z")["z"].n == 200  # noise of an outcome is no obstacle


def test_rows_that_answer_both_are_used() -> None:
    plans = {name: cdp.ColumnPlan(inputs=(-50, 150), epsilon=8) for name in ("x", "z", "double")}
    release = cdp.privatize(frame(3000), plans, answered=2)
    found = cdp.Estimates(release.csv(), release.card).correlation("x", "z")
    assert 800 < found.n < 1200
    assert f"Made of {found.n:,} of 3,000 rows" in found.note


def test_figures_at_a_hundred_thousand_rows() -> None:
    """A column of 0 to 100 at ε = 1: how far off they are, and how far naive ones."""
    n = 100_000
    x = np.clip(np.where(RNG.random(n) < 0.6, RNG.normal(30, 10, n), RNG.normal(70, 9, n)), 0, 100)
    z = 0.501 * x + RNG.normal(0, 0.501 * x.std() * math.sqrt(1 / 0.665**2 - 1), n)
    mechanism = cdp.CompositeMechanism(1.0, (0, 100), pair="A1B1")
    channel = NumberChannel.of(mechanism.lattice, Interval(*mechanism.outputs), whole=False)
    u = of_numbers(mechanism.simulate(x, seed=1), channel)
    given, whole = ("z", of_clean(z)), Sampling(n)
    slope = regression(given, [("x", u)], whole, 0.95)["x"]
    assert slope.standard_error == pytest.approx(0.018, rel=0.2)
    assert abs(slope.value - 0.501) < 6.1 * slope.standard_error
    r = correlation(given, ("x", u), whole, 0.95)
    assert abs(r.value - 0.665) < 6.1 * r.standard_error
    assert 0.005 < r.standard_error < 0.03
    naive = regression(given, [("x", bare(u))], whole, 0.95)["x"]
    assert naive.value == pytest.approx(0.022, abs=0.01)
    assert correlation(given, ("x", bare(u)), whole, 0.95).value == pytest.approx(0.138, abs=0.03)
