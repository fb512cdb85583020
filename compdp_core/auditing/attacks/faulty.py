"""Mechanisms broken on purpose: each makes a mistake that was made in the field.

They claim more privacy than they give. An audit must catch them; nothing can release from them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import Rectangle
from compdp_core.validation import floats

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Faulty:
    """One mistake: what is wrong, what would be right, and draws that show it."""

    name: str
    fault: str
    remedy: str
    claimed: float
    """The ε it claims."""
    true: float
    """Its real privacy loss for ``neighbours``."""
    neighbours: tuple[float, float]
    """Two inputs that it fails to protect (data units)."""
    outputs: tuple[float, float]
    """Where its outputs are drawn in a picture (data units)."""
    pdf: Callable[[Array, float], Array]
    """Density at outputs for one input (per data unit)."""
    simulate: Callable[[Array, int], Array]
    """Draws for inputs, given a seed."""
    bounded: bool = True
    """Whether all outputs lie in :attr:`outputs`."""
    valid: tuple[float, float] | None = None
    """The inputs for which it keeps its promises, where there are any."""


def _half_noise() -> Faulty:
    real = CompositeMechanism(2.0, (0, 100))
    return Faulty(
        name="Half the budget counted",
        fault="Two columns of one person are released at ε = 1 each, and ε = 1 is reported.",
        remedy="Budgets of the same rows add up: charge 2, or release each column at 0.5.",
        claimed=1.0,
        true=2.0,
        neighbours=(0.0, 100.0),
        outputs=real.outputs,
        pdf=lambda x, value: real.pdf(x, value=value),
        simulate=lambda values, seed: real.simulate(values, seed=seed),
    )


def _one_bound() -> Faulty:
    scale = 50.0  # max(|a|, |b|) / ε for inputs -50 … 50 and ε = 1

    def pdf(x: Array, value: float) -> Array:
        return np.exp(-np.abs(floats("x", x) - value) / scale) / (2.0 * scale)

    def simulate(values: Array, seed: int) -> Array:
        true = floats("values", values)
        return true + np.random.default_rng(seed).laplace(0.0, scale, true.shape)

    return Faulty(
        name="Sensitivity from one bound",
        fault="Laplace noise for values from −50 to 50 is scaled by the larger bound, 50.",
        remedy="Two values can be 100 apart: Δ is the width of the bounds, upper minus lower.",
        claimed=1.0,
        true=2.0,
        neighbours=(-50.0, 50.0),
        outputs=(-300.0, 300.0),
        pdf=pdf,
        simulate=simulate,
        bounded=False,
    )


@dataclass(frozen=True)
class _Unchecked:
    """The composite density with any input let through, its activation cut at the domain's edge.

    The example of the authors' released program: ε = 1, k = 0.5, m = 0.4, y = 0.3, outputs from 0.
    """

    design: Design
    inputs_width: float

    @cached_property
    def outputs(self) -> Interval:
        return Interval(0.0, self.inputs_width / self.design.input_fraction)

    def ends(self, value: float) -> tuple[float, float]:
        """Ends of the activation inside the domain (domain units)."""
        d = self.design
        position = (value - self.outputs.midpoint) * 2.0 * d.L / self.outputs.width
        start = d.centre(position) - 0.5 * d.m
        return max(start, -d.L), max(min(start + d.m, d.L), -d.L)

    def mass(self, value: float) -> float:
        """What is left of mass 1."""
        low, high = self.ends(value)
        return self.design.S2 + self.design.k * max(high - low, 0.0)

    def pdf(self, x: Any, value: float) -> Array:
        d = self.design
        scale = 2.0 * d.L / self.outputs.width
        position = (floats("x", x) - self.outputs.midpoint) * scale
        low, high = self.ends(value)
        inside = (position >= low) & (position < high)
        total = Density(d).base_pdf(position) + np.where(inside, d.k, 0.0)
        result: Array = total * scale / self.mass(value)
        return result

    def simulate(self, values: Array, seed: int) -> Array:
        rng = np.random.default_rng(seed)
        d = self.design
        values = floats("values", values)
        result = np.empty(values.shape)
        for value in np.unique(values):
            chosen = values == value
            count = int(chosen.sum())
            low, high = self.ends(float(value))
            base = rng.random(count) < d.S2 / self.mass(float(value))
            inner = rng.uniform(low, max(high, low), count)
            position = np.where(base, rng.uniform(-d.L, d.L, count), inner)
            result[chosen] = position * self.outputs.width / (2.0 * d.L) + self.outputs.midpoint
        return result


def _outside_domain() -> Faulty:
    design = Design.from_parameters(1.0, Rectangle(), "B1", 0.5, 0.4, 0.3)
    program = _Unchecked(design, 10.0)
    neighbours = (23.0, 33.0)
    # What is cut off at the edge makes all that remains likelier, the rest of the activation too.
    cut = math.log(program.mass(33.0) / program.mass(23.0))
    return Faulty(
        name="Inputs outside the valid interval",
        fault="The authors' released program maps its lowest output to the domain's edge and lets "
        "every answer through: 33 is a valid input, its neighbour 23 is not.",
        remedy="Choose the input interval first and derive the outputs from it; clamp inputs into "
        "it, as this project does.",
        claimed=1.0,
        true=math.log(design.declared_ratio) + cut,
        neighbours=neighbours,
        outputs=program.outputs.as_tuple(),
        pdf=program.pdf,
        simulate=program.simulate,
        valid=(program.outputs.midpoint - 5.0, program.outputs.midpoint + 5.0),
    )


FAULTY: dict[str, Callable[[], Faulty]] = {
    "half": _half_noise,
    "one_bound": _one_bound,
    "outside": _outside_domain,
}
