"""What a card says of how values were drawn: design, weights and what was proved of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

Exact = Annotated[str, {"pattern": r"^[0-9]+(\.[0-9]+|/[1-9][0-9]*)?$"}]
"""A positive rational: a decimal where it ends, else a fraction."""
Whole = Annotated[str, {"pattern": "^[1-9][0-9]*$"}]
"""A whole number as text: floats of some languages would round it."""
Natural = Annotated[str, {"pattern": "^(0|[1-9][0-9]*)$"}]
Positive = Annotated[float, {"exclusiveMinimum": 0}]
Distance = Annotated[float, {"minimum": 0}]
Probability = Annotated[float, {"exclusiveMinimum": 0, "maximum": 1}]


@dataclass(frozen=True)
class Response:
    """How a category is drawn, and how to estimate shares of the true ones from the drawn ones."""

    kept: Annotated[Whole, "a: weight of the true category."]
    each_other: Annotated[Whole, "b: weight of each other category."]
    total: Annotated[Whole, "W = a + (k - 1) b for k categories."]
    probability_kept: Annotated[Probability, "a / W"]
    probability_other: Annotated[Probability, "b / W, for each other category."]
    meaning: str
    share: Annotated[str, "Estimates the true share of a category from its released share f."]
    share_meaning: str
    share_error: Annotated[str, "Standard error of that among n rows with a value."]
    share_error_meaning: str


@dataclass(frozen=True)
class Sensitivity:
    """Δ: the most the exact value can change between neighbouring tables."""

    value: Positive
    formula: str
    reason: str


@dataclass(frozen=True)
class Parameters:
    """The design, a dimensionless shape: lengths in domain units, heights in their inverse."""

    pair: str
    activation: Annotated[str, "Title and formula of h on [0, 1]."]
    base: Annotated[str, "Title and formula of g on [-1, 1]."]
    objective: Annotated[
        str,
        {"enum": ["center", "mean", "worst", "given"]},
        "At which input the variance was minimised; given: nothing was.",
    ]
    epsilon: Annotated[Positive, "The float the design is made for, never above the exact budget."]
    k: Annotated[float, "Height of the activation."]
    m: Annotated[float, "Width of the activation."]
    y: Annotated[float, "Height of the base in the middle."]
    t: Annotated[float, "Height of the base at the edge."]
    L: Annotated[float, "Half-width of the domain."]
    C: Annotated[float, "Half-width of the inputs in the domain."]
    mu: Annotated[float, "m / 2L"]
    kappa: Annotated[float, "k / y"]
    tau: Annotated[float, "t / y"]
    input_fraction: Annotated[float, "C / L"]
    steps: Annotated[int | None, "Levels of a staircase."]
    gamma: Annotated[float | None, "Half the top level of a staircase, in sensitivities."]


@dataclass(frozen=True)
class Proof:
    """What is proved, in integers, about the very distribution that was drawn from.

    Fields of numbers are null for categories.
    """

    holds: Annotated[bool, {"const": True}]
    epsilon: Annotated[Positive, "Proved upper bound of the privacy loss."]
    ratio: Annotated[
        str,
        {"pattern": "^[1-9][0-9]*/[1-9][0-9]*$"},
        "Largest ratio of probabilities of one output under two neighbours, exact.",
    ]
    lower: Annotated[float | None, "Lowest output."]
    upper: Annotated[float | None, "Highest output."]
    spacing: Annotated[
        float | None, {"exclusiveMinimum": 0}, "Distance of neighbouring outputs, a power of ten."
    ]
    points: Annotated[int, {"minimum": 2}, "Number of possible outputs."]
    worst_bias: Annotated[float | None, {"minimum": 0}, "Upper bound of the bias for any input."]


@dataclass(frozen=True)
class RunsPart:
    """Weights of consecutive points, from the lowest one to the middle; the rest mirrors them."""

    lengths: Annotated[tuple[int, ...], {"minItems": 1}, "How many points have the same weight."]
    weights: Annotated[tuple[Natural, ...], {"minItems": 1}, "Of each of them, a whole number."]


@dataclass(frozen=True)
class LatticePart:
    """The very distribution that was drawn from.

    For a true value x and the real shift s(x) = (x - centre)/(p spacing) + (N - M)/2, rounded up or
    down at random so that its mean is s, point i of N has the probability (b_i + w_{i-s})/W.
    """

    first: Annotated[int, "The lowest of N points lies at first · 10^exponent."]
    exponent: int
    base: RunsPart
    activation: RunsPart
