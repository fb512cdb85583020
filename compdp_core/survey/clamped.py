"""What clamped Laplace noise would have said of a simulated class, and from how many answers on the
difference is seen.

True answers are not there to be used: the class is invented, of the teacher's choice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.estimates.moments import quantile
from compdp_core.mechanisms.baselines.clamped_laplace import ClampedLaplace
from compdp_core.numerics import first_above
from compdp_core.parameters import share as share_parameter
from compdp_core.survey.means import FEWEST, LEVEL, numeric
from compdp_core.survey.question import Question
from compdp_core.validation import Array, one_number, whole

MOST = 10**6
"""Answers after which nobody waits any longer."""
_GRID = 401
CLASS = 30
"""Answers of a class as most are."""
HALF, SURELY = 0.5, 0.8
"""Shares of classes that see something."""


@dataclass(frozen=True)
class InventedClass:
    """True answers of an invented class: normal around ``mean``, those beyond the bounds moved to
    the bound, as a person would round (unit of the question).
    """

    mean: float
    std: float

    def __post_init__(self) -> None:
        one_number("mean", self.mean)
        if not one_number("std", self.std) >= 0.0:
            raise ParameterError("std", self.std, "must be 0 or more")

    def answers(self, count: int, low: float, high: float) -> Array:
        """The middle quantiles of ``count`` equal parts, within the bounds, shape (count,)."""
        from scipy.special import ndtri

        at = ndtri((np.arange(count) + 0.5) / count)
        return np.clip(self.mean + self.std * at, low, high)


@dataclass(frozen=True)
class ClampedMean:
    """Of one simulated class: its own mean, and what two kinds of noise say (unit of answers)."""

    true: float
    clamped: float
    """Mean of the clamped noisy answers."""
    composite: float
    """Mean of the answers with composite noise."""
    expected: float
    """To what the clamped mean tends, however many answer."""

    @property
    def bias(self) -> float:
        """What clamping adds on average."""
        return self.expected - self.true


def clamped_mean(
    question: Question, invented: InventedClass, answers: int, *, seed: int
) -> ClampedMean:
    """One class of so many, simulated with both kinds of noise at the ε of the question.

    >>> from compdp_core.release import ColumnPlan
    >>> asked = Question("Marks?", ColumnPlan(inputs=(0, 20), epsilon=4))
    >>> found = clamped_mean(asked, InventedClass(18, 1.5), 10_000, seed=1)
    >>> round(found.true, 1), round(found.expected, 1), round(found.composite, 1)
    (17.9, 16.3, 18.0)
    """
    mechanism, laplace = numeric(question), _laplace(question)
    count = whole("answers", answers, 1, MOST)
    given = invented.answers(count, *mechanism.inputs)
    return ClampedMean(
        float(given.mean()),
        float(laplace.simulate(given, seed=seed).mean()),
        float(mechanism.simulate(given, seed=seed).mean()),
        float(given.mean() + np.mean(laplace.bias(given))),
    )


@dataclass(frozen=True)
class ClassNoise:
    """What noise does to an invented class, averaged over it (unit of the question)."""

    mean: float
    """Of the answers themselves, within the bounds."""
    clamped_bias: float
    """What clamped Laplace noise adds to the mean on average, however many answer."""
    std: float
    """σ, of one answer with composite noise."""

    def half_width(self, answers: int) -> float:
        """Half of the interval of the mean of so many, as it is to be expected: ``t σ/√n``."""
        n = whole("answers", answers, FEWEST, MOST)
        return quantile(LEVEL, n - 1) * self.std / math.sqrt(n)

    def chance_seen(self, answers: int) -> float:
        """How likely that interval excludes what clamped noise tends to:
        ``Φ(|bias| √n/σ - t)``.
        """
        from scipy.special import ndtr

        n = whole("answers", answers, FEWEST, MOST)
        return float(
            ndtr(abs(self.clamped_bias) * math.sqrt(n) / self.std - quantile(LEVEL, n - 1))
        )

    def answers_until_seen(self, chance: float = HALF) -> int | None:
        """The least number at which :meth:`chance_seen` reaches ``chance``: in every second class
        where it is left out. None where that takes more than :data:`MOST`, as in the middle of the
        bounds, where clamped noise is right.
        """
        wanted = share_parameter("chance").check(chance)

        def seen(n: int) -> bool:
            return self.chance_seen(n) >= wanted

        return first_above(FEWEST - 1, MOST, seen) if seen(MOST) else None

    def answers_until_within(self, reach: float) -> int:
        """The least number at which :meth:`half_width` is no more than ``reach``."""
        return first_above(FEWEST - 1, MOST, lambda n: self.half_width(n) <= reach)


def class_noise(question: Question, invented: InventedClass) -> ClassNoise:
    """Of a class that answers the question.

    >>> from compdp_core.release import ColumnPlan
    >>> asked = Question("Marks?", ColumnPlan(inputs=(0, 20), epsilon=4))
    >>> near_top, middle = (class_noise(asked, InventedClass(mean, 1.5)) for mean in (18, 10))
    >>> near_top.answers_until_seen(), near_top.answers_until_seen(SURELY)
    (23, 44)
    >>> round(near_top.chance_seen(30), 2), middle.answers_until_seen()
    (0.63, None)
    """
    mechanism = numeric(question)
    given = invented.answers(_GRID, *mechanism.inputs)
    return ClassNoise(
        float(given.mean()),
        float(np.mean(_laplace(question).bias(given))),
        math.sqrt(float(np.mean(mechanism.variance(given)))),
    )


@lru_cache(maxsize=64)
def _laplace(question: Question) -> ClampedLaplace:
    mechanism = numeric(question)
    return ClampedLaplace(mechanism.epsilon, mechanism.inputs)
