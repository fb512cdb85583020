"""The comparison against closed forms, its standard errors, and twins it must see through.

Biases are held against 6.5 known standard errors, mean squared errors against 6.5 estimated ones:
false alarm below 1e-10 each, below 1e-8 for the whole roster. At 20,000 draws a value, a bias of
5 % of the standard deviation and 8 % in the mean squared error are seen, more where tails are
heavy. Whether standard errors are right is judged by 600 repeated comparisons: the sum of squared
z-scores is held against the 1e-9 quantiles of χ² (false alarm 2e-9 for one fixed run, by the exact
law of normal scores; an error 30 % too large or too small is seen). Seeds are fixed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from compdp_core.errors import CompdpError
from compdp_core.experiments import CancelledError, compare, roster
from compdp_core.experiments.comparison import BLOCK
from compdp_core.experiments.metrics import Moments
from compdp_core.mechanisms.baselines import ClampedLaplace, Laplace, Mechanism

VALUES = np.array([5.0, 30.0, 50.0, 95.0])
DRAWS = 20_000
# False alarm: 2 Φ(-6.5) = 8e-11 a comparison.
STANDARD_ERRORS = 6.5
ROSTER = roster(1.0, (0, 100), sensitivity=50.0)
LOCAL = roster(1.0, (0, 100), keys=["A2B1", "A3B2", "laplace", "clamped_laplace", "duchi"])


@dataclass(frozen=True)
class Twin:
    """A mechanism whose draws are not what it says."""

    honest: Mechanism
    change: Callable[[np.ndarray, np.ndarray], np.ndarray]
    """From true values and honest draws to what is drawn instead."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.honest, name)

    def simulate(self, values: Any, *, seed: int) -> np.ndarray:
        return self.change(np.asarray(values), self.honest.simulate(values, seed=seed))


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return compare(ROSTER, VALUES, repetitions=DRAWS, seed=11)


def faults(row: Any, mechanism: Mechanism) -> list[str]:
    """What a raw row contradicts of its mechanism's closed forms."""
    found = []
    expected = np.broadcast_to(mechanism.bias(VALUES), VALUES.shape)
    variance = np.broadcast_to(mechanism.variance(VALUES), VALUES.shape)
    error = math.sqrt(float(np.sum(variance)) / row.repetitions) / VALUES.size
    if abs(row.bias - float(np.mean(expected))) > STANDARD_ERRORS * error:
        found.append("bias")
    square = float(np.mean(variance + expected**2))
    # A squared error that never varies has an error of 0; rounding is then all there is.
    if abs(row.MSE - square) > STANDARD_ERRORS * row.MSE_se + 1e-9 * square:
        found.append("MSE")
    share = float(np.mean(mechanism.probability_outside(mechanism.inputs, VALUES)))
    if abs(row.outside - share) > STANDARD_ERRORS * row.outside_se:
        found.append("outside")
    return found


@pytest.mark.parametrize("name", ROSTER)
def test_raw_figures_agree_with_closed_forms(table: pd.DataFrame, name: str) -> None:
    row = table[(table.mechanism == name) & (table.treatment == "raw")].iloc[0]
    mechanism = ROSTER[name]
    assert not faults(row, mechanism)
    assert row.bias_theory == pytest.approx(float(np.mean(mechanism.bias(VALUES))), abs=1e-12)
    assert row["values"] == VALUES.size
    assert (row.epsilon, row.delta, row.sensitivity) == (1.0, mechanism.delta, 50.0)


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        (lambda x, y: y + 0.06 * np.std(y - x), "bias"),
        (lambda x, y: x + 1.1 * (y - x), "MSE"),
        (lambda x, y: x + 0.9 * (y - x), "MSE"),
        (lambda x, y: np.where(np.arange(y.size).reshape(y.shape) % 20, y, 50.0), "outside"),
    ],
)
@pytest.mark.parametrize("name", ["Composite A1B1", "Composite A3B1", "Gaussian (analytic)"])
def test_draws_that_are_not_as_claimed_are_seen(
    name: str, change: Callable[[np.ndarray, np.ndarray], np.ndarray], seen: str
) -> None:
    twin = Twin(ROSTER[name], change)
    row = compare({name: twin}, VALUES, repetitions=DRAWS, seed=11).iloc[0]
    assert seen in faults(row, ROSTER[name])


