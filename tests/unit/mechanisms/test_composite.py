"""The mechanism as its callers meet it: what goes in, what comes out, and what is refused."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compdp_core import CompositeMechanism
from compdp_core.design.density import Density
from compdp_core.design.optimize.exact import OBJECTIVES
from compdp_core.errors import (
    BoundsError,
    CompdpError,
    InfeasibleOutputsError,
    LatticeError,
    MissingValueError,
    ParameterError,
    UnknownPairError,
    quotable,
)
from compdp_core.mechanisms.lattice import CHUNK, COST
from compdp_core.mechanisms.planning import ALL_PAIRS
from compdp_core.parameters import EPSILON
from compdp_core.shapes import PAIR_NAMES, Pair, Quartic, Sine, pair_named
from tests.naming import shown
from tests.unit.mechanisms.lattice.enumeration import Enumerated

EXACT = 50.0
"""At this ε the released value leaves the activation, 10^-8 of the input width wide, with a
probability below 10^-14: far below 10^-9 false alarms for all draws of this module together."""

NEAR = 1e-7


@pytest.fixture(scope="module")
def exact() -> CompositeMechanism:
    return CompositeMechanism(EXACT, (0, 1))


@pytest.fixture(scope="module")
def mechanism() -> CompositeMechanism:
    return CompositeMechanism(1.0, (0, 100))


# --- What goes in ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        [], [0.5], 0.5, np.float64(0.25), 1, True, np.array(0.75),
        [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]],
        np.zeros((2, 0, 3)), np.linspace(0, 1, 24).reshape(2, 3, 4),
        np.linspace(0, 1, 24).reshape(4, 6)[::2, ::-3],
        np.asfortranarray(np.linspace(0, 1, 24).reshape(4, 6)),
        np.array([Decimal("0.5"), Fraction(1, 4), 1, True, 0.125], dtype=object),
        pd.Series([0.5, 0.25], index=[7, 3]), pd.Series([True, False], dtype="boolean"),
        pd.DataFrame({"a": [0.5, 1.0], "b": [0.25, 0.0]}),
    ],
    ids=shown,
)  # fmt: skip
def test_each_value_goes_to_its_own_place(exact: CompositeMechanism, values: Any) -> None:
    """Of any shape; numbers of every other type are in ``test_validation.TAKEN``."""
    for released in (exact.release(values), exact.simulate(values, seed=4)):
        assert released.dtype == np.float64
        assert released.shape == np.shape(values)
        expected = np.asarray(values, dtype=np.float64)
        assert np.all(np.abs(released - expected) < NEAR)


@pytest.mark.parametrize("count", [1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 1])
def test_chunks_meet_without_a_seam(exact: CompositeMechanism, count: int) -> None:
    values = np.linspace(0.0, 1.0, count)
    assert np.max(np.abs(exact.release(values) - values)) < NEAR
    first = exact.simulate(values, seed=1)
    assert np.array_equal(first, exact.simulate(values, seed=1))
    assert not np.array_equal(first, exact.simulate(values, seed=2))


def test_values_are_not_touched() -> None:
    mechanism = CompositeMechanism(1.0, (0, 1))
    values = np.array([-5.0, 0.5, 7.0, math.inf])
    values.setflags(write=False)
    kept = values.copy()
    mechanism.release(values)
    mechanism.variance(values)
    assert np.array_equal(values, kept)
    writable = kept.copy()
    released = mechanism.release(writable)
    released[:] = 0.0
    assert np.array_equal(writable, kept)


def test_values_outside_are_clamped(exact: CompositeMechanism) -> None:
    outside = [-1e300, -math.inf, -1e-9, 1.0 + 1e-9, 17, math.inf, 10**300]
    assert np.all(np.abs(exact.release(outside) - [0, 0, 0, 1, 1, 1, 1]) < NEAR)
    assert exact.bias(3.0) == pytest.approx(-2.0)
    assert exact.bias(-0.5) == pytest.approx(0.5)
    assert exact.mean(17.0) == pytest.approx(1.0)
    assert exact.variance(17.0) == exact.variance(1.0)
    assert exact.bias(math.inf) == -math.inf


@pytest.mark.parametrize(
    ("values", "count", "first"),
    [
        (math.nan, 1, 0),
        (None, 1, 0),
        ([1.0, math.nan, 2.0, math.nan], 2, 1),
        (np.array([[1.0, 2.0], [3.0, np.nan]]), 1, 3),
        (np.array([1, None, float("nan")], dtype=object), 2, 1),
        (np.ma.array([5.0, 6.0], mask=[False, True]), 1, 1),
        (np.ma.array([5, 6], mask=[True, False]), 1, 0),
        (np.r_[np.zeros(CHUNK + 5), np.nan, np.zeros(3)], 1, CHUNK + 5),
    ],
    ids=shown,
)
def test_missing_values_are_refused(
    mechanism: CompositeMechanism, values: Any, count: int, first: int
) -> None:
    for use in (mechanism.release, lambda v: mechanism.simulate(v, seed=1), mechanism.variance):
        with pytest.raises(MissingValueError, match=r"missing \(NaN\).*drop them or") as caught:
            use(values)
        assert (caught.value.count, caught.value.first) == (count, first)


@pytest.mark.parametrize(
    "values", ["5", 1j, 10**400, [object()], np.array([np.complex64(1)], dtype=object)], ids=shown
)
def test_what_is_not_a_real_number_is_refused(mechanism: CompositeMechanism, values: Any) -> None:
    """All else is in ``test_validation.NO_NUMBERS``."""
    for use in (mechanism.release, lambda v: mechanism.simulate(v, seed=1), mechanism.bias):
        with pytest.raises(ParameterError, match=r"(values|value) must (be real numbers|fit into)"):
            use(values)


def test_refusals_name_no_value(mechanism: CompositeMechanism) -> None:
    """Messages end up in logs; values are what is to be protected."""
    private: list[Any] = [[123456789.5, each] for each in ("x", math.nan, 10**400)]
    for values in private:
        with pytest.raises(CompdpError) as caught:
            mechanism.release(values)
        assert "123456789" not in str(caught.value)
        assert len(str(caught.value)) < 200
        assert "123456789" not in repr(vars(caught.value))


# --- What comes out -----------------------------------------------------------------------------


@pytest.mark.parametrize("pair", [*PAIR_NAMES, "A4B1"])
@pytest.mark.parametrize("epsilon", [EPSILON.lower, 0.1, 1.0, 5.0, EPSILON.upper])
def test_released_values_lie_within_the_outputs_and_on_the_points(
    pair: str, epsilon: float
) -> None:
    mechanism = CompositeMechanism(epsilon, (-7.5, 92.5), pair=pair)
    low, high = mechanism.outputs
    assert low < -7.5 < 92.5 < high
    assert (low, high) == mechanism.certificate.outputs
    released = mechanism.release(np.linspace(-20, 110, 4001))
    assert low <= released.min() <= released.max() <= high
    for x in released[:50].tolist():
        assert float(f"{x:.{mechanism.decimals}f}") == x
    steps = released / mechanism.lattice.spacing
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-3)


def test_properties() -> None:
    mechanism = CompositeMechanism(2, (0, 10), pair="A2B2", tail_ratio=0.5, objective="worst")
    assert (mechanism.epsilon, mechanism.pair, mechanism.objective) == (2.0, "A2B2", "worst")
    assert mechanism.sensitivity == 10.0
    assert mechanism.inputs == (0.0, 10.0)
    assert mechanism.design.tau == 0.5
    assert mechanism.design.epsilon == 2.0
    assert mechanism.certificate.declared == 2.0
    assert mechanism.certificate.sensitivity == 10.0
    assert all(isinstance(x, float) for x in (*mechanism.inputs, *mechanism.outputs))
    text = repr(mechanism)
    assert all(part in text for part in ("epsilon=2", "(0.0, 10.0)", "A2B2"))


def test_defaults() -> None:
    assert CompositeMechanism(1.0, (0, 10), objective="center").design == (
        CompositeMechanism(1.0, (0, 10)).design
    )
    parameters = inspect.signature(CompositeMechanism).parameters
    assert list(parameters)[:2] == ["epsilon", "inputs"]
    assert all(
        p.kind is inspect.Parameter.KEYWORD_ONLY
        for name, p in parameters.items()
        if name not in ("epsilon", "inputs")
    )


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_objectives_are_met(objective: str) -> None:
    others = {o: CompositeMechanism(1.0, (0, 1), objective=o) for o in OBJECTIVES}
    grid = np.linspace(0.0, 1.0, 2001)
    measured: dict[str, Callable[[CompositeMechanism], float]] = {
        "center": lambda m: m.variance(0.5),
        "mean": lambda m: float(np.mean(m.variance(grid))),
        "worst": lambda m: float(np.max(m.variance(grid))),
    }
    least = min(others, key=lambda o: measured[objective](others[o]))
    assert least == objective


def test_pairs_as_objects() -> None:
    """The same as by name; a pair may carry its own tail ratio."""
    by_name = CompositeMechanism(1.0, (0, 1), pair="A2B2", tail_ratio=0.7)
    by_object = CompositeMechanism(1.0, (0, 1), pair=Pair(Sine(), Quartic(0.7)))
    assert by_name.design == by_object.design
    named = CompositeMechanism(1.0, (0, 1), pair=pair_named("A3B1", 1.0))
    assert named.pair == "A3B1"


# --- Closed forms of the caller's quantities ----------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "chosen"),
    [*((1.0, {"pair": pair}) for pair in PAIR_NAMES), (4.0, {"outputs": (-12, 52)})],
)
def test_pdf(epsilon: float, chosen: dict[str, Any]) -> None:
    """Mass 1, mean at the value, variance near that of the lattice; zero outside the outputs."""
    mechanism = CompositeMechanism(epsilon, (10, 30), **chosen)
    half = mechanism.design.L / mechanism.mapping.scale
    x = np.linspace(20 - half, 20 + half, 400_001)
    for value in (10.0, 17.0, 30.0):
        pdf = mechanism.pdf(x, value=value)
        step = x[1] - x[0]
        assert np.sum(pdf) * step == pytest.approx(1.0, abs=1e-4)
        assert np.sum(pdf * (x - value)) * step == pytest.approx(0.0, abs=1e-2)
        second = np.sum(pdf * (x - value) ** 2) * step
        assert second == pytest.approx(mechanism.variance(value), rel=2e-3)
    assert mechanism.pdf([20 - 1.01 * half, 20 + 1.01 * half], value=20.0).tolist() == [0.0, 0.0]
    assert np.array_equal(mechanism.pdf(x[:9], value=-99.0), mechanism.pdf(x[:9], value=10.0))
    assert isinstance(mechanism.density(), Density)


@given(
    pair=st.sampled_from([*PAIR_NAMES, "A4B1"]),
    epsilon=st.sampled_from([0.5, 2.0]),
    value=st.floats(-1.0, 7.0),
    low=st.floats(-30.0, 30.0),
    width=st.floats(0.1, 40.0),
)
@example(pair="A1B1", epsilon=2.0, value=3.0, low=-100.0, width=200.0)
@example(pair="A1B1", epsilon=2.0, value=3.0, low=2.0, width=2.0)
def test_probability_outside(
    pair: str, epsilon: float, value: float, low: float, width: float
) -> None:
    """Against the sum over all points; without a value, the largest over all inputs."""
    mechanism = few_points(pair, epsilon)
    small = mechanism.lattice
    outputs = small.value(np.arange(small.points))
    outside = (outputs < low) | (outputs > low + width)
    clamped = min(max(value, 0.0), 6.0)
    expected = math.fsum(small.pmf(clamped)[outside].tolist())
    found = mechanism.probability_outside((low, low + width), value)
    assert 0.0 <= found <= 1.0
    assert found == pytest.approx(expected, abs=1e-14)
    largest = mechanism.probability_outside((low, low + width))
    # Linear between whole shifts, so these and the ends hold the largest.
    enumerated = Enumerated.of(small)
    ends = [small.exact_shift(x) for x in (0.0, 6.0)]
    shifts = [*ends, *range(math.ceil(ends[0]), math.floor(ends[1]) + 1)]
    worst = max(
        sum(w for w, out in zip(enumerated.mixture(Fraction(s)), outside, strict=True) if out)
        for s in shifts
    )
    assert largest == pytest.approx(float(worst / enumerated.total), abs=1e-12)
    assert largest >= found - 1e-12


@cache
def few_points(pair: str, epsilon: float) -> CompositeMechanism:
    return CompositeMechanism(epsilon, (0, 6), pair=pair, sensitivity=2, spacing=1)


def test_probability_outside_of_special_intervals(mechanism: CompositeMechanism) -> None:
    assert mechanism.probability_outside(mechanism.outputs) == 0.0
    assert mechanism.probability_outside(mechanism.outputs, [0.0, 50.0]).tolist() == [0.0, 0.0]
    assert mechanism.probability_outside((1e6, 2e6)) == 1.0
    assert mechanism.probability_outside((0.0, 1.7976931348623157e308), 50.0) < 1.0
    with pytest.raises(BoundsError, match="interval"):
        mechanism.probability_outside((5, 5))


@given(p=st.floats(1e-6, 1.0 - 1e-6), value=st.floats(0.0, 6.0))
@pytest.mark.parametrize("pair", ["A1B1", "A3B2"])
def test_quantile(pair: str, p: float, value: float) -> None:
    mechanism = few_points(pair, 2.0)
    small = mechanism.lattice
    cumulated = np.cumsum(small.pmf(value))
    quantile = mechanism.quantile(p, value)
    index = round(quantile) - small.first
    assert float(small.value(index)) == quantile
    assert cumulated[index] >= p - 1e-12
    assert index == 0 or cumulated[index - 1] <= p + 1e-12


@pytest.mark.parametrize("method", ["mean", "variance", "bias"])
def test_numbers_give_numbers_and_arrays_arrays(mechanism: CompositeMechanism, method: str) -> None:
    call = getattr(mechanism, method)
    assert isinstance(call(30), float)
    assert isinstance(call(np.float64(30)), float)
    assert call([30.0]).shape == (1,)
    assert call(np.full((2, 3), 30.0)).shape == (2, 3)
    assert call([30.0])[0] == call(30.0)


# --- Given designs --------------------------------------------------------------------------------


@pytest.mark.parametrize("sensitivity", [None, 1.0])
def test_from_design(sensitivity: float | None) -> None:
    best = CompositeMechanism(1.0, (0, 100), sensitivity=sensitivity)
    again = CompositeMechanism.from_design(best.design, (0, 100), sensitivity=sensitivity)
    assert again.lattice.base == best.lattice.base
    assert again.lattice.activation == best.lattice.activation
    assert again.outputs == best.outputs
    assert again.variance(20.0) == best.variance(20.0)
    assert again.certificate.holds
    assert again.objective == "given"


@pytest.mark.parametrize("sensitivity", [None, 10.0])
@pytest.mark.parametrize("pair", PAIR_NAMES)
def test_a_design_that_spends_too_much_is_lowered(pair: str, sensitivity: float | None) -> None:
    design = CompositeMechanism(1.0, (0, 100), pair=pair).design
    greedy = replace(design, kappa=1.5 * design.kappa)
    mechanism = CompositeMechanism.from_design(greedy, (0, 100), sensitivity=sensitivity)
    assert mechanism.certificate.holds
    assert mechanism.certificate.epsilon <= 1.0
    assert abs(mechanism.bias(77.7)) < 1e-7
    # Near inputs of a hill without steps differ by less.
    steep = sensitivity is None or pair.startswith("A1")
    assert (mechanism.design.kappa < greedy.kappa) == steep
    assert abs(mechanism.lattice_cost) <= COST  # of what it can reach, not of what it asked for
    modest = replace(design, kappa=0.5 * design.kappa)
    mechanism = CompositeMechanism.from_design(modest, (0, 100), sensitivity=sensitivity)
    assert mechanism.certificate.epsilon < 0.9


# --- Extremes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [EPSILON.lower, 0.1, 1.0, 20.0, EPSILON.upper])
@pytest.mark.parametrize(
    "inputs",
    [
        *((1e9, 1e9 + 1), (-1e9 - 1, -1e9)),
        *((1e15, 1e15 + 1), (1e15, 1e15 + 1000), (1e16, 1e16 + 2)),
        *((1.0, math.nextafter(1.0, 2.0)), (-5e-324, 5e-324), (1e-300, 2e-300)),
        *((0.0, width) for width in (5e-324, 1e-310, 1e-20, 1e22, 1e300, 1e308)),
        *((-8e307, 8e307), (-1.0, 1e308)),
    ],
)
@pytest.mark.parametrize("part", [1.0, 0.3])
def test_extremes_work_or_are_refused_clearly(
    inputs: tuple[float, float], epsilon: float, part: float
) -> None:
    width = inputs[1] - inputs[0]
    sensitivity = part * width if part * width > 0.0 else None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            mechanism = CompositeMechanism(epsilon, inputs, sensitivity=sensitivity)
        except (BoundsError, LatticeError) as refusal:
            text = str(refusal)
        else:
            text = ""
    if text:
        assert "public constant" in text or "smaller spacing" in text
        return
    assert mechanism.certificate.holds
    released = mechanism.release([*inputs, inputs[0] + 0.5 * width] * 50)
    assert mechanism.outputs[0] <= released.min() <= released.max() <= mechanism.outputs[1]
    assert 0.0 < mechanism.variance(inputs[0]) < math.inf
    assert abs(mechanism.bias(inputs[0])) <= mechanism.certificate.worst_bias


@pytest.mark.parametrize("inputs", [(1e9, 1e9 + 1), (0.0, 1e-12), (0.0, 1e22), (-1e9, 1e-9)])
def test_what_must_work_does(inputs: tuple[float, float]) -> None:
    mechanism = CompositeMechanism(1.0, inputs)
    width = inputs[1] - inputs[0]
    assert mechanism.variance(inputs[0] + width / 2) == pytest.approx(0.9178 * width**2, rel=2e-3)


# --- Refused arguments ---------------------------------------------------------------------------

STAIRS, TWO, ORDER, PAIR = {"sensitivity": 1}, "two finite numbers", "lower below upper", "pair"
BAD_BOUNDS: dict[str, list[Any]] = {
    ORDER: [(5, 5), (100, 0), (11, -1)],
    TWO: [
        (0, math.inf), (-math.inf, 0), (math.nan, 1), (0, math.nan), "ab", ("0", "1"), (True, 2),
        (0, 1j), ([0], [1]), (0, 10**400), (None, 1),
    ],
    "width overflows": [(-1e308, 1e308)],
    PAIR: [(1,), (1, 2, 3), (), "abc", 5, object()],
}  # fmt: skip
# argument, values, what else is given, error, words
REFUSED: list[tuple[str, list[Any], dict[str, Any], type[CompdpError], str]] = [
    ("epsilon", [0, -1, math.nan, math.inf, -math.inf, "", "abc", "1", True, None, 1e-320, 709, 1e6,
                 [1], 1j, 9.99e-4, 50.001, 10**400, b"1", np.array([1.0]), Decimal("NaN"),
                 object()], {}, ParameterError, "from 0.001 to 50"),
    *(("inputs", values, given, BoundsError, words)
      for words, values in BAD_BOUNDS.items() for given in ({}, STAIRS)),
    ("inputs", [None], {}, BoundsError, PAIR),
    *(("outputs", values, {}, BoundsError, words) for words, values in BAD_BOUNDS.items()),
    *(("outputs", [(0, 10), (0, 19), (-9, 10), (1, 9), (15, 19), (-5, 5)],
       {"inputs": (0, 10), **given}, BoundsError, r"reach beyond the inputs \(0\.0, 10\.0\)")
      for given in ({}, STAIRS)),
    ("pair", ["", "A1", "A9B9", "A5B1", "a1b1", "A1B1 ", 3, 5, 1.5, ["A1B1"], b"A1B1"], {},
     UnknownPairError, "unknown: choose one of A1B1, .*A3B2, A4B1"),
    ("objective", ["", "Center", "centre", "min", 5, None, ["center"], {}], {}, ParameterError,
     "must be one of center, mean, worst"),
    *(("tail_ratio", [0, 1, -1, 2, math.nan, math.inf, "x", True, 0.3, math.exp(-1)],
       {"pair": pair}, ParameterError, words)
      for pair, words in (("A1B2", "must be a number above .* and below 1"),
                          ("A1B1", "belongs to base B2"), ("A4B1", "does not belong to pair"))),
    ("tail_ratio", [0.9], STAIRS, ParameterError, "does not belong to pair 'A4B1'"),
    ("sensitivity", [0, -1, 100.0001, math.nan, math.inf, "x", True, [1], 1j, 10**400], {},
     ParameterError, "must be a number above 0 .*100"),
    ("sensitivity", [1e-300, 1e-20, 1e-30], {}, ParameterError, "times the input width"),
    ("spacing", [0.5], {}, ParameterError, "must be a power of ten, such as"),
    ("margin", [0, -1, math.nan, math.inf, "x", "2", True], STAIRS, ParameterError,
     "must be a finite number above 0"),
    ("margin", [2.0], {**STAIRS, "outputs": (-20, 130)}, ParameterError, "exclude each other"),
    ("steps", [0, -1, 1.5, 2.5, math.nan, "x", True, 500, 10**9], STAIRS, ParameterError,
     "must be a whole number from 1"),
    ("steps", [0], {**STAIRS, "outputs": (-20, 130)}, ParameterError, "whole number from 1"),
    *((name, [2], {"pair": pair}, ParameterError, "does not belong to pair")
      for name in ("steps", "margin") for pair in ("A1B1", "A2B2", None)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "given", "kind", "words"),
    [(name, value, *rest) for name, values, *rest in REFUSED for value in values],
    ids=shown,
)
def test_refusals_name_the_argument(
    name: str, value: Any, given: dict[str, Any], kind: type[CompdpError], words: str
) -> None:
    with pytest.raises(kind, match=f"^{name} .*{words}") as caught:
        CompositeMechanism(**{"epsilon": 1.0, "inputs": (0, 100), **given, name: value})
    refusal = caught.value
    assert isinstance(refusal, ValueError)
    assert len(str(refusal)) < 250
    if isinstance(refusal, UnknownPairError):
        assert refusal.known == ALL_PAIRS
    else:
        assert refusal.name == name  # type: ignore[attr-defined]
    if name == "epsilon":
        assert shown(refusal.value) == shown(quotable(value))  # type: ignore[attr-defined]


@pytest.mark.parametrize("epsilon", [1, 1.0, np.float32(1), Decimal(1), Fraction(1), np.int64(1)])
def test_epsilon_of_any_real_type(epsilon: Any) -> None:
    mechanism = CompositeMechanism(epsilon, (0, 1))
    assert mechanism.epsilon == 1.0
    assert type(mechanism.epsilon) is float


def test_outputs_too_narrow() -> None:
    with pytest.raises(InfeasibleOutputsError, match="raise epsilon"):
        CompositeMechanism(1.0, (0, 1), outputs=(-0.1, 1.1))


@pytest.mark.parametrize("sensitivity", [1e-14, 5e-324])
def test_sensitivities_below_resolution(sensitivity: float) -> None:
    with pytest.raises(CompdpError, match=r"sensitivity|width"):
        CompositeMechanism(1.0, (0, 100), sensitivity=sensitivity)


@pytest.mark.parametrize("seed", [0, 7, 2**70, np.int64(3)])
def test_seeds_of_any_size(mechanism: CompositeMechanism, seed: Any) -> None:
    one, two = (mechanism.simulate(np.zeros(9), seed=seed) for _ in range(2))
    assert np.array_equal(one, two)


def test_everything_is_checked_before_anything_is_computed() -> None:
    """The first fault found is the caller's, not an inner one, whatever the others are."""
    with pytest.raises(CompdpError, match=r"^epsilon"):
        CompositeMechanism("x", "y", pair="z", sensitivity=-1, outputs=3, spacing=7)  # type: ignore[arg-type]
