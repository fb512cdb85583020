"""Parameters declared once: what their domain says is what they accept."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core import parameters
from compdp_core.errors import ParameterError
from compdp_core.errors import shown as quoted
from compdp_core.parameters import EPSILON, INPUT_BOUND, SEED, Parameter, count, positive, share
from compdp_core.validation import real
from tests.naming import shown
from tests.unit.test_validation_settings import JUNK, TEXT

DECLARED = [p for p in vars(parameters).values() if isinstance(p, Parameter)]


@pytest.fixture(params=DECLARED, ids=lambda p: p.name)
def parameter(request: pytest.FixtureRequest) -> Parameter:
    chosen: Parameter = request.param
    return chosen


def test_declarations_are_complete(parameter: Parameter) -> None:
    assert parameter.name
    assert parameter.symbol
    assert parameter.meaning.endswith(".")
    assert parameter.lower < parameter.upper
    if parameter.usual is not None:
        low, high = parameter.usual
        assert low < high
        assert parameter.contains(low)
        assert parameter.contains(high)
    if parameter.default is not None:
        assert parameter.check(parameter.default) == parameter.default


def test_names_are_unique() -> None:
    assert len({p.name for p in DECLARED}) == len(DECLARED) >= 6


def test_ends_belong_to_the_domain_or_not_as_declared(parameter: Parameter) -> None:
    for end, is_open, inward in (
        (parameter.lower, parameter.lower_open, math.inf),
        (parameter.upper, parameter.upper_open, -math.inf),
    ):
        if not math.isfinite(end):
            continue
        assert parameter.contains(end) is not is_open
        assert parameter.contains(math.nextafter(end, inward)) is not parameter.whole
        assert not parameter.contains(math.nextafter(end, -inward))


@pytest.mark.parametrize("value", [*JUNK, *TEXT, None], ids=shown)
def test_what_no_parameter_accepts(value: Any) -> None:
    for parameter in DECLARED:
        with pytest.raises(ParameterError) as caught:
            parameter.check(value)
        error = caught.value
        assert error.name == parameter.name
        assert quoted(error.value) == quoted(value)
        assert error.requirement == parameter.requirement
        assert str(error).startswith(f"{parameter.name} {parameter.requirement}, got ")
        assert len(str(error)) < 300


@pytest.mark.parametrize("value", [-1, -1e-300])
def test_all_but_bounds_are_positive(parameter: Parameter, value: float) -> None:
    if parameter is INPUT_BOUND:
        assert parameter.check(value) == value
    else:
        with pytest.raises(ParameterError):
            parameter.check(value)


@pytest.mark.parametrize("value", [7, 7.0, Decimal("7.0"), Fraction(14, 2), np.int64(7)])
def test_counts_are_whole(value: Any) -> None:
    assert SEED.check(value) == 7.0


@given(value=st.one_of(st.floats(allow_nan=False), st.integers(0, 10**9).map(float)))
def test_accepted_or_refused_as_the_domain_says(value: float) -> None:
    for parameter in DECLARED:
        if parameter.contains(value) and math.isfinite(value):
            assert parameter.check(value) == value
        else:
            with pytest.raises(ParameterError):
                parameter.check(value)


@pytest.mark.parametrize(
    "value", [1, 1.0, np.float64(1), np.float32(1), np.int8(1), Decimal(1), Fraction(1)]
)
def test_real_numbers_of_any_type_become_floats(value: Any) -> None:
    assert type(EPSILON.check(value)) is float
    assert EPSILON.check(value) == real(value) == 1.0


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        (Parameter("x", upper=1), "must be a number from 0 to 1"),
        (positive("x", upper=1), "must be a number above 0 and to 1"),
        (Parameter("x", upper=1, upper_open=True), "must be a number from 0 and below 1"),
        (share("x"), "must be a number above 0 and below 1"),
        (positive("x"), "must be a finite number above 0"),
        (count("x", lower=3, upper=2000), "must be a whole number from 3 to 2,000"),
        (count("x", lower=3), "must be a whole number of at least 3"),
        (SEED, "must be a whole number from 0 to 1,000,000,000"),
    ],
)
def test_requirements_in_words_name_both_ends(parameter: Parameter, expected: str) -> None:
    assert parameter.requirement == expected


def test_epsilon() -> None:
    assert EPSILON.requirement == "must be a number from 0.001 to 50"
    for accepted in (1e-3, 50, 0.1, 34.5):
        assert EPSILON.check(accepted) == accepted
    for refused in (9.99e-4, 50.0000001, 0, 709):
        with pytest.raises(ParameterError, match=r"epsilon must be a number from 0\.001 to 50"):
            EPSILON.check(refused)
