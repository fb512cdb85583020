"""The mean of a class, and how it narrows with every answer.

For readings u of noise variance s(u), right on average, of n answers: ``mean(u) ± t √(mean(s)/n)``
with Student's t of n - 1 degrees of freedom, around the nearer bound where the mean lies beyond.
What is not known is the noise alone, whose variance is known but for where the true answers lie; a
normal quantile would do for many answers. For few it is too short, since the noise is not normal:
of 5 answers at both ends at ε = 4, 10 in 100 intervals would miss. With t, 95 of 100 hold at 3
answers and more up to ε = 5, wherever true answers lie (94 of whole numbers, the worst of all:
``tests/unit/survey/test_means.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.moments import quantile
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.survey.question import Question
from compdp_core.validation import Array, floats, of

FEWEST = 3
"""Answers for an interval."""
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class RunningMean:
    """Mean and interval after each answer, in the order given, each of shape (n,); NaN where there
    are fewer than :data:`FEWEST` answers for an interval (unit of the question).
    """

    value: Array
    low: Array
    high: Array

    @property
    def now(self) -> tuple[float, float, float]:
        """Mean and interval of all answers."""
        return float(self.value[-1]), float(self.low[-1]), float(self.high[-1])


def running_mean(question: Question, values: Array) -> RunningMean:
    """The mean of the true answers, as it is known after each of the ``values``.

    >>> from compdp_core.release import ColumnPlan
    >>> asked = Question("Marks?", ColumnPlan(inputs=(0, 20), epsilon=4))
    >>> found = running_mean(asked, np.array([17.0, 19.5, 16.0, 20.5]))
    >>> found.value.tolist(), found.low.round(1).tolist()
    ([17.0, 18.25, 17.5, 18.25], [nan, nan, 8.8, 12.4])
    """
    mechanism = numeric(question)
    if not len(values):
        raise ParameterError("values", "none", "must be at least one answer")
    u, n = floats("values", values), np.arange(1.0, len(values) + 1)
    mean = np.cumsum(u) / n
    whole = question.plan.kind == "whole"
    channel = NumberChannel.of(mechanism.lattice, Interval(*mechanism.outputs), whole=whole)
    noise = np.clip(np.cumsum(channel.noise(u)) / n, *channel.noise_limits)
    half = half_widths(n) * np.sqrt(noise / n)
    low, high = mechanism.inputs
    # A mean beyond the bounds is taken for the bound: none looks the surer the farther it is off.
    middle = np.clip(mean, low, high)
    return RunningMean(mean, np.maximum(middle - half, low), np.minimum(middle + half, high))


def half_widths(n: Array) -> Array:
    """Of intervals, in standard errors of the mean of ``n`` answers; NaN for too few."""
    return np.array([quantile(LEVEL, k - 1) if k >= FEWEST else np.nan for k in n.tolist()])


def numeric(question: Question) -> CompositeMechanism:
    """The mechanism of a question that asks for a number."""
    return of("question", question.mechanism, CompositeMechanism, "must ask for a number")