@pytest.mark.parametrize(
    ("plain", "clamped"),
    [
        ("Laplace", "Laplace, clamped"),
        ("Gaussian (analytic)", "Gaussian, clamped"),
        ("Discrete Laplace", "Discrete Laplace, truncated"),
    ],
)
def test_clamping_afterwards_is_the_clamped_mechanism(
    table: pd.DataFrame, plain: str, clamped: str
) -> None:
    # Two routes: draws moved into the inputs, and the closed form of the clamped baseline.
    row = table[(table.mechanism == plain) & (table.treatment == "clamped")].iloc[0]
    known = ROSTER[clamped]
    bias, variance = known.bias(VALUES), known.variance(VALUES)
    error = math.sqrt(float(np.sum(variance)) / DRAWS) / VALUES.size
    assert abs(row.bias - float(np.mean(bias))) <= STANDARD_ERRORS * error
    square = float(np.mean(variance + bias**2))
    assert abs(row.MSE - square) <= STANDARD_ERRORS * row.MSE_se
    assert row.outside == row.outside_se == 0.0
    assert math.isnan(row.MSE_theory)


def test_a_clamped_row_differs_from_the_raw_one_only_where_outputs_leave(
    table: pd.DataFrame,
) -> None:
    for name in ROSTER:
        raw, clamped = (
            table[(table.mechanism == name) & (table.treatment == t)].iloc[0]
            for t in ("raw", "clamped")
        )
        same = math.isclose(raw.MSE, clamped.MSE, rel_tol=1e-12)
        assert same == (raw.outside == 0.0)
        assert clamped.MSE <= raw.MSE * (1.0 + 1e-12)


def test_figures_by_plain_loops() -> None:
    # Few values and repetitions, computed again from the draws one at a time.
    mechanism, repetitions = Laplace(1.0, (0, 10)), 3
    drawn: list[np.ndarray] = []

    def kept(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        drawn.append(y)
        return y

    spy = Twin(mechanism, kept)
    table = compare({"Laplace": spy}, [2.0, 0.0, 8.0], repetitions=repetitions, seed=4)
    released = np.concatenate(drawn)
    assert released.shape == (repetitions, 3)
    assert list(table["bias_rate_se"]) == pytest.approx(list(table["bias_se"] * 3 / 10))
    for row, seen in zip(table.itertuples(), (released, np.clip(released, 0, 10)), strict=True):
        errors = [float(y) - x for line in seen for x, y in zip((2.0, 0.0, 8.0), line, strict=True)]
        assert row.bias == pytest.approx(math.fsum(errors) / 9)
        assert row.bias_rate == pytest.approx(math.fsum(errors) / math.fsum(3 * (2.0, 0.0, 8.0)))
        assert pytest.approx(math.fsum(map(abs, errors)) / 9) == row.RE
        assert pytest.approx(math.fsum(e * e for e in errors) / 9) == row.MSE
        losses = [abs(float(line[i]) - x) / x for line in seen for i, x in ((0, 2.0), (2, 8.0))]
        assert pytest.approx(math.fsum(losses) / 6) == row.AL
        assert row.AL_excluded == 1
    outside = np.count_nonzero((released < 0) | (released > 10)) / 9
    assert table.outside.tolist() == pytest.approx([outside, 0.0])


# Mean and standard deviation of one term of Laplace noise: E|N| = s, E N² = 2s², E N⁴ = 24 s⁴.
SCALE, VALUE, MANY = 4.0, 20.0, 100_000
KNOWN = {
    "RE": (SCALE, SCALE),
    "MSE": (2.0 * SCALE**2, math.sqrt(20.0) * SCALE**2),
    "AL": (SCALE / VALUE, SCALE / VALUE),
    "bias": (0.0, math.sqrt(2.0) * SCALE),
}
BROKEN: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "RE": lambda x, y: x + 1.05 * (y - x),
    "MSE": lambda x, y: x + 1.05 * (y - x),
    "AL": lambda x, y: x + 1.05 * (y - x),
    "bias": lambda x, y: y + 0.5,
}


def agrees(value: float, error: float, symbol: str) -> bool:
    """Value within 6.5 of the known standard errors, and that error itself within 8 %."""
    mean, deviation = KNOWN[symbol]
    known = deviation / math.sqrt(MANY)
    return abs(value - mean) <= STANDARD_ERRORS * known and math.isclose(error, known, rel_tol=0.08)


