"""What is minimised, from the variance at single inputs, which is quadratic in their position."""

from __future__ import annotations

from compdp_core.design.density import Density
from compdp_core.design.design import Design


def value(design: Design, objective: str = "center") -> float:
    """The variance over the squared width of the widest inputs."""
    centre, edge = design.relative_variance(0.0), design.relative_variance(1.0)
    return {"center": centre, "worst": edge, "mean": centre + (edge - centre) / 3.0}[objective]


def fixed_value(design: Design, objective: str, c: float, w: float) -> float:
    """Variance over L² of inputs at ``c ± w`` of the half-width, from the density itself."""
    density = Density(design)
    low, middle, high = (
        density.variance(place * design.L) / design.L**2 for place in (c - w, c, c + w)
    )
    # Simpson's rule is the mean of a square exactly.
    mean = (low + 4.0 * middle + high) / 6.0
    return {"center": middle, "worst": max(low, high), "mean": mean}[objective]
