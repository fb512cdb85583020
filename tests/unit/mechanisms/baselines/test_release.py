"""Released Laplace and Gaussian noise: drawn by OpenDP, distributed as the mechanism says.

The draws are the system's, so the tests hold at every run: Dvoretzky-Kiefer-Wolfowitz bound,
false alarm 1e-9 a test. At 15,000 draws a distance of 0.027 is allowed; a scale wrong by 20 %
is seen.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from compdp_core.errors import MissingValueError, ParameterError
from compdp_core.mechanisms.baselines import BASELINES, AnalyticGaussian, ClassicGaussian, Laplace
from compdp_core.mechanisms.baselines.system_noise import CHUNK
from tests.unit.mechanisms.baselines.cases import distance

DRAWS = 15_000
BOUND = math.sqrt(math.log(2.0 / 1e-9) / (2.0 * DRAWS))

Released = Laplace | AnalyticGaussian | ClassicGaussian


def mechanisms(epsilon: float = 0.8) -> list[Released]:
    return [
        Laplace(epsilon, (0, 100)),
        AnalyticGaussian(epsilon, (0, 100), delta=1e-6),
        ClassicGaussian(epsilon, (0, 100), delta=1e-6),
    ]


@pytest.mark.parametrize("position", range(3))
def test_released_values_follow_the_mechanism(position: int) -> None:
    mechanism = mechanisms()[position]
    released = mechanism.release(np.full(DRAWS, 30.0))
    assert distance(mechanism, 30.0, released) < BOUND
    # Broken twins: less noise, more noise, another value, a draw repeated.
    for epsilon in (0.6, 1.05):
        assert distance(mechanisms(epsilon)[position], 30.0, released) > BOUND
    assert distance(mechanism, 70.0 + mechanism.sensitivity, released) > BOUND
    assert distance(mechanism, 30.0, np.full(DRAWS, released[0])) > BOUND


def test_a_release_is_new_every_time_and_no_two_values_share_noise() -> None:
    for mechanism in mechanisms():
        first = mechanism.release([5.0] * 50)
        assert np.unique(first).size == 50
        assert not np.array_equal(first, mechanism.release([5.0] * 50))


def test_the_shape_is_kept_and_progress_is_told_after_every_chunk() -> None:
    mechanism = Laplace(1.0, (0, 100))
    told: list[tuple[int, int]] = []
    values = np.zeros((2, CHUNK + 5))
    released = mechanism.release(values, progress=lambda done, total: told.append((done, total)))
    assert released.shape == values.shape
    total = values.size
    assert told == [(CHUNK, total), (2 * CHUNK, total), (total, total)]
    assert mechanism.release([]).shape == (0,)
    assert mechanism.release(3.0).shape == ()


def test_values_are_clamped_before_the_noise() -> None:
    mechanism = Laplace(50.0, (0, 1e-6))
    assert np.all(np.abs(mechanism.release([-1e9, 1e9])) < 1.0)


def test_missing_values_are_refused() -> None:
    for mechanism in mechanisms():
        with pytest.raises(MissingValueError, match="values contain 1 missing"):
            mechanism.release([1.0, math.nan])


def test_a_gaussian_that_breaks_its_delta_is_not_released() -> None:
    mechanism = ClassicGaussian(20.0, (0, 1), delta=1e-6)
    with pytest.raises(ParameterError, match=r"true one 0\.000161.*analytic Gaussian"):
        mechanism.release([0.5])
    assert AnalyticGaussian(20.0, (0, 1), delta=1e-6).release([0.5]).shape == (1,)


def test_only_these_have_a_release() -> None:
    assert {key for key, entry in BASELINES.items() if entry.has_release} == {
        "laplace",
        "analytic_gaussian",
        "classic_gaussian",
    }


@pytest.mark.parametrize("epsilon", [1e-3, 50.0])
@pytest.mark.parametrize("inputs", [(0.0, 1e-6), (-1e9, 1e9), (0.0, 1e100)])
def test_extreme_scales_are_released(epsilon: float, inputs: tuple[float, float]) -> None:
    middle = 0.5 * sum(inputs)
    for mechanism in (Laplace(epsilon, inputs), AnalyticGaussian(epsilon, inputs, delta=1e-6)):
        released = mechanism.release([middle] * 20)
        # Beyond 60 scales of Laplace noise: 20 e^-60, less than 1e-24 of all runs.
        reach = 60.0 * math.sqrt(mechanism.noise_variance)
        assert np.all(np.abs(released - middle) < reach)
        assert np.unique(released).size == 20
