"""From fractions to floats: never above, never below, compared exactly."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compdp_core.numerics import bracket, not_above, not_below

LARGEST = Fraction(sys.float_info.max)

Rule = Callable[[Fraction], float]

FRACTIONS = st.one_of(
    st.fractions(min_value=-50, max_value=50, max_denominator=10**9),
    # Next to a float, where rounding to the nearest goes either way.
    st.builds(
        lambda number, part: Fraction(number) + part * Fraction(math.ulp(number)),
        st.floats(-1e300, 1e300),
        st.fractions(min_value=-1, max_value=1, max_denominator=1000),
    ),
)


def largest_not_above(rule: Rule, value: Fraction) -> bool:
    number = rule(value)
    return Fraction(number) <= value < Fraction(math.nextafter(number, math.inf))


def smallest_not_below(rule: Rule, value: Fraction) -> bool:
    number = rule(value)
    return Fraction(math.nextafter(number, -math.inf)) < value <= Fraction(number)


@given(FRACTIONS)
@example(Fraction(1, 10))
@example(Fraction(1, 3))
@example(Fraction(0))
@example(Fraction(-1, 10))
@example(Fraction(1, 10**400))
@example(Fraction(-1, 10**400))
def test_each_rule_gives_the_next_float_on_its_side(value: Fraction) -> None:
    assert largest_not_above(not_above, value)
    assert smallest_not_below(not_below, value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_is_a_float_stays(number: float) -> None:
    assert not_above(Fraction(number)) == number == not_below(Fraction(number))


@given(st.floats(0.0, 1e6), st.floats(1e-9, 1e6), st.sampled_from([0.0, 1e-9, 0.5]))
def test_a_bracket_has_what_holds_on_its_upper_side(
    border: float, width: float, gap: float
) -> None:
    low, high = bracket(-1.0, border + width, lambda x: x >= border, lambda low, high: gap)
    assert low < border <= high
    assert high - low <= gap or high == math.nextafter(low, math.inf)


def test_the_nearest_float_fails_on_both_sides() -> None:
    """The twin that rounds as ``float`` does, and the one that lets 0.1 stand for 1/10."""
    assert not largest_not_above(float, Fraction(1, 10))
    assert not smallest_not_below(float, Fraction(1, 3))

    def as_printed(value: Fraction) -> float:
        nearest = float(value)
        printed = Fraction(repr(nearest)) == value
        return nearest if printed else not_above(value)

    assert not largest_not_above(as_printed, Fraction(1, 10))

    def towards_zero(value: Fraction) -> float:
        nearest = float(value)
        return math.nextafter(nearest, 0.0) if Fraction(nearest) > value else nearest

    assert largest_not_above(towards_zero, Fraction(1, 10))
    assert not largest_not_above(towards_zero, Fraction(-1, 3))


@pytest.mark.parametrize("rule", [not_above, not_below])
@pytest.mark.parametrize("sign", [1, -1])
def test_no_float_reaches_as_far(rule: Rule, sign: int) -> None:
    assert rule(sign * LARGEST) == sign * sys.float_info.max
    with pytest.raises(OverflowError):
        rule(sign * Fraction(10) ** 400)


@pytest.mark.parametrize(("rule", "value"), [(not_below, LARGEST + 1), (not_above, -LARGEST - 1)])
def test_infinity_is_no_answer(rule: Rule, value: Fraction) -> None:
    with pytest.raises(OverflowError):
        rule(value)
    assert math.isfinite((not_above if rule is not_below else not_below)(value))
