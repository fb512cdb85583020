"""One question of a survey: its public settings, its certified draw, and which answers fit it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from compdp_core.accounting import exact_text
from compdp_core.errors import CompdpError, ParameterError, shown
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.release import ColumnPlan
from compdp_core.release.released import ColumnMechanism
from compdp_core.report.fields import as_data
from compdp_core.report.proofs import lattice_part, weights
from compdp_core.text import plain
from compdp_core.validation import of, text

LONGEST_QUESTION = 200
LONGEST_UNIT = 20
LONGEST_CATEGORY = 60
MOST_CATEGORIES = 12
LONGEST_ANSWER = 40
"""Characters of each."""
_NUMBER = re.compile(r"(?!-[0.]*$)-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,17})?", re.ASCII)
_BOUND = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,12})?", re.ASCII)
"""What a device reads: ``pages/sections/room/decimal.js``."""
_PLACE = re.compile(r"0|[1-9][0-9]?", re.ASCII)


class AnswerError(CompdpError):
    """What arrived is nothing that the question's draw can give."""


@dataclass(frozen=True)
class Question:
    """What is asked, and how its noise is drawn. All of it is public.

    ``plan``: bounds of a number, or the list of categories, and the ε that each answer spends.

    >>> sleep = Question("Hours of sleep?", ColumnPlan(inputs=(0, 12), epsilon=4), unit="h")
    >>> sleep.mechanism.certificate.holds, sleep.read("7.5")
    (True, 7.5)
    >>> late = Question("Late?", ColumnPlan(epsilon=1, kind="category", categories=["yes", "no"]))
    >>> late.read("1")
    1.0

    Raises :class:`~compdp_core.errors.CompdpError` that names the argument.
    """

    text: str
    plan: ColumnPlan
    unit: str = ""
    """Of a number."""

    def __post_init__(self) -> None:
        words = _line("question", self.text, LONGEST_QUESTION)
        if not words:
            raise ParameterError("question", self.text, "must not be empty: write what is asked")
        object.__setattr__(self, "text", words)
        object.__setattr__(self, "unit", _line("unit", self.unit, LONGEST_UNIT))
        plan = of("plan", self.plan, ColumnPlan, "must be a ColumnPlan")
        if plan.kind not in ("number", "whole", "category"):
            raise ParameterError(
                "kind", plan.kind, "must be a number, a whole number or a category"
            )
        object.__setattr__(self, "plan", replace(plan, position=0, missing="fill"))
        if plan.categories is not None:
            _check_categories(plan.categories.names)
        else:
            _check_bounds(plan.inputs)
        self.mechanism.certificate.require()
        if isinstance(self.mechanism, CompositeMechanism):
            _check_outputs(self.mechanism)

    @cached_property
    def mechanism(self) -> ColumnMechanism:
        """What draws the noise, with its certificate."""
        return self.plan.mechanism()

    @property
    def lattice(self) -> Lattice:
        """What a number is drawn from."""
        return of(
            "mechanism", self.mechanism, CompositeMechanism, "must be that of numbers"
        ).lattice

    @property
    def epsilon(self) -> Fraction:
        """What one answer spends."""
        return self.plan.epsilon

    @property
    def categories(self) -> tuple[str, ...]:
        """The answers that there are; none of a number."""
        return () if self.plan.categories is None else self.plan.categories.names

    @property
    def inputs(self) -> Interval | None:
        """Between which true answers lie; None of categories."""
        return None if self.categories else self.plan.inputs

    def read(self, answer: object) -> float:
        """An answer that arrived, as a number: a point of the lattice, or the place of a category.

        Raises :class:`AnswerError` for all that the draw cannot give.
        """
        if not isinstance(answer, str) or len(answer) > LONGEST_ANSWER:
            raise AnswerError(f"an answer must be a short text: {shown(answer)}")
        if isinstance(self.mechanism, RandomizedResponse):
            if not _PLACE.fullmatch(answer) or int(answer) >= len(self.categories):
                what = f"must be the place of one of {len(self.categories)} categories"
                raise AnswerError(f"an answer {what}: {shown(answer)}")
            return float(answer)
        lattice = self.lattice
        if not _NUMBER.fullmatch(answer):
            raise AnswerError(f"an answer must be a decimal number: {shown(answer)}")
        place = Fraction(Decimal(answer)) / lattice.exact_spacing - lattice.first
        if place.denominator != 1 or not 0 <= place < lattice.points:
            ends = " to ".join(map(plain, self.mechanism.outputs))
            what = f"must be one of the numbers that can be drawn, from {ends}"
            raise AnswerError(f"an answer {what}: {shown(answer)}")
        return float(lattice.value(int(place)))

    def draw_data(self) -> dict[str, Any]:
        """All that a device needs to draw, as plain values for JSON: the lattice, or the weights of
        categories, as the card has them, and the bounds as decimals.

        >>> asked = Question("Marks?", ColumnPlan(inputs=(0, 20), epsilon=4))
        >>> data = asked.draw_data()
        >>> data["low"], data["high"], data["lattice"]["exponent"], data["decimals"]
        ('0', '20', -3, 3)
        """
        mechanism = self.mechanism
        shared = {"text": self.text, "epsilon": exact_text(self.epsilon), "unit": self.unit}
        if isinstance(mechanism, RandomizedResponse):
            own: dict[str, Any] = {"categories": self.categories, "response": weights(mechanism)}
            return {**shared, "kind": "category", **own}
        low, high = (_decimal(end) for end in mechanism.inputs)
        outputs = [_decimal(end) for end in mechanism.outputs]
        return {
            **shared,
            "kind": "number",
            "low": low,
            "high": high,
            "outputs": outputs,
            "decimals": mechanism.decimals,
            "lattice": as_data(lattice_part(mechanism.lattice)),
        }


def _decimal(value: float) -> str:
    """All digits, without an exponent and without zeros at the end."""
    whole = f"{Decimal(repr(value)):f}"
    return whole.rstrip("0").rstrip(".") if "." in whole else whole


def _line(name: str, given: object, longest: int) -> str:
    """A text in one line, without what cannot be seen."""
    words = " ".join(text(name, given).split())
    if len(words) > longest or not words.isprintable():
        what = f"must be text of at most {longest} characters that can be printed"
        raise ParameterError(name, given, what)
    return words


def _check_bounds(inputs: Interval) -> None:
    if not all(_BOUND.fullmatch(_decimal(end)) for end in inputs.as_tuple()):
        what = "must be decimals of at most 15 digits before and 12 after the point"
        raise ParameterError("inputs", inputs.as_tuple(), what)


def _check_outputs(mechanism: CompositeMechanism) -> None:
    """Refuse a lattice of which not every point can be written and read again."""
    lattice = mechanism.lattice
    last = lattice.first + lattice.points - 1
    ends = (Decimal(index).scaleb(lattice.exponent) for index in (lattice.first, last))
    if not all(_NUMBER.fullmatch(f"{end + 0:f}") for end in ends):
        what = "must be wider, or nearer to 0, for answers that can be written: choose another unit"
        raise ParameterError("inputs", mechanism.inputs, what)


def _check_categories(names: tuple[str, ...]) -> None:
    if len(names) > MOST_CATEGORIES:
        raise ParameterError("categories", len(names), f"must be at most {MOST_CATEGORIES}")
    for name in names:
        if _line("categories", name, LONGEST_CATEGORY) != name or not name:
            raise ParameterError("categories", name, "must each be a text without blanks around it")
