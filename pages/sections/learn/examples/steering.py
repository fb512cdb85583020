"""A base and an activation: where the average is, and where the activation must stand."""

from __future__ import annotations

from pages.sections.learn.examples.noise import composite

EPSILON = 1.0


def average(centre: float) -> float:
    """Mean of what comes out when the activation stands there."""
    mechanism = composite(EPSILON)
    middle = sum(mechanism.outputs) / 2
    return middle + mechanism.design.S1 * (centre - middle)


def centre_for(value: float) -> float:
    """Where the mechanism puts its activation for that true value."""
    mechanism = composite(EPSILON)
    density = mechanism.density()
    start = density.start(mechanism.mapped(value))
    return float(mechanism.mapping.to_data(start + mechanism.design.m / 2))