@pytest.mark.parametrize("symbol", KNOWN)
def test_metrics_of_laplace_noise_are_the_known_ones(symbol: str) -> None:
    mechanism = Laplace(0.25, (0, 100), sensitivity=1.0)
    assert mechanism.scale == SCALE
    row = compare([mechanism], [VALUE], repetitions=MANY, seed=3).iloc[0]
    value, error = row[symbol], row[f"{symbol}_se"]
    assert agrees(value, error, symbol)
    for factor in (1.1, 0.9, math.sqrt(MANY)):
        assert not agrees(value, factor * error, symbol)
    twin = Twin(mechanism, BROKEN[symbol])
    row = compare({"Laplace": twin}, [VALUE], repetitions=MANY, seed=3).iloc[0]
    assert not agrees(row[symbol], row[f"{symbol}_se"], symbol)


def calibrated(z: np.ndarray) -> bool:
    low, high = chi2.ppf(1e-9, z.size), chi2.ppf(1.0 - 1e-9, z.size)
    return bool(low <= float(z @ z) <= high)


def test_standard_errors_are_those_of_repeated_comparisons() -> None:
    # Clamped values are biased differently, so pooling them would overstate the error.
    mechanism = ClampedLaplace(1.0, (0, 100))
    values = np.array([0.0, 0.0, 100.0, 100.0])
    expected = float(np.mean(mechanism.bias(values)))
    rows = [compare([mechanism], values, repetitions=60, seed=s).iloc[0] for s in range(600)]
    held = [row.bias_se for row in rows]
    z = np.array([(row.bias - expected) / row.bias_se for row in rows])
    assert calibrated(z)
    assert not calibrated(1.3 * z)
    assert not calibrated(z / 1.3)
    # The broken twin: the error of pooled terms, whose spread includes that of the biases.
    deviations = float(np.mean(mechanism.variance(values)))
    pooled = math.sqrt((deviations + float(np.var(mechanism.bias(values)))) / (60 * 4))
    assert pooled > 1.2 * float(np.mean(held))


def test_the_statistic_of_released_values() -> None:
    mechanism = LOCAL["Composite A2B1"]
    values = np.linspace(0.0, 100.0, 25)
    variance = float(np.sum(mechanism.variance(values))) / values.size**2
    for statistic, exact in ((np.mean, variance), (np.sum, variance * values.size**2)):
        row = compare([mechanism], values, repetitions=4000, seed=3, statistic=statistic).iloc[0]
        assert abs(row.MSE - exact) <= STANDARD_ERRORS * row.MSE_se
        assert abs(row.bias) <= STANDARD_ERRORS * math.sqrt(exact / 4000)
        assert abs(1.3 * row.MSE - exact) > STANDARD_ERRORS * row.MSE_se
        assert math.isnan(row.MSE_theory)
        assert pytest.approx(row.RE / float(statistic(values))) == row.AL
    # The spread of noisy values exceeds that of the true ones by the noise: a known bias.
    row = compare([mechanism], values, repetitions=4000, seed=3, statistic=np.var).iloc[0]
    noise = float(np.mean(mechanism.variance(values)))
    expected = noise * (1.0 - 1.0 / values.size)
    assert abs(row.bias - expected) <= STANDARD_ERRORS * row.bias_se


def test_values_beyond_the_inputs_are_clamped_and_the_error_counts_it() -> None:
    mechanism = Laplace(1.0, (0, 10), sensitivity=1)
    row = compare([mechanism], [14.0], repetitions=20_000, seed=1).iloc[0]
    assert row.bias_theory == -4.0
    assert abs(row.bias + 4.0) <= STANDARD_ERRORS * math.sqrt(2.0 / 20_000)


def test_a_mechanism_draws_the_same_beside_others_and_in_any_order() -> None:
    laplace, duchi = LOCAL["Laplace"], LOCAL["Duchi et al."]
    alone = compare({"x": laplace}, VALUES, repetitions=9, seed=2)
    beside = compare({"y": duchi, "x": laplace}, VALUES, repetitions=9, seed=2)
    both = beside[beside.mechanism == "x"].reset_index(drop=True)
    pd.testing.assert_frame_equal(alone, both)
    for name, seed in (("x", 3), ("z", 2)):
        other = compare({name: laplace}, VALUES, repetitions=9, seed=seed)
        assert other.bias.iloc[0] != alone.bias.iloc[0]


