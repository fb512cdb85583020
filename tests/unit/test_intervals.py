"""Intervals: finite, of finite positive width, whatever bounds are handed in."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import BoundsError, CompdpError, shown
from compdp_core.intervals import Interval, check_bounds

finite = st.floats(-8e307, 8e307)


@given(one=finite, other=finite)
def test_any_two_different_numbers_in_order(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    if low == high:
        with pytest.raises(BoundsError):
            Interval(low, high)
        return
    interval = Interval(low, high)
    assert interval.as_tuple() == (low, high)
    assert 0.0 < interval.width < math.inf
    assert low <= interval.midpoint <= high
    assert Fraction(interval.midpoint) == pytest.approx(
        float((Fraction(low) + Fraction(high)) / 2), rel=1e-15, abs=1e-15 * interval.width
    )
    with pytest.raises(BoundsError, match="lower below upper"):
        Interval(high, low)


@given(low=finite, width=st.floats(1e-3, 1e6), values=st.lists(st.floats(allow_nan=True)))
def test_clamp(low: float, width: float, values: list[float]) -> None:
    if not low < low + width:
        return
    interval = Interval(low, low + width)
    for value, clamped in zip(values, interval.clamp(values).tolist(), strict=True):
        assert interval.contains(value) == (low <= value <= low + width)
        if math.isnan(value):
            assert math.isnan(clamped)
            assert not interval.contains(value)
        else:
            assert interval.contains(clamped)
            assert clamped == min(max(value, interval.lower), interval.upper)


def test_clamp_keeps_shapes_and_its_argument() -> None:
    interval = Interval(0, 1)
    values = np.array([[-1, 2], [0, 1]])
    assert interval.clamp(values).tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert values.tolist() == [[-1, 2], [0, 1]]
    assert interval.clamp(7).shape == ()
    assert interval.clamp([True, False]).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("low", "high"),
    [(0, 1), (np.float32(0), np.int64(1)), (Decimal(0), Fraction(1)), (np.uint8(0), 1.0)],
)
def test_bounds_of_any_real_type_become_floats(low: Any, high: Any) -> None:
    for interval in (Interval(low, high), Interval.checked("x", (low, high))):
        assert interval.as_tuple() == (0.0, 1.0)
        assert type(interval.lower) is type(interval.upper) is float


@pytest.mark.parametrize("bounds", [[0, 1], (0, 1), np.array([0, 1]), iter((0, 1)), Interval(0, 1)])
def test_any_pair_will_do(bounds: Any) -> None:
    assert Interval.checked("x", bounds) == Interval(0.0, 1.0)


BAD_BOUNDS: dict[str, list[tuple[Any, Any]]] = {
    "lower below upper": [(5, 5), (0.0, -0.0), (100, 0)],
    "width overflows": [(-1e308, 1e308)],
    "two finite numbers": [
        (0, math.inf), (-math.inf, math.inf), (math.nan, 1), (0, Decimal("NaN")),
        (0, Decimal("sNaN")), ("0", "1"), (False, True), (0, 1j), (None, None), (0, 10**400),
        (0, 10**5000), (np.array([0]), np.array([1])),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "reason"),
    [(*pair, reason) for reason, pairs in BAD_BOUNDS.items() for pair in pairs],
    ids=lambda value: repr(value)[:20] if not isinstance(value, int) or value < 10**9 else "long",
)
def test_bad_bounds_are_named(low: Any, high: Any, reason: str) -> None:
    for make in (
        lambda: Interval.checked("inputs", (low, high)),
        lambda: check_bounds("inputs", low, high),
    ):
        with pytest.raises(BoundsError, match=f"^inputs must .*{reason}") as caught:
            make()
        assert caught.value.name == "inputs"
        assert shown(caught.value.lower) == shown(low)
        assert shown(caught.value.upper) == shown(high)
        assert isinstance(caught.value, CompdpError)
        assert len(str(caught.value)) < 250
    with pytest.raises(BoundsError, match=f"^interval must .*{reason}"):
        Interval(low, high)


@pytest.mark.parametrize("bounds", [(), (1,), (1, 2, 3), 5, None, "abc", object()])
def test_what_is_not_a_pair(bounds: Any) -> None:
    with pytest.raises(BoundsError, match=r"^outputs must be a pair \(lower, upper\)"):
        Interval.checked("outputs", bounds)


def test_intervals_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Interval(0, 1).lower = 5.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("bounds", "kind"), [([1, 2, 3], "a list of 3"), (np.array([5, 4]), "an array")]
)
def test_what_is_no_pair_is_named_by_its_kind(bounds: Any, kind: str) -> None:
    with pytest.raises(BoundsError, match=f", got {kind}$"):
        Interval.checked("inputs", bounds)
