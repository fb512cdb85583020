"""Every number a shape states about itself, against quadrature of the shape."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import UnknownPairError
from compdp_core.shapes import (
    ACTIVATIONS,
    PAIR_NAMES,
    Activation,
    Base,
    Constant,
    Quartic,
    Sine,
    default_tail_ratio,
    pair_named,
)
from tests.unit.shapes.laws import by_quadrature, faults, wrong_moments
from tests.unit.strategies import epsilons, pairs

bases = st.one_of(st.just(Constant()), st.floats(0.001, 0.999).map(Quartic))
activations = st.sampled_from(list(ACTIVATIONS.values()))


@given(shape=activations | bases)
def test_shapes_obey_their_laws(shape: Activation | Base) -> None:
    assert faults(shape, 1e-15) == []
    assert wrong_moments(shape, 1e-11) == []
    low, high = shape.breakpoints[0], shape.breakpoints[-1]
    v = np.linspace(low, high, 1001)
    heights = shape.height(v)
    assert heights.max() == float(shape.height(0.5 * (low + high))) == 1.0
    if isinstance(shape, Base):
        assert heights.min() == pytest.approx(shape.tau, rel=1e-14)
        assert np.array_equal(heights, shape.height(-v))


def test_a_wrong_area_variance_or_a_lopsided_shape_is_seen() -> None:
    class WrongArea(Sine):
        area = 2.0 / math.pi * (1.0 + 1e-9)

    class WrongVariance(Sine):
        # The variance of a sine about 0 that a slip with the centre would give.
        variance = 0.5 - 2.0 / math.pi**2

    class Lopsided(Sine):
        def _height(self, v: np.ndarray) -> np.ndarray:
            return np.sin(np.pi * v**1.001)

    assert "area" in wrong_moments(WrongArea(), 1e-11)
    assert "variance" in wrong_moments(WrongVariance(), 1e-11)
    assert "symmetric" in faults(Lopsided(), 1e-15)


@given(shape=activations | bases, place=st.floats(-0.5, 1.5))
def test_the_integral_is_the_integral(shape: Activation | Base, place: float) -> None:
    low, high = shape.breakpoints[0], shape.breakpoints[-1]
    v = low + place * (high - low)
    end = min(max(v, low), high)
    stops = tuple(x for x in shape.breakpoints if x < end)
    expected = by_quadrature(shape.height, (*stops, end)) if stops else 0.0
    assert float(shape.integral(v)) == pytest.approx(expected, rel=1e-11, abs=1e-15)


@given(shape=activations, u=st.floats(0, 1), v=st.floats(0, 1), share=st.floats(0, 1))
def test_a_shape_that_claims_to_be_concave_is(
    shape: Activation, u: float, v: float, share: float
) -> None:
    # The closed form of the exact privacy loss rests on it.
    assert shape.concave
    chord = (1.0 - share) * shape.height(u) + share * shape.height(v)
    assert shape.height((1.0 - share) * u + share * v) >= chord - 1e-15


@given(data=st.data(), epsilon=epsilons())
def test_largest_height_uses_up_epsilon(data: st.DataObject, epsilon: float) -> None:
    pair = data.draw(pairs(epsilon))
    kappa = pair.largest_height(epsilon)
    assert kappa > 0.0
    # ln((1 + κ)/τ) = ε, also at ε = 0.001 where 1 + κ loses most of κ.
    assert math.log1p(kappa) - math.log(pair.base.tau) == pytest.approx(epsilon, rel=1e-12)


@given(epsilon=epsilons())
def test_default_tail_ratio_leaves_room(epsilon: float) -> None:
    tau = default_tail_ratio(epsilon)
    assert math.exp(-epsilon) < tau < 1.0
    assert tau >= 0.95


@pytest.mark.parametrize("name", ["A9B1", "a1b1", "A1B1 ", "", None, 3, ["A1B1"]])
def test_unknown_pair_names_the_known_ones(name: object) -> None:
    with pytest.raises(UnknownPairError) as caught:
        pair_named(name, 1.0)
    assert caught.value.known == PAIR_NAMES
    assert "A3B2" in str(caught.value)
