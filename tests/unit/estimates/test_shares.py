"""Shares from released categories: right on average, intervals at their rate, what is refused.

Seeds are fixed, but that of a released column. False alarms: 10⁻⁹ for each verdict at another seed,
as all bounds lie 6.1 standard errors of that many tables off.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.estimates.estimate import About, EstimateError
from compdp_core.estimates.reading import Sampling
from compdp_core.estimates.shares import Floats, Shares, estimated, of_column, share
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release import ColumnPlan, Plan, release
from compdp_core.tables.sources import as_table

TABLES = 4000
TRUE = np.array([0.6, 0.25, 0.12, 0.03])


def drawn(rows: int, mechanism: RandomizedResponse, about: About) -> list[Shares]:
    """Of many tables; drawn from a population of the shares, or with rows of the very shares."""
    chance, p, q = (
        np.random.default_rng(rows),
        mechanism.probability_kept,
        mechanism.probability_other,
    )
    kernel = np.full((4, 4), q) + (p - q) * np.eye(4)
    if about == "population":
        counts = chance.multinomial(rows, TRUE @ kernel, TABLES)
    else:
        whole = np.rint(rows * TRUE).astype(int)
        each = zip(whole, kernel, strict=True)
        counts = np.sum([chance.multinomial(n, pmf, TABLES) for n, pmf in each], axis=0)
    return [share(each, mechanism, about=about) for each in counts]


def coverage(found: list[Shares], level: float = 0.95) -> Floats:
    ends = np.array([each.intervals(level) for each in found])
    covered: Floats = np.mean((ends[..., 0] <= TRUE) & (ends[..., 1] >= TRUE), axis=0)
    return covered


CASES = [(rows, epsilon) for rows in (200, 2000, 50_000) for epsilon in (0.5, 1.0, 4.0)]


@pytest.mark.parametrize("about", ["population", "rows"])
@pytest.mark.parametrize(("rows", "epsilon"), CASES)
def test_intervals_hold_the_share_at_their_rate(rows: int, epsilon: float, about: About) -> None:
    """95 % to within .026: 6.1 standard errors of 4,000 tables, and what steps of counts add.

    Near 0 and 1 half of the missing 5 % may be held, too: what lies beyond is taken for them.
    """
    found = drawn(rows, RandomizedResponse(epsilon, 4), about)
    covered, at_80 = coverage(found), coverage(found, 0.8)
    error = np.mean([each.standard_errors for each in found], axis=0)
    inside = np.minimum(TRUE, 1.0 - TRUE) > 3.0 * error
    assert (np.abs(covered - 0.95)[inside] <= 0.026).all()
    assert (np.abs(covered - 0.9625) <= 0.0385).all()
    assert (at_80[inside] < 0.9).all()
    assert (at_80 < 0.94).all()
    estimates = np.array([each.estimates for each in found])
    errors = np.array([each.standard_errors for each in found])
    assert estimates.std(axis=0) == pytest.approx(np.sqrt((errors**2).mean(axis=0)), rel=0.08)
    offset = np.abs(estimates.mean(axis=0) - TRUE) / (estimates.std(axis=0) / math.sqrt(TABLES))
    assert (offset < 6.1).all()


@pytest.mark.parametrize(("rows", "epsilon"), [(200, 1.0), (2000, 0.5), (2000, 2.0)])
def test_naive_widths_and_shares_are_told(rows: int, epsilon: float) -> None:
    """Broken twins: the width of a count that was not noisy, and shares of the released cells."""
    mechanism = RandomizedResponse(epsilon, 4)
    found = drawn(rows, mechanism, "population")
    f = np.array([each.released for each in found])
    half = 1.96 * np.sqrt(f * (1 - f) / rows)
    estimates = np.array([each.estimates for each in found])
    for middle in (estimates, f):
        covered = np.mean(np.abs(middle - TRUE) <= half, axis=0)
        assert covered.min() < 0.9


def test_the_share_of_rows_is_known_better_than_that_of_a_population() -> None:
    mechanism, counts = RandomizedResponse(4.0, 4), [500, 300, 200, 0]
    of_rows, of_all = (share(counts, mechanism, about=each) for each in ("rows", "population"))
    assert (of_rows.standard_errors[:3] < of_all.standard_errors[:3]).all()
    assert (np.diff(of_rows.intervals())[:3] < np.diff(of_all.intervals())[:3]).all()


def test_the_formula_of_the_standard_error() -> None:
    mechanism, counts = RandomizedResponse(1.0, 4), np.array([700, 500, 400, 400])
    f, n = counts / 2000, 2000
    w, a, b = mechanism.total, mechanism.kept, mechanism.each_other
    found = share(counts, mechanism)
    assert found.standard_errors == pytest.approx(np.sqrt(f * (1 - f) / n) * w / (a - b), rel=1e-9)
    assert found.estimates == pytest.approx((f - b / w) / ((a - b) / w), rel=1e-9)
    assert found.estimates.sum() == pytest.approx(1)


@pytest.mark.parametrize(
    "counts", [[10, 0, 0, 0], [0, 0, 0, 7], [3, 3, 3, 3], [90, 5, 4, 1], [1, 0, 0, 0]]
)
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0, 50.0])
@pytest.mark.parametrize("about", ["population", "rows"])
def test_whole_shares_are_the_nearest_that_are_shares(
    counts: list[int], epsilon: float, about: About
) -> None:
    found = share(counts, RandomizedResponse(epsilon, 4), about=about)
    whole, ends = found.whole(), found.intervals()
    assert whole.sum() == pytest.approx(1)
    assert (whole >= 0).all()
    nearest = np.sum((whole - found.estimates) ** 2)
    for other in np.random.default_rng(1).dirichlet(np.ones(4), 500):
        assert np.sum((other - found.estimates) ** 2) >= nearest - 1e-12
    assert (ends >= 0).all()
    assert (ends <= 1).all()
    assert (ends[:, 0] <= ends[:, 1]).all()
    inside = np.clip(found.estimates, 0, 1)
    assert ((ends[:, 0] <= inside + 1e-9) & (inside - 1e-9 <= ends[:, 1])).all()
    assert np.isfinite(found.standard_errors).all()


@pytest.mark.parametrize(
    "counts",
    [[1, 2, 3], [1, 2, 3, -1], [1, 2, 3, 0.5], [1, 2, 3, math.nan], [0, 0, 0, 0], [[1, 2, 3, 4]],
     [1, 2, 3, math.inf], "1234", None, []],
)  # fmt: skip
def test_what_are_no_counts_is_refused(counts: Any) -> None:
    with pytest.raises(CompdpError, match="counts"):
        share(counts, RandomizedResponse(1.0, 4))


def test_what_belongs_to_no_category_is_refused() -> None:
    of_numbers: Any = cdp.CompositeMechanism(1.0, (0, 1))
    with pytest.raises(ParameterError, match="mechanism must be that of a category"):
        share([1, 2], of_numbers)
    about: Any = "all"
    with pytest.raises(ParameterError, match="about"):
        share([1, 2], RandomizedResponse(1.0, 2), about=about)
    with pytest.raises(ParameterError, match="level"):
        share([1, 2], RandomizedResponse(1.0, 2)).intervals(1.5)
    table: Any = pd.DataFrame({"x": [1.0, 2.0]})
    with pytest.raises(ParameterError, match="column must be one of"):
        of_column(table)
    numbers = cdp.privatize(table, {"x": cdp.ColumnPlan(inputs=(0, 3), epsilon=1)})
    with pytest.raises(ParameterError, match="column must be that of a category"):
        of_column(numbers.columns[0])


def test_a_released_column_is_estimated_from_its_values() -> None:
    frame = pd.DataFrame({"answer": ["yes"] * 3000 + ["no"] * 1000 + [None] * 500})
    plan = cdp.ColumnPlan(epsilon=3, kind="category", categories=["yes", "no"], missing="keep")
    found = of_column(cdp.privatize(frame, {"answer": plan}).columns[0])
    assert found.names == ("yes", "no")
    assert found.rows == 4000
    assert found.estimates == pytest.approx([0.75, 0.25], abs=0.06)


def test_rows_that_answer_another_column_are_none_of_the_share() -> None:
    frame = pd.DataFrame({"answer": ["yes", "no"] * 200, "x": [1.0] * 400})
    names: dict[str, Any] = {"kind": "category", "categories": ["yes", "no"]}
    plans = ColumnPlan(0, epsilon=1, **names), ColumnPlan(1, (0, 3), 1)
    drawn = release(as_table(frame), Plan(plans, answered=1))
    found = of_column(drawn.columns[0])
    cells = [line.split(",")[0] for line in drawn.csv().decode().splitlines()[1:]]
    assert found.counts.tolist() == [cells.count("yes"), cells.count("no")]
    assert cells.count("") == 400 - found.rows > 0


@pytest.mark.parametrize("about", ["population", "rows"])
@pytest.mark.parametrize("rows", [1, 7, 20, 1000, 12345])
@pytest.mark.parametrize("k", [2, 5])
def test_shares_of_all_and_of_none_are_within_their_intervals_without_noise(
    about: Any, rows: int, k: int
) -> None:
    counts = [rows, *[0] * (k - 1)]
    ends = share(counts, RandomizedResponse(50.0, k), about=about).intervals()
    assert ends[0, 1] == 1.0
    assert (ends[1:, 0] == 0.0).all()


def codes_of(true: Any, mechanism: RandomizedResponse, seed: int) -> Floats:
    return mechanism.simulate(np.asarray(true, dtype=float), seed=seed)


def rates(codes: list[Floats], mechanism: Any, sampling: Sampling, about: About, truth: Any) -> Any:
    """How often the interval of each category holds its share."""
    names = ("a", "b", "c", "d")
    each = [estimated(c, names, mechanism, sampling, about, 0.95, "keep") for c in codes]
    ends = np.array([[(one.low, one.high) for one in shares.values()] for shares in each])
    return np.mean((ends[..., 0] <= truth) & (ends[..., 1] >= truth), axis=0)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("released", [True, False])
def test_rows_of_one_person_are_not_taken_for_many_persons(known: bool, released: bool) -> None:
    """Four rows each, all alike but for the noise; the twin takes them for rows of others."""
    mechanism, chance = RandomizedResponse(4.0, 4), np.random.default_rng(5)
    true = np.repeat(chance.choice(4, (1000, 80), p=TRUE), 4, axis=1).astype(float)
    codes = list(codes_of(true, mechanism, 6) if released else true)
    draws = mechanism if released else None
    whose = np.repeat(np.arange(80), 4)
    sampling = Sampling(320, 1.0, whose if known else None, 4)
    found = rates(codes, draws, sampling, "population", TRUE)
    assert (found > 0.95 - 6.1 * math.sqrt(0.95 * 0.05 / 1000)).all()
    assert rates(codes, draws, Sampling(320), "population", TRUE)[:3].max() < 0.85


def test_rows_that_were_not_drawn_to_answer_are_allowed_for() -> None:
    mechanism, chance = RandomizedResponse(6.0, 4), np.random.default_rng(5)
    true = np.repeat(np.arange(4.0), np.rint(400 * TRUE).astype(int))
    drawn_to = chance.random((2000, 400)) < 0.5
    codes = list(np.where(drawn_to, codes_of(np.tile(true, (2000, 1)), mechanism, 6), np.nan))
    found = rates(codes, mechanism, Sampling(400, 0.5), "rows", TRUE)
    assert (found > 0.92).all()
    assert (found[:2] < 0.98).all()
    assert rates(codes, mechanism, Sampling(400), "rows", TRUE).max() < 0.6


def test_shares_of_an_untouched_column() -> None:
    codes = np.repeat([0.0, 1.0, np.nan], [30, 10, 5])
    of_rows = estimated(codes, ("x", "y"), None, Sampling(45, 0.5), "rows", 0.95, "keep")
    assert (of_rows["x"].value, of_rows["x"].n, of_rows["x"].standard_error) == (0.75, 40, 0.0)
    assert of_rows["x"].low == pytest.approx(of_rows["x"].high)
    of_all = estimated(codes, ("x", "y"), None, Sampling(45), "population", 0.95, "keep")
    z, n, f = 1.959964, 40, 0.75
    wilson = [
        (f + z * z / 2 / n + way * z * math.sqrt(f * (1 - f) / n + z * z / 4 / n**2))
        / (1 + z * z / n)
        for way in (-1, 1)
    ]
    assert [of_all["x"].low, of_all["x"].high] == pytest.approx(wilson, rel=1e-6)
    with pytest.raises(EstimateError, match="no row has a value"):
        estimated(np.full(3, np.nan), ("x", "y"), None, Sampling(3), "rows", 0.95, "keep")


def test_a_share_beyond_0_is_none_the_surer() -> None:
    found = share([0, 400, 300, 300], RandomizedResponse(1.0, 4))
    near = share([175, 325, 250, 250], RandomizedResponse(1.0, 4))
    assert found.estimates[0] < -0.5
    low, high = found.intervals()[0]
    assert low == 0.0
    assert high > 0.5 * near.intervals()[0, 1] > 0.0


def test_persons_and_categories_may_be_many() -> None:
    """Sums over pairs that occur: a table of all pairs would take 8 GB."""
    chance, k = np.random.default_rng(4), 10_000
    whose = np.repeat(np.arange(100_000), 2)
    codes = np.repeat(chance.integers(0, k, 100_000), 2).astype(float)
    names = [str(place) for place in range(k)]
    found = estimated(codes, names, None, Sampling(200_000, 1.0, whose, 2), "population", 0.95, "")
    once = estimated(codes, names, None, Sampling(200_000), "population", 0.95, "")
    doubled = [found[name].standard_error / once[name].standard_error for name in names[:50]]
    assert doubled == pytest.approx([math.sqrt(2)] * 50, rel=1e-3)
