"""Two results that Ada may have, and how often each number comes out for them."""

from __future__ import annotations

from pages.sections.learn.examples.noise import composite

EPSILON = 1.0
ONE, OTHER = 30.0, 70.0


def heights(outcome: float) -> tuple[float, float]:
    """The density at that number for the one result and for the other."""
    one, other = (float(composite(EPSILON).pdf(outcome, value=each)) for each in (ONE, OTHER))
    return one, other


def likelier(heights: tuple[float, float]) -> tuple[float, float]:
    """The result for which the number comes out more often, and how many times as often."""
    one, other = heights
    return (ONE, one / other) if one >= other else (OTHER, other / one)
