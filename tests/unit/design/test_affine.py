"""The affine map between data units and the domain."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.design.affine import Mapping
from compdp_core.intervals import Interval

mappings = st.builds(
    lambda low, width, half: Mapping(Interval(low, low + width), half),
    st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e6),
    st.floats(1e-3, 1e3),
)


@given(mapping=mappings)
def test_ends_go_to_ends_and_the_middle_to_zero(mapping: Mapping) -> None:
    low, high = mapping.outputs.as_tuple()
    half = mapping.half_width
    rounding = 4.0 * np.spacing(max(abs(low), abs(high))) * mapping.scale
    ends = mapping.to_domain([low, high]).tolist()
    assert ends == pytest.approx([-half, half], rel=1e-12, abs=rounding)
    assert float(mapping.to_domain(mapping.outputs.midpoint)) == 0.0
    assert mapping.to_data([-half, half]).tolist() == pytest.approx([low, high], rel=1e-6, abs=1e-6)
    assert float(mapping.to_data(0.0)) == mapping.outputs.midpoint


@given(mapping=mappings, place=st.floats(-2.0, 2.0))
def test_there_and_back(mapping: Mapping, place: float) -> None:
    position = place * mapping.half_width
    size = max(abs(x) for x in mapping.outputs.as_tuple()) * mapping.scale + mapping.half_width
    assert float(mapping.to_domain(mapping.to_data(position))) == pytest.approx(
        position, abs=1e-14 * size
    )


@given(mapping=mappings, one=st.floats(-2.0, 2.0), other=st.floats(-2.0, 2.0))
def test_distances_scale(mapping: Mapping, one: float, other: float) -> None:
    """Domain units per data unit, the same everywhere; order is kept."""
    a, b = (mapping.outputs.midpoint + p * mapping.outputs.width for p in (one, other))
    moved = mapping.to_domain([a, b])
    size = max(abs(a), abs(b), *map(abs, mapping.outputs.as_tuple())) * mapping.scale
    assert moved[0] - moved[1] == pytest.approx((a - b) * mapping.scale, abs=1e-14 * size)
    assert (moved[0] <= moved[1]) == (a <= b) or a == pytest.approx(b)
    assert mapping.scale == 2.0 * mapping.half_width / mapping.outputs.width


def test_shapes_and_types() -> None:
    mapping = Mapping(Interval(0, 100), 2.0)
    assert mapping.to_domain([[0, 25], [50, 100]]).tolist() == [[-2.0, -1.0], [0.0, 2.0]]
    assert mapping.to_data(np.array([-2, 0, 2])).tolist() == [0.0, 50.0, 100.0]
    assert mapping.to_domain(75).shape == ()
