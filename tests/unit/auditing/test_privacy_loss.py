"""The loss of two neighbours: closed forms, certificates, and mechanisms broken on purpose."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr

from compdp_core import CompositeMechanism
from compdp_core.auditing.attacks import FAULTY
from compdp_core.auditing.output_distribution import outcomes, seen_outputs
from compdp_core.auditing.privacy_loss import (
    ROUNDING,
    LogRatio,
    a_sensitivity_above,
    log_ratio_curve,
)
from compdp_core.auditing.self_check import MASS
from compdp_core.design.privacy_loss import loss
from compdp_core.errors import ParameterError
from compdp_core.mechanisms.baselines import BASELINES, Laplace, Mechanism

COMPOSITE: list[dict[str, Any]] = [
    {"pair": "A1B1"},
    {"pair": "A2B2"},
    {"pair": "A3B1", "sensitivity": 20},
    {"pair": "A4B1", "sensitivity": 5},
    {"pair": "A2B1", "spacing": 1},
]


@pytest.mark.parametrize("options", COMPOSITE)
@pytest.mark.parametrize("pair", [(0.0, 100.0), (33.3, 38.1), (5.0, 5.0)])
def test_a_table_of_runs_is_the_lattice_point_by_point(
    options: dict[str, Any], pair: tuple[float, float]
) -> None:
    lattice = (mechanism := CompositeMechanism(1.0, (0, 100), **options)).lattice
    table = outcomes(mechanism, pair)
    points = np.rint(table.outputs / lattice.spacing).astype(np.int64) - lattice.first
    for row, value in ((table.first, pair[0]), (table.second, pair[1])):
        assert row == pytest.approx(lattice.pmf(value)[points], rel=1e-12)
    assert float(table.spans.sum()) == lattice.points
    assert table.totals == pytest.approx((1.0, 1.0), abs=1e-12)
    assert table.means == pytest.approx(pair, abs=1e-9)


@pytest.mark.parametrize("options", COMPOSITE)
def test_no_pair_of_neighbours_exceeds_the_certificate(options: dict[str, Any]) -> None:
    mechanism = CompositeMechanism(1.0, (0, 100), **options)
    distance = mechanism.sensitivity
    largest = [
        log_ratio_curve(mechanism, (low, low + distance)).largest
        for low in np.linspace(0.0, 100.0 - distance, 7)
    ]
    assert max(largest) <= mechanism.certificate.epsilon + 1e-12
    exact = loss(mechanism.design, distance / 100.0).epsilon
    assert max(largest) == pytest.approx(exact, rel=0.1)


def kept(mechanism: Mechanism, pair: tuple[float, float], off: float) -> LogRatio:
    """The loss of a pair that keeps the claim, with probabilities that add up to 1."""
    curve = log_ratio_curve(mechanism, pair)
    view = seen_outputs(mechanism)
    outside = [mechanism.probability_outside(view, value) for value in pair]
    totals = [t + o for t, o in zip(curve.table.totals, outside, strict=True)]
    assert totals == pytest.approx([1.0, 1.0], abs=off), (mechanism, pair)
    assert curve.kept, (mechanism, pair, curve.largest)
    return curve


@pytest.mark.parametrize("sensitivity", [None, 1.0, 30.0])
@pytest.mark.parametrize("key", BASELINES)
def test_every_baseline_keeps_its_claim_and_a_smaller_claim_is_broken(
    key: str, sensitivity: float | None
) -> None:
    mechanism = BASELINES[key].build(0.8, (0, 100), sensitivity=sensitivity, delta=1e-6)
    lower = 50.0 if sensitivity == 1.0 else 0.0
    curve = kept(mechanism, (lower, lower + mechanism.sensitivity), 5e-4)
    # The twin: the same probabilities under half the loss that they have, or under half the δ.
    half = replace(curve, claimed=0.5 * curve.largest)
    assert half.excess > 0.0
    assert not replace(half, delta=0.5 * half.excess if curve.delta else 0.0).kept


@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-9])
def test_the_analytic_gaussian_spends_exactly_its_delta(delta: float) -> None:
    mechanism = BASELINES["analytic_gaussian"].build(0.5, (0, 10), delta=delta)
    curve = log_ratio_curve(mechanism)
    assert curve.excess == pytest.approx(delta, rel=1e-3)
    assert curve.largest > 0.5


NARROW = [
    (key, epsilon, sensitivity)
    for key in (
        "laplace", "analytic_gaussian", "clamped_gaussian", "clamped_laplace", "discrete_laplace",
        "discrete_gaussian", "truncated_discrete_laplace", "bounded_laplace",
    )
    for epsilon, sensitivity in ((1.0, 0.01), (10.0, 1.0), (10.0, 0.01), (50.0, 1.0))
]  # fmt: skip


@pytest.mark.parametrize(("key", "epsilon", "sensitivity"), NARROW)
def test_noise_that_is_narrow_beside_the_outputs_is_judged_as_it_is(
    key: str, epsilon: float, sensitivity: float
) -> None:
    """All of these keep their claim; a grid too coarse for the noise accused them falsely."""
    mechanism = BASELINES[key].build(epsilon, (0.0, 100.0), sensitivity=sensitivity, delta=1e-6)
    pair = (50.0 - sensitivity / 2, 50.0 + sensitivity / 2)
    curve = kept(mechanism, pair, 1e-3)
    assert curve.delta > 0 or 0.5 * epsilon < curve.largest <= epsilon + ROUNDING


HARD = [
    (epsilon, inputs, sensitivity, place)
    for epsilon in (0.001, 20.0, 40.0, 50.0)
    for inputs, sensitivity, place in (
        ((0.0, 100.0), None, 0.0),
        ((0.0, 100.0), 1e-4, 0.0),
        ((0.0, 100.0), 1e-4, 49.99995),
        ((0.0, 100.0), 1e-4, 99.0),
        ((1e12, 1e12 + 1.0), None, 1e12),
        ((-1e6, 1e6), 10.0, 123_456.7),
    )
]


@pytest.mark.parametrize("key", [key for key in BASELINES if key != "classic_gaussian"])
def test_nothing_is_lost_of_noise_that_floats_can_hardly_show(key: str) -> None:
    """At the ends of ε, far from 0 and at a tiny Δ; classic Gaussian noise breaks its claim."""
    for epsilon, inputs, sensitivity, place in HARD:
        mechanism = BASELINES[key].build(epsilon, inputs, sensitivity=sensitivity, delta=1e-6)
        pair = place, a_sensitivity_above(place, mechanism.sensitivity)
        kept(mechanism, pair, MASS)


def test_the_neighbour_above_is_never_too_far() -> None:
    rng = np.random.default_rng(7)
    for lower, distance in zip(rng.normal(0, 1e3, 300), rng.uniform(1e-9, 1e-3, 300), strict=True):
        upper = a_sensitivity_above(float(lower), float(distance))
        assert upper - lower <= distance < math.nextafter(upper, math.inf) - lower + 1e-18


@pytest.mark.parametrize("sensitivity", [100.0, 1.0, 0.01])
def test_delta_of_gaussian_noise_by_its_closed_form(sensitivity: float) -> None:
    """Balle and Wang 2018, theorem 8: ``Φ(r/2 - ε/r) - e^ε Φ(-r/2 - ε/r)`` with r = Δ/σ."""
    for key, epsilon in (("analytic_gaussian", 1.0), ("classic_gaussian", 10.0)):
        build = BASELINES[key].build
        mechanism = build(epsilon, (0.0, 100.0), sensitivity=sensitivity, delta=1e-6)
        r = sensitivity / math.sqrt(float(mechanism.variance(50.0)))
        exact = float(ndtr(r / 2 - epsilon / r) - math.exp(epsilon) * ndtr(-r / 2 - epsilon / r))
        lower = 50.0 - sensitivity / 2
        curve = log_ratio_curve(mechanism, (lower, lower + sensitivity))
        assert curve.excess == pytest.approx(exact, rel=5e-4)


def test_laplace_by_its_closed_form() -> None:
    curve = log_ratio_curve(Laplace(1.0, (0, 10)), (2.0, 5.0))
    x = curve.table.outputs
    assert curve.ratio == pytest.approx((np.abs(x - 5.0) - np.abs(x - 2.0)) / 10.0, abs=1e-12)
    assert curve.excess == 0.0


@pytest.mark.parametrize("key", FAULTY)
def test_what_is_broken_is_not_kept(key: str) -> None:
    broken = FAULTY[key]()
    curve = log_ratio_curve(broken)
    assert curve.largest == pytest.approx(broken.true, rel=1e-9)
    assert not curve.kept
    assert curve.excess > 0.0


def test_the_authors_program_is_right_within_its_valid_inputs_only() -> None:
    broken = FAULTY["outside"]()
    assert broken.valid is not None
    inside = log_ratio_curve(broken, broken.valid)
    assert inside.kept
    assert inside.table.means == pytest.approx(broken.valid, abs=1e-3)
    outside = log_ratio_curve(broken, (23.0, 33.0))
    assert abs(outside.table.means[0] - 23.0) > 1.0


def test_an_output_of_one_input_only_is_an_infinite_loss() -> None:
    curve = log_ratio_curve(Laplace(1.0, (0, 10)))
    table = replace(curve.table, second=np.where(curve.table.outputs > 9.0, 0.0, 1.0))
    twin = replace(curve, table=table)
    assert math.isinf(twin.largest)
    assert twin.worst_output > 9.0
    assert not twin.kept


@pytest.mark.parametrize("options", [{"pair": "A2B2"}, {"pair": "A4B1", "sensitivity": 1}])
def test_a_picture_keeps_the_worst_and_both_ends(options: dict[str, Any]) -> None:
    curve = log_ratio_curve(CompositeMechanism(1.0, (0, 100), **options))
    rows = curve.shown(100)
    assert rows.size <= 400
    outputs = curve.table.outputs[rows]
    assert (outputs[0], outputs[-1]) == (curve.table.outputs[0], curve.table.outputs[-1])
    assert np.max(np.abs(curve.ratio[rows])) == curve.largest


@pytest.mark.parametrize("pair", [(0.0, math.nan), (0.0,), ("1", 2.0)])
def test_neighbours_must_be_two_numbers(pair: Any) -> None:
    with pytest.raises(ParameterError) as caught:
        log_ratio_curve(Laplace(1.0, (0, 10)), pair)
    assert caught.value.name == "inputs"
