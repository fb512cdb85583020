"""The numbers of the lesson plan, each worked out by the library from a template of a room."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property

from compdp_core.errors import ParameterError
from compdp_core.release.accuracy import Meaning
from compdp_core.survey.clamped import CLASS, SURELY, ClassNoise, InventedClass, class_noise
from compdp_core.survey.means import numeric
from compdp_core.survey.templates import Template, template
from compdp_core.text import span
from compdp_core.validation import of
from pages.text.wording import quantity

FEW = 5
"""Answers of which a mean looks wrong."""
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

    @cached_property
    def noise(self) -> ClassNoise:
        """What noise does to that class."""
        return class_noise(self.template.question, self.expected)

    @property
    def needed(self) -> int:
        """Answers from which on every second class sees that clamped noise is wrong."""
        return seen_from(self.template)

    @property
    def surely(self) -> int:
        """Answers from which on four of five classes do."""
        found = self.noise.answers_until_seen(SURELY)
        if found is None:
            raise ParameterError("template", self.template.key, "must be one that can be seen")
        return found

    def reach(self, answers: int) -> str:
        """Half of the interval of the mean of so many answers."""
        return self.about(self.noise.half_width(answers))

    def answers_for(self, reach: float) -> int:
        """From how many answers on the interval reaches no further than that."""
        return self.noise.answers_until_within(reach)

    @property
    def mean(self) -> str:
        """Of the answers themselves."""
        return self.about(self.noise.mean, 3)

    @property
    def bias(self) -> str:
        """How far off clamped Laplace noise is on average."""
        return self.about(abs(self.noise.clamped_bias))

    @property
    def clamped_mean(self) -> str:
        """To what the mean of answers with that noise tends."""
        return self.about(self.noise.mean + self.noise.clamped_bias, 3)

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
