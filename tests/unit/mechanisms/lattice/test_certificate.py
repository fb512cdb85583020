"""The certificate against brute force: all shifts, all mixtures of shifts, all outputs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compdp_core.errors import CertificateError, LatticeError
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import Certificate, Lattice, Runs, Sampler, exact_ratio
from compdp_core.mechanisms.lattice.certificate import (
    exponential_below,
    logarithm_above,
    ratio_within,
)
from compdp_core.shapes import PAIR_NAMES, Constant, Pair, from_points
from tests.unit.mechanisms.lattice.enumeration import (
    Enumerated,
    apart,
    ends,
    expanded,
    lattice,
    mirrored,
    runs,
    small_lattices,
    truth,
    weights,
)

Bound = Callable[[Lattice, Fraction], Fraction]


# --- Never below the truth ------------------------------------------------------------------


@given(lattice=small_lattices())
def test_any_two_inputs(lattice: Lattice) -> None:
    certificate = Certificate.of(lattice, 1.0)
    assert certificate.ratio >= truth(lattice, None)
    assert certificate.epsilon >= math.log(truth(lattice, None)) * (1.0 - 1e-15)


@given(lattice=small_lattices(), part=st.floats(1e-3, 1.0))
@example(lattice=lattice((1,) * 9, (2, 1, 2)), part=0.5)
@example(lattice=lattice((1,) * 12, (0, 5, 0, 5, 0)), part=0.3)
@example(lattice=lattice((3, 1, 1, 1, 1, 1, 3), (7,)), part=0.9)
def test_inputs_within_the_sensitivity(lattice: Lattice, part: float) -> None:
    sensitivity = part * lattice.inputs.width
    assert exact_ratio(lattice, sensitivity) >= truth(lattice, sensitivity)


@given(data=st.data(), lattice=small_lattices())
def test_the_enumeration_itself_misses_no_pair_of_inputs(
    data: st.DataObject, lattice: Lattice
) -> None:
    """Corners settle the continuum: no other pair of real shifts has a larger ratio."""
    low, high = ends(lattice)
    distance = (high - low) * data.draw(st.fractions(Fraction(1, 50), 1, max_denominator=50))
    places = st.fractions(0, 1, max_denominator=1000)
    one = low + (high - low) * data.draw(places)
    other = one + distance * data.draw(st.fractions(-1, 1, max_denominator=1000))
    other = min(max(other, low), high)
    enumerated = Enumerated.of(lattice)
    assert enumerated.ratio(one, other) <= enumerated.worst_ratio(distance, low, high)


# --- Equal to it, where the theory says so --------------------------------------------------


@given(activation=weights(0, 12, 4).filter(any), height=st.integers(1, 5))
def test_any_two_inputs_on_a_constant_base_is_attained(
    activation: tuple[int, ...], height: int
) -> None:
    """An activation that can be moved off its own place reaches (b + max w)/b."""
    small = lattice((height,) * (2 * len(activation) + 3), activation)
    expected = Fraction(height + max(activation), height)
    assert exact_ratio(small, None) == truth(small, None) == expected


@given(
    activation=weights(0, 12, 5).filter(any), base=weights(1, 6, 12), distance=st.integers(0, 10)
)
def test_whole_shifts(activation: tuple[int, ...], base: tuple[int, ...], distance: int) -> None:
    """``e_d`` over runs is the maximum over points; on a constant base it is the truth itself."""
    count = len(activation) + max(distance, 1) + 2
    constant = Enumerated((3,) * count, activation)
    shifts = range(constant.span + 1)
    attained = max(
        Fraction(p, q)
        for s, t in itertools.product(shifts, shifts)
        if abs(s - t) <= distance
        for p, q in zip(constant.at(s), constant.at(t), strict=True)
    )
    assert ratio_within(runs(activation), 3, distance) == attained
    if len(base) < len(activation):
        return
    other = Enumerated(base, activation)
    shifts = range(other.span + 1)
    for s, t in itertools.product(shifts, shifts):
        if abs(s - t) <= distance:
            found = max(Fraction(p, q) for p, q in zip(other.at(s), other.at(t), strict=True))
            assert ratio_within(runs(activation), min(base), distance) >= found


@pytest.mark.parametrize("distance", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "activation", [(1, 2, 4, 4, 4, 2, 1), (4, 4, 4, 4, 4, 4, 4), (5, 0, 3, 0, 3, 0, 5)]
)
def test_a_sensitivity_of_whole_shifts_is_attained(
    activation: tuple[int, ...], distance: int
) -> None:
    """But for the allowance for rounding, a few parts in 10¹⁵."""
    # A power of two in all, so that the sensitivity is a float.
    missing = 64 - sum(activation)
    assert missing % 2 == 0
    small = lattice((2,) * (missing // 2), activation)
    sensitivity = distance * float(small.share)
    exact = truth(small, sensitivity)
    assert exact == ratio_within(small.activation, 2, distance)
    assert exact <= exact_ratio(small, sensitivity) <= exact * (1 + Fraction(1, 10**12))


@given(
    part=st.fractions(0, 1, max_denominator=64),
    whole=st.integers(0, 3),
    activation=st.sampled_from([(4, 4, 4, 4, 4, 4), (1, 1, 3, 3, 7, 7, 3, 3, 1, 1)]),
)
def test_a_sensitivity_between_whole_shifts_is_attained(
    part: Fraction, whole: int, activation: tuple[int, ...]
) -> None:
    """A rectangle and a staircase at any real distance: nothing is given away for the mixing."""
    small = lattice((1,) * (64 - sum(activation)), activation)
    sensitivity = float((whole + part) * small.share)
    if sensitivity == 0.0:
        return
    exact = truth(small, sensitivity)
    assert exact <= exact_ratio(small, sensitivity) <= exact * (1 + Fraction(1, 10**11))


def test_many_runs_agree_with_points() -> None:
    """The range minimum over thousands of runs, with weights of a hundred bits."""
    rng = np.random.default_rng(5)
    half = [int(w) << 60 for w in rng.integers(0, 1000, 700)]
    activation = mirrored(half, odd=True)
    base = 7 << 60
    padded = np.array([0] * 40 + [w >> 60 for w in activation] + [0] * 40)
    for distance in (1, 2, 3, 17, 40):
        windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * distance + 1)
        inner = padded[distance : padded.size - distance]
        expected = max(
            Fraction(7 + int(w), 7 + int(low))
            for w, low in zip(inner, windows.min(axis=1), strict=True)
        )
        assert ratio_within(runs(activation), base, distance) == expected


# --- Wrong bounds are caught by the same enumeration -----------------------------------------


def correct(small: Lattice, reach: Fraction) -> Fraction:
    return exact_ratio(small, float(reach * small.share * small.exact_spacing))


def without_next_shift(small: Lattice, reach: Fraction) -> Fraction:
    return ratio_within(small.activation, min(small.base.weights), math.floor(reach))


def with_largest_base(small: Lattice, reach: Fraction) -> Fraction:
    base, whole = max(small.base.weights), math.floor(reach)
    near, far = (ratio_within(small.activation, base, d) for d in (whole, whole + 1))
    return near + (far - near) * (reach - whole)


def blind_outside_the_support(small: Lattice, reach: Fraction) -> Fraction:
    base, inside = min(small.base.weights), expanded(small.activation)
    distance = math.floor(reach) + 1
    return max(
        Fraction(base + w, base + min(inside[max(0, j - distance) : j + distance + 1]))
        for j, w in enumerate(inside)
    )


def family() -> Iterator[tuple[Lattice, Fraction]]:
    """Every symmetric activation of up to five points and weights up to 3, on two bases."""
    for count, odd in ((1, True), (1, False), (2, True), (2, False), (3, True)):
        for half in itertools.product(range(4), repeat=count):
            activation = mirrored(half, odd)
            if not any(activation):
                continue
            size = len(activation) + 3
            dented = mirrored([3, 2, 1, 1, 1, 1][: (size + 1) // 2], bool(size % 2))
            for base in ((1,) * size, dented):
                for reach in (Fraction(1, 4), Fraction(1, 2), Fraction(9, 8), Fraction(7, 4)):
                    small = lattice(base, activation)
                    low, high = ends(small)
                    if reach < high - low:
                        yield small, reach


@pytest.fixture(scope="module")
def enumerated() -> list[tuple[Lattice, Fraction, Fraction]]:
    found = []
    for small, reach in family():
        low, high = ends(small)
        # A hair less, so that a sensitivity rounded to a float does not decide.
        reach_below = reach * (1 - Fraction(1, 2**40))
        found.append((small, reach, Enumerated.of(small).worst_ratio(reach_below, low, high)))
    assert len(found) > 500
    return found


@pytest.mark.parametrize(
    ("bound", "sound"),
    [
        (correct, True),
        (without_next_shift, False),
        (with_largest_base, False),
        (blind_outside_the_support, False),
    ],
)
def test_the_enumeration_tells_right_bounds_from_wrong_ones(
    enumerated: list[tuple[Lattice, Fraction, Fraction]], bound: Bound, sound: bool
) -> None:
    broken = [
        (expanded(small.activation), reach)
        for small, reach, worst in enumerated
        if bound(small, reach) < worst * (1 - Fraction(1, 10**9))
    ]
    assert bool(broken) is not sound


# --- Whole mechanisms ------------------------------------------------------------------------


def two_peaks() -> Pair:
    """An own activation, symmetric but with a dent in the middle."""
    points = [(0.0, 0.1), (0.25, 1.0), (0.5, 0.2), (0.75, 1.0), (1.0, 0.1)]
    return Pair(from_points(points, name="F7"), Constant())


# epsilon, width of the inputs, pair, sensitivity
FEW_POINTS = [
    *itertools.product((1.0, 2.0), [4], [*PAIR_NAMES, "A4B1"], [None, 2.0, 1.0]),
    *itertools.product((1.0, 3.0), [4], ["A2B1", "A3B2", two_peaks()], [1.0, 2.5]),
    *itertools.product((0.1, 0.5, 1.0, 4.0), [10, 4], ["A4B1"], [3]),
    *((epsilon, 5, "A4B1", 2) for epsilon in (0.1, 0.5, 1.0, 4.0)),
    *((epsilon, 2, "A4B1", 1) for epsilon in (0.1, 0.5, 1.0, 4.0)),
    *((1.0, 10, "A4B1", 1), (1.0, 7, "A4B1", 2.5), (0.7, 3, "A4B1", 0.5), (0.5, 6, "A4B1", 5.9)),
]


@pytest.mark.parametrize(("epsilon", "width", "pair", "sensitivity"), FEW_POINTS, ids=str)
def test_mechanisms_on_few_points(
    epsilon: float, width: int, pair: str | Pair, sensitivity: float | None
) -> None:
    """Over the whole continuum of inputs, in integers; the certificate is never below it."""
    mechanism = CompositeMechanism(
        epsilon, (0, width), pair=pair, sensitivity=sensitivity, spacing=1
    )
    small, certificate = mechanism.lattice, mechanism.certificate
    worst = truth(small, sensitivity)
    assert certificate.holds
    assert worst <= certificate.ratio <= exponential_below(epsilon)
    low, high = ends(small)
    far = sensitivity is None or high - low >= apart(small, sensitivity) + 1
    stairs = pair == "A4B1" and (far or sensitivity in (1.0, 2.0))
    if stairs or (pair == "A1B1" and sensitivity is None):
        # Nothing is given away for nothing: all of ε is spent, but for the rounding of weights.
        assert math.log(worst) == pytest.approx(certificate.epsilon, rel=1e-11)
        assert math.log(worst) == pytest.approx(epsilon, rel=1e-8)


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 5.0, 20.0, 50.0])
@pytest.mark.parametrize("base", [7, 10**6, 2**53 + 1, 2**90 + 1])
def test_one_weight_more_is_refused(epsilon: float, base: int) -> None:
    """A1B1 at the last whole weight that ε allows, of few bits or many."""
    base = max(base, math.ceil(50 / math.expm1(epsilon)))  # some weight for the activation
    lack = math.floor(1.0 / math.expm1(epsilon)) + 1  # of the base, as bad as one too many above
    height = math.floor(exponential_below(epsilon) * base) - base
    tight = lattice((base,) * 9, (height,) * 3)
    assert Certificate.of(tight, epsilon).holds
    assert Certificate.of(tight, epsilon).epsilon <= epsilon
    for broken in (
        replace(tight, activation=runs((height + 1,) * 3)),
        replace(tight, activation=runs((height, height + 1, height))),
        replace(tight, activation=runs((height + 1, height, height + 1))),
        replace(tight, base=runs((base - lack, *(base,) * 7, base - lack))),
    ):
        assert not Certificate.of(broken, epsilon).holds
        assert Certificate.of(broken, epsilon).epsilon > epsilon


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 5.0, 20.0, 50.0])
@pytest.mark.parametrize("spacing", [None, 1.0])
def test_a_mechanism_spends_all_and_releases_nothing_beyond(
    epsilon: float, spacing: float | None
) -> None:
    """Weights higher by one part in 10¹² of A1B1, which is all the slack there may be."""
    mechanism = CompositeMechanism(epsilon, (0, 100), spacing=spacing)
    good = mechanism.lattice
    (height,), (count,) = good.activation.weights, good.activation.lengths
    (base,), (points,) = good.base.weights, good.base.lengths
    excess, lack = height // 10**12 + 1, base // 10**12 + 1
    for broken in (
        replace(good, activation=Runs((count,), (height + excess,))),
        replace(good, base=Runs((1, points - 2, 1), (base - lack, base, base - lack))),
    ):
        certificate = Certificate.of(broken, epsilon)
        assert not certificate.holds
        assert certificate.epsilon > epsilon
        with pytest.raises(CertificateError, match="nothing is released"):
            certificate.require()
        mechanism.certificate = certificate
        with pytest.raises(CertificateError):
            mechanism.release([50.0])
        with pytest.raises(CertificateError):
            mechanism.simulate([50.0], seed=1)


@pytest.mark.parametrize("sensitivity", [20.0, 1.0])
@pytest.mark.parametrize("pair", ["A1B1", "A2B1", "A3B2"])
def test_more_weight_is_refused_below_the_full_sensitivity_too(
    pair: str, sensitivity: float
) -> None:
    """Weights that use up ε at Δ, raised by one in a thousand."""
    declared = 1.0
    mechanism = CompositeMechanism(declared, (0, 100), pair=pair, sensitivity=sensitivity)
    good = mechanism.lattice
    certified = Certificate.of(good, declared, sensitivity)
    raised = Runs(good.activation.lengths, tuple(w + w // 1000 for w in good.activation.weights))
    tight = certified.epsilon
    assert Certificate.of(good, tight, sensitivity).holds
    assert not Certificate.of(replace(good, activation=raised), tight, sensitivity).holds


@pytest.mark.parametrize(
    ("part", "weights", "words"),
    [
        ("activation", (2, 1, 3), "symmetric"),
        ("base", (1, 1, 1, 1, 1, 1, 1, 1, 2), "symmetric"),
        ("base", (0, 1, 1, 1, 1, 1, 1, 1, 0), "at least 1"),
        ("activation", (0, 0, 0), "no weight"),
    ],
)
def test_such_weights_are_not_a_lattice(part: str, weights: tuple[int, ...], words: str) -> None:
    with pytest.raises(LatticeError, match=words):
        replace(lattice((1,) * 9, (2, 1, 2)), **{part: runs(weights)})  # type: ignore[arg-type]


def test_what_is_proved_is_what_is_drawn() -> None:
    mechanism = CompositeMechanism(1.0, (0, 10))
    assert mechanism.certificate.lattice is mechanism.lattice
    (sampler,) = (v for v in vars(mechanism).values() if isinstance(v, Sampler))
    assert sampler.lattice is mechanism.lattice


# --- The allowance for rounding --------------------------------------------------------------


@given(data=st.data(), pair=st.sampled_from(PAIR_NAMES), epsilon=st.sampled_from([0.1, 1.0, 8.0]))
def test_computed_shifts_stay_within_the_reach_of_the_certificate(
    data: st.DataObject, pair: str, epsilon: float
) -> None:
    """The float map stretches no distance by more than twice the allowed error."""
    centre = data.draw(st.sampled_from([0.0, 37.7, -1e6, 1e9]))
    width = data.draw(st.sampled_from([1.0, 100.0, 3.3e5]))
    mechanism = CompositeMechanism(epsilon, (centre, centre + width), pair=pair)
    low, high = mechanism.inputs
    values = st.floats(low, high)
    one, other = data.draw(values), data.draw(values)
    small = mechanism.lattice
    computed = abs(Fraction(float(small.shift(one))) - Fraction(float(small.shift(other))))
    exact = abs(Fraction(one) - Fraction(other)) / (small.exact_spacing * small.share)
    # The rounding of the shift to a whole number, in steps of 2^-53, comes on top.
    assert computed + Fraction(2, 2**53) <= exact + 2 * small.shift_error


@pytest.mark.parametrize(
    "values",
    [
        np.array([2**59 + 64, 2**59 + 65]),
        np.array([2**59 + 64, 2**59 + 65], dtype=np.uint64),
        [2**59 + 64, 2**59 + 65],
    ],
)
def test_whole_numbers_too_long_for_floats_stay_within_it_too(values: object) -> None:
    """Neighbours one apart become floats 128 apart: the certificate has to know."""
    mechanism = CompositeMechanism(1.0, (0, 2**60), pair="A1B1", sensitivity=1, spacing=1000)
    one, other = (
        Fraction(float(s)) for s in mechanism.lattice.shift(np.asarray(values, dtype=float))
    )
    assert one != other
    base, activation = (
        min(mechanism.lattice.base.weights),
        max(mechanism.lattice.activation.weights),
    )
    attained = 1 + abs(one - other) * Fraction(activation, base)
    assert mechanism.certificate.ratio >= attained


# --- Exponentials and logarithms as fractions -------------------------------------------------


def exponential_series(epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of ``e^ε`` on both sides, from its series and the geometric bound of the rest."""
    terms = 400
    total = term = Fraction(1)
    for n in range(1, terms):
        # Rounded down to 300 bits: still below, and a sum of 400 such errors is known.
        term = Fraction(math.floor(term * epsilon / n * 2**300), 2**300)
        total += term
    return total, total + Fraction(terms * 2**80, 2**300)


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, math.log(2), 5.0, 34.0, 50.0])
def test_exponential_is_a_lower_bound_and_tight(epsilon: float) -> None:
    low, high = exponential_series(Fraction(epsilon))
    bound = exponential_below(epsilon)
    assert bound < low <= high < bound * (1 + Fraction(1, 10**55))


@given(
    ratio=st.fractions(1, 10**9).map(lambda r: r + Fraction(1, 10**12))
    | st.integers(1, 10**40).map(lambda n: 1 + Fraction(1, n))
)
def test_logarithm_is_an_upper_bound_and_tight(ratio: Fraction) -> None:
    bound = logarithm_above(ratio)
    assert exponential_series(Fraction(bound))[1] >= ratio
    below = bound - 2.0 * math.ulp(bound)
    assert exponential_series(Fraction(below))[0] <= ratio


def test_certificate_says_what_it_proves() -> None:
    mechanism = CompositeMechanism(1.0, (0, 100))
    certificate = mechanism.certificate
    assert certificate.declared == 1.0
    assert certificate.epsilon <= 1.0
    assert certificate.outputs == mechanism.outputs
    assert certificate.spacing == 0.01
    low, high = certificate.outputs
    assert certificate.points == round((high - low) / 0.01) + 1
    assert certificate.worst_bias == mechanism.lattice.worst_bias
    assert certificate.variance(30.0) == mechanism.variance(30.0)
