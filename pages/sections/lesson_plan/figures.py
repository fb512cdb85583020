"""The numbers of the lesson plan, each worked out by the library from a template of a room."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.mechanisms.baselines.clamped_laplace import ClampedLaplace
from compdp_core.numerics import first_above
from compdp_core.release.accuracy import Meaning
from compdp_core.survey.clamped import InventedClass, answers_until_seen
from compdp_core.survey.means import half_widths, numeric
from compdp_core.survey.templates import Template, template
from compdp_core.text import span
from compdp_core.validation import Array, of
from pages.text.wording import quantity

CLASS = 30
"""Answers of a class as most are."""
FEW = 5
"""Answers of which a mean looks wrong."""
MOST = 10**6
SURELY = 0.8
_GRID = 401
_WIDEST = "must be a template that asks for a number"


@dataclass(frozen=True, eq=False)
class MeanFigures:
    """Of a question that asks for a number, for a class as one is expected."""

    template: Template

    @property
    def expected(self) -> InventedClass:
        return of("template", self.template.expected, InventedClass, _WIDEST)

    @property
    def unit(self) -> str:
        return self.template.question.unit

    @property
    def mean(self) -> float:
        """Of the answers themselves."""
        return float(self._given.mean())

    @property
    def _given(self) -> Array:
        return self.expected.answers(_GRID, *numeric(self.template.question).inputs)

    @property
    def needed(self) -> int:
        """Answers from which on every second class sees that clamped noise is wrong."""
        return seen_from(self.template)

    @property
    def surely(self) -> int:
        """Answers from which on four of five classes do."""
        found = answers_until_seen(self.template.question, self.expected, SURELY)
        if found is None:
            raise ParameterError("template", self.template.key, "must be one that can be seen")
        return found

    def reach(self, answers: int) -> float:
        """Half of the interval of the mean of so many answers, as it is to be expected."""
        mechanism = numeric(self.template.question)
        error = math.sqrt(float(np.mean(mechanism.variance(self._given))) / answers)
        return float(half_widths(np.array([float(answers)]))[0]) * error

    def answers_for(self, reach: float) -> int:
        """From how many answers on the interval reaches no further than that."""
        return int(first_above(3, MOST, lambda n: self.reach(int(n)) <= reach))

    @property
    def moved(self) -> float:
        """By how much one answer moves the mean of a class at most, whatever is sent."""
        low, high = numeric(self.template.question).outputs
        return (high - low) / CLASS

    @property
    def outputs(self) -> str:
        """Between which numbers lies what phones send."""
        return span(*numeric(self.template.question).outputs, self.unit, 3)

    @property
    def inputs(self) -> str:
        return span(*numeric(self.template.question).inputs, self.unit)

    @property
    def bias(self) -> float:
        """How wrong clamped Laplace noise is on average."""
        mechanism = numeric(self.template.question)
        laplace = ClampedLaplace(mechanism.epsilon, mechanism.inputs)
        return float(np.mean(laplace.bias(self._given)))

    @property
    def single_error(self) -> str:
        error = Meaning(numeric(self.template.question)).typical_error
        return quantity(error, self.unit, 2)

    def about(self, value: float, digits: int = 2) -> str:
        """A value with its unit."""
        return quantity(value, self.unit, digits)


def seen_from(of_template: Template) -> int:
    """From how many answers on the point of a template is seen."""
    if of_template.needed is None:
        raise ParameterError("template", of_template.key, "must be one whose point can be seen")
    return of_template.needed


def named(key: str) -> Template:
    found = template(key)
    if found is None:
        raise ParameterError("template", key, "must be the key of a template")
    return found


# Of public settings alone: no data reaches these.
@cache
def figures(key: str) -> MeanFigures:
    return MeanFigures(named(key))


def needed_at(key: str, epsilon: float) -> int:
    """From how many answers on the point would be seen at another ε."""
    given = named(key)
    plan = replace(given.question.plan, epsilon=Fraction(epsilon))
    return seen_from(replace(given, question=replace(given.question, plan=plan)))
