"""The lattice's closed forms against sums over all of its points, in fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compdp_core import CompositeMechanism
from compdp_core.errors import LatticeError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice import Lattice, Runs
from compdp_core.mechanisms.lattice.lattice import EXPONENTS
from compdp_core.mechanisms.lattice.runs import RESOLUTION
from tests.unit.mechanisms.lattice.enumeration import (
    Enumerated,
    expanded,
    lattice,
    runs,
    small_lattices,
)

places = st.sampled_from([0.0, 1.0]) | st.floats(0.0, 1.0)
"""Of an input between the ends of the interval."""


def inside(interval: Interval, place: float) -> float:
    return float(interval.clamp(interval.lower + place * interval.width))


def drawn_shift(lattice: Lattice, value: float) -> Fraction:
    """The mean of the shifts that a draw uses: up if a multiple of 2^-53 is below the fraction."""
    shift = Fraction(float(lattice.shift(value)))
    low = math.floor(shift)
    return low + Fraction(math.ceil((shift - low) * 2**53), 2**53)


def masses(lattice: Lattice, value: float) -> list[Fraction]:
    """Exact probability of every output."""
    enumerated = Enumerated.of(lattice)
    return [p / enumerated.total for p in enumerated.mixture(drawn_shift(lattice, value))]


def points(lattice: Lattice) -> list[Fraction]:
    """Every output, exactly as the float that is released."""
    return [Fraction(x) for x in lattice.value(np.arange(lattice.points)).tolist()]


@given(small=small_lattices(placed=True), place=places)
@example(small=lattice((1,) * 9, (5, 5)), place=0.5)
def test_moments(small: Lattice, place: float) -> None:
    value = inside(small.inputs, place)
    probabilities, outputs = masses(small, value), points(small)
    assert sum(probabilities) == 1
    mean = sum(p * o for p, o in zip(probabilities, outputs, strict=True))
    variance = sum(p * (o - mean) ** 2 for p, o in zip(probabilities, outputs, strict=True))
    # Unbiased: the rounding of floats is all there is, and it is bounded.
    assert abs(mean - Fraction(value)) <= Fraction(small.worst_bias)
    size = max(abs(o) for o in outputs)
    assert abs(Fraction(float(small.mean(value))) - mean) <= size * Fraction(1, 10**14)
    if size < 10**6 * small.exact_spacing:
        # Farther from zero the rounding of the outputs is felt beside their spacing.
        assert float(small.variance(value)) == pytest.approx(float(variance), rel=1e-9)
    np.testing.assert_allclose(
        small.pmf(value), [float(p) for p in probabilities], rtol=1e-13, atol=1e-15
    )


@given(small=small_lattices(), place=places)
def test_probability_below(small: Lattice, place: float) -> None:
    value = inside(small.inputs, place)
    probabilities = masses(small, value)
    for index in range(small.points + 1):
        expected = float(sum(probabilities[:index]))
        assert float(small.below(index, value)) == pytest.approx(expected, abs=1e-15)


@given(small=small_lattices(), data=st.data())
def test_many_inputs_at_once(small: Lattice, data: st.DataObject) -> None:
    values = np.array([inside(small.inputs, p) for p in data.draw(st.lists(places, min_size=1))])
    index = data.draw(st.integers(0, small.points))
    for method in (small.mean, small.variance, small.shift, lambda v: small.below(index, v)):
        together = method(values.reshape(-1, 1))
        assert together.shape == (values.size, 1)
        alone = [float(method(v)) for v in values]
        assert together[:, 0].tolist() == pytest.approx(alone, rel=1e-14, abs=1e-14)


@given(small=small_lattices(placed=True), place=places)
def test_shifts_follow_the_definition(small: Lattice, place: float) -> None:
    """A computed shift is the exact one but for the allowance and the rounding of the centre."""
    value = inside(small.inputs, place)
    computed, exact = Fraction(float(small.shift(value))), small.exact_shift(value)
    off = abs(Fraction(float(small.centre)) - small.centre) / small.exact_spacing / small.share
    assert abs(computed - exact) <= small.shift_error + off
    assert 0 <= computed <= small.span


@given(
    small=small_lattices(placed=True),
    value=st.floats(allow_nan=False, allow_infinity=False),
    near=st.integers(0, 20),
    steps=st.integers(-2, 2),
)
def test_index_of_a_bound(small: Lattice, value: float, near: int, steps: int) -> None:
    outputs = small.value(np.arange(small.points)).tolist()
    close = outputs[near % small.points]
    for _ in range(abs(steps)):
        close = math.nextafter(close, math.copysign(math.inf, steps))
    for bound in (value, close, math.inf, -math.inf):
        expected = sum(o < bound for o in outputs)
        assert small.index_at_least(bound) == expected


@given(first=st.integers(-(2**52) + 1, 2**52 - 20), exponent=st.integers(-22, 22))
def test_outputs_are_correctly_rounded_decimals(first: int, exponent: int) -> None:
    """Written with ``decimals`` places they read back as themselves, and no two are one float."""
    try:
        small = lattice((1,) * 11, (9,), first=first, exponent=exponent)
    except ValueError:  # the inputs are narrower than a unit in the last place
        return
    outputs = small.value(np.arange(11)).tolist()
    assert outputs == [float((first + i) * Fraction(10) ** exponent) for i in range(11)]
    assert len(set(outputs)) == 11
    assert [float(f"{x:.{small.decimals}f}") for x in outputs] == outputs
    assert (small.lower, small.upper) == (outputs[0], outputs[-1])
    assert small.spacing == 10.0**exponent if exponent >= 0 else float(f"1e{exponent}")


def test_critical_shifts_hold_every_bend() -> None:
    """Between neighbouring critical shifts the probability of an interval is linear."""
    small = lattice((2,) * 20, (1, 1, 4, 4, 4, 1, 1))
    low, high = 6, 13
    bends = small.critical_shifts((low, high))
    shifts = np.arange(small.span + 1.0)
    within = small.below_at(high, shifts) - small.below_at(low, shifts)
    bent = shifts[1:-1][np.abs(np.diff(within, 2)) > 1e-12]
    assert set(bent) <= set(bends.tolist())
    assert {0.0, float(small.span)} <= set(bends.tolist()) | {0.0, float(small.span)}
    assert bent.size > 0


# --- What is not a lattice --------------------------------------------------------------------


def test_inputs_must_fit() -> None:
    small = lattice((1,) * 9, (5, 5))
    low, high = small.inputs.as_tuple()
    for base, activation, first, inputs in (
        (small.base, small.activation, small.first, Interval(low - 1e-9, high)),
        (small.base, small.activation, small.first + 1, small.inputs),
        (runs((1,)), runs((5, 5)), 0, Interval(0.0, 0.1)),
    ):
        with pytest.raises(LatticeError, match="do not fit"):
            Lattice(base, activation, first, 0, inputs)


def test_outputs_must_be_different_floats() -> None:
    def far(first: int) -> Lattice:
        inputs = Interval(float(first + 4), float(first + 6))
        return Lattice(Runs((11,), (1,)), Runs((7,), (2**20,)), first, 0, inputs)

    assert far(2**52 - 11).points == 11
    with pytest.raises(LatticeError, match="too far from zero"):
        far(2**52 - 10)
    with pytest.raises(LatticeError, match="too far from zero"):
        far(-(2**52))


@pytest.mark.parametrize("exponent", [-400, -320, -308, -23, 23, 300, 308, 309])
def test_spacings_out_of_reach_of_floats_are_refused(exponent: int) -> None:
    """Powers of ten beyond 10^22 are no floats: outputs would only be near their decimals."""
    assert {-22, 0, 22} <= set(EXPONENTS)
    inputs = Interval(-0.5, 0.5)
    with pytest.raises(LatticeError, match="public constant"):
        Lattice(Runs((11,), (1,)), Runs((7,), (2**20,)), -5, exponent, inputs)


@pytest.mark.parametrize("exponent", [EXPONENTS.start, EXPONENTS.stop - 1])
@pytest.mark.parametrize("first", [-5, 2**51])
def test_the_extreme_spacings_work(exponent: int, first: int) -> None:
    small = lattice((1,) * 11, (2**20,) * 7, first=first, exponent=exponent)
    low, high = small.inputs.as_tuple()
    for value in (low, high):
        variance = float(small.variance(value))
        assert 0.0 < variance < math.inf
        # The same as at spacing 1; far from zero the inputs are rounded, and so their shifts.
        plain = lattice((1,) * 11, (2**20,) * 7, first=-5)
        relative = float(plain.variance(plain.inputs.upper))
        assert variance / small.spacing**2 == pytest.approx(
            relative, rel=1e-6 if first == -5 else 0.1
        )
        assert math.isfinite(float(small.mean(value)))
        assert 0.0 < small.worst_bias < math.inf


def test_too_fine_a_lattice_about_zero_is_not_called_far_from_zero() -> None:
    with pytest.raises(LatticeError, match="choose a larger sensitivity"):
        CompositeMechanism(0.002, (-50.5, 50.5), sensitivity=1e-13)


# --- Runs, against the plain list of weights they stand for ---------------------------------------

some_weights = st.lists(st.integers(0, 5) | st.integers(0, 2**120), min_size=1, max_size=30)


@given(weights=some_weights)
def test_sums_are_those_of_the_points(weights: list[int]) -> None:
    r = runs(weights)
    assert expanded(r) == tuple(weights)
    assert r.count == len(weights)
    assert r.mass == sum(r.masses) == sum(weights)
    assert r.is_symmetric is (weights == weights[::-1])
    middle = len(weights) - 1
    assert r.second_moment == sum(w * (2 * i - middle) ** 2 for i, w in enumerate(weights))
    for position in range(-3, len(weights) + 4):
        assert r.below(position) == sum(weights[: max(position, 0)])
    total = 3 * sum(weights) + 1
    assert r.shares(total).tolist() == pytest.approx([w / total for w in weights], rel=1e-15)


@given(weights=some_weights)
def test_merged_runs_are_as_few_as_possible(weights: list[int]) -> None:
    r = runs(weights)
    assert all(a != b for a, b in pairwise(r.weights))
    assert len(r.weights) == 1 + sum(a != b for a, b in pairwise(weights))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 17, 100, 4095, 4096, 4097])
def test_few_points_take_the_weight_at_their_own_place(count: int) -> None:
    """Up to the resolution each point is a run: at its distance from the middle, over half."""
    symmetric = Runs.symmetric(count, lambda v: [round(1e12 * (2.0 - x * x)) for x in v])
    places = np.abs(np.arange(count) - 0.5 * (count - 1)) / (0.5 * count)
    assert expanded(symmetric) == tuple(round(1e12 * (2.0 - x * x)) for x in places)
    assert symmetric.is_symmetric


@pytest.mark.parametrize("count", [4098, 10_001, 65_536, 1_000_003])
def test_many_points_share_runs(count: int) -> None:
    symmetric = Runs.symmetric(count, lambda v: [round(1e12 * (2.0 - x)) for x in v])
    assert symmetric.count == count
    assert symmetric.is_symmetric
    assert len(symmetric.weights) <= RESOLUTION + 1
    # Twice as long in the middle, where the two halves meet.
    assert max(symmetric.lengths) <= 2 * (count // RESOLUTION + 1)
    # On a linear shape the middle of a run stands for all of it, so the mass is exact.
    half = count // 2
    exact = 2.0 * count - sum(
        2.0 * (i + (0.5 if count % 2 == 0 else 1.0)) / (0.5 * count) for i in range(half)
    )
    assert symmetric.mass / 1e12 == pytest.approx(exact, rel=1e-12)


def test_one_run_is_enough_for_a_constant_of_any_length() -> None:
    constant = Runs.symmetric(10**15 + 1, lambda v: [7] * v.size)
    assert constant == Runs((10**15 + 1,), (7,))
    assert constant.below(10**14) == 7 * 10**14


@pytest.mark.parametrize(
    ("lengths", "weights"), [((), ()), ((1, 2), (1,)), ((0,), (1,)), ((1,), (-1,)), ((-1,), (1,))]
)
def test_what_is_not_a_list_of_weights_is_refused(
    lengths: tuple[int, ...], weights: tuple[int, ...]
) -> None:
    with pytest.raises(LatticeError, match="runs need"):
        Runs(lengths, weights)


def test_runs_cannot_be_changed() -> None:
    r = Runs((2, 3), (1, 4))
    assert isinstance(r.weights, tuple)
    with pytest.raises(AttributeError):
        r.weights = (9, 9)  # type: ignore[misc]
