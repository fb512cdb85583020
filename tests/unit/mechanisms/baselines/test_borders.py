"""What is refused, what is still answered at the ends of every range, and the registry."""

from __future__ import annotations

import dataclasses
import itertools
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import BoundsError, CompdpError, MissingValueError, ParameterError
from compdp_core.mechanisms.baselines import BASELINES, DELTA, Baseline, Laplace, Mechanism
from compdp_core.mechanisms.baselines.search import smallest_scale
from compdp_core.parameters import EPSILON
from tests.unit.strategies import epsilons

KEYS = sorted(BASELINES)
ROOT = Path(__file__).resolve().parents[4]


REFUSED: list[tuple[str, list[Any], type[CompdpError], str]] = [
    (
        "epsilon",
        [0.0, -1.0, 9e-4, 50.1, math.nan, math.inf, "1", None, True],
        ParameterError,
        r"epsilon must be a number from 0\.001 to 50",
    ),
    (
        "inputs",
        [(1, 1), (2, 1), (0, math.inf), (math.nan, 1), 3, (0, 1, 2), (0, 1e150), ("a", "b")],
        BoundsError,
        "inputs",
    ),
    (
        "sensitivity",
        [0.0, -1.0, 10.1, math.nan, math.inf, 1e-20, "1"],
        ParameterError,
        "width of the inputs, 10",
    ),
]


@pytest.mark.parametrize(("name", "values", "kind", "words"), REFUSED)
@pytest.mark.parametrize("key", KEYS)
def test_what_is_out_of_range_is_refused(
    key: str, name: str, values: list[Any], kind: type[CompdpError], words: str
) -> None:
    for value in values:
        given = {"epsilon": 1.0, "inputs": (0, 10), "delta": 1e-6, name: value}
        with pytest.raises(kind, match=words) as caught:
            BASELINES[key].build(**given)
        assert caught.value.name == name  # type: ignore[attr-defined]
        assert name == "inputs" or caught.value.value is value  # type: ignore[attr-defined]


@pytest.mark.parametrize("key", [key for key in KEYS if "delta" in BASELINES[key].needs])
@pytest.mark.parametrize("delta", [None, 0.0, 1.0, -0.1, math.nan])
def test_a_missing_or_impossible_delta_is_refused(key: str, delta: Any) -> None:
    with pytest.raises(ParameterError, match=f"delta {DELTA.requirement}"):
        BASELINES[key].build(1.0, (0, 10), delta=delta)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ParameterError, match="gamma is not an option here"):
        BASELINES["laplace"].build(1.0, (0, 10), gamma=0.5)
    with pytest.raises(ParameterError, match="gamma must be a number above 0 and at most 1"):
        BASELINES["staircase"].build(1.0, (0, 10), gamma=1.5)
    assert BASELINES["staircase"].build(1.0, (0, 10), gamma=1.0).variance(1.0) > 0.0


@pytest.mark.parametrize("key", KEYS)
def test_values_that_are_missing_or_no_numbers_are_refused(key: str) -> None:
    mechanism = BASELINES[key].build(1.0, (0, 10), delta=1e-6)
    for ask in (mechanism.bias, mechanism.variance, lambda v: mechanism.pdf(1.0, value=v)):
        with pytest.raises(MissingValueError, match="value contain 1 missing"):
            ask([1.0, math.nan])
        with pytest.raises(ParameterError, match="value must be real numbers"):
            ask("many")
    with pytest.raises(MissingValueError) as caught:
        mechanism.simulate([1.0, math.nan, math.nan], seed=1)
    assert (caught.value.count, caught.value.first) == (2, 1)
    with pytest.raises(ParameterError, match="seed must be a whole number"):
        mechanism.simulate([1.0], seed=-1)
    with pytest.raises(BoundsError, match="interval"):
        mechanism.probability_outside((5, 5), 1.0)


@pytest.mark.parametrize("key", KEYS)
def test_a_mechanism_cannot_be_changed_after_it_was_checked(key: str) -> None:
    mechanism = BASELINES[key].build(1.0, (0, 10), delta=1e-6)
    with pytest.raises(dataclasses.FrozenInstanceError):
        mechanism.epsilon = 2.0  # type: ignore[misc]
    assert mechanism == BASELINES[key].build(1.0, (0, 10), delta=1e-6)
    assert mechanism != BASELINES[key].build(1.1, (0, 10), delta=1e-6)


@given(
    key=st.sampled_from(KEYS),
    epsilon=epsilons(),
    middle=st.floats(-1e6, 1e6),
    width=st.floats(-9.0, 9.0).map(lambda power: 10.0**power),
    fraction=st.floats(-6.0, 0.0).map(lambda power: 10.0**power),
    delta=st.floats(-15.0, -0.1).map(lambda power: 10.0**power),
)
def test_every_setting_in_range_is_answered_or_refused(
    key: str, epsilon: float, middle: float, width: float, fraction: float, delta: float
) -> None:
    """Finite answers, no warning, no endless search; refusals are typed."""
    try:
        mechanism = BASELINES[key].build(
            epsilon,
            (middle - 0.5 * width, middle + 0.5 * width),
            sensitivity=fraction * width,
            delta=delta,
        )
    except CompdpError:
        return
    check_answers(mechanism)


