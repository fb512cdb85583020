"""What the settings make: constraints always, a density where there is one, and else the reason."""

from __future__ import annotations

import math
from dataclasses import dataclass

from compdp_core.design.affine import Mapping
from compdp_core.design.constraints import Constraint, evaluate
from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.design.optimize.staircase import staircase_design
from compdp_core.design.staircase_constraints import evaluate_staircase
from compdp_core.errors import CompdpError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.planning import derived_outputs
from compdp_core.shapes.staircase import check_steps
from compdp_core.text import plain
from pages.charts.density import Scene
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.optimum import activation, base, is_staircase
from pages.text.wording import apart

LEAST = 1e-9
"""Of the outputs that inputs fill: below it no lattice tells inputs apart, nor does a picture."""
CROSSED = (
    "the smallest true value, {}, must lie below the largest, {}: both are set under Data units "
    "and neighbours"
)
TOO_LITTLE = (
    "the inputs fill less than a billionth of the outputs: raise the height or the width of the "
    "activation"
)


@dataclass(frozen=True)
class Result:
    """A density between its inputs and outputs, looked at for one input."""

    design: Design
    inputs: Interval
    mapping: Mapping
    position: float
    """C_p / C as set, which may lie beyond -1 and 1."""
    neighbours: float
    """Δ/R."""

    @property
    def shown(self) -> float:
        """The position that can be drawn: the nearest valid one."""
        return min(max(self.position, -1.0), 1.0)

    @property
    def c_p(self) -> float:
        return self.shown * self.design.C

    @property
    def value(self) -> float:
        """The true value of that position (data units)."""
        return self.inputs.midpoint + 0.5 * self.shown * self.inputs.width

    @property
    def density(self) -> Density:
        return Density(self.design)

    @property
    def sensitivity(self) -> float:
        return self.neighbours * self.inputs.width

    def variance(self, position: float, design: Design | None = None) -> float:
        """At the input of that position (data units squared)."""
        chosen = self.design if design is None else design
        return chosen.relative_variance(position) * self.inputs.width**2

    def to_data(self, x: float) -> float:
        """A place of the domain in data units, without the dust of floats."""
        return round(float(self.mapping.to_data(x)), 9 - math.floor(math.log10(self.inputs.width)))

    def apart(self, c_p: float, other: float) -> tuple[str, str]:
        """Two mapped inputs in data units, in words that tell them apart."""
        shown = self.to_data(c_p), self.to_data(other)
        if shown[0] == shown[1]:  # closer than a billionth of the inputs
            shown = float(self.mapping.to_data(c_p)), float(self.mapping.to_data(other))
        return apart(*shown)

    def scene(self) -> Scene:
        outputs = self.mapping.outputs.as_tuple()
        inputs = self.inputs.as_tuple()
        return Scene(self.design, self.mapping, inputs, outputs, self.value, self.c_p)


@dataclass(frozen=True)
class Bench:
    epsilon: float
    rows: tuple[Constraint, ...]
    result: Result | None
    why: str
    """Why there is nothing to draw."""
    optimum_helps: bool = True
    """Whether it is the density that is at fault, not the inputs it is for."""

    @property
    def feasible(self) -> bool:
        return self.result is not None and all(row.met for row in self.rows)


def bench() -> Bench:
    epsilon = float(lab.BUDGET.value)
    position = float(lab.PLACE.value)
    design, why = _design(epsilon)
    rows = _rows(epsilon, 0.0 if design is None else position * design.C)
    if design is not None and not design.input_fraction >= LEAST:
        design, why = None, TOO_LITTLE
    if design is None:
        return Bench(epsilon, rows, None, why)
    neighbours = float((lab.RATIO if is_staircase() else lab.NEIGHBOURS).value)
    lower, upper = lab.value(lab.LOWER), lab.value(lab.UPPER)
    if not lower < upper:
        why = CROSSED.format(plain(lower), plain(upper))
        return Bench(epsilon, rows, None, why, optimum_helps=False)
    try:
        inputs = Interval.checked("inputs", (float(lower), float(upper)))
        mapping = Mapping(derived_outputs(inputs, design), design.L)
    except CompdpError as refusal:
        return Bench(epsilon, rows, None, str(refusal), optimum_helps=False)
    return Bench(epsilon, rows, Result(design, inputs, mapping, position, neighbours), "")


def _design(epsilon: float) -> tuple[Design | None, str]:
    try:
        if is_staircase():
            gamma, ratio = float(lab.TOP.value), float(lab.RATIO.value)
            steps = check_steps(lab.LEVELS.value, epsilon)
            return staircase_design(epsilon, ratio, steps, gamma), ""
        k, m, y = (float(control.value) for control in (lab.HEIGHT, lab.WIDTH, lab.LEVEL))
        return Design.from_parameters(epsilon, activation(), base(), k, m, y), ""
    except CompdpError as refusal:
        return None, str(refusal)


def _rows(epsilon: float, c_p: float) -> tuple[Constraint, ...]:
    if is_staircase():
        steps, gamma, ratio = lab.LEVELS.value, lab.TOP.value, lab.RATIO.value
        return evaluate_staircase(epsilon, steps, gamma, ratio, c_p)
    k, m, y = lab.HEIGHT.value, lab.WIDTH.value, lab.LEVEL.value
    return evaluate(epsilon, activation(), base(), k, m, y, c_p)