def test_blocks_do_not_show() -> None:
    # More draws than one block holds: every repetition counts once.
    values = np.full(BLOCK // 2 - 7, 50.0)
    table = compare([LOCAL["Laplace"]], values, repetitions=5, seed=1)
    row = table.iloc[0]
    assert (row.repetitions, row["values"]) == (5, values.size)
    assert abs(row.bias) <= STANDARD_ERRORS * math.sqrt(2e4 / (5 * values.size))
    assert pytest.approx(2e4, rel=0.05) == row.MSE


def test_one_draw_has_no_error_and_one_repetition_compares_values() -> None:
    row = compare([LOCAL["Laplace"]], 50.0, repetitions=1, seed=1).iloc[0]
    assert math.isnan(row.bias_se)
    row = compare([LOCAL["Laplace"]], np.full(5000, 50.0), repetitions=1, seed=1).iloc[0]
    assert row.bias_se == pytest.approx(math.sqrt(2e4 / 5000), rel=0.2)


def test_moments_merge_as_if_never_split() -> None:
    rng = np.random.default_rng(1)
    terms = 1e8 + rng.normal(size=(50, 3)) * [1.0, 2.0, 5.0]
    whole, split = Moments(3), Moments(3)
    whole.add(terms)
    for part in (terms[:1], terms[1:20], terms[20:]):
        split.add(part)
    assert whole.estimate().value == pytest.approx(split.estimate().value, rel=1e-15)
    expected = math.sqrt(float(np.var(terms, axis=0, ddof=1).sum()) / 50) / 3
    for moments in (whole, split):
        assert moments.estimate().standard_error == pytest.approx(expected, rel=1e-7)
    # Means far apart do not count as noise.
    apart = Moments(3)
    apart.add(terms + np.array([0.0, 1000.0, -500.0]))
    assert apart.estimate().standard_error == pytest.approx(expected, rel=1e-7)
    assert math.isnan(Moments(0).estimate().value)


def test_progress_runs_to_the_end_and_can_be_stopped() -> None:
    told: list[tuple[float, str]] = []
    compare(LOCAL, VALUES, repetitions=5, seed=1, progress=lambda *report: told.append(report))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert any("Duchi" in text for _, text in told)
    asked = iter([False, False, True])
    with pytest.raises(CancelledError, match="stopped on request when") as stopped:
        compare(LOCAL, VALUES, repetitions=5, seed=1, cancelled=lambda: next(asked))
    assert 0.0 < stopped.value.share < 1.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"repetitions": 0}, "repetitions must be a whole number from 1"),
        ({"repetitions": 2.5}, "repetitions must be"),
        ({"repetitions": True}, "repetitions must be"),
        ({"seed": -1}, "seed must be"),
        ({"seed": None}, "seed must be"),
        ({"values": []}, "at least one number"),
        ({"values": [[1.0, 2.0]]}, "one list"),
        ({"values": [1.0, math.nan]}, "missing"),
        ({"values": [1.0, math.inf]}, "must lie within"),
        ({"values": ["1"]}, "real numbers"),
        ({"values": [1e-320, 50.0]}, "so close to 0"),
        ({"mechanisms": {}}, "at least one mechanism"),
        ({"mechanisms": [Laplace(1.0, (0, 1)), Laplace(2.0, (0, 1))]}, "different names"),
        ({"mechanisms": None}, "mechanisms must be a list or mapping of mechanisms, got None"),
        ({"mechanisms": LOCAL["Laplace"]}, "list or mapping of mechanisms, got a Laplace"),
        ({"mechanisms": "Laplace"}, "mechanisms must be a list or mapping of mechanisms"),
        ({"mechanisms": {"a": None}}, "mechanisms must be a list or mapping of mechanisms"),
        ({"statistic": "mean"}, "statistic must be a function, got 'mean'"),
        ({"progress": 1}, "progress must be a function"),
        ({"cancelled": True}, "cancelled must be a function"),
    ],
)
def test_what_makes_no_sense_is_refused(change: dict[str, Any], words: str) -> None:
    asked: dict[str, Any] = {
        "mechanisms": [LOCAL["Laplace"]], "values": VALUES, "repetitions": 3, "seed": 1
    }  # fmt: skip
    asked |= change
    with pytest.raises(CompdpError, match=words):
        compare(asked.pop("mechanisms"), asked.pop("values"), **asked)