@pytest.mark.parametrize("key", KEYS)
def test_the_corners_of_the_ranges_are_answered(key: str) -> None:
    for epsilon, delta, inputs, share in itertools.product(
        (EPSILON.lower, 1.0, EPSILON.upper),
        (DELTA.lower, 0.999),
        ((0.0, 1e140), (-1e140, 1e-3), (0.0, 1e-130), (0.0, 7.0)),
        (None, 1e-6),
    ):
        sensitivity = None if share is None else share * (inputs[1] - inputs[0])
        started = time.perf_counter()
        mechanism = BASELINES[key].build(epsilon, inputs, sensitivity=sensitivity, delta=delta)
        check_answers(mechanism)
        # A guard against a search or a rejection that does not end, not a measurement.
        assert time.perf_counter() - started < 20.0


def check_answers(mechanism: Baseline) -> None:
    lower, upper = mechanism.inputs
    values = lower + np.linspace(0.0, 1.0, 7) * (upper - lower)
    variance = mechanism.variance(values)
    assert np.all((variance >= 0.0) & np.isfinite(variance))
    assert np.all(np.isfinite(mechanism.bias(values)))
    assert np.all(np.isfinite(mechanism.simulate(np.repeat(values, 50), seed=1)))
    places = np.concatenate([values, [-1e308, 1e308, -math.inf, math.inf]])
    for value in (lower, float(values[3])):
        assert np.all(np.isfinite(mechanism.pdf(places, value=value)))
        mass = mechanism.pmf(places, value=value)
        assert np.all((mass >= 0.0) & (mass <= 1.0 + 1e-12))
    middle = float(values[3])
    for target in ((lower, upper), (lower, middle), (-1e307, 1e307)):
        outside = mechanism.probability_outside(target, values)
        assert np.all((outside >= 0.0) & (outside <= 1.0))


@pytest.mark.parametrize("key", KEYS)
def test_variance_scales_with_the_square_of_the_unit(key: str) -> None:
    small = BASELINES[key].build(0.7, (0, 100), delta=1e-6, sensitivity=30)
    large = BASELINES[key].build(0.7, (0, 100_000), delta=1e-6, sensitivity=30_000)
    if "spacing" in BASELINES[key].options:
        large = BASELINES[key].build(
            0.7, (0, 100_000), delta=1e-6, sensitivity=30_000, spacing=1000
        )
    assert large.variance(20_000) == pytest.approx(1e6 * small.variance(20), rel=1e-9)
    assert large.bias(20_000) == pytest.approx(1e3 * small.bias(20), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_an_entry_says_what_its_mechanism_is(key: str) -> None:
    entry = BASELINES[key]
    mechanism: Mechanism = entry.build(1.0, (0, 10), delta=1e-6, sensitivity=2.0)
    assert entry.key == key
    assert (entry.name, entry.reference) == (mechanism.name, mechanism.reference)
    assert entry.name
    assert any(year in entry.reference for year in ("20", "19"))
    assert entry.description.endswith(".")
    assert "\n" not in entry.description
    assert (mechanism.delta == 0.0) == ("delta" not in entry.needs)
    assert mechanism.inputs == (0.0, 10.0)
    assert mechanism.sensitivity == 2.0
    assert entry.factory.__doc__


def test_names_are_all_different() -> None:
    assert len({entry.name for entry in BASELINES.values()}) == len(BASELINES) == 12


def test_a_search_that_cannot_end_says_so() -> None:
    with pytest.raises(ParameterError, match="not reached at any finite scale"):
        smallest_scale(lambda scale: 1.0, 0.5)
    assert smallest_scale(lambda scale: math.exp(-scale), 1e-3, 100.0) == pytest.approx(
        math.log(1e3), rel=3e-9
    )
    # The answer lies on the private side.
    assert math.exp(-smallest_scale(lambda scale: math.exp(-scale), 0.2)) <= 0.2


def test_importing_the_baselines_loads_neither_scipy_nor_opendp() -> None:
    code = (
        "import sys, compdp_core.mechanisms.baselines as b;"
        "m = b.Laplace(1.0, (0, 1)); m.variance(0.5);"
        "print(sorted({n.partition('.')[0] for n in sys.modules} & {'scipy', 'opendp', 'pandas'}))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True
    )
    assert shown.stdout.strip() == "[]"


def test_a_whole_array_costs_one_call() -> None:
    mechanism = Laplace(1.0, (0, 1))
    values = np.linspace(0, 1, 100_000)
    assert mechanism.probability_outside((0, 1), values).shape == values.shape
