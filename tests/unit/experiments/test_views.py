"""Histograms, curves, running means, quantile dots and rankings, each by a second route.

Shares and errors of draws are held against 6.5 standard errors: false alarm below 1e-10 a
comparison, below 1e-8 a test; seeds are fixed. At 20,000 draws 2 % in a share is seen.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from scipy.stats import laplace, norm

from compdp_core.errors import ParameterError
from compdp_core.experiments import (
    GOALS,
    KEYS,
    CancelledError,
    bias_curve,
    error_curve,
    factories,
    histograms,
    label,
    quantile_dots,
    quantiles,
    rank,
    roster,
    running_mean,
)
from compdp_core.experiments.quantiles import Inverse
from compdp_core.mechanisms.baselines import BASELINES, Laplace, Mechanism
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.planning import ALL_PAIRS
from tests.frames import rows

# False alarm: 2 Φ(-6.5) = 8e-11 a comparison.
STANDARD_ERRORS = 6.5
FIELD = roster(1.0, (0, 100))
FEW = roster(1.0, (0, 100), keys=["A1B1", "laplace", "clamped_laplace", "duchi"])


def test_the_roster_has_every_pair_and_every_baseline() -> None:
    assert set(KEYS) == {*ALL_PAIRS, *BASELINES}
    assert list(FIELD) == [label(key) for key in KEYS]
    assert len(FIELD) == len(KEYS)
    for name, mechanism in FIELD.items():
        assert mechanism.name == name
        assert mechanism.inputs == (0.0, 100.0)
    narrow = roster(2.0, (0, 100), sensitivity=5.0, delta=1e-9)
    for mechanism in narrow.values():
        assert (mechanism.epsilon, mechanism.sensitivity) == (2.0, 5.0)
        assert mechanism.delta in (0.0, 1e-9)
    with pytest.raises(ParameterError, match="keys must be among A1B1"):
        roster(1.0, (0, 100), keys=["A9B9"])


# --- histograms


def test_shares_of_bins_agree_with_the_tails() -> None:
    value, count = 30.0, 20_000
    table = histograms(FIELD, np.full(count, value), seed=4, bins=20)
    for name, mechanism in FIELD.items():
        rows = table[table.mechanism == name]
        assert rows["count"].sum() == count
        assert rows.share.sum() == pytest.approx(1.0)
        outside = float(rows[rows.outside].share.sum())
        expected = float(mechanism.probability_outside((0, 100), value))
        error = math.sqrt(max(expected * (1 - expected), 1e-6) / count)
        assert abs(outside - expected) <= STANDARD_ERRORS * error
    # The twin: counting the last fifth of the bounds as outside would be seen.
    rows = table[table.mechanism == "Laplace"]
    moved = float(rows[(rows.upper <= 0.0) | (rows.lower >= 80.0)].share.sum())
    expected = float(FIELD["Laplace"].probability_outside((0, 100), value))
    assert abs(moved - expected) > STANDARD_ERRORS * math.sqrt(0.25 / count)


def test_bins_are_common_and_meet_the_bounds() -> None:
    table = histograms(FEW, np.linspace(0, 100, 500), seed=4, bins=8, reach=0.5)
    names = ["true values", *FEW]
    assert table.mechanism.unique().tolist() == names
    edges = [table[table.mechanism == name][["lower", "upper"]].to_numpy() for name in names]
    for other in edges[1:]:
        assert np.array_equal(edges[0], other)
    low, high = edges[0].T
    assert (low[0], high[-1]) == (-math.inf, math.inf)
    assert np.array_equal(low[1:], high[:-1])
    assert {0.0, 100.0} <= set(low)
    assert np.allclose(np.diff(low[1:]), 12.5)
    assert (low[1], high[-2]) == (-50.0, 150.0)
    first = table[table.mechanism == names[0]]
    assert (first.outside == ((first.upper <= 0.0) | (first.lower >= 100.0))).all()
    # A value at either bound lies within.
    assert first[first.outside].share.sum() == 0.0
    finite = first[np.isfinite(first.lower) & np.isfinite(first.upper)]
    assert (finite.density * (finite.upper - finite.lower)).sum() == pytest.approx(1.0)


def test_whole_numbers_get_bins_between_them() -> None:
    whole = {"w": CompositeMechanism(1.0, (0, 20), spacing=1)}
    table = histograms(whole, np.arange(21.0), seed=1, bins=10, whole_numbers=True, repetitions=50)
    finite = table[np.isfinite(table.lower) & np.isfinite(table.upper)]
    assert ((finite.lower % 1.0) == 0.5).all()
    inside = table[~table.outside]
    assert (inside.lower.min(), inside.upper.max()) == (-0.5, 20.5)
    assert table[table.mechanism == "w"]["count"].sum() == 21 * 50


def test_histograms_refuse_what_they_cannot_draw() -> None:
    mixed = {"a": Laplace(1.0, (0, 1)), "b": Laplace(1.0, (0, 2))}
    with pytest.raises(ParameterError, match="different inputs"):
        histograms(mixed, [0.5], seed=1)
    assert len(histograms(mixed, [0.5], seed=1, bounds=(0, 1)))
    for wrong in ({"bins": 0}, {"reach": -1.0}, {"reach": math.nan}, {"repetitions": 0}):
        with pytest.raises(ParameterError):
            histograms(FEW, [0.5], seed=1, **wrong)
    with pytest.raises(CancelledError):
        histograms(FEW, [0.5], seed=1, cancelled=lambda: True)


# --- error and bias curves


@pytest.fixture(scope="module")
def curve() -> pd.DataFrame:
    made = factories((0, 100), sensitivity=40.0)
    return error_curve(made, [0.5, 2.0], repetitions=10_000, seed=7, value=40.0)


def test_points_of_the_error_curve_lie_on_their_line(curve: pd.DataFrame) -> None:
    assert len(curve) == 2 * len(KEYS)
    assert (curve.refused == "").all()
    gap = (curve.MSE - curve.MSE_theory).abs()
    assert (gap <= STANDARD_ERRORS * curve.MSE_se + 1e-9 * curve.MSE_theory).all()
    assert np.allclose(curve.RMSE_theory**2, curve.MSE_theory)
    random = curve.MSE_se > 1e-9 * curve.MSE  # not Duchi's at the centre, whose size is fixed
    ratio = curve.RMSE_se[random] / (curve.MSE_se[random] / (2.0 * curve.RMSE[random]))
    assert np.allclose(ratio, 1.0)
    # A fifth more, the twin, is seen for bounded noise.
    flat = curve[curve.mechanism.str.startswith("Composite A") & (curve.epsilon == 0.5)]
    flat = flat[~flat.mechanism.str.contains("A4")]
    assert ((1.2 * flat.MSE - flat.MSE_theory).abs() > STANDARD_ERRORS * flat.MSE_se).all()


def test_points_of_different_epsilon_are_independent(curve: pd.DataFrame) -> None:
    # Laplace noise of one stream would be off by the same factor at every ε.
    rows = curve[curve.mechanism == "Laplace"]
    factor = (rows.MSE / rows.MSE_theory).tolist()
    assert abs(factor[0] - factor[1]) > 1e-6


def test_the_closed_forms_of_the_curve_are_the_textbook_ones(curve: pd.DataFrame) -> None:
    by = curve.set_index(["mechanism", "epsilon"])
    for epsilon in (0.5, 2.0):
        assert by.MSE_theory["Laplace", epsilon] == pytest.approx(2.0 * (40.0 / epsilon) ** 2)
        reach = 50.0 / math.tanh(epsilon / 2.0)
        assert by.MSE_theory["Duchi et al.", epsilon] == pytest.approx(reach**2 - 100.0)


def test_a_mechanism_that_cannot_be_built_says_why() -> None:
    def picky(epsilon: float) -> Laplace:
        if epsilon > 1.0:
            raise ParameterError("epsilon", epsilon, "must be at most 1 here")
        return Laplace(epsilon, (0, 10))

    table = error_curve({"picky": picky}, [0.5, 2.0], repetitions=10, seed=1)
    assert table.refused.tolist() == ["", "epsilon must be at most 1 here, got 2.0"]
    assert table.MSE.isna().tolist() == [False, True]
    assert table.value.iloc[0] == 5.0
    with pytest.raises(ParameterError, match="must not be empty"):
        error_curve({}, [1.0], repetitions=10, seed=1)


def test_bias_against_the_input() -> None:
    table = bias_curve(FEW, positions=5, repetitions=4000, seed=2)
    assert table.value.tolist() == [0.0, 25.0, 50.0, 75.0, 100.0] * len(FEW)
    error = table.deviation_theory / math.sqrt(4000)
    assert ((table.bias - table.bias_theory).abs() <= STANDARD_ERRORS * error).all()
    clamped = table[table.mechanism == "Laplace, clamped"]
    # s (e^-p - e^-q)/2 with s = 100.
    expected = 50.0 * (np.exp(-clamped.position) - np.exp(clamped.position - 1.0))
    assert np.allclose(clamped.bias_theory, expected)
    assert (clamped[clamped.position == 0.0].bias > 25.0).all()
    unbiased = table[table.mechanism != "Laplace, clamped"]
    assert unbiased.bias_theory.abs().max() < 1e-9
    assert bias_curve(FEW, positions=3).bias.isna().all()


# --- draws one by one


def test_the_running_mean_is_the_mean_of_the_draws_so_far() -> None:
    table = running_mean(FEW, 30.0, draws=400, seed=3)
    for name, mechanism in FEW.items():
        rows = table[table.mechanism == name]
        released = rows.released.to_numpy()
        assert rows["mean"].iloc[99] == pytest.approx(released[:100].mean(), rel=1e-12)
        error = released[:100].std(ddof=1) / 10.0
        assert rows.standard_error.iloc[99] == pytest.approx(error, rel=1e-9)
        assert math.isnan(rows.standard_error.iloc[0])
        limit = 30.0 + mechanism.bias(30.0)
        assert abs(rows["mean"].iloc[-1] - limit) <= STANDARD_ERRORS * rows.theory_error.iloc[-1]
        assert (rows.outside == ((released < 0) | (released > 100))).all()
    again = running_mean(FEW, 30.0, draws=400, seed=3)
    pd.testing.assert_frame_equal(table, again)
    assert not np.array_equal(table.released, running_mean(FEW, 30.0, draws=400, seed=4).released)


# --- quantiles


LEVELS = np.array([0.001, 0.1, 0.5, 0.8, 0.999])


def test_quantiles_of_known_laws() -> None:
    found = quantiles(FIELD["Laplace"], 30.0, LEVELS)
    assert np.allclose(found, laplace.ppf(LEVELS, 30.0, 100.0), atol=1e-6)
    gaussian = FIELD["Gaussian (analytic)"]
    sigma = math.sqrt(gaussian.variance(30.0))
    assert np.allclose(quantiles(gaussian, 30.0, LEVELS), norm.ppf(LEVELS, 30.0, sigma), atol=1e-5)
    clamped = quantiles(FIELD["Laplace, clamped"], 30.0, LEVELS)
    assert np.allclose(clamped, np.clip(laplace.ppf(LEVELS, 30.0, 100.0), 0, 100), atol=1e-6)
    # On a point mass at an end the quantile is that end to the last bit.
    assert {0.0, 100.0} <= set(clamped)
    low, high = FIELD["Duchi et al."].outputs
    assert quantiles(FIELD["Duchi et al."], 50.0, [0.49, 0.51]).tolist() == [low, high]


@pytest.mark.parametrize("pair", ["A1B1", "A3B2", "A4B1"])
def test_quantiles_of_the_composite_are_its_own(pair: str) -> None:
    mechanism = CompositeMechanism(0.3, (0, 100), pair=pair, sensitivity=20.0)
    for value in (0.0, 70.0):
        expected = quantiles(mechanism, value, LEVELS)
        assert expected.tolist() == [mechanism.quantile(float(p), value) for p in LEVELS]
        by_tails = [*map(Inverse(mechanism, value), map(float, LEVELS))]
        assert np.allclose(by_tails, expected, atol=2e-7)


def test_levels_share_what_was_worked_out() -> None:
    mechanism = FIELD["Laplace"]
    levels = (np.arange(20) + 0.5) / 20

    class Counted:
        inputs, outputs, calls = mechanism.inputs, mechanism.outputs, 0

        def probability_outside(self, interval: Any, value: Any = None) -> Any:
            self.calls += 1
            return mechanism.probability_outside(interval, value)

    shared = Counted()
    together = [*map(Inverse(cast(Mechanism, shared), 30.0, 1e-6), levels)]
    apart = [Inverse(mechanism, 30.0, 1e-6)(level) for level in levels]
    assert np.allclose(together, apart, atol=2e-4)
    # Halving would need 20 levels times 20 steps or more.
    assert shared.calls < 200


def test_dots_split_the_law_into_equal_parts() -> None:
    table = quantile_dots(FIELD, 30.0, dots=20)
    for name, mechanism in FIELD.items():
        dots = table[table.mechanism == name]["quantile"].to_numpy()
        assert (np.diff(dots) >= 0.0).all()
        draws = mechanism.simulate(np.full(20_000, 30.0), seed=6)
        below = np.array([np.count_nonzero(draws <= dot + 1e-6) for dot in dots]) / draws.size
        strictly = np.array([np.count_nonzero(draws < dot - 1e-6) for dot in dots]) / draws.size
        levels = table[table.mechanism == name].level.to_numpy()
        error = STANDARD_ERRORS * np.sqrt(0.25 / draws.size)
        assert (strictly - error <= levels).all()
        assert (levels <= below + error).all()
        # The twin: dots of a law twice as wide.
        if not mechanism.is_discrete and "clamped" not in name and "domain" not in name:
            wide = 30.0 + 2.0 * (dots - 30.0)
            below = np.array([np.count_nonzero(draws <= dot) for dot in wide]) / draws.size
            assert (np.abs(levels - below) > error).any()
    inside = table[table.mechanism.isin(["Laplace, clamped", "Gaussian, clamped"])]
    assert not inside.outside.any()


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, math.nan])
def test_levels_lie_strictly_between_0_and_1(level: float) -> None:
    with pytest.raises((ParameterError, ValueError)):
        quantiles(FIELD["Laplace"], 30.0, [level])


# --- rankings


UNBIASED = {label(key) for key in KEYS if key in ALL_PAIRS or BASELINES[key].is_unbiased}
BOUNDED = {label(key) for key in KEYS if key in ALL_PAIRS or BASELINES[key].is_bounded}


@cache
def ranked(goal: str) -> pd.DataFrame:
    return rank(FIELD, goal)


def test_no_value_outside_puts_bounded_noise_first_and_says_that_it_is_biased() -> None:
    table = ranked("no value outside")
    meets = table[table.meets].mechanism.tolist()
    assert set(meets) == {
        "Laplace, bounded domain", "Laplace, clamped", "Discrete Laplace, truncated",
        "Gaussian, clamped",
    }  # fmt: skip
    assert (table[table.meets].outside == 0.0).all()
    assert table[table.meets].why.str.contains("off by up to").all()
    assert table[~table.meets].why.str.contains("of values outside").all()
    # Within the composite's own outputs the composite stays, and is right on average.
    bounds = FIELD["Composite A1B1"].outputs
    inside = rank(FIELD, "no value outside", bounds=bounds).set_index("mechanism")
    assert inside.meets["Composite A1B1"]
    assert "right on average" in inside.why["Composite A1B1"]


def test_unbiased_mechanisms_are_ordered_by_their_worst_error() -> None:
    table = ranked("unbiased")
    assert set(table[table.meets].mechanism) == UNBIASED
    met = table[table.meets].worst_error.to_numpy()
    assert (np.diff(met) >= 0.0).all()
    assert table[~table.meets]["rank"].min() > table[table.meets]["rank"].max()


def test_clamping_is_a_bias_however_small_the_noise() -> None:
    """Measured by the width of the inputs alone, a tiny noise pulled inward passed as unbiased."""
    field = roster(1.0, (0, 100), keys=["A4B1", "clamped_laplace", "laplace"], sensitivity=1e-9)
    table = rank(field, "unbiased").set_index("mechanism")
    keys = {"A4B1": True, "laplace": True, "clamped_laplace": False}
    assert table.meets.to_dict() == {label(key): met for key, met in keys.items()}
    # By the closed form at an end: E max(0, X) = b / 2.
    assert table.bias[label("clamped_laplace")] == pytest.approx(0.5e-9, rel=1e-6)


@pytest.mark.parametrize(("epsilon", "inputs"), [(50.0, (0, 100)), (1.0, (9e8, 1e9))])
def test_rounding_of_floats_is_no_bias(epsilon: float, inputs: tuple[float, float]) -> None:
    table = rank(roster(epsilon, inputs, keys=list(ALL_PAIRS)), "unbiased")
    assert table.meets.all()


def test_bounded_and_unbiased_is_what_the_composite_is() -> None:
    table = ranked("bounded and unbiased")
    assert set(table[table.meets].mechanism) == UNBIASED & BOUNDED
    assert not {label("laplace"), label("clamped_laplace")} & UNBIASED & BOUNDED


@pytest.mark.parametrize(
    ("goal", "figure"),
    [("smallest worst case", "worst_error"), ("smallest error at the centre", "centre_error")],
)
def test_errors_are_ordered_by_an_independent_scan(goal: str, figure: str) -> None:
    table = ranked(goal)
    x = np.linspace(0.0, 100.0, 1001) if figure == "worst_error" else np.array([50.0])
    for row in rows(table):
        mechanism = FIELD[row.mechanism]
        square = np.broadcast_to(mechanism.bias(x), x.shape) ** 2
        largest = math.sqrt(float(np.max(mechanism.variance(x) + square)))
        assert getattr(row, figure) == pytest.approx(largest, rel=2e-3)
    assert (np.diff(table[figure]) >= 0.0).all()
    assert table.meets.tolist() == (table[figure] <= table[figure].min() * 1.001).tolist()
    assert "the smallest here" in table.why.iloc[0]
    assert "times the smallest" in table.why.iloc[-1]


def test_words_name_what_a_guarantee_lacks() -> None:
    why = ranked("unbiased").set_index("mechanism").why
    assert "needs δ = 1 × 10⁻⁶" in why["Gaussian (analytic)"]
    assert "its proof needs ε below 1" in why["Gaussian (classic)"]
    assert "δ" not in why["Laplace"]
    small = rank(roster(0.5, (0, 100), keys=["classic_gaussian"]), "unbiased").why.iloc[0]
    assert "proof" not in small
    worst = ranked("smallest worst case").set_index("mechanism").why
    assert "no better than always answering the middle" in worst["Laplace, clamped"]


def test_every_goal_ranks_everyone_once() -> None:
    for goal, meaning in GOALS.items():
        table = ranked(goal)
        assert meaning
        assert table["rank"].tolist() == list(range(1, len(FIELD) + 1))
        assert set(table.mechanism) == set(FIELD)
        assert table.why.str.len().between(20, 200).all()
    with pytest.raises(ParameterError, match="goal must be one of no value outside"):
        rank(FIELD, "best")
