"""What clamped noise would have said of an invented class, and from how many answers on it shows.

False alarms: 1e-9 for each verdict at another seed, as bounds lie 6.1 standard errors off. Of ten
million answers they lie at .01 of a mark; the twin, a bias forgotten, is 1.6 marks off.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import t as student

from compdp_core.errors import ParameterError
from compdp_core.release import ColumnPlan
from compdp_core.survey.clamped import MOST, InventedClass, clamped_mean, class_noise
from compdp_core.survey.question import Question

MARKS = Question("Marks?", ColumnPlan(inputs=(0, 20), epsilon=4))
CLASSES = [InventedClass(18, 1.5), InventedClass(2, 4), InventedClass(10, 0), InventedClass(25, 3)]


@pytest.mark.parametrize("invented", CLASSES)
def test_the_answers_are_the_middle_quantiles_within_the_bounds(invented: InventedClass) -> None:
    normal = NormalDist(invented.mean, max(invented.std, 1e-300))
    for n in (1, 2, 7, 30):
        found = invented.answers(n, 0, 20)
        exact = [normal.inv_cdf((i + 0.5) / n) for i in range(n)]
        assert found.tolist() == pytest.approx([min(max(x, 0), 20) for x in exact])
        assert (np.diff(found) >= 0).all()


@pytest.mark.parametrize("invented", CLASSES)
def test_what_is_expected_of_both_noises_is_what_long_simulations_come_to(
    invented: InventedClass,
) -> None:
    n = MOST
    found = clamped_mean(MARKS, invented, n, seed=1)
    true = invented.answers(n, 0, 20)
    assert found.true == pytest.approx(true.mean())
    assert found.bias == pytest.approx(found.expected - found.true)
    # Laplace noise drawn here, by its own formula.
    noise = np.random.default_rng(2).laplace(0.0, 20 / 4, (10, n))
    drawn = np.clip(true + noise, 0, 20)
    off = 6.1 * float(drawn.std()) / math.sqrt(drawn.size)
    assert abs(float(drawn.mean()) - found.expected) < off
    assert off < 0.02
    spread = float(drawn.std()) / math.sqrt(n)
    assert abs(found.clamped - found.expected) < 6.1 * spread
    assert abs(found.composite - found.true) < 6.1 * 5.0 / math.sqrt(n)
    if invented.mean != 10:
        assert abs(found.true - found.expected) > 10 * off


def least(invented: InventedClass) -> int | None:
    """From how many on, by trying one after another, with an interval worked out anew."""
    given = invented.answers(401, 0, 20)
    tails = np.exp(-given / 5) - np.exp(-(20 - given) / 5)  # of noise of scale 20/4
    bias = abs(float(np.mean(0.5 * 5 * tails)))
    std = math.sqrt(float(np.mean(MARKS.mechanism.variance(given))))  # type: ignore[union-attr]
    for n in range(3, 20_000):
        if student.ppf(0.975, n - 1) * std / math.sqrt(n) <= bias:
            return n
    return None


@pytest.mark.parametrize(
    ("mean", "std"), [(18, 1.5), (17.5, 2), (2, 4), (20, 0), (14, 3), (11, 0.1), (10.5, 2)]
)
def test_the_answers_until_it_is_seen_are_those_that_trying_finds(mean: float, std: float) -> None:
    invented = InventedClass(mean, std)
    found = class_noise(MARKS, invented).answers_until_seen()
    assert found is not None
    assert found == least(invented)


def test_more_answers_are_needed_the_nearer_the_class_is_to_the_middle() -> None:
    needed = [
        class_noise(MARKS, InventedClass(mean, 1)).answers_until_seen()
        for mean in (19, 16, 13, 11, 10)
    ]
    assert needed[-1] is None
    numbers = [each for each in needed if each is not None]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 4


@pytest.mark.parametrize("std", [0, 1, 5, 100])
def test_in_the_middle_no_number_of_answers_shows_it(std: float) -> None:
    assert class_noise(MARKS, InventedClass(10, std)).answers_until_seen() is None


def test_what_is_no_class_is_refused() -> None:
    for mean, std in ((float("nan"), 1), (10, float("nan")), (10, -1)):
        with pytest.raises(ValueError, match=r"mean|std"):
            InventedClass(mean, std)
    for n in (0, MOST + 1):
        with pytest.raises(ParameterError, match="answers"):
            clamped_mean(MARKS, CLASSES[0], n, seed=1)
    late = Question("Late?", ColumnPlan(epsilon=1, kind="category", categories=["yes", "no"]))
    with pytest.raises(ValueError, match="must ask for a number"):
        class_noise(late, CLASSES[0]).answers_until_seen()
