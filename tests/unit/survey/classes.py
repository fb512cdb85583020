"""Classes whose answers are simulated, and how often intervals hold what they say."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.moments import quantile
from compdp_core.intervals import Interval
from compdp_core.release import ColumnPlan
from compdp_core.survey.means import LEVEL, numeric
from compdp_core.survey.question import Question
from compdp_core.validation import Array

DEVIATIONS = 6.1
"""Of the normal distribution: beyond it lies 1e-9 on both sides."""


@cache
def asked(inputs: tuple[float, float] = (0, 20), epsilon: float = 4, kind: str = "") -> Question:
    plan = ColumnPlan(inputs=inputs, epsilon=epsilon, whole=kind == "whole")
    return Question("How many?", plan, "points")


def margin(rate: float, classes: int) -> float:
    """By how much a simulated rate may lie off."""
    return DEVIATIONS * math.sqrt(rate * (1.0 - rate) / classes)


def bounds(question: Question) -> tuple[float, float]:
    return numeric(question).inputs


def drawn(question: Question, true: Array, seed: int = 1) -> Array:
    """What devices send for true answers of shape (classes, n)."""
    return question.mechanism.simulate(true, seed=seed)


def ends(question: Question, u: Array, reach: float | None = None) -> tuple[Array, Array]:
    """Of the intervals of all classes at once; ``reach`` in the place of Student's t."""
    mechanism, n = numeric(question), u.shape[1]
    whole = question.plan.kind == "whole"
    channel = NumberChannel.of(mechanism.lattice, Interval(*mechanism.outputs), whole=whole)
    noise = np.clip(channel.noise(u).mean(axis=1), *channel.noise_limits)
    half = (quantile(LEVEL, n - 1) if reach is None else reach) * np.sqrt(noise / n)
    low, high = mechanism.inputs
    middle = np.clip(u.mean(axis=1), low, high)
    return np.maximum(middle - half, low), np.minimum(middle + half, high)


def coverage(low: Array, high: Array, truth: Array | float) -> float:
    """How often intervals hold it, but for the last digits of sums."""
    slack = 1e-9 * np.max(np.abs(high))
    return float(np.mean((low - slack <= truth) & (truth <= high + slack)))
