"""From designs to lattices: certified, unbiased, as good as the theory, within the bounds."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compdp_core.errors import CompdpError, LatticeError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import fit, spacing_exponent
from compdp_core.mechanisms.lattice.certificate import exponential_below
from compdp_core.mechanisms.lattice.lattice import EXPONENTS
from compdp_core.shapes import PAIR_NAMES
from tests.unit.strategies import epsilons

INPUTS = [(0.0, 100.0), (0.37, 100.61), (-3.3, 96.2), (3.14159, 3.2), (1 / 3, 7.77), (1e6, 1e6 + 1)]
"""Some that points meet, some whose ends and middle lie between all points."""

PLACES = (0.0, 0.2, 0.5, 0.777, 1.0)


def values(inputs: tuple[float, float]) -> list[float]:
    low, high = inputs
    return [min(max(low + place * (high - low), low), high) for place in PLACES]


def exact_mean(mechanism: CompositeMechanism, value: float) -> Fraction:
    """Mean of what is drawn, from the computed shift and the symmetry of the weights alone."""
    small = mechanism.lattice
    shift = Fraction(float(small.shift(value)))
    low = math.floor(shift)
    drawn = low + Fraction(math.ceil((shift - low) * 2**53), 2**53)
    return small.centre + small.exact_spacing * small.share * (drawn - Fraction(small.span, 2))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("pair", PAIR_NAMES)
def test_unbiased_and_as_good_as_the_theory(pair: str, epsilon: float) -> None:
    """Bias below 1e-9 of the input width, variance within 1e-3 of the continuous design."""
    for inputs in INPUTS:
        mechanism = CompositeMechanism(epsilon, inputs, pair=pair)
        width = inputs[1] - inputs[0]
        design = mechanism.design
        for value in values(inputs):
            assert abs(exact_mean(mechanism, value) - Fraction(value)) < Fraction(1e-9 * width)
            assert abs(mechanism.bias(value)) < 1e-9 * width
            position = (value - 0.5 * (inputs[0] + inputs[1])) / (0.5 * width) * design.C
            theory = design.variance(position) * (width / (2.0 * design.C)) ** 2
            assert mechanism.variance(value) == pytest.approx(theory, rel=1e-3)
        assert mechanism.certificate.worst_bias < 1e-9 * width


@pytest.mark.parametrize(
    ("epsilon", "inputs", "chosen"),
    [
        *((e, (1.0, 3.2), {"pair": pair}) for e in (0.2, 1.0, 5.0) for pair in PAIR_NAMES),
        *((e, (-3.0, 5.0), {"sensitivity": delta}) for e in (0.5, 4.0) for delta in (4.0, 0.4)),
    ],
)
def test_moments_summed_over_all_points(
    epsilon: float, inputs: tuple[float, float], chosen: dict[str, Any]
) -> None:
    """The same by the other route: the probability of every output, times the output."""
    mechanism = CompositeMechanism(epsilon, inputs, **chosen)
    outputs = mechanism.lattice.value(np.arange(mechanism.lattice.points))
    for value in (inputs[0], 0.45 * inputs[1] + 0.55 * inputs[0] + 1e-4, inputs[1]):
        pmf = mechanism.lattice.pmf(value)
        assert math.fsum(pmf.tolist()) == pytest.approx(1.0, abs=1e-12)
        mean = math.fsum((pmf * (outputs - value)).tolist())
        assert abs(mean) < 1e-9
        variance = math.fsum((pmf * (outputs - value) ** 2).tolist())
        assert variance == pytest.approx(mechanism.variance(value), rel=1e-10)


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 3.0, 10.0])
def test_a1b1_reaches_the_closed_form(epsilon: float) -> None:
    """``V = (1 + Eμ³)(1 + Eμ) / (12 E² μ² (1-μ)²)`` with ``E = e^ε - 1``, minimised on a grid."""
    e = math.expm1(epsilon)
    mu = np.linspace(1e-4, 0.6, 400_001)
    least = np.min((1 + e * mu**3) * (1 + e * mu) / (12 * (e * mu * (1 - mu)) ** 2))
    mechanism = CompositeMechanism(epsilon, (0, 1))
    assert mechanism.variance(0.5) == pytest.approx(float(least), rel=1e-3)


@settings(max_examples=40)
@given(
    data=st.data(),
    epsilon=epsilons(0.02, 20.0),
    pair=st.sampled_from([*PAIR_NAMES, "A4B1"]),
    spacing=st.none() | st.integers(-4, 1),
    neighbours=st.none() | st.floats(1e-3, 1.0),
    hard=st.none() | st.tuples(st.floats(0.01, 50.0), st.floats(0.01, 50.0)),
    scale=st.integers(-8, 18),
)
@example(  # the activation could neither be lowered, as the inputs just fit, nor be certified
    data=None, epsilon=0.1, pair="A1B1", spacing=None, neighbours=0.0016, hard=None, scale=2
)
@example(  # more than 53 bits to a weight: rounded up by floats where it had to be rounded down
    data=None, epsilon=1.0, pair="A1B1", spacing=-2, neighbours=None, hard=None, scale=2
)
def test_whatever_is_made_is_certified(
    data: st.DataObject | None,
    epsilon: float,
    pair: str,
    spacing: int | None,
    neighbours: float | None,
    hard: tuple[float, float] | None,
    scale: int,
) -> None:
    """Either a refusal that says why, or a lattice that holds in every respect."""
    unit = 10.0**scale
    low = 0.0 if data is None else data.draw(st.floats(-3.0, 3.0)) * unit
    width = (1.0 if data is None else data.draw(st.floats(0.1, 3.0))) * unit
    high = low + width
    chosen: dict[str, Any] = {"pair": pair}
    if spacing is not None:
        chosen["spacing"] = float(f"1e{scale + spacing}")
    if neighbours is not None:
        chosen["sensitivity"] = neighbours * width * (1.0 - 1e-15)
    if hard is not None:
        chosen["outputs"] = (low - hard[0] * width, high + hard[1] * width)
    try:
        mechanism = CompositeMechanism(epsilon, (low, high), **chosen)
    except CompdpError as refusal:
        # Without bounds or spacing there is nothing to refuse.
        assert hard is not None or spacing is not None
        refused = str(refusal)
    else:
        refused = ""
    if refused:
        assert "outputs" in refused
        return
    assert mechanism.certificate.holds
    assert mechanism.certificate.ratio <= exponential_below(epsilon)
    small = mechanism.lattice
    if hard is not None:
        assert mechanism.outputs == chosen["outputs"]
        assert mechanism.outputs[0] <= small.lower < small.upper <= mechanism.outputs[1]
    for value in values((low, high)):
        assert 0.0 < mechanism.variance(value) < math.inf
        assert abs(exact_mean(mechanism, value) - Fraction(value)) <= Fraction(small.worst_bias)


@pytest.mark.parametrize("exponent", [-16, -15, -3, 0, 7, 22])
def test_hard_outputs_hold_to_the_last_bit(exponent: int) -> None:
    """Bounds that are points themselves, but for the rounding of their decimals."""
    for low, high in ((-1.0, 4.0), (-0.7, 2.3), (-1.9, 3.1)):
        outputs = (float(f"{low}e{exponent}"), float(f"{high}e{exponent}"))
        inputs = (0.0, float(f"0.5e{exponent}"))
        for spacing in (None, float(f"1e{exponent - 1}"), float(f"1e{exponent - 2}")):
            mechanism = CompositeMechanism(5.0, inputs, outputs=outputs, spacing=spacing)
            assert outputs[0] <= mechanism.lattice.lower
            assert mechanism.lattice.upper <= outputs[1]
            released = mechanism.simulate(np.full(2000, inputs[1]), seed=3)
            assert outputs[0] <= released.min() <= released.max() <= outputs[1]


# --- Whole numbers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "high", "pair", "spacing"),
    [
        *itertools.product((0.1, 1.0, 5.0, 20.0), [100], PAIR_NAMES, (1, 10)),
        # Yes and no as 0 and 1, whole numbers out: the coarsest case there is.
        *itertools.product((0.5, 2.0, 8.0), [1], ["A1B1"], [1]),
    ],
)
def test_outputs_are_multiples_of_the_spacing(
    epsilon: float, high: int, pair: str, spacing: int
) -> None:
    mechanism = CompositeMechanism(epsilon, (0, high), pair=pair, spacing=spacing)
    assert mechanism.certificate.holds
    assert mechanism.certificate.spacing == spacing
    assert mechanism.decimals == 0
    released = mechanism.release(np.linspace(0, high, 5000))
    low, top = mechanism.outputs
    assert np.all(np.array([*released, low, top]) % spacing == 0)
    assert low <= released.min() <= released.max() <= top
    for value in (0.0, 0.333 * high, float(high)):
        close = Fraction(1, 10**9 if high > 1 else 10**12)
        assert abs(exact_mean(mechanism, value) - Fraction(value)) < close


@pytest.mark.parametrize(("epsilon", "worse"), [(0.1, 1.003), (1.0, 1.01), (5.0, 1.06)])
@pytest.mark.parametrize("pair", PAIR_NAMES)
def test_whole_numbers_cost_little(pair: str, epsilon: float, worse: float) -> None:
    """Beside the continuous design; what remains is the rounding of widths and of shifts."""
    fine = CompositeMechanism(epsilon, (0, 100), pair=pair)
    whole = CompositeMechanism(epsilon, (0, 100), pair=pair, spacing=1)
    # Shifts of a whole point and a fraction: on average 1/6 of the activation's share.
    for value in (0.0, 50.0, 62.5):
        allowed = fine.variance(value) * worse + float(whole.lattice.share) ** 2 / 4.0
        assert 0.95 * fine.variance(value) < whole.variance(value) < allowed


@pytest.mark.parametrize("spacing", [1e-9, 1e-12])
def test_spacings_much_finer_than_needed(spacing: float) -> None:
    mechanism = CompositeMechanism(1.0, (0, 100), spacing=spacing)
    assert mechanism.certificate.spacing == spacing
    coarse = CompositeMechanism(1.0, (0, 100))
    assert mechanism.variance(40.0) == pytest.approx(coarse.variance(40.0), rel=2e-4)
    with pytest.raises(LatticeError, match="larger spacing"):
        CompositeMechanism(1.0, (0, 100), spacing=1e-15)


@pytest.mark.parametrize("tail", [1.00001, 1.001, 1.1])
def test_bases_that_use_up_nearly_all_of_epsilon(tail: float) -> None:
    """τ just above e^-ε leaves next to nothing to the activation: outputs a million times wider."""
    mechanism = CompositeMechanism(1.0, (0, 1), pair="A1B2", tail_ratio=tail * math.exp(-1.0))
    assert mechanism.certificate.holds
    theory = mechanism.design.relative_variance()
    assert mechanism.variance(0.5) == pytest.approx(theory, rel=1e-3)


# --- Spacings ---------------------------------------------------------------------------------


@pytest.mark.parametrize("exponent", range(-20, 21))
def test_powers_of_ten(exponent: int) -> None:
    assert spacing_exponent(float(f"1e{exponent}")) == exponent
    if exponent >= 0:
        assert spacing_exponent(10**exponent) == exponent
        assert spacing_exponent(np.float64(10.0**exponent)) == exponent


@pytest.mark.parametrize(
    "spacing",
    [0, -1, 0.5, 2, 0.3, math.nan, math.inf, -math.inf, "1", None, True, [1], 1j, 10**400, 5e-324,
     np.float32(0.1), 0.1 + 1e-17 + 1e-16, 1.0000000000000002],
)  # fmt: skip
def test_anything_else_is_not_a_spacing(spacing: object) -> None:
    with pytest.raises(ParameterError, match=r"spacing must be a power of ten"):
        spacing_exponent(spacing)


@pytest.mark.parametrize("exponent", [EXPONENTS.start - 1, EXPONENTS.stop, -300, 290])
def test_spacings_beyond_floats(exponent: int) -> None:
    spacing = float(f"1e{exponent}")
    with pytest.raises(LatticeError, match="public constant"):
        CompositeMechanism(1.0, (0, 10 * spacing), spacing=spacing)
    design, interval = CompositeMechanism(1.0, (0, 10)).design, Interval(0, 10)
    with pytest.raises(LatticeError, match="public constant"):
        fit(design, interval, interval, hard=False, exponent=exponent)
