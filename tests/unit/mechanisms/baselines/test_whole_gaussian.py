"""The Gaussian on the whole numbers against plain sums and fifty-digit arithmetic."""

from __future__ import annotations

import itertools
import math

import mpmath as mp
import numpy as np
import pytest

from compdp_core.mechanisms.baselines.discrete_gaussian import smallest_sigma
from compdp_core.mechanisms.baselines.whole_gaussian import WholeGaussian

# Both routes to the total (below ½ and above), both to the tails (up to 200 and above).
SIGMAS = [0.05, 0.3, 0.499, 0.501, 1.0, 7.3, 199.9, 200.1, 3000.0]


def plain(sigma: float) -> tuple[np.ndarray, np.ndarray]:
    reach = math.ceil(40.0 * sigma) + 2
    n = np.arange(-reach, reach + 1.0)
    weights = np.exp(-0.5 * (n / sigma) ** 2)
    return n, weights / math.fsum(weights)


@pytest.mark.parametrize("sigma", SIGMAS)
def test_mass_variance_and_tails_are_the_plain_sums(sigma: float) -> None:
    n, mass = plain(sigma)
    law = WholeGaussian(sigma)
    np.testing.assert_allclose(law.mass(n), mass, rtol=1e-12, atol=0.0)
    assert math.fsum(law.mass(n)) == pytest.approx(1.0, rel=1e-13)
    assert law.variance == pytest.approx(math.fsum(n**2 * mass), rel=1e-11, abs=0.0)
    # Canonne, Kamath and Steinke: no more variance than the continuous one.
    assert law.variance <= sigma**2 * (1.0 + 1e-15)
    tails = np.cumsum(mass[::-1])[::-1]
    picked = np.unique(np.linspace(0, n.size - 1, 300).astype(int))
    picked = picked[tails[picked] > 1e-290]
    np.testing.assert_allclose(law.upper_tail(n[picked]), tails[picked], rtol=3e-11, atol=0.0)
    assert law.upper_tail(np.array([n[-1] + 5.0, n[0] - 5.0])).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("z", [0.1, 3.0, 9.0, 21.0])
def test_tails_of_wide_noise_agree_with_forty_digits(z: float) -> None:
    sigma = 201.0
    first = math.ceil(z * sigma)
    with mp.workdps(40):
        s = mp.mpf(sigma)
        weights = [mp.exp(-(mp.mpf(n) ** 2) / (2 * s**2)) for n in range(first, first + 9000)]
        total = 1 + 2 * mp.fsum(mp.exp(-(mp.mpf(n) ** 2) / (2 * s**2)) for n in range(1, 3000))
        exact = float(mp.fsum(weights) / total)
    claimed = float(WholeGaussian(sigma).upper_tail(np.array(float(first))))
    assert claimed == pytest.approx(exact, rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    ("epsilon", "sigma", "steps"),
    [
        (1e-3, 4000.0, 1),
        (0.01, 450.0, 1),
        (1.0, 5.0, 1),
        (2.0, 300.0, 100),
        (0.5, 150.0, 20),
        (20.0, 0.2, 1),
        (50.0, 0.0999, 1),
        (1.0, 0.5, 3),
        (1.0, 250.0, 1000),
        (0.01, 150.0, 60),
    ],
)
def test_delta_agrees_with_forty_digits(epsilon: float, sigma: float, steps: int) -> None:
    """Theorem 7 of Canonne, Kamath and Steinke, summed as it stands."""
    with mp.workdps(40):
        s, e = mp.mpf(sigma), mp.mpf(epsilon)
        first = math.floor(epsilon * sigma**2 / steps - steps / 2) + 1
        reach = max(first, 0) + int(14 * sigma) + 20
        weight = [mp.exp(-(mp.mpf(n) ** 2) / (2 * s**2)) for n in range(first, reach + steps)]
        far = mp.fsum(weight[steps:])
        if sigma < 1:
            total = 1 + 2 * mp.fsum(mp.exp(-(mp.mpf(n) ** 2) / (2 * s**2)) for n in range(1, 30))
        else:
            total = s * mp.sqrt(2 * mp.pi) * (1 + 2 * mp.exp(-2 * mp.pi**2 * s**2))
        exact = float((mp.fsum(weight) - mp.exp(e) * far) / total)
    claimed = WholeGaussian(sigma).delta(epsilon, steps)
    assert claimed == pytest.approx(exact, rel=1e-9, abs=0.0)


@pytest.mark.parametrize("steps", [1, 2, 5])
@pytest.mark.parametrize("epsilon", [0.02, 1.0, 8.0, 35.0])
def test_delta_falls_from_knot_to_knot_and_rises_first_in_between(
    epsilon: float, steps: int
) -> None:
    """What the search for the smallest σ relies on."""

    def delta(sigma: float) -> float:
        return WholeGaussian(sigma).delta(epsilon, steps)

    lowest = 1 - (steps + 1) // 2
    knots = [math.sqrt((n + 0.5 * steps) * steps / epsilon) for n in range(lowest, lowest + 40)]
    assert np.all(np.diff([delta(knot) for knot in knots]) < 0.0)
    rising = 0
    for low, high in itertools.pairwise(knots[:25]):
        changes = np.diff([delta(s) for s in np.linspace(low, high, 40)[1:-1]])
        falls = changes < 0.0
        # Once it falls it falls to the end.
        assert not np.any(falls[:-1] & ~falls[1:])
        rising += not falls[0]
    assert rising > 0 or epsilon <= 8.0


@pytest.mark.parametrize("steps", [1, 2, 7])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0, 20.0, 50.0])
@pytest.mark.parametrize("delta", [1e-9, 1e-6, 1e-3, 0.3])
def test_no_smaller_sigma_is_private(epsilon: float, delta: float, steps: int) -> None:
    found = smallest_sigma(epsilon, delta, steps)
    assert WholeGaussian(found).delta(epsilon, steps) <= delta
    smaller = np.concatenate([np.linspace(0.01, 1.0, 600)[:-1], [1.0 - 1e-7]]) * found
    assert min(WholeGaussian(float(s)).delta(epsilon, steps) for s in smaller) > delta


def test_no_proposal_is_hopeless() -> None:
    """Acceptance of Algorithm 3, ``tanh(1/2t) exp(-σ²/2t²) S``, is above 44 %."""
    for sigma in [*np.geomspace(0.01, 1e6, 400).tolist(), 0.9999, 1.0]:
        t = math.floor(sigma) + 1.0
        total = WholeGaussian(sigma).total
        accepted = math.tanh(0.5 / t) * math.exp(-0.5 * (sigma / t) ** 2) * total
        assert 0.44 < accepted <= 1.0
